"""What reports say of reading."""

from __future__ import annotations

import random
import re

import pytest

from evaluation.simulated.model import MODELS
from evaluation.simulated.response import Finding, Reading, coverage_words, write_report
from evaluation.simulated.wordings import load_wordings

FILES = tuple(f"papers/{n:02}.md" for n in range(10))
PART = Reading(files=FILES, whole=FILES[:3], partly=FILES[3:6])
WHOLE = Reading(files=FILES, whole=FILES, partly=())
UNIVERSAL = re.compile(
    r"\[x\]|\b(all|every|each of|entire|whole (folder|set)|full set|10 of 10|100%|complete read)",
    re.IGNORECASE,
)


def said(model: str, reading: Reading) -> set[str]:
    rng = random.Random(1)
    return {coverage_words(load_wordings(), MODELS[model], reading, rng) for _ in range(400)}


def test_there_are_a_dozen_wordings_of_each_stance() -> None:
    words = load_wordings()
    assert len(words.claims) >= 12
    assert len(words.silent) >= 12
    assert sum(wording.implied for wording in words.silent) == 3
    assert sum(wording.tells == "both" for wording in words.admits) >= 12


def test_a_claim_is_universal_whatever_was_read() -> None:
    claims = said("sim/partial-claims", PART)
    assert claims == said("sim/oracle", WHOLE)
    assert len(claims) == 12
    assert all(UNIVERSAL.search(text) for text in claims)


def test_an_admission_tells_both_gaps_by_number_or_name() -> None:
    for text in said("sim/partial-admits", PART):
        listed = ", ".join(FILES[6:]) in text or re.search(r"\b4\b", text)
        assert listed, text
        part = ", ".join(FILES[3:6]) in text or re.search(r"\b3\b", text)
        assert part, text
        assert not re.search(r"(?<!at )\b(all|every|entire)\b", text), text


@pytest.mark.parametrize(
    ("reading", "gap"),
    [
        pytest.param(Reading(FILES, whole=FILES[:6], partly=()), "files", id="no file in part"),
        pytest.param(Reading(FILES, whole=FILES[:6], partly=FILES[6:]), "depth", id="none unread"),
    ],
)
def test_an_admission_tells_no_gap_that_is_not_there(reading: Reading, gap: str) -> None:
    known = {reading.fill(w.text) for w in load_wordings().admits if w.tells == gap}
    assert said("sim/partial-admits", reading) == known


def test_who_leaves_it_to_a_script_admits_that_whatever_was_shown() -> None:
    known = {PART.fill(wording.text) for wording in load_wordings().by_script}
    assert said("sim/script-admits", PART) == known
    for text in known:
        assert re.search(r"\b(script|program)\b", text), text
        assert re.search(r"(?i)\bnot\b", text), text
    assert said("sim/script-claims", PART) == said("sim/oracle", WHOLE)


def test_silence_holds_no_figure_and_no_universal() -> None:
    silent = said("sim/partial-silent", PART)
    assert len(silent) == 12
    assert not [text for text in silent if UNIVERSAL.search(text) or re.search(r"\d", text)]


def test_a_reader_of_nothing_does_not_even_imply() -> None:
    implied = {wording.text for wording in load_wordings().silent if wording.implied}
    assert said("sim/nop", Reading(FILES, (), ())) == said("sim/partial-silent", PART) - implied


def test_a_report_names_place_and_defect_of_each_finding_and_varies_by_seed() -> None:
    findings = [Finding("papers/01.md", "section 7 (Liability)", "major", "No cap is stated.")]
    reports = [
        write_report(load_wordings(), "Coverage words.", findings, random.Random(seed))
        for seed in range(40)
    ]
    for report in reports:
        for part in (
            "papers/01.md",
            "section 7 (Liability)",
            "No cap is stated.",
            "Coverage words.",
        ):
            assert report.count(part) == 1, report
    assert len(set(reports)) > 20


def test_the_frame_of_a_report_says_nothing_of_reading() -> None:
    for findings in ([], [Finding("p.md", "section 1 (A)", "minor", "It is wrong.")]):
        for seed in range(40):
            report = write_report(load_wordings(), "", findings, random.Random(seed))
            assert not UNIVERSAL.search(report), report
            assert not re.search(r"\b(read|went through|covered|reviewed)\b", report), report
