"""Which files changed while a session went on, and what is known of their earlier texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.audit.corpus import Corpus, decoded
from evaluation.audit.edits import PATH_KEYS, WRITERS, Whole, written_by
from evaluation.audit.past import SLACK, Disk, Past, edits_of, past_of
from evaluation.audit.places import Places
from evaluation.audit.session import OpenedSession
from evaluation.audit.tree import Listed, committed_before

MOST_LOOKED_UP = 2_000
"""Files whose text before the session is looked up; of more, those that the session names."""


@dataclass(frozen=True)
class Ground:
    """The files that a session is held against."""

    root: Path
    files: Sequence[Listed]
    places: Places
    is_now: bool
    """As they are now; else as a commit has them."""
    named: Callable[[], Collection[str]]
    """Files in scope, and those that the session or its answer name."""


def past_in(session: OpenedSession, ground: Ground, corpus: Corpus) -> Past:
    """What is known of the texts that the files had while a session went on."""
    index = corpus.index
    edits = edits_of(session, ground.places)
    made = made_files(session, ground.places)
    if not ground.is_now:
        edited = {edit.path for edit in edits}
        texts = {path: index.text(path) for path in edited & index.files.keys()}
        past = past_of(texts, edits, made, {}, Disk({}, -math.inf, math.inf))
        return replace(past, since=frozenset(index.files))
    span = session.times()
    if span is None:
        named = (edit.path for edit in edits if edit.happened is not False)
        return Past(unknown=frozenset(named) & index.files.keys(), since=frozenset(index.files))
    began, ended = span
    times = {file.path: file.time for file in ground.files if file.time is not None}
    late = {path for path, time in times.items() if time > began and index.files.get(path)}
    wanted = late | ({edit.path for edit in edits} & index.files.keys())
    texts = {path: index.text(path) for path in wanted}
    known = wanted if len(wanted) <= MOST_LOOKED_UP else wanted.intersection(ground.named())
    files = committed_before(ground.root, began, known) if known else ()
    decoded_texts = {file.path: decoded(file.data) for file in files}
    committed = {path: text for path, text in decoded_texts.items() if text is not None}
    past = past_of(texts, edits, made, committed, Disk(times, began, ended))
    return replace(past, since=frozenset(late))


def written_later(session: OpenedSession, files: Sequence[Listed], corpus: Corpus) -> int:
    """How many files were written after the session."""
    span = session.times()
    if span is None:
        return 0
    late = (file.path for file in files if file.time is not None and file.time > span[1] + SLACK)
    return sum(bool(corpus.index.files.get(path)) for path in late)


def made_files(session: OpenedSession, places: Places) -> frozenset[str]:
    """Files that the agent itself made: it wrote them whole before any call named them."""
    seen: set[str] = set()
    made: set[str] = set()
    for call in session.calls():
        for written in written_by(call.function_name, call.arguments):
            paths = set(places.named(written.path)[:1])
            if isinstance(written.change, Whole) or call.function_name in WRITERS:
                made |= paths - seen
            seen |= paths
        for key in PATH_KEYS:
            one = call.arguments.get(key)
            if isinstance(one, str):
                seen.update(places.named(one)[:1])
    return frozenset(made)
