"""The claims about reading that a measurement can hold or break, from what a response asserts.

"12 in full" claims two things: that so many were touched, and in full. "All but the last six" and
"every file except a.md" claim the number that is left. "I did not open c.md" claims that, and
nothing of the others. A claim of all files is doubtful where the response elsewhere tells of gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from evaluation.judging.claim import Quantity, Quote, ReadingClaim
from evaluation.judging.rules.assertion import Assertion
from evaluation.judging.rules.passages import line_ranges

Gaps = Literal["none", "depth", "files"]
"""What a response tells of gaps: some files were not read, or not to the end."""

_ENDS = re.compile(
    r"\b(?:last|bottom|final|next|other|remaining)\b[^.\n]{0,24}?\blines?\b",
    re.IGNORECASE,
)
"""So many lines, and not any: which they are is not held against the reading."""


class _Claimed(NamedTuple):
    """A claim without its quote."""

    quantity: Quantity
    value: int | None = None
    out_of: int | None = None
    subject: Literal["scope", "file", "folder"] = "scope"
    path: str = ""
    lines: tuple[int, int] | None = None
    doubtful: bool = False


@dataclass(frozen=True)
class Ledger:
    """Makes the claims of one response."""

    response: str
    size: int
    """Files in scope."""
    gaps: Gaps = "none"

    def claims(self, assertions: Iterable[Assertion]) -> tuple[ReadingClaim, ...]:
        """Every claim in the order of the response; told twice, it is quoted where first told."""
        first: dict[_Claimed, Assertion] = {}
        for assertion in assertions:
            for claimed in self._of(assertion):
                first.setdefault(claimed, assertion)
        return tuple(self._quoted(claimed, said) for claimed, said in first.items())

    def _quoted(self, claimed: _Claimed, said: Assertion) -> ReadingClaim:
        start, end = _with_marks(self.response, said.start, said.end)
        quote = Quote(text=self.response[start:end], start=start, end=end)
        return ReadingClaim(quote=quote, **claimed._asdict())

    def _of(self, said: Assertion) -> Iterator[_Claimed]:
        if said.thing.kind == "file":
            yield from self._file(said)
        elif said.thing.every and not said.thing.excluded:
            yield from self._all(said)
        else:
            yield from self._counted(said)

    def _file(self, said: Assertion) -> Iterator[_Claimed]:
        thing = said.thing
        if said.denied:
            yield _Claimed("none", subject="file", path=thing.path, doubtful=thing.doubtful)
            return
        parts = list(line_ranges(self.response, said.start, said.end, thing.path))
        full = _is_full(said) and not parts
        one = _Claimed("all", subject="file", path=thing.path, doubtful=said.doubtful)
        yield one._replace(quantity="full") if full else one
        if thing.lines is not None:
            ends = _ENDS.search(self.response, said.start, said.end)
            unsure = one.doubtful or ends is not None
            yield one._replace(quantity="lines", value=thing.lines, doubtful=unsure)
        for lines in parts:
            yield one._replace(quantity="range", lines=lines)

    def _all(self, said: Assertion) -> Iterator[_Claimed]:
        thing = said.thing
        subject: Literal["scope", "folder"] = "folder" if thing.kind == "folder" else "scope"
        unsure = thing.doubtful or said.doubtful or self.gaps == "files"
        if subject == "scope" or not _is_full(said):
            yield _Claimed("all", thing.value, None, subject, thing.path, doubtful=unsure)
        if not _is_full(said):
            return
        if thing.value in (None, self.size) or subject == "folder":
            unsure = unsure or self.gaps == "depth"
            yield _Claimed("full", None, None, subject, thing.path, doubtful=unsure)
        else:
            yield _Claimed("full_count", thing.value, doubtful=unsure)

    def _counted(self, said: Assertion) -> Iterator[_Claimed]:
        thing = said.thing
        value = self.size - thing.excluded if thing.every else thing.value
        if value is None or value < 1 or (thing.every and thing.kind == "folder"):
            return
        subject: Literal["scope", "folder"] = "folder" if thing.kind == "folder" else "scope"
        unsure = thing.doubtful or said.doubtful
        told = (value, thing.out_of, subject, thing.path, None, unsure)
        yield _Claimed("count", *told)
        if _is_full(said):
            yield _Claimed("full_count", *told)


def _is_full(said: Assertion) -> bool:
    return said.fully and not said.partly and said.strength == "read"


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """The span, with the mark before it whose partner stands inside, and the other way round."""
    for mark in ("`", "**", "_"):
        if text.count(mark, start, end) % 2:
            if text.startswith(mark, end):
                end += len(mark)
            elif text.endswith(mark, 0, start):
                start -= len(mark)
    return start, end
