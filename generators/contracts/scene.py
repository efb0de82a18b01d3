"""Where a defect across two contracts is planted, and what both planters make of lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from authoring.errors import Place, UserError
from generators.depth import line_at_depth
from generators.edits import Change, apply_changes, edits_of
from generators.lines import split_lines
from generators.planting import Aim, Ground, Planted
from generators.registry import Span
from generators.seeding import draw


@dataclass(frozen=True)
class Scene:
    """A contract to be changed and the master agreement it stands under."""

    ground: Ground
    aim: Aim
    master: PurePosixPath

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

    def planted(self, rows: Mapping[int, str], shown: int, master_row: int, varied: str) -> Planted:
        """Lines of the contract rewritten; the witness is one line of the master agreement."""
        lines = split_lines(self.text)
        path, master = str(self.aim.target), str(self.master)
        changes = [
            Change(path, number, (lines[number - 1],), (line,))
            for number, line in sorted(rows.items())
            if line != lines[number - 1]
        ]
        before = split_lines(self.master_text)[master_row - 1]
        witness = apply_changes(
            self.master_text, [Change(master, master_row, (before,), (varied,))]
        )
        return Planted(
            edits=edits_of(changes),
            evidence=(
                Span(path=path, first=shown, last=shown),
                Span(path=master, first=master_row, last=master_row),
            ),
            witnesses={path: {master: witness}, master: {path: self.text}},
        )
