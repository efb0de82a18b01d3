"""OpenCode's older store: a tree of small JSON files, one for each session, message and part.

storage/
├── session/<project>/<session>.json
├── message/<session>/<message>.json
└── part/<message>/<part>.json
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from authoring.errors import UserError
from evaluation.transcripts.beginnings import beginning_of, files_below
from evaluation.transcripts.json_lines import Object, read_document
from evaluation.transcripts.opencode_sessions import (
    OpenCodeSession,
    OpenCodeSessions,
    count_of,
    object_field,
    text_field,
)
from evaluation.transcripts.opencode_store import Choose, every_session

DEEPEST = 3
"""Folders between a given one and the tree."""
MOST_LOOKED = 20
"""Files of sessions that are looked at to tell a tree."""


def tree_of(path: Path) -> Path | None:
    """The folder of the tree: a given one, one a little below it, or the one that a session's file
    lies in. None where there is none."""
    if not path.is_dir():
        root = path.absolute().parent.parent.parent
        return root if _is_tree(root) and _is_session_file(path) else None
    level = [path]
    for _ in range(DEEPEST + 1):
        found = next((folder for folder in level if _is_tree(folder)), None)
        if found is not None:
            return found
        level = [one for folder in level for one in _folders(folder)]
    return None


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if one.is_dir() and not one.is_symlink())
    except OSError:
        return []


def _is_tree(folder: Path) -> bool:
    if not all((folder / name).is_dir() for name in ("session", "message", "part")):
        return False
    files = (file for file in files_below(folder / "session") if file.name.endswith(".json"))
    return any(_is_session_file(file) for file, _ in zip(files, range(MOST_LOOKED), strict=False))


def _is_session_file(path: Path) -> bool:
    beginning = beginning_of(path)
    return beginning.is_document and all(map(beginning.has, ("id", "version", "directory")))


def read_tree(root: Path, found: OpenCodeSessions, choose: Choose = every_session) -> None:
    """Add the sessions of a tree to those that were found."""
    for file in _json(root / "session"):
        session = _session(file)
        if session is None:
            found.add_unreadable()
        else:
            found.add_session(session)
    for key in sorted(choose(found)):
        for name, info in _documents(root / "message", key, found):
            found.add_message(name, key, info)
            for part, data in _documents(root / "part", name, found):
                found.add_part(part, name, data)
    found.sort()


def session_named(path: Path) -> str | None:
    """The session that a file of the tree is about."""
    session = _session(path)
    return session.id if session else None


def _session(file: Path) -> OpenCodeSession | None:
    value = _document(file)
    key = text_field(value, "id") if value is not None else ""
    if value is None or not key:
        return None
    return OpenCodeSession(
        id=key,
        parent=text_field(value, "parentID") or None,
        version=text_field(value, "version") or "unknown",
        directory=text_field(value, "directory"),
        updated=count_of(object_field(value, "time").get("updated")) or 0,
    )


def _documents(folder: Path, name: str, found: OpenCodeSessions) -> Iterator[tuple[str, Object]]:
    """The files of one session or message, by id."""
    if "/" in name or name in ("", ".", ".."):
        return
    for file in _json(folder / name):
        value = _document(file)
        if value is None:
            found.add_unreadable()
        else:
            yield text_field(value, "id") or file.stem, value


def _json(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (file for file in files_below(folder) if file.name.endswith(".json"))


def _document(file: Path) -> Object | None:
    try:
        return read_document(file)
    except UserError:
        return None
