"""Keeps the files that an agent wrote to its home, beside what its own CLI keeps there."""

from __future__ import annotations

import shutil
from pathlib import Path

LARGEST = 10_000_000
"""Bytes of one file; a larger one is no report."""
MOST = 1000
"""Files kept of one run."""


def keep_deliverables(home: Path, target: Path) -> int:
    """Copy plain files of the home to `target`; hidden ones are the CLI's own. Says how many.

    The home is hostile: links are never followed, and nothing outside of it is copied.
    """
    kept = 0
    for path in sorted(home.rglob("*")):
        inside = path.relative_to(home)
        if inside.parts[0].startswith(".") or kept == MOST:
            continue
        if any(parent.is_symlink() for parent in (path, *_parents(path, home))):
            continue
        if not path.is_file() or path.stat().st_size > LARGEST:
            continue
        copy = target / inside
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        kept += 1
    return kept


def _parents(path: Path, home: Path) -> list[Path]:
    return [parent for parent in path.parents if parent.is_relative_to(home) and parent != home]
