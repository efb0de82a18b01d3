"""Ablation by detectors, on a corpus of three lines a file and a detector of one word."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from authoring.errors import UserError
from authoring.spec import Report
from generators.detectors.detector import Evidence
from generators.registry import Edit, RegisteredNeedle, Registry, Span
from validation.ablation import ablate
from validation.check import Check


class WordDetector:
    """Finds every line that holds a word."""

    def __init__(self, word: str) -> None:
        self._word = word

    def extract(self, path: PurePosixPath, text: str) -> tuple[int, ...]:
        lines = text.split("\n")
        return tuple(n for n, line in enumerate(lines, start=1) if self._word in line)

    def decide(self, facts: Mapping[PurePosixPath, tuple[int, ...]]) -> tuple[Evidence, ...]:
        return tuple(Evidence(path, n, n) for path, found in facts.items() for n in found)


def detector_of(kind: str) -> WordDetector:
    return WordDetector(kind)


def needle(line: int, planted: str, clean: str) -> RegisteredNeedle:
    return RegisteredNeedle(
        id="late-payment",
        kind="never",
        severity="major",
        report=Report(statement="It is never paid.", terms=(("never",),)),
        evidence=(Span(path="a.md", first=line, last=line),),
        edits=(Edit(path="a.md", first=2, last=2, planted=(planted,), clean=(clean,)),),
    )


PLANTED = {"a.md": "one\npaid never\nthree\n", "b.md": "one\npaid monthly\nthree\n"}


def checks(texts: Mapping[str, str], one: RegisteredNeedle) -> dict[str, Check]:
    registry = Registry(scenario="tiny", needles=(one,))
    return {check.code: check for check in ablate(registry, texts, detector_of)}


def test_a_sound_needle_passes_both_ways() -> None:
    found = checks(PLANTED, needle(2, "paid never", "paid monthly"))
    assert {code: check.passed for code, check in found.items()} == {
        "positive": True,
        "no-natural-needle": True,
        "negative": True,
    }


def test_a_needle_registered_at_the_wrong_line_fails_with_both_places() -> None:
    positive = checks(PLANTED, needle(3, "paid never", "paid monthly"))["positive"]
    assert not positive.passed
    assert positive.reason == ("the never detector finds nothing at a.md:3-3; it fires at a.md:2-2")


def test_a_defect_that_nobody_planted_fails() -> None:
    texts = PLANTED | {"b.md": "one\nalso never\nthree\n"}
    found = checks(texts, needle(2, "paid never", "paid monthly"))
    assert found["positive"].passed
    assert found["no-natural-needle"].reason == "never also found at b.md:2-2"
    assert found["negative"].reason == ("on the clean corpus the never detector fires at b.md:2-2")


def test_a_clean_text_that_holds_the_defect_fails_the_negative_check() -> None:
    found = checks(PLANTED, needle(2, "paid never", "never at all"))
    assert not found["negative"].passed


def test_planted_lines_that_are_not_there_cannot_be_taken_out() -> None:
    with pytest.raises(UserError, match="lines 2 to 2 are not the planted ones"):
        checks(PLANTED, needle(2, "other text", "paid monthly"))
