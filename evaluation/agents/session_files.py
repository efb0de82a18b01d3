"""Copies a CLI's own session out of a home that an agent could write to."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path


def copy_files(home: Path, inner: Path, target: Path) -> None:
    """Copy the regular files of `home/inner`, no others: no link is followed, no device opened.

    Where there is no such folder nothing is copied: what that means, the reader of sessions says.
    """
    source = home / inner
    if source.resolve() != home.resolve() / inner:
        return  # an agent has put a link in the way
    for place, _, names in os.walk(source):
        folder = target / Path(place).relative_to(source)
        for name in sorted(names):
            path = Path(place, name)
            if stat.S_ISREG(path.lstat().st_mode):
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, folder / name, follow_symlinks=False)
