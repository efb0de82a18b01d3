"""From what stood in each thread's context to the lines that entered it, file by file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evaluation.reading.calls.asking import asked_of
from evaluation.reading.calls.commands import lists_only
from evaluation.reading.calls.naming import Calls
from evaluation.reading.collector import without_collector
from evaluation.reading.context import (
    UNKNOWN_TOOL,
    ContextLog,
    ContextText,
    ToolOutput,
    ToolTable,
)
from evaluation.reading.copies import at_once
from evaluation.reading.echoes import Echoes
from evaluation.reading.hearsay import doubt_hearsay
from evaluation.reading.lines.paths import paths_of
from evaluation.reading.lines.shown import strings_in
from evaluation.reading.progress import Progress, Tell
from evaluation.reading.reformatted import Reshaped
from evaluation.reading.results import placed
from evaluation.reading.tally import Tally
from generators.lines import CorpusIndex

PARTS = 100
"""In which it is told how far measuring has come."""


@dataclass(frozen=True)
class FileReading:
    """What entered of one file. Line numbers count from 1."""

    sure: frozenset[int] = frozenset()
    possible: frozenset[int] = frozenset()
    """Lines that may have entered, beyond the sure ones. All of them only where `copies` allow."""
    copies: Mapping[str, int] = field(default_factory=dict)
    """How often the text of each possible line was shown without a place: so many of the possible
    lines with that text entered at the most."""
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
        """All lines any of which may have entered."""
        return self.sure | self.possible | self.reformatted

    def count_most(self, lines: Sequence[str]) -> int:
        """How many lines may have entered together, of a file of these normal forms."""
        free = len(self.sure) + len(self.reformatted)
        return free + at_once(self.possible, lines, self.copies)


@dataclass(frozen=True)
class ThreadReading:
    """What entered one thread's context, or that of several together."""

    files: Mapping[str, FileReading]
    """Only files of which anything entered."""
    ambiguous: int = 0
    """Shown lines with more than one possible place. At most so many of the possible lines
    entered, since one shown line has one source: the stated outer bound of a run's figures."""
    short: int = 0
    """Shown blank and short lines without a place: so many lines more may have entered."""
    copies: Mapping[str, int] = field(default_factory=dict)
    """How often each text was shown without a place, for all files together."""

    def of(self, path: str) -> FileReading:
        """What entered of a file; nothing of one that is not there."""
        return self.files.get(path, FileReading())


@dataclass(frozen=True)
class Reading:
    """What entered, thread by thread, and in the union."""

    threads: Mapping[str, ThreadReading]
    union: ThreadReading


def measure(
    log: ContextLog,
    tools: ToolTable,
    index: CorpusIndex,
    *,
    by_blocks: bool = True,
    tell: Tell | None = None,
) -> Reading:
    """Measure one channel's account of a run against a corpus.

    Only calls begun before the call of the final response count. Without `by_blocks` every line is
    placed by itself, which is slow and gives the same. `tell` hears how far it has come.
    """
    with without_collector():
        return _measure(log, tools, index, by_blocks=by_blocks, tell=tell)


def _measure(
    log: ContextLog, tools: ToolTable, index: CorpusIndex, *, by_blocks: bool, tell: Tell | None
) -> Reading:
    last = math.inf if log.final is None else log.final.call
    paths = index.kept(paths_of)
    paths.stand_in(log.root)
    calls = Calls(paths, log.folder)
    echoes = Echoes(log.texts, index)
    reshaped = Reshaped(index)
    tallies = {thread.id: Tally(index) for thread in log.threads}
    for text in log.texts if tell is None else _told(log.texts, tell):
        tool = tools.get(text.tool, UNKNOWN_TOOL)
        if tool.credit == "none" or text.call > last:
            continue
        asked = asked_of(text, tool, calls)
        hears = asked.command if asked.may_tell_of_files else None
        if hears and lists_only(hears):
            continue
        placement = placed(text.text, tool, asked, index, by_blocks=by_blocks)
        if hears and placement.sure:
            doubt_hearsay(placement, hears, text.text, index)
        if tool.credit == "possible" or text.doubtful or _is_doubted(text, tool):
            placement.doubt()
        elif placement.sure and not asked.named[0].is_one:
            echoes.doubt(placement, text)
        tally = tallies.get(text.thread)
        if tally is None:
            tally = tallies[text.thread] = Tally(index)
        if text.inherited:
            tally.inherit(placement)
        else:
            spans = () if placement.is_noise else reshaped.spans(placement.remains())
            tally.take(placement, spans, visible=text.visible)
    return _reading(tallies, index)


def _reading(tallies: Mapping[str, Tally], index: CorpusIndex) -> Reading:
    threads = {thread: _thread_reading(tally) for thread, tally in tallies.items()}
    if len(tallies) == 1 and not any(tally.inherits for tally in tallies.values()):
        return Reading(threads, *threads.values())
    union = Tally(index)
    for tally in tallies.values():
        union.join(tally)
    return Reading(threads, _thread_reading(union))


def _told(texts: Sequence[ContextText], tell: Tell) -> Iterator[ContextText]:
    """The texts, telling now and then how many were measured."""
    total = len(texts)
    step = -(-total // PARTS)
    for done, text in enumerate(texts):
        if done and not done % step:
            tell(Progress("measuring", done, total))
        yield text
    if total:
        tell(Progress("measuring", total, total))


def _is_doubted(text: ContextText, tool: ToolOutput) -> bool:
    """Whether the call itself says that a model may have written what came back."""
    return tool.doubted is not None and any(map(tool.doubted.search, strings_in(text.arguments)))


def _thread_reading(tally: Tally) -> ThreadReading:
    files = {
        found.path: FileReading(
            sure=found.sure,
            possible=found.possible,
            copies=found.copies,
            visible=found.visible,
            visible_possible=found.visible_possible,
            partial=found.partial,
            reformatted=found.reformatted,
            inherited=found.inherited,
        )
        for found in tally.files()
    }
    return ThreadReading(files, tally.ambiguous, tally.short, tally.copies.all)
