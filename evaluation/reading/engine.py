"""From what stood in each thread's context to the lines that entered it, file by file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evaluation.reading.context import (
    UNKNOWN_TOOL,
    ContextLog,
    ContextText,
    ToolOutput,
    ToolTable,
)
from evaluation.reading.placing import Placement, place
from evaluation.reading.shown import PathResolver, shown_lines, strings_in
from generators.lines import CorpusIndex, LinePlace, is_weighty


@dataclass(frozen=True)
class FileReading:
    """What entered of one file. Line numbers count from 1."""

    sure: frozenset[int] = frozenset()
    possible: frozenset[int] = frozenset()
    """Lines that may have entered, beyond the sure ones."""
    visible: frozenset[int] = frozenset()
    """Sure lines still in the input of the call that gave the final response."""
    visible_possible: frozenset[int] = frozenset()
    """Lines that may still be, beyond the visible ones."""
    partial: frozenset[int] = frozenset()
    """Lines of which only a part was shown, and never the whole."""


@dataclass(frozen=True)
class ThreadReading:
    """What entered one thread's context, or that of several together."""

    files: Mapping[str, FileReading]
    """Only files of which anything entered."""
    ambiguous: int = 0
    """Shown lines with more than one possible place. At most so many of the possible lines
    entered, since one shown line has one source: the stated outer bound of a run's figures."""

    def of(self, path: str) -> FileReading:
        """What entered of a file; nothing of one that is not there."""
        return self.files.get(path, FileReading())


@dataclass(frozen=True)
class Reading:
    """What entered, thread by thread, and in the union."""

    threads: Mapping[str, ThreadReading]
    union: ThreadReading


def measure(log: ContextLog, tools: ToolTable, index: CorpusIndex) -> Reading:
    """Measure one channel's account of a run against a corpus.

    Only calls begun before the call of the final response count.
    """
    resolver = PathResolver(index.files)
    written = "\n".join(part for text in log.texts for part in strings_in(text.arguments))
    placed: dict[str, list[_Placed]] = {thread.id: [] for thread in log.threads}
    for text in log.texts:
        tool = tools.get(text.tool, UNKNOWN_TOOL)
        if tool.credit == "none" or text.inherited:
            continue
        if log.final is not None and text.call > log.final.call:
            continue
        named = _named(text, tool.path_argument, resolver)
        lines = shown_lines(text, tool, index, resolver)
        placement = place(lines, named, index, has_edges=not _is_compound(text))
        if tool.credit == "possible" or text.doubtful or _is_doubted(text, tool):
            placement.doubt(set(placement.sure))
        elif tool.path_argument is None or not named:
            placement.doubt(_echoes(placement, written, index))
        placed.setdefault(text.thread, []).append(_Placed(text, placement))
    threads = {thread: _gather(found) for thread, found in placed.items()}
    return Reading(threads, _gather([one for found in placed.values() for one in found]))


@dataclass(frozen=True)
class _Placed:
    text: ContextText
    placement: Placement


def _is_doubted(text: ContextText, tool: ToolOutput) -> bool:
    """Whether the call itself says that a model may have written what came back."""
    return tool.doubted is not None and any(map(tool.doubted.search, strings_in(text.arguments)))


def _is_compound(text: ContextText) -> bool:
    """Whether a call may be several commands, of which one may have printed a blank line."""
    return any(
        mark in argument
        for argument in strings_in(text.arguments)
        for mark in (";", "&&", "||", "\n", "echo", "printf")
    )


def _echoes(placement: Placement, written: str, index: CorpusIndex) -> set[LinePlace]:
    """Sure lines that a model may have written itself: an echo, a note that is read back."""
    return {
        spot
        for spot in placement.sure
        if (line := index.line(spot.path, spot.line)) is not None
        and is_weighty(line)
        and line in written
    }


def _named(text: ContextText, path_argument: str | None, resolver: PathResolver) -> frozenset[str]:
    """The files that the call itself named: by its path argument, or anywhere in its arguments."""
    if path_argument is None:
        return resolver.named_in(text.arguments)
    written = text.arguments.get(path_argument)
    path = resolver.resolve(written) if isinstance(written, str) else None
    return frozenset() if path is None else frozenset((path,))


def _gather(found: Iterable[_Placed]) -> ThreadReading:
    pairs = tuple(found)
    shown = [one.placement for one in pairs if one.text.visible]
    every = [one.placement for one in pairs]
    sure = _by_file(placement.sure for placement in every)
    possible = _by_file(placement.possible for placement in every)
    partial = _by_file(placement.partial for placement in every)
    visible = _by_file(placement.sure for placement in shown)
    visible_possible = _by_file(placement.possible for placement in shown)
    files = {
        path: FileReading(
            sure=frozenset(sure[path]),
            possible=frozenset(possible[path] - sure[path]),
            visible=frozenset(visible[path]),
            visible_possible=frozenset(visible_possible[path] - visible[path]),
            partial=frozenset(partial[path] - sure[path]),
        )
        for path in sorted({*sure, *possible, *partial})
    }
    return ThreadReading(files, sum(placement.ambiguous for placement in every))


def _by_file(groups: Iterable[set[LinePlace]]) -> defaultdict[str, set[int]]:
    lines: defaultdict[str, set[int]] = defaultdict(set)
    for group in groups:
        for spot in group:
            lines[spot.path].add(spot.line)
    return lines
