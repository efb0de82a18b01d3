"""Where a defect across two contracts is planted, and what both planters make of lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

from authoring.errors import Place, UserError
from generators.depth import line_at_depth
from generators.edits import Change, edits_of
from generators.lines import split_lines
from generators.planting import Aim, Ground, Planted
from generators.registry import Span
from generators.seeding import draw


class Row(NamedTuple):
    """One line of a contract."""

    path: PurePosixPath
    line: int


@dataclass(frozen=True)
class Scene:
    """A contract to be changed and the master agreement it stands under."""

    ground: Ground
    aim: Aim
    master: PurePosixPath
    earlier: tuple[PurePosixPath, ...] = ()
    """Amendments of the master agreement before the one that is changed, in their order."""
    later: tuple[PurePosixPath, ...] = ()
    """Amendments of the master agreement after the contract that is changed, in their order."""

    @property
    def source(self) -> PurePosixPath:
        """What sets the rates in force: the latest of these, else the master agreement."""
        return self.earlier[-1] if self.earlier else self.master

    @property
    def text(self) -> str:
        """The contract to be changed."""
        return self.ground.texts[self.aim.target]

    @property
    def master_text(self) -> str:
        """The master agreement."""
        return self.ground.texts[self.master]

    def refuse(self, why: str) -> UserError:
        """The error of a contract that does not take the defect."""
        return UserError(why, place=Place(str(self.aim.target)))

    def drawn(self, *names: str) -> int:
        """A number that is the same whenever this contract is planted in."""
        return draw(0, "contract-across", str(self.aim.target), *names)

    def choose(self, lines: list[int]) -> int:
        """One of several lines: by depth, else drawn."""
        if self.aim.depth is not None:
            return line_at_depth(split_lines(self.text), lines, self.aim.depth)
        return lines[self.drawn("line") % len(lines)]

    def planted(
        self, rows: Mapping[int, str], shown: int, agreed: Row, others: Mapping[PurePosixPath, str]
    ) -> Planted:
        """Lines of the contract rewritten; `others` are the contracts with which it is in order."""
        lines = split_lines(self.text)
        path, other = str(self.aim.target), str(agreed.path)
        changes = [
            Change(path, number, (lines[number - 1],), (line,))
            for number, line in sorted(rows.items())
            if line != lines[number - 1]
        ]
        return Planted(
            edits=edits_of(changes),
            evidence=(
                Span(path=path, first=shown, last=shown),
                Span(path=other, first=agreed.line, last=agreed.line),
            ),
            witnesses={
                path: {str(partner): text for partner, text in others.items()},
                other: {path: self.text},
            },
        )


def with_row(text: str, line: int, row: str) -> str:
    """A text with another line in the place of one."""
    lines = text.split("\n")
    lines[line - 1] = row
    return "\n".join(lines)
