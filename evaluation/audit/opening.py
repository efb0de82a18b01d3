"""Files of a folder opened without following a link, whatever the folder turns into meanwhile.

Prevents text from outside of the folder being read, and shown: git may list a path whose folder is
a link by now.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""A pipe without a writer would keep its reader."""


class Folder:
    """A folder whose plain files are read. The folder itself may be named by a link."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._known: dict[str, bool] = {"": True}

    def status(self, path: str) -> os.stat_result | None:
        """Of a plain file; None where a part of its path is a link, and of anything else."""
        folder = path.rpartition("/")[0]
        try:
            if not self._is_real(folder):
                return None
            status = os.stat(path, dir_fd=self._descriptor, follow_symlinks=False)
        except OSError:
            return None
        return status if stat.S_ISREG(status.st_mode) else None

    def read(self, path: str, most: int) -> bytes:
        """So many bytes of a plain file. Raises OSError for anything else."""
        *folders, name = path.split("/")
        descriptor = os.dup(self._descriptor)
        try:
            for folder in folders:
                if folder in ("", ".", ".."):
                    raise FileNotFoundError(path)
                outer = descriptor
                descriptor = os.open(folder, _FOLDER | os.O_NOFOLLOW, dir_fd=outer)
                os.close(outer)
            with os.fdopen(os.open(name, _FILE, dir_fd=descriptor), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise FileNotFoundError(path)
                return file.read(most)
        finally:
            os.close(descriptor)

    def _is_real(self, folder: str) -> bool:
        """Whether no part of a folder's path is a link. A listing asks; who reads asks anew."""
        unknown: list[str] = []
        while folder not in self._known:
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        is_real = self._known[folder]
        for inner in reversed(unknown):
            is_real = self._known[inner] = is_real and self._is_folder(inner)
        return is_real

    def _is_folder(self, path: str) -> bool:
        status = os.stat(path, dir_fd=self._descriptor, follow_symlinks=False)
        return stat.S_ISDIR(status.st_mode)


@contextmanager
def opened(root: Path) -> Iterator[Folder]:
    """A folder to read from. Raises OSError."""
    descriptor = os.open(root, _FOLDER)
    try:
        yield Folder(descriptor)
    finally:
        os.close(descriptor)
