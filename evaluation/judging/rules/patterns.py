"""A small language of patterns over word classes, which cannot repeat without end.

An element is a class (`FILES`), classes joined by `|`, or either followed by `?` or `{least,most}`;
`!X` says that X does not follow here, `^` that the sentence starts here. Every repetition has a
most, so that one attempt costs no more than a constant and a scan is linear by construction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_ELEMENT = re.compile(r"(!?)([A-Z]+(?:\|[A-Z]+){0,9})(\?|\{\d,\d\})?")


@dataclass(frozen=True)
class Pattern:
    """One compiled pattern, and the kind of thing it finds."""

    kind: str
    expression: re.Pattern[str]


@dataclass(frozen=True)
class Found:
    """Where a pattern matched: indices of words, the last one not in."""

    kind: str
    first: int
    last: int


class _Match(NamedTuple):
    kind: str
    end: int


def _element(source: str, groups: Mapping[str, Sequence[str]]) -> str:
    if source == "^":
        return r"\A"
    match = _ELEMENT.fullmatch(source)
    if match is None:
        raise ValueError(f"not an element of a pattern: {source!r}")
    negated, names, times = match.groups()
    classes = [c for name in names.split("|") for c in groups.get(name, (name,))]
    one = f"(?:{'|'.join(classes)}) "
    return f"(?!{one})" if negated else f"(?:{one}){times or ''}"


def compile_pattern(kind: str, source: str, groups: Mapping[str, Sequence[str]]) -> Pattern:
    """Compile one pattern; a group is a name that stands for several classes."""
    return Pattern(kind, re.compile("".join(_element(e, groups) for e in source.split())))


@dataclass(frozen=True)
class Patterns:
    """Patterns in their order, which is their rank: at each word the first that matches wins."""

    ranked: tuple[Pattern, ...]

    @cached_property
    def _any(self) -> re.Pattern[str]:
        """Tells at once that nothing starts at a word, which is so at most of them."""
        return re.compile("|".join(pattern.expression.pattern for pattern in self.ranked))

    def find_all(self, tags: Sequence[str]) -> tuple[Found, ...]:
        """Every thing the patterns find, from left to right, none touching another."""
        line = "".join(f"{tag} " for tag in tags)
        starts = [0]
        for tag in tags:
            starts.append(starts[-1] + len(tag) + 1)
        index = {start: i for i, start in enumerate(starts)}
        found: list[Found] = []
        word = 0
        while word < len(tags):
            here = self._at(line, starts[word])
            if here is None:
                word += 1
                continue
            kind, end = here
            found.append(Found(kind, word, index[end]))
            word = index[end]
        return tuple(found)

    def _at(self, line: str, start: int) -> _Match | None:
        if self._any.match(line, start) is None:
            return None
        for pattern in self.ranked:
            match = pattern.expression.match(line, start)
            if match is not None and match.end() > start:
                return _Match(pattern.kind, match.end())
        return None
