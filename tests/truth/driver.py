"""What differs between CLIs, and between versions of one, as data and small functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.agents.cli import Cli, Start
from evaluation.agents.npm import NpmProgram
from evaluation.gateway.threads import ThreadRules
from evaluation.reading.context import ToolTable
from tests.truth.cases import Case

EXPORT = "export.json"
"""In the home: the session as the CLI writes it out by itself."""
Number = tuple[int, ...]


def number(version: str) -> Number:
    """A version, to be compared."""
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


@dataclass(frozen=True)
class Going:
    """One start of a CLI within a session."""

    version: str
    case: Case
    turn: int
    """Which start: the ones after the first resume."""
    earlier: str
    """What the first start printed."""

    @property
    def flags(self) -> tuple[str, ...]:
        """More arguments."""
        return self.case.flags[self.turn] if self.case.flags else ()


def _as_it_is(row: dict[str, Any]) -> dict[str, Any]:
    return row


def _no_export(_start: Start, _going: Going) -> None:
    return None


@dataclass(frozen=True)
class Driver:
    """One CLI."""

    name: str
    cli: Cli
    """As the harness starts it, at the pinned version."""
    integrity: Mapping[str, str]
    """Pinned checksums of the old versions that are driven by default."""
    program: Callable[[str, str], NpmProgram]
    """Where a version comes from, by the version and its checksum (empty: not pinned)."""
    start: Callable[[Start, Going], Start]
    """A start of the pinned version, changed for a version and a case."""
    rules: Callable[[str], ThreadRules]
    tools: Callable[[str], ToolTable]
    cases: Callable[[str, str], tuple[Case, ...]]
    """By version, and by the command that prints a data frame."""
    session: Callable[[Path, str], Path]
    """What holds the session below a home."""
    keep: Callable[[Path, Path], None]
    """Copies the session in a home to a fixture's folder."""
    kept: Callable[[Path], Path]
    """What holds the session in a fixture's folder."""
    stream: str
    """The name under which what it printed is kept."""
    shorten: Callable[[dict[str, Any]], dict[str, Any]] = _as_it_is
    """Cuts a row of what it printed."""
    export: Callable[[Start, Going], Start | None] = _no_export
    """What writes a session to `EXPORT` after a start; None where that is not driven."""

    @property
    def pinned(self) -> str:
        """The version that the harness runs."""
        return self.cli.program.version

    @property
    def versions(self) -> tuple[str, ...]:
        """Those that are driven where none is named, old ones first."""
        return (*self.integrity, self.pinned)

    def program_of(self, version: str) -> NpmProgram:
        """A version as it is installed."""
        if version == self.pinned:
            return self.cli.program
        return self.program(version, self.integrity.get(version, ""))
