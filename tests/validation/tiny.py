"""Tiny corpora, needles planted by the real arithmetic, and detectors of few words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from authoring.spec import Report
from generators.detectors.detector import Detector, Evidence
from generators.merging import merge_plantings
from generators.planting import Planted
from generators.registry import Edit, RegisteredNeedle, Span
from generators.witnesses import Witnesses
from tests.validation.made_builds import made_build
from validation.check import Check, Checked
from validation.subject import Detections, Subject

Lines = tuple[tuple[int, str], ...]
"""Numbered lines of one file."""


@dataclass(frozen=True)
class Plant:
    """A needle to plant: `edits` are (path, clean line, lines taken, lines put), `shows` is in the
    lines of this planting alone."""

    name: str
    kind: str
    edits: tuple[tuple[str, int, int, tuple[str, ...]], ...]
    shows: tuple[tuple[str, int, int], ...]

    def on(self, clean: Mapping[str, str]) -> Planted:
        """As a planter gives it. One edit a file."""
        edits = tuple(
            Edit(
                path=path,
                first=first,
                last=first + len(put) - 1,
                planted=put,
                clean=tuple(clean[path].split("\n")[first - 1 : first - 1 + taken]),
            )
            for path, first, taken, put in self.edits
        )
        return Planted(edits, tuple(Span(path=p, first=a, last=b) for p, a, b in self.shows))


def line_plant(name: str, kind: str, path: str, line: int, text: str) -> Plant:
    """Another text in the place of one line, which shows the defect."""
    return Plant(name, kind, ((path, line, 1, (text,)),), ((path, line, line),))


def tiny_subject(
    clean: Mapping[str, str],
    *plants: Plant,
    generator: str = "contracts",
    witnesses: Witnesses | None = None,
) -> Subject:
    """A build of these plants, under validation. Files called `rules…` are reference files."""
    merged = merge_plantings(clean, {plant.name: plant.on(clean) for plant in plants})
    needles = (
        RegisteredNeedle(
            id=plant.name,
            kind=plant.kind,
            severity="major",
            report=Report(statement="It is so.", terms=(("so",),)),
            evidence=merged.needles[plant.name].evidence,
            edits=merged.needles[plant.name].edits,
        )
        for plant in plants
    )
    build = made_build(merged.texts, *needles, generator=generator)
    return Subject(replace(build, witnesses=witnesses or {}), Detections(tiny_detector))


def with_evidence(subject: Subject, name: str, *spans: tuple[str, int, int]) -> Subject:
    """The same build with one needle registered elsewhere."""
    there = tuple(Span(path=path, first=first, last=last) for path, first, last in spans)
    needles = tuple(
        one.model_copy(update={"evidence": there}) if one.id == name else one
        for one in subject.needles
    )
    registry = subject.build.registry.model_copy(update={"needles": needles})
    return Subject(replace(subject.build, registry=registry), Detections(tiny_detector))


def failed(checked: Checked) -> dict[tuple[str, str | None], str]:
    """The reason of each check that did not pass, by code and needle."""
    return {(one.code, one.needle): one.reason for one in checked.checks if not one.passed}


def the_check(checked: Checked, code: str, needle: str | None = None) -> Check:
    """The one of this code and needle."""
    (found,) = [one for one in checked.checks if (one.code, one.needle) == (code, needle)]
    return found


def tiny_detector(kind: str) -> Detector[Any]:
    """By kind: one with a name of its own, else that of the word."""
    named: dict[str, Detector[Any]] = {
        "over-limit": OverLimit(),
        "undefined": Undefined(),
        "in-company": InCompany(),
        "forbidden": Forbidden(),
        "last-word": LastWord(),
    }
    return named.get(kind) or Word(kind)


def _holding(text: str, pattern: str) -> Lines:
    found = (
        (n, match[1])
        for n, line in enumerate(text.split("\n"), 1)
        if (match := re.search(pattern, line))
    )
    return tuple(found)


@dataclass(frozen=True)
class Word:
    """Finds every line that holds a word."""

    word: str

    def extract(self, path: PurePosixPath, text: str) -> Lines:
        return _holding(text, rf"\b({self.word})\b")

    def decide(self, facts: Mapping[PurePosixPath, Lines]) -> tuple[Evidence, ...]:
        return tuple(Evidence(path, n, n) for path, lines in facts.items() for n, _ in lines)


class InCompany:
    """Finds the word `pair`, but only where the corpus holds it twice."""

    def extract(self, path: PurePosixPath, text: str) -> Lines:
        return _holding(text, r"\b(pair)\b")

    def decide(self, facts: Mapping[PurePosixPath, Lines]) -> tuple[Evidence, ...]:
        found = tuple(Evidence(path, n, n) for path, lines in facts.items() for n, _ in lines)
        return found if len(found) > 1 else ()


class Forbidden:
    """Finds words that a file of rules forbids."""

    def extract(self, path: PurePosixPath, text: str) -> tuple[Lines, Lines]:
        rules = _holding(text, r"forbidden: (\w+)")
        return rules, () if path.name.startswith("rules") else _holding(text, r"^(\w+)$")

    def decide(self, facts: Mapping[PurePosixPath, tuple[Lines, Lines]]) -> tuple[Evidence, ...]:
        words = {word for rules, _ in facts.values() for _, word in rules}
        return tuple(
            Evidence(path, n, n)
            for path, (_, lines) in facts.items()
            for n, word in lines
            if word in words
        )


class OverLimit:
    """Finds `rate: 7` in one file above `limit: 5` in another; both lines show it."""

    def extract(self, path: PurePosixPath, text: str) -> tuple[Lines, Lines]:
        return _holding(text, r"rate: (\d+)"), _holding(text, r"limit: (\d+)")

    def decide(self, facts: Mapping[PurePosixPath, tuple[Lines, Lines]]) -> tuple[Evidence, ...]:
        limits = [(path, n, int(v)) for path, (_, lines) in facts.items() for n, v in lines]
        return tuple(
            place
            for path, (rates, _) in facts.items()
            for n, value in rates
            for other, line, limit in limits
            if int(value) > limit
            for place in (Evidence(path, n, n), Evidence(other, line, line))
        )


class Undefined:
    """Finds `uses: x` where no file says `defines: x`: it takes a missing file for a defect."""

    def extract(self, path: PurePosixPath, text: str) -> tuple[Lines, Lines]:
        return _holding(text, r"uses: (\w+)"), _holding(text, r"defines: (\w+)")

    def decide(self, facts: Mapping[PurePosixPath, tuple[Lines, Lines]]) -> tuple[Evidence, ...]:
        defined = {name for _, lines in facts.values() for _, name in lines}
        return tuple(
            Evidence(path, n, n)
            for path, (used, _) in facts.items()
            for n, name in used
            if name not in defined
        )


class LastWord:
    """Finds the word `late` in the last file that holds no rules."""

    def extract(self, path: PurePosixPath, text: str) -> Lines:
        return _holding(text, r"\b(late)\b")

    def decide(self, facts: Mapping[PurePosixPath, Lines]) -> tuple[Evidence, ...]:
        last = max((path for path in facts if path.stem != "rules"), default=None)
        return () if last is None else tuple(Evidence(last, n, n) for n, _ in facts[last])
