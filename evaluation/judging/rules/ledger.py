"""The claims about reading that a measurement can hold or break, from the statements of a response.

Work by a program is no claim of reading. "12 were not opened" claims that the others were; "except
the last six" likewise. "12 in full" claims two things: that so many were touched, and in full. "I
did not open c.md" claims that, and nothing of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from evaluation.judging.claim import Quantity, Quote, ReadingClaim
from evaluation.judging.rules.effects import ScopeSize
from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.passages import (
    denies_opening,
    line_ranges,
    picks_from,
    says_whole,
)
from evaluation.judging.rules.statement import Statement


class _Claimed(NamedTuple):
    """A claim without its quote."""

    quantity: Quantity
    value: int | None = None
    out_of: int | None = None
    subject: Literal["scope", "file", "folder"] = "scope"
    path: str = ""
    lines: tuple[int, int] | None = None


_COUNTED = frozenset(("count", "some", "subset"))
_NEAR = 3
"""Words between a number of files and the folder that they lie in."""


def _undone(s: Statement) -> bool:
    return s.act in ("skip", "unread") or (s.act == "read" and s.negated)


def _takes_away(s: Statement) -> bool:
    """Whether it says of some files that they were not read."""
    none = s.mention is None or s.mention.kind in ("none", "any", "outside")
    of_files = not none and not (s.fully or s.part)
    return bool(s.excluded) or (_undone(s) and of_files and not (s.negated and s.act != "read"))


@dataclass(frozen=True)
class Ledger:
    """Makes the claims of one response."""

    response: str
    scope: ScopeSize

    def claims(self, statements: Iterable[Statement]) -> tuple[ReadingClaim, ...]:
        """Every claim in the order of the response; told twice, it is quoted where first told."""
        told = [s for s in statements if s.factual and not s.weak]
        said = sorted(_in_folders(told), key=lambda s: s.start)
        takes_away = sum(_takes_away(s) for s in said)
        first: dict[_Claimed, Statement] = {}
        for statement in said:
            if takes_away > 1 and _takes_away(statement):
                continue  # how many are left no single one of them says
            for claimed in self._of(statement):
                first.setdefault(claimed, statement)
        return tuple(self._quoted(claimed, statement) for claimed, statement in first.items())

    def _quoted(self, claimed: _Claimed, s: Statement) -> ReadingClaim:
        quote = Quote(text=self.response[s.start : s.end], start=s.start, end=s.end)
        return ReadingClaim(
            quote=quote,
            subject=claimed.subject,
            path=claimed.path,
            quantity=claimed.quantity,
            value=claimed.value,
            out_of=claimed.out_of,
            lines=claimed.lines,
        )

    def _of(self, s: Statement) -> Iterator[_Claimed]:
        if s.act in ("search", "program"):
            return
        if _undone(s):
            yield from self._unopened(s)
            if not s.negated or s.act == "read":
                yield from self._complement(s)
            elif s.mention is not None and s.mention.kind == "any":
                yield _Claimed("all")
        elif s.excluded:
            yield from self._all_but(s)
        elif not s.negated:
            yield from self._read(s)

    def _read(self, s: Statement) -> Iterator[_Claimed]:
        mention = s.mention
        full = s.fully and not (s.partly or s.part) and s.act == "read"
        if mention is None or mention.kind == "definite":
            if full:
                yield _Claimed("full")
            elif mention is None and s.lines is not None:
                yield _Claimed("lines", s.lines)
        elif mention.kind == "named":
            yield from self._named(s, mention, full=full)
        elif mention.kind in ("universal", "count", "none"):
            yield from self._counted(s, mention)
            if full and self.scope.whole(mention):
                yield _Claimed("full")
            elif full and mention.kind == "count" and mention.value is not None:
                yield _Claimed("full_count", mention.value, mention.out_of)

    def _counted(self, s: Statement, mention: Mention) -> Iterator[_Claimed]:
        if mention.kind == "universal":
            yield _Claimed("all", mention.value)
        value = 0 if mention.kind == "none" else mention.value
        said = mention.kind == "universal" and value == len(self.scope.paths)
        if value is not None and not said:
            folder = mention.folder
            subject: Literal["scope", "folder"] = "folder" if folder else "scope"
            yield _Claimed("count", value, mention.out_of, subject, folder)

    def _named(self, s: Statement, mention: Mention, *, full: bool) -> Iterator[_Claimed]:
        if mention.folder:
            if not picks_from(self.response, s.start):
                quantity: Quantity = "full" if full else "all"
                yield _Claimed(quantity, subject="folder", path=mention.folder)
            return
        for path in mention.paths:
            if path in self.scope.paths:
                yield from self._file(s, path, full=full)

    def _file(self, s: Statement, path: str, *, full: bool) -> Iterator[_Claimed]:
        reads = s.act in ("read", "skim")
        parts = list(line_ranges(self.response, s.start, s.end, path)) if reads else []
        whole = s.act == "read" and says_whole(self.response, s.start, s.end, path)
        in_full = (full or (whole and not s.partly)) and not parts
        yield _Claimed("full" if in_full else "all", subject="file", path=path)
        if s.lines is not None:
            yield _Claimed("lines", s.lines, subject="file", path=path)
        for lines in parts:
            yield _Claimed("range", subject="file", path=path, lines=lines)

    def _unopened(self, s: Statement) -> Iterator[_Claimed]:
        """Files that are said not to have been opened, each by its name."""
        mention = s.mention
        denied = s.negated if s.act == "read" else not s.negated
        if mention is None or mention.kind != "named" or mention.folder or not denied:
            return
        deep = s.fully or s.partly or s.part or s.only
        if not deep and denies_opening(self.response, s.start, s.end):
            for path in mention.paths:
                if path in self.scope.paths:
                    yield _Claimed("none", subject="file", path=path)

    def _complement(self, s: Statement) -> Iterator[_Claimed]:
        mention = s.mention
        if mention is None or s.fully or s.part:
            return
        if mention.kind == "none":
            yield _Claimed("all")
        elif mention.kind in ("count", "rest") and mention.value is not None:
            total = mention.out_of or len(self.scope.paths)
            if mention.value <= total:
                yield _Claimed("count", total - mention.value, mention.out_of)

    def _all_but(self, s: Statement) -> Iterator[_Claimed]:
        sizes = [len(m.paths) or m.value for m in s.excluded]
        left = len(self.scope.paths) - sum(size or 0 for size in sizes)
        if all(sizes) and left >= 0:
            yield _Claimed("count", left)


def _in_folders(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements, "2 of the files" with the "src/" behind it as one: of two files there."""
    pending: Statement | None = None
    for statement in statements:
        if pending is not None and pending.mention is not None:
            folder = _folder_behind(pending, statement)
            if folder:
                mention = replace(pending.mention, folder=folder)
                yield replace(pending, mention=mention, end=max(pending.end, statement.end))
                pending = None
                continue
            yield pending
            pending = None
        if statement.mention is not None and statement.mention.kind in _COUNTED:
            pending = statement
        else:
            yield statement
    if pending is not None:
        yield pending


def _folder_behind(counted: Statement, statement: Statement) -> str:
    """The folder that the counted files lie in; empty where the statement names none."""
    left, right = counted.mention, statement.mention
    if left is None or right is None or not right.folder:
        return ""
    overlap = counted.start <= statement.end and statement.start <= counted.end
    near = 0 < right.first - left.last <= _NEAR
    return right.folder if overlap and near else ""
