"""Streams that CLIs print while they work, kept as files: which one a folder holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.transcripts.beginnings import Beginning, beginning_of, files_below


def only_stream(path: Path, test: Callable[[Beginning], bool], what: str) -> Path:
    """A file itself, or the one of a folder that begins so. Raises UserError otherwise."""
    if not path.is_dir():
        return path
    found = [file for file in files_below(path) if test(beginning_of(file))]
    if len(found) != 1:
        holds = f"holds {len(found)} {what}"
        raise UserError(holds, place=Place(str(path)), remedy="name one file")
    return found[0]
