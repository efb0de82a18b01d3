"""From what stood in each thread's context to the lines that entered it, file by file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from evaluation.reading.claims import Frame
from evaluation.reading.context import (
    UNKNOWN_TOOL,
    ContextLog,
    ContextText,
    ToolOutput,
    ToolTable,
)
from evaluation.reading.echoes import Echoes
from evaluation.reading.fast import place_fast
from evaluation.reading.numbers import counts_anew
from evaluation.reading.placement import Placement
from evaluation.reading.placing import place
from evaluation.reading.reformatted import Reshaped
from evaluation.reading.shown import PathResolver, file_text, lines_of, paths_of, strings_in
from evaluation.reading.tally import Tally
from generators.lines import CorpusIndex


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
    reformatted: frozenset[int] = frozenset()
    """Lines whose words were shown in order, beyond the sure and the possible ones."""
    inherited: frozenset[int] = frozenset()
    """Lines that stood in what a fork copied from its parent, beyond those it read itself."""

    @property
    def most(self) -> frozenset[int]:
        """All lines that may have entered."""
        return self.sure | self.possible | self.reformatted


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


def measure(
    log: ContextLog, tools: ToolTable, index: CorpusIndex, *, by_blocks: bool = True
) -> Reading:
    """Measure one channel's account of a run against a corpus.

    Only calls begun before the call of the final response count. Without `by_blocks` every line is
    placed by itself, which is slow and gives the same.
    """
    resolver = index.kept(paths_of)
    echoes = Echoes(log.texts, index)
    reshaped = Reshaped(index)
    tallies = {thread.id: Tally(index) for thread in log.threads}
    for text in log.texts:
        tool = tools.get(text.tool, UNKNOWN_TOOL)
        if tool.credit == "none" or (log.final is not None and text.call > log.final.call):
            continue
        asked = _asked(text, tool, resolver)
        placement = _place(text.text, tool, asked, index, by_blocks=by_blocks)
        if tool.credit == "possible" or text.doubtful or _is_doubted(text, tool):
            placement.doubt()
        elif placement.sure and (tool.path_argument is None or not asked.named):
            placement.doubt_lines(echoes.lines)
        tally = tallies.get(text.thread)
        if tally is None:
            tally = tallies[text.thread] = Tally(index)
        if text.inherited:
            tally.inherit(placement)
        else:
            tally.take(placement, reshaped.spans(placement.leftover), visible=text.visible)
    union = Tally(index)
    for tally in tallies.values():
        union.join(tally)
    threads = {thread: _thread_reading(tally) for thread, tally in tallies.items()}
    return Reading(threads, _thread_reading(union))


class _Asked(NamedTuple):
    """What a call says of what it gives back."""

    named: frozenset[str]
    """The files that it named."""
    frame: Frame


def place_text(
    text: ContextText, tool: ToolOutput, index: CorpusIndex, *, by_blocks: bool = True
) -> Placement:
    """Place the lines of one tool result, whoever may have written them."""
    asked = _asked(text, tool, index.kept(paths_of))
    return _place(text.text, tool, asked, index, by_blocks=by_blocks)


def _place(
    text: str, tool: ToolOutput, asked: _Asked, index: CorpusIndex, *, by_blocks: bool
) -> Placement:
    shown = file_text(text, tool)
    if by_blocks:
        placement = place_fast(shown, tool, asked.named, index, asked.frame)
        if placement is not None:
            return placement
    lines = lines_of(shown, tool, index, index.kept(paths_of))
    return place(lines, asked.named, index, asked.frame)


def _asked(text: ContextText, tool: ToolOutput, paths: PathResolver) -> _Asked:
    if tool.path_argument is not None:
        written = text.arguments.get(tool.path_argument)
        path = paths.resolve(written) if isinstance(written, str) else None
        return _Asked(frozenset() if path is None else frozenset((path,)), Frame())
    said = tuple(strings_in(text.arguments))
    whole = not any(map(_may_be_several, said))
    return _Asked(paths.named_in(said), Frame(whole, whole, any(map(counts_anew, said))))


COMPOUND = (";", "&&", "||", "\n", "echo", "printf")
"""In a command that may be several, of which one may have printed a blank line."""


def _may_be_several(command: str) -> bool:
    for mark in COMPOUND:  # noqa: SIM110 - a generator costs more than what it looks for
        if mark in command:
            return True
    return False


def _is_doubted(text: ContextText, tool: ToolOutput) -> bool:
    """Whether the call itself says that a model may have written what came back."""
    return tool.doubted is not None and any(map(tool.doubted.search, strings_in(text.arguments)))


def _thread_reading(tally: Tally) -> ThreadReading:
    files = {
        found.path: FileReading(
            sure=found.sure,
            possible=found.possible,
            visible=found.visible,
            visible_possible=found.visible_possible,
            partial=found.partial,
            reformatted=found.reformatted,
            inherited=found.inherited,
        )
        for found in tally.files()
    }
    return ThreadReading(files, tally.ambiguous)
