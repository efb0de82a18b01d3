"""The `directory` generator: the files of a folder as they are, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from authoring.errors import Place, UserError
from generators.directory.parameters import DirectoryParameters
from generators.directory.walking import FoundFile, LeftOut, tracked_by_git, walk
from generators.document import Document
from generators.lines import split_lines
from generators.scope import glob_pattern

SUMMARY = "real files: those of a folder or a git work tree, as they are"
EXAMPLE = """\
generator: directory
parameters:
  root: ../my-service
  include: ["src/**/*.py", docs/guidelines.md]
  exclude: ["**/migrations/**"]
sizes:
  small: {}
"""
BINARY = b"\0"

Report = Callable[[LeftOut], None]


def tell_nobody(_left_out: LeftOut) -> None:
    """Where nobody asks what was left out."""


class DirectoryGenerator:
    """Every text file of a folder that the globs ask for.

    Left out, and reported, are links, binary files, those that are not UTF-8, and those that are
    empty, too large or with lines too long. Nothing here is random: the seed decides only where
    needles go.
    """

    def __init__(
        self,
        parameters: DirectoryParameters,
        _source: random.Random,
        *,
        base: Path = Path(),
        report: Report = tell_nobody,
    ) -> None:
        self._parameters = parameters
        self._base = base
        """What a relative root is counted from: the folder of the spec."""
        self._report = report
        self._include = [glob_pattern(glob) for glob in parameters.include]
        self._exclude = [glob_pattern(glob) for glob in parameters.exclude]
        self._kinds = {name: glob_pattern(glob) for name, glob in parameters.kinds.items()}

    def documents(self) -> Iterator[Document]:
        """In the order of the bytes of their paths.

        Raises UserError where the folder cannot be read, holds the spec, or holds no such file.
        """
        root = self._root()
        tracked = tracked_by_git(root) if self._parameters.tracked else None

        def wanted(path: str) -> bool:
            included = any(glob.fullmatch(path) for glob in self._include)
            return included and not self._excluded(path) and (tracked is None or path in tracked)

        taken = 0
        for found in walk(root, wanted, self._excluded):
            read = self._read(found) if isinstance(found, FoundFile) else found
            if isinstance(read, LeftOut):
                self._report(read)
            else:
                taken += 1
                yield read
        if not taken:
            raise UserError(
                "holds no text file that the globs ask for",
                place=Place(str(root)),
                remedy="mend include and exclude",
            )

    def _root(self) -> Path:
        root = self._base / self._parameters.root
        if not root.is_dir():
            raise UserError("is no folder", place=Place(str(root)), remedy="mend root")
        if self._base.resolve().is_relative_to(root.resolve()):
            raise UserError(
                "holds the spec itself, which tells where the needles are",
                place=Place(str(root)),
                remedy="keep the spec in another folder, and builds too",
            )
        return root

    def _excluded(self, path: str) -> bool:
        return any(glob.fullmatch(path) for glob in self._exclude)

    def _read(self, found: FoundFile) -> Document | LeftOut:
        try:
            with found.source.open("rb") as file:
                data = file.read(self._parameters.largest + 1)
        except OSError as error:
            return LeftOut(found.path, f"cannot be read: {error.strerror}")
        if len(data) > self._parameters.largest:
            return LeftOut(found.path, f"is larger than {self._parameters.largest:,} bytes")
        if BINARY in data:
            return LeftOut(found.path, "is binary")
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return LeftOut(found.path, "is not UTF-8")
        if not text.strip():
            return LeftOut(found.path, "holds no text")
        longest = max(map(len, split_lines(text)))
        if longest > self._parameters.longest_line:
            return LeftOut(found.path, f"has a line of {longest:,} characters")
        path = PurePosixPath(found.path)
        return Document(path, self._kind(path), text, verbatim=True)

    def _kind(self, path: PurePosixPath) -> str:
        for name, glob in self._kinds.items():
            if glob.fullmatch(str(path)):
                return name
        return (path.suffix[1:] or path.name).lower()
