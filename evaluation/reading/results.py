"""Places the lines of one tool result, by what its call says of it."""

from __future__ import annotations

from typing import NamedTuple

from evaluation.reading.blocks.fast import place_fast
from evaluation.reading.calls.asking import Asked, asked_of
from evaluation.reading.calls.naming import Calls, Named
from evaluation.reading.context import ContextText, ToolOutput
from evaluation.reading.frames.unframed import Unframed
from evaluation.reading.lines.forms import CUT
from evaluation.reading.lines.outputs import Frame
from evaluation.reading.lines.paths import PathResolver, paths_of
from evaluation.reading.lines.placement import Placement, Span, common_to
from evaluation.reading.lines.shown import BANNER_BEGINS, ELIDED, file_text, lines_of
from evaluation.reading.placing.line_by_line import place
from evaluation.reading.placing.origins import Origin, Squeezed, squeezed
from evaluation.reading.printing.predicted import place_whole
from generators.lines import CorpusIndex, is_weighty, normal_form, split_lines


def place_text(
    text: ContextText, tool: ToolOutput, index: CorpusIndex, *, by_blocks: bool = True
) -> Placement:
    """Place the lines of one tool result, whoever may have written them."""
    asked = asked_of(text, tool, Calls(index.kept(paths_of)))
    return placed(text.text, tool, asked, index, by_blocks=by_blocks)


def placed(
    text: str, tool: ToolOutput, asked: Asked, index: CorpusIndex, *, by_blocks: bool
) -> Placement:
    """Place a tool result; what only holds in one of several ways counts at the upper end."""
    shown = file_text(text, tool)
    found: list[Placement] = []
    for named in asked.named:
        only = named.only
        frame = asked.frame.of(Origin(named, index, asked.command))
        places = (
            named.places if len(named.places) == 1 or _names_files(shown, tool, index) else ("",)
        )
        for folder in places:
            paths = named.seen.from_place(folder)
            files = _Files(named.files, only, paths)
            found.append(_place(shown, tool, files, index, frame, by_blocks=by_blocks))
            if only is not None:
                _mark_clipped(only, found[-1], index)
            if named.is_guess and _disagrees(shown, tool, named, index, found[-1]):
                found[-1].doubt()
    if len(found) > 1:
        return common_to(found)
    if asked.command and not _is_decided(found[0]):
        return place_whole(shown, asked.command, asked.named[0], index) or found[0]
    return found[0]


def _is_decided(found: Placement) -> bool:
    return bool(found.sure) and not (found.ambiguous or found.leftover or found.short)


def _names_files(shown: str, tool: ToolOutput, index: CorpusIndex) -> bool:
    """Whether a path may have been printed, so that it matters from where it goes."""
    return (
        tool.heading is not None or BANNER_BEGINS in shown or index.kept(paths_of).may_be_in(shown)
    )


class _Files(NamedTuple):
    """What the call named, and how paths are written in what it gave back."""

    named: frozenset[str]
    only: str | None
    paths: PathResolver


def _place(
    shown: str,
    tool: ToolOutput,
    files: _Files,
    index: CorpusIndex,
    frame: Frame,
    *,
    by_blocks: bool,
) -> Placement:
    file, paths = files.only, files.paths
    only = frozenset(() if file is None else (file,))
    placement = None
    if by_blocks and (paths is index.kept(paths_of) or not paths.may_be_in(shown)):
        placement = place_fast(shown, tool, only, index, frame)
    if placement is None:
        placement = place(lines_of(shown, tool, index, paths), only, index, frame)
    if tool.path_argument is not None or tool.number is not None:
        return placement
    if placement.is_noise or not (placement.leftover or placement.unplaced):
        return placement
    unframed = Unframed(
        files.named,
        file,
        frame,
        paths,
        index,
        lambda lines, one: place(lines, only, index, one),
        lambda text: lines_of(text, tool, index, paths),
    )
    return unframed.placed(shown, placement)


def _mark_clipped(path: str, placement: Placement, index: CorpusIndex) -> None:
    """The first and the last line of an output may be parts of lines of the named file."""
    remains = placement.remains()
    if not remains:
        return
    lines = index.files[path]
    for shown, fits in ((remains[0], str.endswith), (remains[-1], str.startswith)):
        part = CUT.sub("", shown)
        if not is_weighty(part):
            continue
        found = [
            n for n, line in enumerate(lines, start=1) if len(part) < len(line) and fits(line, part)
        ]
        if len(found) == 1:
            placement.partial.append(Span(path, found[0], found[0]))


def _disagrees(
    shown: str, tool: ToolOutput, named: Named, index: CorpusIndex, placement: Placement
) -> bool:
    """Whether a line with a number is none of the file that was guessed, nor a part of one."""
    path = named.only
    if path is None or tool.number is None or path in index.older:
        return False
    if placement.is_all_of(path):
        return False
    whole = index.kept(Squeezed).text(path)
    for line in split_lines(shown):
        match = tool.number.match(line)
        if match is not None:
            text = CUT.sub("", normal_form(ELIDED.split(line[match.end() :], maxsplit=1)[0]))
            if is_weighty(text) and squeezed(text) not in whole:
                return True
    return False
