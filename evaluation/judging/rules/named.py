"""Files that a sentence names, each with how much of it: "lines 1-40 of a.py, all of b.py".

Prevents the lines of one file being given to its neighbour, and "cart.py's history" being taken for
the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from evaluation.judging.rules.thing import Thing, Wording

_NUMBER = re.compile(r"\d+")
_SIZES = frozenset((
    "l", "ln", "loc", "total", "kb", "bytes", "new", "chars", "characters", "~", "file",
))  # fmt: skip
_IN_BRACKETS = frozenset(("NUM", "LINE", "DASH", "COMMA", "TO", "EVERY", "WAS", "FULLY"))
_CONTENTS = frozenset(("contents", "content", "text", "texts", "source"))
_LISTS = ("COMMA", "AND", "SLASH", "SIGN")


@dataclass(frozen=True)
class _Share:
    """How much of a file is spoken of, by the words before its name."""

    name: int
    """The word that names it."""
    whole: bool = False
    partial: bool = False
    lines: int | None = None
    all_of: bool = False
    """Said of all the list: "the complete contents of a.py and b.py"."""


class _Note(NamedTuple):
    """What stands behind a name and belongs to it."""

    last: int
    fully: bool = False


def names_at(at: Wording, i: int) -> tuple[Thing, ...]:
    """The list of names from word `i` on."""
    found = tuple(_list(at, i))
    # "All 414 lines of a.py and b.py" tells of neither how many lines it has.
    return found if len(found) == 1 else tuple(replace(thing, lines=None) for thing in found)


def _list(at: Wording, i: int) -> Iterator[Thing]:
    whole = False
    while True:
        named = _named(at, i)
        whole = whole or (bool(named) and _share(at, i).all_of)
        yield from (replace(thing, whole=True) if whole else thing for thing in named)
        if not named or at.tag(named[-1].last) not in _LISTS:
            return
        i = at.past(named[-1].last + 1, "AND")
        while at.tag(i) == "OUT" and at.tag(i + 1) in _LISTS:  # a file that is not known here
            i = at.past(i + 2, "AND")


def _named(at: Wording, i: int) -> tuple[Thing, ...]:
    """One name, or a range of them, with the words that say how much of it."""
    share = _share(at, i)
    j = share.name
    if at.tag(j) != "NAME" or len(at.words[j].paths) != 1:
        return ()
    paths: tuple[str, ...] = (at.words[j].paths[0],)
    j += 1
    if at.tag(j) in ("TO", "DASH") and at.tag(j + 1) == "NAME" and at.words[j + 1].paths:
        paths = _between(at, paths[0], at.words[j + 1].paths[0])
        j += 2
    note = _note(at, j)
    if at.goes_on(j) or note is None:
        return ()
    return tuple(
        Thing(
            "file",
            first=i,
            last=note.last,
            path=path,
            whole=share.whole or note.fully,
            partial=share.partial and not share.whole,
            lines=share.lines,
        )
        for path in paths
    )


def _between(at: Wording, first: str, last: str) -> tuple[str, ...]:
    """The files of a range; none where it is not by number: "cart.py to shipping.py"."""
    pattern = _NUMBER.sub("", first)
    if pattern != _NUMBER.sub("", last):
        return ()
    inside = (path for path in at.names.scope if first <= path <= last)
    return tuple(path for path in inside if _NUMBER.sub("", path) == pattern)


def _share(at: Wording, i: int) -> _Share:
    share = _Share(i)
    while True:
        j = share.name
        tag = at.tag(j)
        lines = _lines_of(at, j)
        if tag in ("DET", "SET") or at.noun(j):
            share = replace(share, name=j + 1)
        elif tag == "WHOLE" and at.word(j + 1) in _CONTENTS:
            share = replace(share, name=at.past(j + 2, "OF", "DET"), whole=True, all_of=True)
        elif tag in ("FULLY", "WHOLE") or (tag == "EVERY" and _is_of_one(at, j)):
            share = replace(share, name=at.past(j + 1, "OF", "DET"), whole=True)
        elif tag == "HALF":
            share = replace(share, name=j + 1, partial=True)
        elif lines is not None:
            share = replace(share, name=lines.last, partial=True, lines=lines.lines)
        else:
            return share


def _is_of_one(at: Wording, j: int) -> bool:
    """Whether "all" is of one file: "all of cart.py", "all 210 lines of cart.py"."""
    k = at.past(j + 1, "OF", "DET", "NUM", "LINE")
    return at.tag(k) == "NAME" and k > j + 1


def _lines_of(at: Wording, j: int) -> Thing | None:
    """ "the first 40 lines of", "lines 1-40 of", "40 lines in"."""
    k = at.past(j, "FIRST")
    value = at.value(k) if at.tag(k) == "NUM" else None
    k += value is not None
    if at.tag(k) != "LINE":
        return None
    k += 1
    if value is None and at.word(k - 1) == "line":
        return None  # "line 12 of": where something stands
    while value is None and (
        at.value(k) is not None or at.tag(k) in ("DASH", "TO", "COMMA", "AND")
    ):
        k += 1
    return Thing("file", j, k + 1, lines=value) if at.tag(k) in ("OF", "IN") else None


def _note(at: Wording, j: int) -> _Note | None:
    """Past lines or a size: "(120 lines)", ", lines 1-40", ":10-40"; None where it is cut off."""
    k = j + (at.tag(j) == "COMMA")
    if at.tag(k) == "LINE" or (at.tag(j) == "COLON" and at.tag(j + 1) == "NUM"):
        k += 1
        while at.value(k) is not None or (
            at.tag(k) in ("DASH", "TO", "AND") and at.value(k + 1) is not None
        ):
            k += 1
        if at.tag(j) == "COLON" and k - j == 2:
            return None  # "cart.py:44": where something stands
        return _Note(j if at.tag(k) in ("OF", "IN") else k)
    if at.tag(j) != "OPEN":
        return _Note(j)
    k = j + 1
    while at.tag(k) not in ("CLOSE", ""):
        word = at.words[k]
        if word.tag not in _IN_BRACKETS and word.value is None and word.text not in _SIZES:
            return _Note(j)  # a clause of its own: the list ends before it
        k += 1
    fully = any(at.tag(m) == "FULLY" for m in range(j, k))
    return _Note(k + 1, fully) if at.tag(k) == "CLOSE" else None
