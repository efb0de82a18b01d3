"""In which folders a shell may stand while a command goes on.

Prevents a file of the same name being taken for the one that was read, because a `cd` that need not
have run (`test -f x || cd src`, `if ...; then cd src; fi`) was taken for one that did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evaluation.reading.lines.paths import PathResolver

Places = tuple[PathResolver | None, ...]
"""Where a shell may stand, the last `cd` first; None where only the shell could tell."""
LOST_ALL: Places = (None,)
MOST = 8
"""Places that are told apart."""
LOOPS = frozenset(("for", "while", "until", "select"))
OPENING = LOOPS.union(("if", "case"))
BRANCHES = frozenset(("else", "elif"))
CLOSING = frozenset(("fi", "done", "esac"))
BETWEEN = frozenset(("then", "do", "{", "!", "time"))
KEYWORDS = OPENING | BRANCHES | CLOSING | BETWEEN
"""What may stand before a command, and is none."""


@dataclass
class _Block:
    """What begins with `if`, `for` and the like, and has not ended."""

    start: Places
    word: str
    is_sure: bool
    """One of its branches surely runs."""
    ends: list[Places] = field(default_factory=list)
    """Where its branches left the shell."""


class Standing:
    """Follows a shell from command to command."""

    def __init__(self, begin: PathResolver) -> None:
        self.places: Places = (begin,)
        self.last_known = begin
        self.before: Places = self.places
        """Where the last command began."""
        self.outer: list[Places] = []
        """Where it stood outside of each pair of parentheses that is open."""
        self._blocks: list[_Block] = []
        self._loops = 0
        self._pushed: list[Places] = []

    @property
    def is_in_loop(self) -> bool:
        """Whether what stands here may run again."""
        return self._loops > 0

    def marks(self, token: str) -> None:
        """Go into and out of the parentheses of a token."""
        for mark in token:
            if mark == "(":
                self.outer.append(self.places)
            elif mark == ")" and self.outer:
                self.places = self.before = self.outer.pop()

    def begun(self, words: Iterable[str]) -> None:
        """Take in the keywords before a command."""
        for word in words:
            if word in OPENING:
                self._blocks.append(_Block(self.places, word, word in ("for", "select")))
                self._loops += word in LOOPS
            elif word in CLOSING or word in BRANCHES:
                self._branch(word)
            elif word not in BETWEEN:
                return

    def _branch(self, word: str) -> None:
        if not self._blocks:
            return
        block = self._blocks[-1]
        if word in BRANCHES:
            block.ends.append(self.places)
            block.is_sure = word == "else"
            self.places = block.start
            return
        self._blocks.pop()
        self._loops -= block.word in LOOPS
        skipped = () if block.is_sure else (block.start,)
        self.places = _joined(self.places, *block.ends, *skipped)

    def go(self, folders: Sequence[str] | None, *, is_other: bool, is_kept: bool) -> None:
        """Change to one of some folders, None: to one that nobody knows.

        `is_other`: only where the command before it failed; `is_kept`: it may be gone back to.
        """
        here = self.places
        if is_kept:
            self._pushed.append(here)
        start = self.before if is_other else here
        gone: Places = LOST_ALL
        if folders is not None and len(folders) == len(start) == 1 and start[0] is not None:
            gone = (start[0].at(folders[0]),)
        elif folders is not None and None not in start:
            gone = _joined(tuple([at.at(one) for at in start if at for one in folders]))
        if gone[0] is not None:
            self.last_known = gone[0]
        self.places = _joined(gone, here) if is_other else gone

    def back(self) -> None:
        """Go back to the folder that was kept last."""
        self.places = self._pushed.pop() if self._pushed else LOST_ALL


def where(places: Places) -> tuple[str | None, ...]:
    """What places are called: equal ones may be told by several resolvers."""
    return tuple([None if at is None else at.place for at in places])


def _joined(*some: Places) -> Places:
    """All places, each of them once."""
    if len(some) > 1 and all(one == some[0] for one in some):
        return some[0]
    found = {name: at for one in some for name, at in zip(where(one), one, strict=True)}
    return tuple(found.values()) if 0 < len(found) <= MOST else LOST_ALL
