"""What the variables of a command stand for, where it says so itself.

Prevents a file being taken for the one that was read because its name was given to a variable in
one folder, and used in another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from evaluation.reading.calls.operands import Operand, unquoted
from evaluation.reading.calls.standing import Places, where

ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
USE = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?:\[[@*]\])?\}|([A-Za-z_]\w*))")
ANY_USE = re.compile(r"\$\{?[#!]?([A-Za-z_]\w*)")
"""Of a variable, whatever is made of it."""
MOST = 256
"""Values of one word."""
LONGEST = 1 << 16
"""A bound for the characters of one: a value may hold another twice, and so on."""


@dataclass
class Given:
    """Words that a variable stands for, and where the shell stood then."""

    words: tuple[Operand, ...]
    places: Places


@dataclass
class Variable:
    """One variable of a command."""

    values: dict[str, None] = field(default_factory=dict)
    is_told: bool = True
    """No other values than these were given to it."""
    is_used: bool = False
    """A word in which it stands was read with its values."""
    given: list[Given] = field(default_factory=list)
    others: list[Places] = field(default_factory=list)
    """Where it was used otherwise."""

    @property
    def is_plain(self) -> bool:
        """Whether all that it may stand for is known."""
        return self.is_told and 0 < len(self.values) <= MOST

    @property
    def is_left(self) -> bool:
        """Whether what it stands for is read where it was given."""
        return not self.is_used or not self.is_plain or bool(self.others)

    @property
    def is_moved(self) -> bool:
        """Whether it was used in another place than that where it was given something."""
        given = {where(one.places) for one in self.given}
        return any(given != {where(places)} for places in self.others)


class Variables:
    """The variables of one command."""

    def __init__(self) -> None:
        self.known: dict[str, Variable] = {}
        """Each that was given something, or that nobody can tell."""
        self._ended: list[Variable] = []

    def all(self) -> Iterable[Variable]:
        """Also those whose names were taken for others."""
        return (*self._ended, *self.known.values())

    def begin(self, name: str) -> None:
        """From now on a name stands for what a loop says alone."""
        if name in self.known:
            self._ended.append(self.known[name])
        self.known[name] = Variable()

    def give(self, name: str, values: Iterable[str | None], given: Given) -> bool:
        """Keep what a variable may stand for; whether it was used before."""
        one = self.known.setdefault(name, Variable())
        one.given.append(given)
        for value in values:
            if value:
                one.values[value] = None
            else:
                one.is_told = False
        return one.is_used

    def forget(self, names: Iterable[str]) -> None:
        """Nobody knows any more what they stand for."""
        for name in names:
            self.known.setdefault(name, Variable()).is_told = False

    def expanded(self, word: str) -> tuple[str, ...] | None:
        """What a word may stand for, without quotes; None where that is not plain."""
        if "$" not in word:
            return (unquoted(word),)
        if "'" in word or "\\" in word:
            return None
        text = unquoted(word)
        names = {match[1] or match[2] for match in USE.finditer(text)}
        known = [self.known.get(name) for name in names]
        if "$" in USE.sub("", text) or not all(one and one.is_plain for one in known):
            return None
        told = [one for one in known if one]
        count, longest = 1, len(text)
        for one in told:
            count *= len(one.values)
            longest *= max(map(len, one.values))
        if count > MOST or longest > LONGEST:
            return None
        for one in told:
            one.is_used = True
        return tuple(dict.fromkeys(_filled(text, dict(zip(names, told, strict=True)))))

    def used_otherwise(self, word: str, places: Places) -> None:
        """A word was not read with the values of what stands in it."""
        for name in ANY_USE.findall(word) if not word.startswith("'") else ():
            if name in self.known:
                self.known[name].others.append(places)


def _filled(text: str, known: dict[str, Variable]) -> Iterator[str]:
    for values in product(*[one.values for one in known.values()]):
        chosen = dict(zip(known, values, strict=True))
        yield USE.sub(lambda match: chosen[match[1] or match[2]], text)  # noqa: B023 - used at once
