"""Which role each file of a corpus has: every file exactly one, by the globs of the spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from authoring.errors import UserError
from authoring.spec import Scope
from generators.manifest import Role

PARTS = re.compile(r"(?P<folders>\*\*/)|(?P<any>\*\*)|(?P<some>\*)|(?P<set>\[!?\]?[^\]]*\])|(?s:.)")


@dataclass(frozen=True)
class Glob:
    """A glob as a row of states, one bit each, which a path is read by once.

    Prevents globs that try every way to share a path among their stars, as a regular expression
    does: the time is the length of the path for each of its letters that the glob knows.
    """

    steps: tuple[re.Pattern[str] | None, ...]
    """The letter that leads from each state to the next; None where no letter does."""
    stays: int
    """States that any letter of a name leaves as they are."""
    crosses: int
    """States that even a slash leaves as they are."""
    folders: int
    """States before the name of a folder; the state after each is inside of that name."""
    skips: Mapping[int, int]
    """States that may be left without a letter, and for how many states further on."""

    def fullmatch(self, path: str) -> bool:
        """Whether the glob is of this whole path."""
        states = self._closed(1)
        for letter in path:
            if not states:
                return False
            states = self._closed(self._after(states, letter))
        return bool(states >> len(self.steps))

    def _after(self, states: int, letter: str) -> int:
        if letter == "/":
            ended = (states & self.folders << 1) >> 1
            kept = states & self.crosses
        else:
            ended = (states & self.folders) << 1
            kept = states & (self.stays | self.folders << 1 | self.crosses)
            if letter == "\n":
                kept &= ~self.crosses
        return (states & self._letters(letter)) << 1 | kept | ended

    def _letters(self, letter: str) -> int:
        known = self._known
        if letter not in known:
            known[letter] = sum(
                1 << number
                for number, step in enumerate(self.steps)
                if step is not None and step.fullmatch(letter)
            )
        return known[letter]

    @cached_property
    def _known(self) -> dict[str, int]:
        """The states that a letter leads on from, for those that were read."""
        return {}

    def _closed(self, states: int) -> int:
        """With the states that no letter is needed for; they are further on, so once is enough."""
        for state, far in self.skips.items():
            if states >> state & 1:
                states |= 1 << state + far
        return states


def glob_pattern(glob: str) -> Glob:
    """A glob over whole paths: `*`, `?`, `[…]` within a folder, `**` over any number of them.

    Raises UserError where it is none.
    """
    steps: list[re.Pattern[str] | None] = []
    stays = crosses = folders = 0
    skips: dict[int, int] = {}
    for part in PARTS.finditer(glob):
        state = len(steps)
        kind = part.lastgroup
        if kind == "folders":
            folders |= 1 << state
            skips[state] = 2
            steps += [None, None]
        elif kind in {"any", "some"}:
            crosses |= (kind == "any") << state
            stays |= (kind == "some") << state
            skips[state] = 1
            steps.append(None)
        else:
            steps.append(_letter(part[0], glob))
    return Glob(tuple(steps), stays, crosses, folders, skips)


def _letter(part: str, glob: str) -> re.Pattern[str]:
    if part == "?":
        return re.compile(r"[^/]")
    if len(part) == 1:
        return re.compile(re.escape(part))
    inner = part[1:-1].replace("\\", r"\\").replace("[", r"\[")
    try:
        return re.compile(f"[^{inner[1:]}/]" if inner.startswith("!") else f"[{inner}]")
    except re.error as error:
        raise UserError(f"{glob!r} is no glob: {error}", remedy="mend scope") from error


def roles(paths: Iterable[str], scope: Scope) -> dict[str, Role]:
    """The role of each path. Raises UserError naming every file that matches none or both."""
    review = [glob_pattern(glob) for glob in scope.review]
    reference = [glob_pattern(glob) for glob in scope.reference]
    found: dict[str, Role] = {}
    neither, both = [], []
    for path in paths:
        reviewed = any(pattern.fullmatch(path) for pattern in review)
        referred = any(pattern.fullmatch(path) for pattern in reference)
        if reviewed and referred:
            both.append(path)
        elif reviewed or referred:
            found[path] = "review" if reviewed else "reference"
        else:
            neither.append(path)
    if neither or both:
        lines = [f"{path}: matches no glob of scope" for path in neither]
        lines += [f"{path}: matches both scope.review and scope.reference" for path in both]
        raise UserError("\n".join(lines), remedy="every file has exactly one role")
    if "review" not in found.values():
        raise UserError("no file is under review", remedy="mend scope.review")
    return found
