from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from authoring.artefacts import Value
from authoring.loading import load_spec
from authoring.spec import NeedleSpec, ScenarioSpec
from generators.build import build_scenario, load_build
from generators.catalogue import describe, installed
from generators.contracts.generator import ContractsGenerator
from generators.contracts.plan import ContractsParameters
from generators.detectors.contract_terms import CONTRACT_TERMS
from generators.detectors.contracts.quantities import durations
from generators.detectors.detector import Evidence
from generators.document import Document
from generators.edits import apply_changes, changes_of
from generators.placement import plant_needle
from generators.registry import restore

SPEC = Path(__file__).parents[3] / "scenario_specs" / "contract_review.yaml"
FILE = PurePosixPath("contracts/some.md")
PLAYBOOK = PurePosixPath("playbook.md")


class WordingCase(Value):
    """A hand-written contract and the lines that go beyond the playbook."""

    text: str
    lines: tuple[tuple[int, int], ...]


class Wordings(Value):
    """The cases of `contract_terms.yaml`."""

    playbook: str
    cases: dict[str, dict[str, WordingCase]]


WORDINGS = Wordings.model_validate(
    yaml.safe_load(Path(__file__).with_name("contract_terms.yaml").read_text(encoding="utf-8"))
)
BOOK = WORDINGS.playbook
CASES = WORDINGS.cases


def found(kind: str, texts: Mapping[PurePosixPath, str]) -> tuple[Evidence, ...]:
    detector: Any = CONTRACT_TERMS[kind].make()
    return tuple(
        detector.decide({path: detector.extract(path, text) for path, text in texts.items()})
    )


def lines(kind: str, text: str, book: str = BOOK) -> list[tuple[int, int]]:
    """The lines found in one contract, read beside a playbook."""
    return [(e.first, e.last) for e in found(kind, {PLAYBOOK: book, FILE: text})]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        pytest.param(kind, case.text, list(case.lines), id=f"{kind}: {name}")
        for kind, cases in CASES.items()
        for name, case in cases.items()
    ],
)
def test_a_term_is_found_at_the_lines_of_its_sentence_and_nowhere_else(
    kind: str, text: str, expected: list[tuple[int, int]]
) -> None:
    assert lines(kind, text) == expected


@pytest.mark.parametrize("kind", CASES)
def test_without_a_playbook_nothing_is_beyond_it(kind: str) -> None:
    for case in CASES[kind].values():
        assert found(kind, {FILE: case.text}) == ()


@pytest.mark.parametrize("kind", CASES)
def test_the_playbook_itself_is_never_at_fault(kind: str) -> None:
    assert found(kind, {PLAYBOOK: BOOK}) == ()


@pytest.mark.parametrize(
    ("kind", "old", "new", "case"),
    [
        ("uncapped-liability", "last 12 months", "last 24 months", "months over the cap, wrapped"),
        ("short-payment-term", "than thirty days", "than 14 days", "two weeks"),
        ("silent-renewal", "one year", "24 months", "two years at a time"),
        ("foreign-governing-law", "- New York", "- Nevada", "another state"),
        ("late-breach-notice", "seventy-two hours", "5 days", "four days"),
        ("missing-termination-right", "must let", "may let", "missing"),
    ],
)
def test_the_limit_is_read_from_the_playbook(kind: str, old: str, new: str, case: str) -> None:
    text = CASES[kind][case].text
    assert lines(kind, text) == list(CASES[kind][case].lines) != []
    assert old in BOOK
    assert lines(kind, text, BOOK.replace(old, new)) == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("forty-five (45) days", [45]),
        ("one hundred and twenty (120) days", [120]),
        ("a 12-month period", [360]),
        ("2 business days or three weeks", [2, 21]),
        ("thirty\ndays", [30]),
        ("a year", [360]),
        ("48 hours", [2]),
        ("the daily rate of 1.5 days", []),
        ("no time at all", []),
    ],
)
def test_a_length_of_time_is_read_in_words_and_digits(text: str, days: list[int]) -> None:
    assert [d.days for d in durations(text)] == days


# On the corpus that the detectors are for


@cache
def corpus(seed: int) -> tuple[Document, ...]:
    generator = ContractsGenerator(ContractsParameters(), random.Random(seed))
    return tuple(generator.documents())


@cache
def spec() -> ScenarioSpec:
    return load_spec(SPEC, describe())


@cache
def clean_facts(seed: int, kind: str) -> dict[PurePosixPath, Any]:
    detector: Any = CONTRACT_TERMS[kind].make()
    return {d.path: detector.extract(d.path, d.text) for d in corpus(seed)}


@pytest.mark.parametrize("seed", range(20))
def test_no_detector_finds_anything_in_a_clean_corpus(seed: int) -> None:
    for kind, term in CONTRACT_TERMS.items():
        assert term.make().decide(clean_facts(seed, kind)) == (), kind


def needles() -> list[NeedleSpec]:
    return list(spec().needles)


@pytest.mark.parametrize("placement", range(3))
@pytest.mark.parametrize("seed", range(20))
def test_each_planted_needle_is_found_at_its_registered_lines_alone(
    seed: int, placement: int
) -> None:
    texts = {document.path: document.text for document in corpus(seed)}
    for needle in needles():
        planter = installed().planter(needle.plant.planter, needle.plant.parameters)
        planted = plant_needle(
            needle, planter, corpus(seed), placement=placement, seed=seed, used={}
        )
        path = PurePosixPath(planted.edits[0].path)
        detector: Any = CONTRACT_TERMS[needle.kind].make()
        text = apply_changes(texts[path], changes_of(planted.edits))
        facts = clean_facts(seed, needle.kind) | {path: detector.extract(path, text)}
        registered = [(str(s.path), s.first, s.last) for s in planted.evidence]
        assert [(str(e.path), e.first, e.last) for e in detector.decide(facts)] == registered


@pytest.mark.parametrize("placement", range(3))
def test_a_whole_build_shows_every_needle_and_its_clean_twin_none(
    placement: int, tmp_path: Path
) -> None:
    paths = build_scenario(
        spec(), size="standard", placement=placement, parent=tmp_path, ocb_version="0"
    )
    build = load_build(paths.root)
    planted = {PurePosixPath(path): text for path, text in build.texts.items()}
    clean = {
        PurePosixPath(path): text
        for path, text in restore(build.texts, build.registry.needles).items()
    }
    assert len({needle.kind for needle in build.registry.needles}) == 6
    for needle in build.registry.needles:
        registered = {(s.path, s.first, s.last) for s in needle.evidence}
        assert {(str(e.path), e.first, e.last) for e in found(needle.kind, planted)} == registered
        assert found(needle.kind, clean) == ()
        assert needle.relative_to
