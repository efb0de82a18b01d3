"""What a clause of what is left begins with: files by name, folder or kind, or so many of them."""

from __future__ import annotations

from typing import NamedTuple

from evaluation.judging.rules.thing import Wording

_SUBJECT = frozenset(
    ("NAME", "FOLDER", "DET", "AND", "COMMA", "NUM", "FIRST", "OF", "SLASH", "EVERY")
)
_REST = frozenset((
    "other", "others", "rest", "remaining", "remainder", "half", "else",
))  # fmt: skip
_BESIDE = frozenset((
    "test", "tests", "part", "folder", "folders", "directory", "side", "section", "everything",
    "both", "still", "readme",
))  # fmt: skip
_LONGEST_HEAD = 10
"""Words of a heading that names files."""


class Subject(NamedTuple):
    """What a clause begins with: files by name, folder or kind, or so many of them."""

    last: int
    paths: tuple[str, ...]


def subject_at(at: Wording, i: int) -> Subject | None:
    paths: list[str] = []
    counted = named = noun = False
    j = i
    while j < len(at.words):
        word = at.words[j]
        kind = at.calling.of_kind(word.text)
        folder = at.calling.folder_at(at.text, word.start)
        if folder is not None and word.tag != "NAME":
            paths += at.names.folders[folder.path]
            while j + 1 < len(at.words) and at.words[j + 1].start < folder.end:
                j += 1
            named = True
        elif word.tag in ("NAME", "FOLDER"):
            paths += word.paths
            named = named or bool(word.paths)
        elif kind:
            paths += kind
            named = True
        elif word.text in _REST:
            counted = True
        elif at.calling.is_file(word.text):
            noun = True
        elif word.tag not in _SUBJECT and word.text not in _BESIDE:
            break
        j += 1
    while j > i and at.tag(j - 1) in ("COMMA", "AND", "DET"):
        j -= 1
    several = noun and any(at.tag(k) in ("NUM", "FIRST") for k in range(i, j))
    return Subject(j, tuple(paths)) if named or counted or several else None


def paths_in(head: Wording) -> tuple[str, ...]:
    """The files that a short heading names, by folder, kind or name."""
    if len(head.words) > _LONGEST_HEAD:
        return ()
    for i in range(len(head.words)):
        subject = subject_at(head, i)
        if subject is not None and subject.paths:
            return subject.paths
    return ()
