"""What the text of each file was at each moment of a session, as far as that can be known.

The text that is at hand is followed backwards through the edits that the session recorded, and
where that fails, the text of the last commit before the session forwards to it. Prevents two false
results: a line that was read before an edit taken for unread, and a text made up.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from evaluation.audit.edits import Change, Whole, plain, written_by
from evaluation.audit.places import Places
from evaluation.audit.session import OpenedSession, seconds
from evaluation.reading.context import MAIN
from evaluation.transcripts.trajectory import ObservationResult, Step, ToolCall, Trajectory

SLACK = 2.0
"""Seconds between a write and the row that tells of it."""
UNDONE = frozenset(("error", "rejected", "never_ran"))
"""States of results of calls that changed nothing."""
MOST_EDITS = 400
"""Of one file; one with more is not followed."""


class Moment(NamedTuple):
    """When a call was carried out, by what the contexts show of it. Moments can be compared."""

    call: float
    """The model call that first held its result; infinite where none did."""
    place: int
    """Among the texts of the session; or among the edits whose results none held."""


@dataclass(frozen=True)
class Edit:
    """One change of one file by one call."""

    path: str
    change: Change | None
    """None where it cannot be told."""
    happened: bool | None
    """None where nothing tells whether it was carried out."""
    thread: str
    moment: Moment
    done_by: float
    """In seconds since 1970: it was done then; infinite where the session has no times."""


def edits_of(session: OpenedSession, places: Places) -> tuple[Edit, ...]:
    """The edits of files of the tree, in the order in which they were made."""
    shown = {
        (text.thread, text.result_id): Moment(text.call, place)
        for place, text in enumerate(session.log.texts)
    }
    found: list[Edit] = []
    root = session.trajectory
    for one in (root, *(root.subagent_trajectories or ())):
        thread = MAIN if one is root else one.trajectory_id or ""
        for at, step in enumerate(one.steps):
            for call in step.tool_calls or ():
                last = Moment(math.inf, len(found))
                moment = shown.get((thread, call.tool_call_id), last)
                for written in written_by(call.function_name, call.arguments):
                    happened, done_by = _happened(call, step), _done_by(one, at)
                    found += (
                        Edit(path, written.change, happened, thread, moment, done_by)
                        for path in places.named(written.path)[:1]
                    )
    return tuple(sorted(found, key=lambda edit: edit.moment))


def _done_by(thread: Trajectory, at: int) -> float:
    """The time of the next turn of its thread: an edit may have waited for somebody's consent."""
    for step in islice(thread.steps, at + 1, None):
        if step.timestamp and (time := seconds(step.timestamp)) is not None:
            return time + SLACK
    return math.inf


def _happened(call: ToolCall, step: Step) -> bool | None:
    results = step.observation.results if step.observation else ()
    result = next((one for one in results if one.source_call_id == call.tool_call_id), None)
    if result is None:
        return None
    if result.extra is not None and result.extra.status in UNDONE:
        return False
    return _succeeded(result) if "*** Begin Patch" in str(call.arguments) else True


def _succeeded(result: ObservationResult) -> bool | None:
    """Of a patch, whose result is a sentence alone."""
    if "Success. Updated the following files" in result.content:
        return True
    return False if "verification failed" in result.content else None


@dataclass(frozen=True)
class FileTexts:
    """The texts of one file, one more than its edits: before the first, and behind each."""

    texts: tuple[str | None, ...]
    """None: there was no such file."""
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Past:
    """What is known of files that changed while a session went on, or since."""

    followed: Mapping[str, FileTexts] = field(default_factory=dict)
    """Those of which every text is known, by path."""
    unknown: frozenset[str] = frozenset()
    """Those that had texts which nobody knows."""
    before: Mapping[str, str] = field(default_factory=dict)
    """Of those, the text before the session, where that is known and another."""
    since: frozenset[str] = frozenset()
    """Files that were written since the session began, or that may have been."""

    def but(self, paths: Collection[str]) -> Past:
        """The same, with some more files of which not all is known."""
        lost = frozenset(paths) & self.followed.keys()
        kept = {path: found for path, found in self.followed.items() if path not in lost}
        return replace(self, followed=kept, unknown=self.unknown | lost) if lost else self


class Disk(NamedTuple):
    """When the text at hand was written, and when the session began and ended."""

    times: Mapping[str, float]
    """By path, in seconds since 1970; empty for the text of a commit."""
    began: float
    ended: float

    def is_later(self, path: str, moment: float) -> bool:
        """Whether the text at hand was written after a moment."""
        return self.times.get(path, -math.inf) > moment


def past_of(
    texts: Mapping[str, str],
    edits: Sequence[Edit],
    made: Collection[str],
    committed: Mapping[str, str],
    disk: Disk,
) -> Past:
    """Work it out. `texts` are those at hand; `made` are the files that the session itself made;
    `committed` are texts of the last commit before the session."""
    by_path: defaultdict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        if edit.happened is not False and edit.path in texts:
            by_path[edit.path].append(edit)
    followed: dict[str, FileTexts] = {}
    unknown: set[str] = set()
    for path in sorted({*by_path, *disk.times} & texts.keys()):
        own = tuple(by_path.get(path, ()))
        if not own and not disk.is_later(path, disk.began):
            continue
        found = _File(
            plain(texts[path]), own, _before(path, made, committed), disk, path
        ).followed()
        if found is not None and (own or found.texts != (plain(texts[path]),)):
            followed[path] = found
        elif found is None and (own or not disk.is_later(path, disk.ended + SLACK)):
            unknown.add(path)
    before = {
        path: plain(committed[path])
        for path in unknown & committed.keys()
        if plain(committed[path]) != plain(texts[path])
    }
    return Past(followed, frozenset(unknown), before)


class _Before(NamedTuple):
    """What is known of a file as it was before the session."""

    known: bool
    text: str | None = None


def _before(path: str, made: Collection[str], committed: Mapping[str, str]) -> _Before:
    if path in committed:
        return _Before(known=True, text=plain(committed[path]))
    return _Before(known=path in made)


class _File(NamedTuple):
    """One file that was edited, or written while the session went on, or later."""

    now: str
    edits: tuple[Edit, ...]
    before: _Before
    disk: Disk
    path: str

    def followed(self) -> FileTexts | None:
        """Its texts; None where one of them is not known."""
        changes = [edit.change for edit in self.edits if edit.happened and edit.change]
        if len(changes) < len(self.edits) or len(changes) > MOST_EDITS:
            return None
        texts = self._to_now(changes) or self._from_before(changes)
        return FileTexts(texts, self.edits) if texts is not None else None

    def _to_now(self, changes: Sequence[Change]) -> tuple[str | None, ...] | None:
        """Where the text at hand is the last one."""
        if not changes or self.disk.is_later(self.path, self._done_by()):
            return None
        texts: list[str] = [self.now]
        for at in range(len(changes) - 1, -1, -1):
            before = changes[at].undone(texts[0])
            if before is None:
                head = self._head(changes[: at + 1], texts[0])
                return None if head is None else (*head, *texts)
            texts.insert(0, before)
        return tuple(texts)

    def _done_by(self) -> float:
        return min(self.edits[-1].done_by, self.disk.ended + SLACK)

    def _head(self, changes: Sequence[Change], after: str) -> tuple[str | None, ...] | None:
        """The texts before one, where what was there before the session leads to it."""
        if not self.before.known:
            return None
        texts = _made(self.before.text, changes)
        return texts[:-1] if texts is not None and texts[-1] == after else None

    def _from_before(self, changes: Sequence[Change]) -> tuple[str | None, ...] | None:
        """Where the text at hand was written after the session, or is that from before it."""
        is_since = self.disk.is_later(self.path, self.disk.ended + SLACK)
        if changes and self.path not in self.disk.times:
            return _made(self.now, changes)
        if not is_since or not self.before.known:
            return None
        return _made(self.before.text, changes)


def _made(text: str | None, changes: Sequence[Change]) -> tuple[str | None, ...] | None:
    """The texts that changes make of one, one after another."""
    texts: list[str | None] = [text]
    for change in changes:
        before = texts[-1]
        if before is None and not isinstance(change, Whole):
            return None
        after = change.made(before or "")
        if after is None:
            return None
        texts.append(after)
    return tuple(texts)
