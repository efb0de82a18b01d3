"""`missing-line`: a line that should be there is not.

The evidence is that of the planter `remove-line`: the line before the place and the one after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Self

from pydantic import model_validator

from generators.detectors.detector import Evidence
from generators.detectors.rules.looking import Found, Looking, PerFile, with_lf
from generators.lines import split_lines
from generators.planters.lines import gap
from generators.planters.patterns import Pattern, within_time

SUMMARY = "a line that should be there is not"
EXAMPLE = """\
name: backup-not-finished
summary: a backup was started and never finished
detector: missing-line
parameters:
  files: ["logs/*.log"]
  pattern: INFO  backup of \\w+ finished
  after: INFO  backup of \\w+ started
"""


class MissingLineParameters(Looking):
    """Which line, and where it should stand: without `after` and `before`, at the file's end."""

    pattern: Pattern
    """A regular expression for the line that should be there."""
    after: Pattern | None = None
    """A regular expression. After each line that it matches there must be such a line, before it
    matches again; its place is right after."""
    before: Pattern | None = None
    """The same, in the other direction: its place is right before."""

    @model_validator(mode="after")
    def _one_side(self) -> Self:
        if self.after is not None and self.before is not None:
            raise ValueError("give after or before, not both")
        return self


class MissingLine(PerFile):
    """Finds the places where a line is missing."""

    def __init__(self, parameters: MissingLineParameters) -> None:
        self._parameters = parameters

    def extract(self, path: PurePosixPath, text: str) -> Found:
        if not self._parameters.looks_at(path):
            return ()
        lines = split_lines(with_lf(text))
        spans = [gap(str(path), place, len(lines)) for place in self._places(lines)]
        return tuple(Evidence(path, span.first, span.last) for span in spans)

    def _places(self, lines: list[str]) -> Iterator[int]:
        """Before which lines one is missing, from 1."""
        given = self._parameters
        with within_time(given.pattern):
            there = [bool(re.search(given.pattern, line)) for line in lines]
        side = given.after or given.before
        if side is None:
            if lines and not any(there):
                yield len(lines) + 1
            return
        with within_time(side):
            marks = [index for index, line in enumerate(lines) if re.search(side, line)]
        if given.after is not None:
            for index, following in zip(marks, [*marks[1:], len(lines)], strict=False):
                if not any(there[index + 1 : following]):
                    yield index + 2
        else:
            for preceding, index in zip([-1, *marks], marks, strict=False):
                if not any(there[preceding + 1 : index]):
                    yield index + 1
