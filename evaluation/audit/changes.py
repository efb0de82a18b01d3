"""Files that changed while a session went on: what was read of them was of another text.

Prevents a claim being called false since the lines that were read have been edited away. Of such a
file every line may have entered: its figures are true at the lower end only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from evaluation.audit.places import Places
from evaluation.audit.session import OpenedSession
from evaluation.audit.tree import Listed
from evaluation.reading.engine import Reading, ThreadReading
from generators.lines import CorpusIndex

WRITERS = frozenset((
    "Write", "write", "write_file", "create_file", "NotebookEdit",
))  # fmt: skip
"""Tools that make a file, whatever was there."""
EDITORS = WRITERS | {"Edit", "MultiEdit", "edit", "replace", "multiedit", "patch"}
PATH_KEYS = ("file_path", "filePath", "path", "notebook_path", "absolute_path")
SLACK = 2.0
"""Seconds between an edit and the row that tells of it."""


def changed_files(
    session: OpenedSession, files: Iterable[Listed], places: Places
) -> frozenset[str]:
    """Files that a tool of the session wrote to, or that were written while it went on."""
    found = {path for call in session.calls() if call.function_name in EDITORS
             for path in _paths(call.arguments, places)}  # fmt: skip
    times = session.times()
    if times is not None:
        first, last = times
        found |= {
            file.path
            for file in files
            if file.time is not None and first < file.time <= last + SLACK
        }
    return frozenset(found)


def made_files(session: OpenedSession, places: Places) -> frozenset[str]:
    """Files that the agent itself made: a tool wrote them before any call named them."""
    seen: set[str] = set()
    made: set[str] = set()
    for call in session.calls():
        paths = _paths(call.arguments, places)
        if call.function_name in WRITERS:
            made |= paths - seen
        seen |= paths
    return frozenset(made)


def _paths(arguments: Mapping[str, object], places: Places) -> set[str]:
    written = (arguments.get(key) for key in PATH_KEYS)
    return {path for one in written if isinstance(one, str) for path in places.named(one)[:1]}


def opened_up(reading: Reading, changed: Collection[str], index: CorpusIndex) -> Reading:
    """The reading, of which every line of a changed file may have entered."""
    paths = [path for path in changed if path in index.files]
    if not paths:
        return reading
    return Reading(
        {name: _opened_up(thread, paths, index) for name, thread in reading.threads.items()},
        _opened_up(reading.union, paths, index),
    )


def _opened_up(thread: ThreadReading, paths: Iterable[str], index: CorpusIndex) -> ThreadReading:
    files = dict(thread.files)
    more = 0
    for path in paths:
        known = thread.of(path)
        every = frozenset(range(1, len(index.files[path]) + 1))
        possible = every - known.sure
        more += len(possible - known.possible)
        visible = every - known.visible
        files[path] = replace(
            known, possible=possible, visible_possible=visible, partial=frozenset()
        )
    return ThreadReading(files, thread.ambiguous + more)
