"""What was to be reviewed: what the caller names, or what the prompt asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from authoring.errors import UserError
from evaluation.audit.changes import made_files
from evaluation.audit.places import Places
from evaluation.audit.prompt import asked_scope
from evaluation.audit.session import OpenedSession


class Scope(NamedTuple):
    """Files under review."""

    files: tuple[str, ...]
    how: str
    """How it was found: the options, or the words of the prompt."""
    is_current: bool
    """No later prompt asks for something else."""


def find_scope(
    globs: Sequence[str], session: OpenedSession, places: Places, root: Path
) -> Scope | None:
    """Raises UserError where the globs that were given take in no file."""
    if globs:
        files = {path for glob in globs for path in _of_option(glob, places, root)}
        how = " ".join(f"--scope {glob}" for glob in globs)
        return Scope(tuple(sorted(files)), how, is_current=True)
    asked = asked_scope(session.prompts(), places)
    if asked is None:
        return None
    made = made_files(session, places)
    kept = tuple(path for path in asked.files if path not in made)
    return Scope(kept, f"the prompt: {asked.quote}", asked.is_last) if kept else None


def _of_option(glob: str, places: Places, root: Path) -> tuple[str, ...]:
    found = (places.matching(glob) or places.named(glob)) if glob else ()
    if not found:
        raise UserError(f"--scope {glob!r} takes in no file", remedy=f"globs are below {root}")
    return found
