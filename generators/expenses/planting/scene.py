"""Where a defect is planted: the target, the papers around it, and the choice of a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

from authoring.errors import Place, UserError
from generators.depth import line_at_depth
from generators.detectors.expenses.desk import Desk, read_paper
from generators.detectors.expenses.reference import PolicyPaper
from generators.detectors.expenses.report import ReportPaper
from generators.edits import Change, edits_of, joined
from generators.lines import split_lines
from generators.planting import Aim, Ground, Planted
from generators.registry import Span
from generators.seeding import draw

PaperType = TypeVar("PaperType")
Thing = TypeVar("Thing")


WORD = re.compile(r"\w+")
PARTICULAR = re.compile(r"\d{3}")
QUOTED = 5
"""Words of a line that nobody writes twice by chance; with a number it is of one matter."""


@dataclass(frozen=True)
class Shown:
    """A line that shows a defect."""

    path: PurePosixPath
    line: int


def lay_out(ground: Ground) -> Desk:
    """The papers of a ground."""
    papers = {path: read_paper(ground.texts[path]) for path in sorted(ground.texts)}
    return Desk({path: paper for path, paper in papers.items() if paper is not None})


@dataclass(frozen=True)
class Scene:
    """A ground with all its papers read, and the file that is aimed at."""

    ground: Ground
    aim: Aim
    desk: Desk

    @property
    def path(self) -> PurePosixPath:
        """The target."""
        return self.aim.target

    @property
    def text(self) -> str:
        """The text of the target."""
        return self.ground.texts[self.aim.target]

    def target(self, kind: type[PaperType]) -> PaperType:
        """The target as a paper of a type. Raises UserError where it is another."""
        paper = self.desk.papers.get(self.path)
        if not isinstance(paper, kind):
            raise self.refusal("is no paper of the kind that this defect needs")
        return paper

    @property
    def policy(self) -> PolicyPaper:
        """The policy. Raises UserError where there is none."""
        policy = self.desk.policy
        if policy is None:
            raise self.refusal("has no policy beside it")
        return policy

    def report_of(self, number: str) -> tuple[PurePosixPath, ReportPaper]:
        """A report by number. Raises UserError where there is none."""
        for path, report in self.desk.reports.items():
            if report.number == number:
                return path, report
        raise self.refusal(f"speaks of {number}, which is not there")

    def refusal(self, what: str) -> UserError:
        """Why the target does not take the defect."""
        return UserError(what, place=Place(str(self.path)))

    def choose(self, candidates: Mapping[int, Thing], what: str) -> Thing:
        """One of several by its line: the depth decides, else the path.

        Raises UserError where there is none of `what`.
        """
        if not candidates:
            raise self.refusal(f"holds no {what}")
        lines = sorted(candidates)
        if self.aim.depth is None:
            return candidates[lines[self.drawn(len(lines), "line")]]
        return candidates[line_at_depth(split_lines(self.text), lines, self.aim.depth)]

    def drawn(self, count: int, *purpose: str) -> int:
        """A number below `count` that a target and a purpose always give."""
        return draw(0, str(self.path), *purpose) % count

    def _stands_elsewhere(self, line: str) -> bool:
        """Whether the corpus holds a line already: what shows a defect has one place."""
        return any(
            f"{line}\n" in text and line in split_lines(text) for text in self.ground.texts.values()
        )

    def _is_quoted(self, line: str) -> bool:
        """Whether another file holds a line with words and a number: it would tell what it was."""
        if len(WORD.findall(line)) < QUOTED or not PARTICULAR.search(line):
            return False
        return any(
            path != self.path and f"{line}\n" in text and line in split_lines(text)
            for path, text in self.ground.texts.items()
        )

    def planted(
        self,
        text: str,
        shown: Sequence[Shown],
        witnesses: Mapping[PurePosixPath, Mapping[PurePosixPath, str]] | None = None,
    ) -> Planted:
        """The target with its new text, which has as many lines as the old one."""
        path = str(self.path)
        pairs = zip(split_lines(self.text), split_lines(text), strict=True)
        changes = [
            Change(path, number, (old,), (new,))
            for number, (old, new) in enumerate(pairs, start=1)
            if old != new
        ]
        if not changes:
            raise self.refusal("would not change")
        if any(self._is_quoted(line) for one in changes for line in one.clean):
            raise self.refusal("would change a line that another file holds as it was")
        new = split_lines(text)
        for one in shown:
            if one.path == self.path and self._stands_elsewhere(new[one.line - 1]):
                raise self.refusal(f"would hold a line {one.line} that stands elsewhere too")
        return Planted(
            edits=edits_of(joined(changes)),
            evidence=tuple(Span(path=str(s.path), first=s.line, last=s.line) for s in shown),
            witnesses={
                str(file): {str(partner): partner_text for partner, partner_text in texts.items()}
                for file, texts in (witnesses or {}).items()
            },
        )
