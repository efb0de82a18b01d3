"""Three accounts of one session: what was sent, what the gateway recorded, what the CLI wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from evaluation.agents.harness import Profile
from evaluation.gateway.context import context_log as wire_log
from evaluation.gateway.wire import read_wire
from evaluation.reading.context import MAIN, ContextLog, Thread, ToolTable
from evaluation.reading.engine import FileReading, measure
from evaluation.transcripts.catalogue import read_session
from evaluation.transcripts.context import context_log
from generators.lines import CorpusIndex
from tests.truth.cases import Case, marked
from tests.truth.corpus import corpus
from tests.truth.scripted_model import Sent
from tests.truth.shown_lines import Lines, shown_lines

NO_LINES: Lines = frozenset()


class ThreadTruth(NamedTuple):
    """What one thread was sent, by a plain search in its requests."""

    whole: Lines = NO_LINES
    both: Lines = NO_LINES
    """Shown, whole or in another shape."""
    inherited: Lines = NO_LINES
    """In its very first request already: copied from its parent."""


@dataclass(frozen=True)
class Truth:
    """What a session sent, by the mark of each thread; of the main one, by `main`."""

    threads: Mapping[str, ThreadTruth]
    visible: Lines
    """In the main agent's last request."""
    final: str
    """The main agent's last text."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Marks of threads that the CLI's own header names, by that name."""


@dataclass(frozen=True)
class Account:
    """What one channel says."""

    threads: Mapping[str, Mapping[str, FileReading]]
    """By mark, then by path."""
    parents: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    final: str = ""
    visible_exact: bool = False
    """What it says of visibility is exact."""
    tells_visibility: bool = False

    def of(self, mark: str, path: str) -> FileReading:
        """What entered of a file."""
        return self.threads.get(mark, {}).get(path, FileReading())


def truth_of(case: Case, sent: Iterable[Sent], header: str) -> Truth:
    """From the raw requests; the header, where there is one, is the CLI's name for a thread."""
    threads: dict[str, ThreadTruth] = {}
    names: dict[str, str] = {}
    visible, final = NO_LINES, ""
    files = corpus()
    for one in sent:
        shown = shown_lines(one.body, files)
        mark = MAIN if one.mark in case.mains else one.mark
        if header in one.headers and mark != MAIN:
            names[one.headers[header]] = mark
        known = threads.get(mark)
        if known is None:
            is_fork = mark != MAIN
            threads[mark] = ThreadTruth(
                NO_LINES if is_fork else shown.whole,
                NO_LINES if is_fork else shown.both,
                shown.whole if is_fork else NO_LINES,
            )
        else:
            inherited = known.inherited
            threads[mark] = ThreadTruth(
                known.whole | (shown.whole - inherited),
                known.both | (shown.both - inherited),
                inherited,
            )
        if mark == MAIN and one.last_word:
            visible, final = shown.whole, one.last_word
    return Truth(threads, visible, final, names)


@dataclass(frozen=True)
class Namer:
    """Calls threads by their marks."""

    case: Case
    by_header: Mapping[str, str]

    def name(self, thread: Thread) -> str:
        """The mark of its prompt, or of what its header said; else its own name."""
        if thread.id == MAIN:
            return MAIN
        known = (mark for mark in self.case.threads if mark not in self.case.mains)
        marks = (mark for mark in known if marked(mark, thread.prompt))
        return next(marks, self.by_header.get(thread.id, thread.id))


def wire_account(
    namer: Namer, wire: Path, profile: Profile, tools: ToolTable, index: CorpusIndex
) -> Account:
    """What the gateway recorded."""
    log = wire_log(read_wire(wire), profile.attachments, profile.reports)
    return account(namer, log, tools, index)


def session_account(namer: Namer, session: Path, index: CorpusIndex) -> Account:
    """What the CLI wrote."""
    read = read_session(session)
    return account(namer, context_log(read.trajectory), read.tools, index)


def account(namer: Namer, log: ContextLog, tools: ToolTable, index: CorpusIndex) -> Account:
    """Measured, and its threads called by their marks."""
    reading = measure(log, tools, index)
    names = {thread.id: namer.name(thread) for thread in log.threads}
    return Account(
        threads={names.get(id_, id_): one.files for id_, one in reading.threads.items()},
        parents={
            names[thread.id]: names.get(thread.parent, thread.parent)
            for thread in log.threads
            if thread.parent is not None
        },
        missing=log.missing,
        final=log.final.text if log.final else "",
        tells_visibility=log.tells_visibility,
        visible_exact=log.tells_visibility and not log.may_have_cleared,
    )
