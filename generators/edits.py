"""The arithmetic of edits: the same change told by clean lines and by planted lines.

A planter works on a clean file; the registry speaks of the planted one, where every edit further
up has moved the lines below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from generators.registry import Edit


@dataclass(frozen=True)
class Change:
    """Lines of a clean file and what takes their place."""

    path: str
    first: int
    """The first clean line it replaces, from 1; with `clean` empty, the line it stands before."""
    clean: tuple[str, ...]
    planted: tuple[str, ...]

    @property
    def last(self) -> int:
        """The last clean line it replaces; `first` - 1 where it replaces none."""
        return self.first + len(self.clean) - 1

    @property
    def shift(self) -> int:
        """By how many lines it moves what stands below."""
        return len(self.planted) - len(self.clean)

    def trimmed(self) -> Change:
        """The same change without the lines at its ends that do not change."""
        start = 0
        shorter = min(len(self.clean), len(self.planted))
        while start < shorter and self.clean[start] == self.planted[start]:
            start += 1
        tail = 0
        while tail < shorter - start and self.clean[-1 - tail] == self.planted[-1 - tail]:
            tail += 1
        return Change(
            path=self.path,
            first=self.first + start,
            clean=self.clean[start : len(self.clean) - tail],
            planted=self.planted[start : len(self.planted) - tail],
        )

    def touches(self, other: Change) -> bool:
        """Whether no unchanged line stands between the two."""
        if self.path != other.path:
            return False
        return self.first <= other.last + 1 and other.first <= self.last + 1


def _by_place(change: Change) -> tuple[str, int]:
    return change.path, change.first


def joined(changes: Iterable[Change]) -> list[Change]:
    """The changes of one needle, with those that follow each other line on line made one."""
    result: list[Change] = []
    for change in sorted(changes, key=_by_place):
        before = result[-1] if result else None
        if before and before.path == change.path and before.last + 1 == change.first:
            result[-1] = Change(
                before.path,
                before.first,
                before.clean + change.clean,
                before.planted + change.planted,
            )
        else:
            result.append(change)
    return result


def edits_of(changes: Iterable[Change]) -> tuple[Edit, ...]:
    """The changes as edits, in planted lines; all changes of a corpus must be given together."""
    edits: list[Edit] = []
    for path, group in groupby(sorted(changes, key=_by_place), key=lambda change: change.path):
        shift = 0
        for change in group:
            first = change.first + shift
            edits.append(
                Edit(
                    path=path,
                    first=first,
                    last=first + len(change.planted) - 1,
                    planted=change.planted,
                    clean=change.clean,
                )
            )
            shift += change.shift
    return tuple(edits)


def changes_of(edits: Iterable[Edit]) -> tuple[Change, ...]:
    """The edits of one planting as changes, in clean lines."""
    changes: list[Change] = []
    ordered = sorted(edits, key=lambda edit: (edit.path, edit.first))
    for path, group in groupby(ordered, key=lambda edit: edit.path):
        shift = 0
        for edit in group:
            change = Change(path, edit.first - shift, edit.clean, edit.planted)
            changes.append(change)
            shift += change.shift
    return tuple(changes)


def apply_changes(text: str, changes: Iterable[Change]) -> str:
    """The planted text of one file, from its clean text and all its changes."""
    lines = text.split("\n")
    for change in sorted(changes, key=_by_place, reverse=True):
        lines[change.first - 1 : change.last] = change.planted
    return "\n".join(lines)


def moved(line: int, changes: Sequence[Change]) -> int:
    """Where a clean line that no change replaces stands in the planted file."""
    return line + sum(change.shift for change in changes if change.last < line)
