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
from authoring.spec import NeedleSpec, ScenarioSpec, Size
from generators.build import build_scenario, load_build
from generators.catalogue import describe, installed
from generators.contracts.generator import ContractsGenerator
from generators.contracts.plan import ContractsParameters
from generators.detectors.contract_terms import CONTRACT_TERMS
from generators.detectors.contracts.quantities import durations
from generators.detectors.detector import Evidence
from generators.document import Document
from generators.edits import apply_changes, changes_of
from generators.placement import Site, copies_of, plant_all
from generators.planting import Planter
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
def spec() -> ScenarioSpec:
    return load_spec(SPEC, describe())


@cache
def corpus(size: Size, seed: int) -> tuple[Document, ...]:
    given = {**spec().corpus.parameters, **spec().corpus.sizes[size]}
    parameters = ContractsParameters.model_validate(given)
    return tuple(ContractsGenerator(parameters, random.Random(seed)).documents())


@cache
def clean_facts(size: Size, seed: int, kind: str) -> dict[PurePosixPath, Any]:
    detector: Any = CONTRACT_TERMS[kind].make()
    return {d.path: detector.extract(d.path, d.text) for d in corpus(size, seed)}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("size", ["small", "standard"])
def test_no_detector_finds_anything_in_a_clean_corpus(size: Size, seed: int) -> None:
    for kind, term in CONTRACT_TERMS.items():
        assert term.make().decide(clean_facts(size, seed, kind)) == (), kind


def detector_of(needle: NeedleSpec) -> Any:
    return CONTRACT_TERMS[needle.kind].make()


def planter_of(needle: NeedleSpec) -> Planter:
    return installed().planter(needle.plant.planter, needle.plant.parameters)


@pytest.mark.parametrize("placement", range(3))
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("size", ["small", "standard"])
def test_each_planted_needle_is_found_at_its_registered_lines_alone(
    size: Size, seed: int, placement: int
) -> None:
    texts = {document.path: document.text for document in corpus(size, seed)}
    site = Site.of(corpus(size, seed), map(str, texts), size=size, seed=seed, placement=placement)
    copies = copies_of(spec().needles, size)
    planted = plant_all(copies, planter_of, site)
    for copy in copies:
        one, detector = planted[copy.needle.id], detector_of(copy.needle)
        clean = clean_facts(size, seed, copy.needle.kind)
        path = PurePosixPath(one.edits[0].path)
        text = apply_changes(texts[path], changes_of(one.edits))
        facts = clean | {path: detector.extract(path, text)}
        registered = {(str(s.path), s.first, s.last) for s in one.evidence}
        found = {(str(e.path), e.first, e.last) for e in detector.decide(facts)}
        assert found == registered, copy.needle.id
        for file, partners in one.witnesses.items():
            shown = clean | {PurePosixPath(file): facts[PurePosixPath(file)]}
            for name, varied in partners.items():
                partner = PurePosixPath(name)
                shown[partner] = detector.extract(partner, varied)
            assert detector.decide(shown) == (), (copy.needle.id, file)


def test_some_needles_need_two_files_and_no_file_of_them_decides() -> None:
    across = [n for n in spec().needles if n.plant.planter == "contract-across"]
    assert len(across) >= 3
    assert [n.id for n in across if n.copies.get("small", 1)] == ["rate-of-role"]
    least: dict[Size, int] = {"standard": 12, "long": 12, "large": 30}
    for size, count in least.items():
        copies = copies_of(spec().needles, size)
        assert len(copies) >= count
        assert len({copy.needle.kind for copy in copies}) >= 5
        assert {copy.needle.severity for copy in copies} == {"minor", "major", "critical"}
        assert sum(copy.needle.plant.planter == "contract-across" for copy in copies) >= 3
    assert len(copies_of(spec().needles, "small")) == 4


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
    assert len({needle.kind for needle in build.registry.needles}) == 9
    for needle in build.registry.needles:
        same = [n for n in build.registry.needles if n.kind == needle.kind]
        registered = {(s.path, s.first, s.last) for one in same for s in one.evidence}
        assert {(str(e.path), e.first, e.last) for e in found(needle.kind, planted)} == registered
        assert found(needle.kind, clean) == ()
        assert needle.relative_to
