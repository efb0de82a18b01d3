"""What Claude Code took out of a thread's context again, as far as rows say so.

A result is cleared that stands before a compaction which did not preserve it, that a
`microcompact_boundary` names, or that belongs to a branch which the user went back from. Whatever
else was cleared, no row says. What came after the last answer before a compaction was given to the
summariser alone, unless it was preserved.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from evaluation.transcripts.claude_drafts import File, Result
from evaluation.transcripts.claude_rows import Row, list_of, object_of, text_of, texts_in

MOST_TIMES = 1_000
"""Compactions and clearings of a session that are followed one by one: each looks at all that is
still there, and a file that was made to keep its reader could hold a hundred thousand."""
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's place in the chain of rows."""

    uuid: str
    parent: str
    place: int


@dataclass
class Clearing:
    """What of a thread is still there. Filled while its rows are read."""

    parents: dict[str, str] = field(default_factory=dict)
    """Of every row, in the order of the rows."""
    prompts: list[Prompt] = field(default_factory=list)
    compacted: bool = False
    boundaries: list[str] = field(default_factory=list)
    """Rows at which everything before gave way to a summary."""
    alive: list[Result | File] = field(default_factory=list)
    _cleared: int = 0

    def compact(self, row: Row, pending: frozenset[str], answered: int) -> None:
        """Everything before it gave way to a summary, but for what it says was preserved.

        `pending` are the calls that no answer has followed, `answered` the number of answers.
        """
        self.compacted = True
        self.boundaries.append(text_of(row, "uuid"))
        metadata = object_of(row, "compactMetadata") or object_of(row, "compact_metadata")
        kept = self._kept(metadata) if len(self.boundaries) <= MOST_TIMES else NOTHING
        left: list[Result | File] = []
        for one in self.alive:
            if one.uuid in kept:
                left.append(one)
                continue
            one.cleared = True
            if isinstance(one, Result):
                one.unseen = one.call in pending or one.after == answered
        self.alive = left

    def _kept(self, metadata: Row) -> frozenset[str]:
        """Rows that were preserved: by their names, or from one to another."""
        messages = object_of(metadata, "preservedMessages")
        messages = messages or object_of(metadata, "preserved_messages")
        names = ("uuids", "allUuids", "all_uuids")
        kept = texts_in(item for name in names for item in list_of(messages, name))
        segment = object_of(metadata, "preservedSegment")
        head, tail = text_of(segment, "headUuid"), text_of(segment, "tailUuid")
        if kept or head not in self.parents or tail not in self.parents:
            return kept
        rows = list(self.parents)
        return frozenset(rows[rows.index(head) : rows.index(tail) + 1])

    def clear(self, row: Row) -> None:
        """What a `microcompact_boundary` names."""
        self.compacted = True
        self._cleared += 1
        if self._cleared > MOST_TIMES:
            return
        metadata = object_of(row, "microcompactMetadata")
        calls = texts_in(list_of(metadata, "compactedToolIds"))
        rows = texts_in(list_of(metadata, "clearedAttachmentUUIDs"))
        for one in self.alive:
            if one.uuid in rows or (isinstance(one, Result) and one.call in calls):
                one.cleared = True
        self.alive = [one for one in self.alive if not one.cleared]

    def leave_branches(self, leaf: str) -> None:
        """What stands on branches that the user went back from, before the row `leaf`."""
        children: dict[str, list[Prompt]] = {}
        for prompt in self.prompts:
            children.setdefault(prompt.parent, []).append(prompt)
        forks = [found for found in children.values() if len(found) > 1]
        chain: set[str] = set()
        while forks and leaf in self.parents and leaf not in chain:
            chain.add(leaf)
            leaf = self.parents[leaf]
        left: list[tuple[int, int]] = []
        for found in forks:
            followed = [prompt.place for prompt in found if prompt.uuid in chain]
            if followed:
                left.append((found[0].place, followed[-1]))
        ends: list[int] = []
        starts: list[int] = []
        for start, end in sorted(left):
            if ends and start <= ends[-1]:
                ends[-1] = max(ends[-1], end)
            else:
                starts.append(start)
                ends.append(end)
        for one in self.alive if starts else ():
            at = bisect_right(starts, one.place) - 1
            one.cleared = one.cleared or (at >= 0 and one.place < ends[at])
