"""Edits that a session recorded, each as a change that can be made again and taken back.

Prevents a text being made up: a change that fits in two places, or in none, gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from evaluation.reading.lines.shown import strings_in

MOST_SPOTS = 64
"""Places at which a change may have been made, up to which each is tried."""
PATH_KEYS = ("file_path", "filePath", "path", "notebook_path", "absolute_path")


class Change(Protocol):
    """What an edit does to the text of a file."""

    def made(self, before: str) -> str | None:
        """The text behind it; None where it cannot be made, or not in one way alone."""
        ...

    def undone(self, after: str) -> str | None:
        """The one text that it makes this text of; None where there is none, or several."""
        ...


@dataclass(frozen=True)
class Whole:
    """A file written anew, whatever there was."""

    text: str

    def made(self, before: str) -> str | None:
        return self.text

    def undone(self, after: str) -> str | None:
        return None


@dataclass(frozen=True)
class Replaced:
    """A text put in the place of another, which stands there once; or wherever it stands."""

    old: str
    new: str
    every: bool = False

    def made(self, before: str) -> str | None:
        count = before.count(self.old) if self.old else 0
        if count == 0 or (count > 1 and not self.every):
            return None
        return before.replace(self.old, self.new)

    def undone(self, after: str) -> str | None:
        spots = _spots(after, self.new)
        if self.every and len(spots) > 1:
            return None  # any of them may have stood there before
        found = {after[:at] + self.old + after[at + len(self.new) :] for at in spots}
        return _only(before for before in found if self.made(before) == after)


@dataclass(frozen=True)
class Hunk:
    """Lines in the place of others, as a patch has them: with the lines around them."""

    old: tuple[str, ...]
    new: tuple[str, ...]

    def made(self, before: str) -> str | None:
        return self._put(before, self.old, self.new)

    def undone(self, after: str) -> str | None:
        return self._put(after, self.new, self.old)

    def _put(self, text: str, known: tuple[str, ...], other: tuple[str, ...]) -> str | None:
        lines = text.split("\n")
        starts = [
            at for at in range(len(lines)) if lines[at : at + len(known)] == list(known)
        ] if known else []  # fmt: skip
        if len(starts) != 1:
            return None
        at = starts[0]
        return "\n".join((*lines[:at], *other, *lines[at + len(known) :]))


@dataclass(frozen=True)
class Several:
    """Changes of one file by one call, one after another."""

    changes: tuple[Change, ...]

    def made(self, before: str) -> str | None:
        text: str | None = before
        for change in self.changes:
            text = None if text is None else change.made(text)
        return text

    def undone(self, after: str) -> str | None:
        text: str | None = after
        for change in reversed(self.changes):
            text = None if text is None else change.undone(text)
        return text


class Written(NamedTuple):
    """What one call says that it does to one file."""

    path: str
    """As the call writes it."""
    change: Change | None
    """None where it cannot be told."""


def written_by(tool: str, arguments: Mapping[str, object]) -> Iterator[Written]:
    """The changes that a call asks for. Texts are without CR, as tools compare them."""
    if tool in WRITERS or tool in EDITORS:
        for key in PATH_KEYS:
            path = arguments.get(key)
            if isinstance(path, str):
                yield Written(path, _change(tool, arguments))
                break
        else:
            yield from _patched(arguments)
    elif tool in PATCHERS:
        yield from _patched(arguments)


WRITERS = frozenset(("Write", "write", "write_file", "create_file", "NotebookEdit"))
"""Tools that make a file, whatever was there."""
EDITORS = frozenset(("Edit", "MultiEdit", "edit", "replace", "multiedit", "patch"))
PATCHERS = frozenset((
    "apply_patch", "shell", "shell_command", "exec_command", "local_shell", "container.exec",
    "exec",
))  # fmt: skip
"""Tools whose arguments may hold a patch in the form of Codex."""
_OLD, _NEW = ("old_string", "oldString"), ("new_string", "newString")
_EVERY = ("replace_all", "replaceAll", "allow_multiple", "expected_replacements")


def _change(tool: str, arguments: Mapping[str, object]) -> Change | None:
    if tool in WRITERS:
        text = arguments.get("content")
        return Whole(plain(text)) if isinstance(text, str) else None
    edits = arguments.get("edits")
    if not isinstance(edits, list):
        return _replaced(arguments)
    changes = [_replaced(edit) if isinstance(edit, dict) else None for edit in edits]
    known = tuple(change for change in changes if change is not None)
    return Several(known) if known and len(known) == len(changes) else None


def _replaced(arguments: Mapping[str, object]) -> Replaced | Whole | None:
    old, new = (
        next((arguments[key] for key in keys if key in arguments), None) for keys in (_OLD, _NEW)
    )
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    if not old:
        return Whole(plain(new))  # such an edit makes a file
    told = [arguments.get(key) for key in _EVERY]
    every = any(value is True or (isinstance(value, int) and value > 1) for value in told)
    return Replaced(plain(old), plain(new), every)


_PATCH = re.compile(r"^\*\*\* Begin Patch\n(.*?)^\*\*\* End Patch\b", re.DOTALL | re.MULTILINE)
_PART = re.compile(r"^\*\*\* (Add|Update|Delete) File: ([^\n]+)\n", re.MULTILINE)


def _patched(arguments: Mapping[str, object]) -> Iterator[Written]:
    for text in strings_in(arguments):
        for patch in _PATCH.findall(plain(text)):
            parts = _PART.split(patch)
            for kind, path, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
                yield Written(path.strip(), _of_patch(kind, body))


def _of_patch(kind: str, body: str) -> Change | None:
    lines = body.split("\n")[:-1]
    if kind == "Add":
        own = all(line.startswith("+") for line in lines)
        return Whole("".join(f"{line[1:]}\n" for line in lines)) if own else None
    if kind == "Delete" or any(line.startswith("*** Move to") for line in lines):
        return None
    hunks: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("@@"):
            hunks.append([])
        elif not line.startswith("*** End of File"):
            hunks[-1].append(line or " ")
    found = [_hunk(hunk) for hunk in hunks if hunk]
    known = tuple(hunk for hunk in found if hunk is not None)
    return Several(known) if known and len(known) == len(found) else None


def _hunk(lines: Iterable[str]) -> Hunk | None:
    old: list[str] = []
    new: list[str] = []
    for line in lines:
        if line[0] not in " +-":
            return None
        if line[0] != "+":
            old.append(line[1:])
        if line[0] != "-":
            new.append(line[1:])
    return Hunk(tuple(old), tuple(new))


def plain(text: str) -> str:
    """A text as edits see it: tools read CRLF as LF, and write it back."""
    return text.replace("\r\n", "\n")


def _spots(text: str, part: str) -> list[int]:
    """Where a part stands; nothing where it is nothing, or stands in too many places."""
    found: list[int] = []
    at = text.find(part) if part else -1
    while at >= 0:
        found.append(at)
        if len(found) > MOST_SPOTS:
            return []
        at = text.find(part, at + 1)
    return found


def _only(texts: Iterable[str]) -> str | None:
    found = list(texts)
    return found[0] if len(found) == 1 else None
