"""What a clause of what is left begins with: files by name, folder or kind, or so many of them."""

from __future__ import annotations

from typing import NamedTuple

from evaluation.judging.rules.named import names_at
from evaluation.judging.rules.thing import Wording

_JOINS = frozenset(("DET", "AND", "COMMA", "NUM", "FIRST", "OF", "SLASH", "EVERY"))
_REST = frozenset((
    "other", "others", "rest", "remaining", "remainder", "half", "else",
))  # fmt: skip
_BESIDE = frozenset((
    "test", "tests", "part", "folder", "folders", "directory", "side", "section", "everything",
    "both", "still", "readme",
))  # fmt: skip
_LONGEST = 60
"""Words of one subject that are looked at."""
_LONGEST_HEAD = 10
"""Words of a heading that names files."""


class Subject(NamedTuple):
    """What a clause begins with: files by name, folder or kind, or so many of them."""

    last: int
    paths: tuple[str, ...]


def subject_at(at: Wording, i: int) -> Subject | None:
    """The subject that begins with word `i`; None where it is not of files in scope."""
    paths: list[str] = []
    counted = named = noun = several = False
    j = i
    while j < min(len(at.words), i + _LONGEST):
        word = at.words[j]
        if word.tag in _JOINS:
            several = several or word.tag in ("NUM", "FIRST")
            j += 1
            continue
        found = _named(at, j)
        if found is not None:
            paths += found.paths
            named = True
            j = found.last
        elif word.text in _REST:
            counted = True
            j += 1
        elif at.calling.is_file(word.text):
            noun = True
            j += 1
        elif word.text in _BESIDE:
            j += 1
        else:
            break
    while j > i and at.tag(j - 1) in ("COMMA", "AND", "DET"):
        j -= 1
    return Subject(j, tuple(paths)) if named or counted or (noun and several) else None


def _named(at: Wording, j: int) -> Subject | None:
    """The files, folder or kind of files that is named here."""
    word = at.words[j]
    if word.tag == "NAME":
        things = names_at(at, j)
        named = tuple(thing.path for thing in things) or word.paths
        return Subject(things[-1].last if things else j + 1, named) if named else None
    if word.tag == "FOLDER":
        return Subject(j + 1, word.paths)
    if at.tag(j + 1) == "SLASH":
        folder = at.calling.folder_at(at.text, word.start)
        last = j
        while folder and last < len(at.words) and at.words[last].start < folder.end:
            last += 1
        return Subject(last, at.names.folders[folder.path]) if folder else None
    kind = at.calling.of_kind(word.text)
    return Subject(j + 1, kind) if kind else None


def paths_in(head: Wording) -> tuple[str, ...]:
    """The files that a short heading names, by folder, kind or name."""
    if len(head.words) > _LONGEST_HEAD:
        return ()
    for i in range(len(head.words)):
        subject = subject_at(head, i)
        if subject is not None and subject.paths:
            return subject.paths
    return ()
