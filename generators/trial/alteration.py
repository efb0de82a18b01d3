"""What a defect changes, and how other files would read in a world without it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePosixPath

from generators.detectors.trial.cells import Cell
from generators.detectors.trial.protocol import Protocol
from generators.detectors.trial.records import Record, Records
from generators.edits import Change, apply_changes
from generators.registry import Span


@dataclass(frozen=True)
class Rewrite:
    """One value that reads otherwise."""

    path: PurePosixPath
    cell: Cell
    text: str


@dataclass(frozen=True)
class Shown:
    """Lines of the planted text that show a defect."""

    path: PurePosixPath
    first: int
    last: int

    def span(self) -> Span:
        """The same as the registry has it."""
        return Span(path=str(self.path), first=self.first, last=self.last)


@dataclass(frozen=True)
class Alteration:
    """One defect that could be made in a file."""

    line: int
    """Where it would stand, to choose by depth."""
    shown: tuple[Shown, ...]
    rewrites: tuple[Rewrite, ...] = ()
    removed: int = 0
    """A line of the target that goes; 0: none."""
    varied: tuple[Rewrite, ...] = field(default=())
    """How the partner of a defect across files would read in a world in which the planted file is
    in order."""


@dataclass(frozen=True)
class Scene:
    """The file that is to get a defect, among all records."""

    path: PurePosixPath
    record: Record
    records: Records
    protocol: Protocol
    draw: random.Random


def lines_of(path: PurePosixPath, *cells: Cell) -> tuple[Shown, ...]:
    """The lines of some values, each once."""
    return tuple(Shown(path, line, line) for line in sorted({cell.line for cell in cells}))


def changes_for(
    rewrites: Iterable[Rewrite], texts: Mapping[PurePosixPath, str]
) -> tuple[Change, ...]:
    """Rewrites as changes of lines; several of one line are made together."""
    ordered = sorted(rewrites, key=_by_place)
    changes = []
    for (path, number), group in groupby(ordered, key=lambda r: (str(r.path), r.cell.line)):
        line = texts[PurePosixPath(path)].split("\n")[number - 1]
        new = line
        for rewrite in sorted(group, key=lambda r: r.cell.column, reverse=True):
            cell = rewrite.cell
            end = cell.column + len(cell.text)
            if line[cell.column : end] != cell.text:
                raise AssertionError(f"{path}:{number} does not hold {cell.text!r} where it should")
            new = new[: cell.column] + rewrite.text + new[end:]
        changes.append(Change(path, number, (line,), (new,)))
    return tuple(changes)


def _by_place(rewrite: Rewrite) -> tuple[str, int]:
    return str(rewrite.path), rewrite.cell.line


def rewritten(
    path: PurePosixPath, rewrites: Iterable[Rewrite], texts: Mapping[PurePosixPath, str]
) -> str:
    """A whole file with some values changed."""
    return apply_changes(texts[path], changes_for(rewrites, texts))
