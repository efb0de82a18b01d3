"""What can go wrong, and how it is told: one message, with the place and the remedy.

    OcbError                      exit 3: something around ocb failed
    ├── UserError                 exit 2: what the user can mend
    │   └── SpecError             every problem of a scenario spec at once
    └── InfrastructureError       exit 3: a sandbox, a server or a disk failed

A failed *run* is data, not an error: it is recorded with its outcome. A fault of our own is an
ordinary exception and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Place:
    """Where in a file: lines and columns count from 1; 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}"


class OcbError(Exception):
    """The base of every error that ocb raises on purpose."""

    exit_code: ClassVar[int] = 3


class InfrastructureError(OcbError):
    """Something around ocb failed: a sandbox, a server, a disk."""


class UserError(OcbError):
    """What the user can mend: what is wrong, where, and what to do."""

    exit_code: ClassVar[int] = 2

    def __init__(self, what: str, *, place: Place | None = None, remedy: str = "") -> None:
        self.what = what
        self.place = place
        self.remedy = remedy
        where = f"{place}: " if place else ""
        super().__init__(f"{where}{what}" + (f"\n  {remedy}" if remedy else ""))


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in a spec."""

    code: str
    """kebab-case, stable: `unknown-key`."""
    place: Place
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        tail = f"; {self.remedy}" if self.remedy else ""
        return f"{self.place}: {self.what}{tail} [{self.code}]"


class SpecError(UserError):
    """Every problem of one spec, so that one round of mending is enough."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.place.line, p.place.column)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def nearest(name: str, known: Iterable[str]) -> str:
    """The remedy for an unknown name: the nearest valid one, or all of them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"valid: {', '.join(names)}" if names else "there are none"
