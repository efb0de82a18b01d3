"""The claims about reading that a measurement can hold or break, from the statements of a response.

Work by a program is no claim of reading. "12 were not opened" claims that the others were; "except
the last six" likewise. "12 in full" claims two things: that so many were touched, and in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from evaluation.judging.claim import Quantity, Quote, ReadingClaim
from evaluation.judging.rules.effects import ScopeSize
from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.statement import Statement


class _Claimed(NamedTuple):
    """A claim without its quote."""

    quantity: Quantity
    value: int | None = None
    out_of: int | None = None
    subject: Literal["scope", "file", "folder"] = "scope"
    path: str = ""


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
        said = sorted((s for s in statements if s.factual and not s.weak), key=lambda s: s.start)
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
        )

    def _of(self, s: Statement) -> Iterator[_Claimed]:
        if s.act in ("search", "program"):
            return
        if _undone(s):
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
            yield _Claimed("count", value, mention.out_of)

    def _named(self, s: Statement, mention: Mention, *, full: bool) -> Iterator[_Claimed]:
        quantity: Quantity = "full" if full else "all"
        if mention.folder:
            yield _Claimed(quantity, subject="folder", path=mention.folder)
            return
        for path in mention.paths:
            if path not in self.scope.paths:
                continue
            yield _Claimed(quantity, subject="file", path=path)
            if s.lines is not None:
                yield _Claimed("lines", s.lines, subject="file", path=path)

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
