"""What the page shows of a needle: where it sits, its text beside the clean one, its checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from generators.build_folder import Build
from generators.lines import split_lines
from generators.registry import Edit, RegisteredNeedle, Span
from validation.check import Check
from validation.report import ValidationReport

AROUND = 2
"""Lines shown before and after an edit."""


@dataclass(frozen=True)
class Place:
    """Where evidence stands, in the corpus and in its file."""

    label: str
    """`deals/a.md:3-4`."""
    among: float | None
    """Where its file stands among the byte-sorted files under review: 0 first, 1 last; None for a
    reference file."""
    depth: float
    """Where its first line stands in the file: 0 first, 1 last."""


@dataclass(frozen=True)
class NumberedLine:
    """One line as it is shown."""

    number: int
    text: str
    changed: bool


@dataclass(frozen=True)
class Sides:
    """One edit: the lines as they are planted, and as they would stand in order."""

    path: str
    planted: tuple[NumberedLine, ...]
    clean: tuple[NumberedLine, ...]


@dataclass(frozen=True)
class Rule:
    """Lines of a reference file that the needle breaks."""

    label: str
    lines: tuple[NumberedLine, ...]


@dataclass(frozen=True)
class Rank:
    """Where a cheap search puts the needle."""

    search: str
    planted: str
    twin: str
    """Where it puts the same place of the clean corpus."""
    of: int
    """How many files or lines it ranks."""


@dataclass(frozen=True)
class Card:
    """One needle."""

    needle: RegisteredNeedle
    places: tuple[Place, ...]
    sides: tuple[Sides, ...]
    rules: tuple[Rule, ...]
    checks: tuple[Check, ...]
    ranks: tuple[Rank, ...] = ()

    @property
    def failed(self) -> tuple[Check, ...]:
        """What does not hold of it."""
        return tuple(check for check in self.checks if not check.passed)


def cards(build: Build, report: ValidationReport) -> tuple[Card, ...]:
    """A card for every needle, in the order of the registry."""
    review = sorted(
        (file.path for file in build.manifest.files if file.role == "review"), key=str.encode
    )
    lines = {
        path: split_lines(build.texts[path])
        for needle in build.registry.needles
        for path in _paths(needle)
    }
    return tuple(
        Card(
            needle=needle,
            places=tuple(_place(span, review, lines) for span in needle.evidence),
            sides=tuple(_sides(edit, lines[edit.path]) for edit in needle.edits),
            rules=tuple(_rule(span, lines[span.path]) for span in needle.relative_to),
            checks=tuple(check for check in report.checks if check.needle == needle.id),
            ranks=tuple(_ranks(needle.id, report)),
        )
        for needle in build.registry.needles
    )


def _paths(needle: RegisteredNeedle) -> set[str]:
    spans = {span.path for span in (*needle.evidence, *needle.relative_to)}
    return spans | {edit.path for edit in needle.edits}


def _place(span: Span, review: Sequence[str], lines: Mapping[str, Sequence[str]]) -> Place:
    among = _share(review.index(span.path), len(review)) if span.path in review else None
    return Place(
        label=_label(span),
        among=among,
        depth=_share(span.first - 1, len(lines[span.path])),
    )


def _share(at: int, count: int) -> float:
    return at / (count - 1) if count > 1 else 0.0


def _label(span: Span) -> str:
    return f"{span.path}:{span.first}-{span.last}"


def _sides(edit: Edit, lines: Sequence[str]) -> Sides:
    start = max(0, edit.first - 1 - AROUND)
    before = tuple(lines[start : edit.first - 1])
    after = tuple(lines[edit.last : edit.last + AROUND])
    return Sides(
        path=edit.path,
        planted=_numbered(start + 1, before, edit.planted, after),
        clean=_numbered(start + 1, before, edit.clean, after),
    )


def _numbered(
    first: int, before: Sequence[str], changed: Sequence[str], after: Sequence[str]
) -> tuple[NumberedLine, ...]:
    here = range(first + len(before), first + len(before) + len(changed))
    return tuple(
        NumberedLine(number, line, number in here)
        for number, line in enumerate((*before, *changed, *after), start=first)
    )


def _rule(span: Span, lines: Sequence[str]) -> Rule:
    return Rule(_label(span), _numbered(span.first, lines[span.first - 1 : span.last], (), ()))


def _ranks(name: str, report: ValidationReport) -> Iterator[Rank]:
    figures = report.figures.shortcuts
    for search in figures.searches if figures else ():
        for rank in search.needles:
            if rank.needle == name:
                yield Rank(search.name, f"{rank.planted:,g}", f"{rank.twin:,g}", search.ranked)
