"""Keeps the files that an agent wrote to its home, beside what its own CLI keeps there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LARGEST = 10_000_000
"""Bytes of one file; a larger one is no report."""
MOST = 1000
"""Files kept of one run."""
DEEPEST = 20
"""Folders below the home; an enemy may nest thousands."""


def keep_deliverables(home: Path, target: Path) -> int:
    """Copy plain files of the home to `target`; hidden ones are the CLI's own. Says how many.

    The home is hostile: links are never followed, nothing outside of it is copied, and what cannot
    be copied is left.
    """
    kept = 0
    for path in _plain_files(home):
        if kept == MOST:
            break
        copy = target / path.relative_to(home)
        with suppress(OSError):
            if path.stat().st_size <= LARGEST:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy, follow_symlinks=False)
                kept += 1
    return kept


def _plain_files(home: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(home):
        inside = Path(folder).relative_to(home).parts
        if not inside:
            folders[:] = [name for name in folders if not name.startswith(".")]
        folders[:] = sorted(folders) if len(inside) < DEEPEST else []
        for name in sorted(files):
            path = Path(folder, name)
            with suppress(OSError):
                if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
                    yield path
