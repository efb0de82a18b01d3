from __future__ import annotations

import random
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path, PurePosixPath

import pytest
import yaml

from authoring.artefacts import Value
from authoring.loading import load_spec
from authoring.spec import NeedleSpec, ScenarioSpec
from generators.build import build_scenario, load_build
from generators.build_folder import Build
from generators.catalogue import describe, installed
from generators.detectors.detector import Evidence
from generators.detectors.trial.dictionary import read_dictionary
from generators.detectors.trial.forms import read_form
from generators.detectors.trial.kinds import TRIAL_KINDS
from generators.detectors.trial.numbers import check_digit
from generators.detectors.trial.protocol import Band, Range, Window, read_protocol
from generators.lines import CorpusIndex
from generators.registry import RegisteredNeedle, restore
from generators.trial.consistency import faults
from generators.trial.generator import TrialGenerator
from generators.trial.plan import TrialParameters

SPEC = Path(__file__).parents[3] / "scenario_specs" / "trial_records.yaml"
PROTOCOL = PurePosixPath("protocol.md")

Line = tuple[str, int, int]


class RecordCase(Value):
    """Records written by hand, and the lines that break the protocol."""

    texts: dict[str, str]
    lines: tuple[Line, ...]


class RecordCases(Value):
    """The cases of `trial_records.yaml`."""

    protocol: str
    cases: dict[str, dict[str, RecordCase]]


CASES = RecordCases.model_validate(
    yaml.safe_load(Path(__file__).with_name("trial_records.yaml").read_text(encoding="utf-8"))
)
ALL_CASES = [
    pytest.param(kind, case, id=f"{kind}: {name}")
    for kind, cases in CASES.cases.items()
    for name, case in cases.items()
]
BROKEN_CASES = [
    pytest.param(kind, case, id=f"{kind}: {name}")
    for kind, cases in CASES.cases.items()
    for name, case in cases.items()
    if case.lines
]


def found(kind: str, texts: Mapping[str, str]) -> tuple[Evidence, ...]:
    detector = TRIAL_KINDS[kind].make()
    paths = {PurePosixPath(path): text for path, text in texts.items()}
    return detector.decide({path: detector.extract(path, text) for path, text in paths.items()})


def lines(kind: str, texts: Mapping[str, str]) -> list[Line]:
    return sorted((str(e.path), e.first, e.last) for e in found(kind, texts))


@pytest.mark.parametrize(("kind", "case"), ALL_CASES)
def test_what_breaks_the_protocol_is_found_at_its_lines_and_nowhere_else(
    kind: str, case: RecordCase
) -> None:
    assert lines(kind, {"protocol.md": CASES.protocol, **case.texts}) == list(case.lines)


def test_every_kind_has_cases_in_order_and_not() -> None:
    for kind in TRIAL_KINDS:
        counts = {bool(case.lines) for case in CASES.cases[kind].values()}
        assert counts == {True, False}, kind


NEED_NO_PROTOCOL = {
    "tablets-do-not-add-up",
    "wrong-check-digit",
    "procedure-before-consent",
    "tablet-count-differs",
    "signature-outside-delegation",
    "reused-kit",
}


@pytest.mark.parametrize(("kind", "case"), BROKEN_CASES)
def test_what_the_protocol_decides_is_not_decided_without_it(kind: str, case: RecordCase) -> None:
    assert bool(lines(kind, case.texts)) == (kind in NEED_NO_PROTOCOL)


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("visit-outside-window", "± 3", "± 40"),
        ("dose-not-by-weight", "from 70 to below 90", "from 60 to below 200"),
        ("ineligible-subject", "90 days before", "80 days before"),
        ("missing-repeat-test", "above 450 ms", "above 470 ms"),
        ("wrong-drug-action", "grade 3 or higher", "grade 4 or higher"),
        ("storage-excursion", "more than 12 hours", "more than 48 hours"),
        ("late-serious-report", "within 24 hours", "within 36 hours"),
        ("outdated-consent", "| 2.0 | 2024-03-01", "| 2.0 | 2024-03-02"),
        ("wrong-lab-unit", "| mg/dL | mmol/L | 0.0555", "| mmol/L | mg/dL | 18"),
        ("lab-value-differs", "0.0555", "0.0523"),
    ],
)
def test_the_figures_are_read_from_the_protocol(kind: str, old: str, new: str) -> None:
    assert old in CASES.protocol
    other = CASES.protocol.replace(old, new)
    broken = [case for case in CASES.cases[kind].values() if case.lines]
    before = [lines(kind, {"protocol.md": CASES.protocol, **case.texts}) for case in broken]
    after = [lines(kind, {"protocol.md": other, **case.texts}) for case in broken]
    assert before != after


def test_the_protocol_itself_is_never_at_fault() -> None:
    for kind in TRIAL_KINDS:
        assert found(kind, {"protocol.md": CASES.protocol}) == ()


def test_a_protocol_is_read_figure_by_figure() -> None:
    protocol = read_protocol(CASES.protocol)
    assert protocol is not None
    assert protocol.windows == {"V2": Window(1, 0), "V3": Window(29, 3)}
    assert protocol.bands == (
        Band(Decimal(0), Decimal(70), Decimal(50)),
        Band(Decimal(70), Decimal(90), Decimal(75)),
        Band(Decimal(90), Decimal(1000), Decimal(100)),
    )
    assert protocol.criteria == {
        "age": Range(Decimal(18), Decimal(75)),
        "bmi": Range(Decimal(25), Decimal(40)),
        "washout": Range(Decimal(90), None),
        "alcohol": Range(None, Decimal(14)),
    }
    assert protocol.repeats == {"qtcf": 450, "systolic": 160}
    assert protocol.analytes["hba1c"].to_central(Decimal("7.4"), "%") == Decimal("57.37725")


def test_no_name_of_the_dictionary_has_two_meanings() -> None:
    dictionary = read_dictionary()
    for what in type(dictionary).model_fields:
        names = getattr(dictionary, what)
        count = sum(len(others) for others in names.values())
        assert len(dictionary.canonical(what)) == count, what


LAYOUTS = {
    "a list of mappings": "vitals:\n  - {ref: 1-02, item: wt, result: 84.2, units: kg}\n",
    "a list of mappings over lines": "vitals:\n  - item: wt\n    result: 84.2\n    units: kg\n",
    "a mapping of mappings": "vital_signs:\n  body_weight: {reading: 84.2, uom: kg, ref: 1-02}\n",
    "a list of parts": "observations:\n  - ref 1-02; test weight; value 84.2; unit kg\n",
    "value and unit": "vitals:\n  weight: 84.2 kg  # 1-02\n",
    "the unit in the name": "vitals:\n  weight_kg: 84.2  # 1-02\n",
    "quoted": "vitals:\n  weight: '84.2 kg'\n",
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_a_form_is_read_in_every_layout_with_the_place_of_each_value(layout: str) -> None:
    text = "visit:\n  - {subject: 104-0172-9, code: V1}\n" + layout
    form = read_form(text)
    assert form is not None
    (entry,) = form.tests("vitals", "weight")
    value = entry.fields["value"]
    assert (value.text, entry.text("unit")) == ("84.2", "kg")
    line = text.split("\n")[value.line - 1]
    assert line[value.column : value.column + 4] == "84.2"


@pytest.mark.parametrize(
    "text", ["", "a: [", "- a list", "visit: {code: V1}", "plain text", "a: &x 1\nb: *x\n"]
)
def test_what_is_no_form_is_read_as_none(text: str) -> None:
    assert read_form(text) is None


@pytest.mark.parametrize(
    ("number", "digit"),
    [
        # 3·1 + 0 + 3·4 + 0 + 3·1 + 7 + 3·2 = 31
        ("104-0172", "9"),
        # 3·4 + 8 + 3·2 + 9 + 3·1 + 3 = 41
        ("K482913", "9"),
        # the book number 978-0-306-40615-7, whose weights begin with 1: led by a zero
        ("0978030640615", "7"),
        ("000-0000", "0"),
    ],
)
def test_a_check_digit_brings_the_weighted_sum_up_to_a_multiple_of_ten(
    number: str, digit: str
) -> None:
    assert check_digit(number) == digit


# On the corpus that the detectors are for


@cache
def spec() -> ScenarioSpec:
    return load_spec(SPEC, describe())


@pytest.mark.parametrize("seed", range(20))
def test_no_detector_finds_anything_in_a_clean_corpus(seed: int) -> None:
    made = TrialGenerator(TrialParameters(), random.Random(seed)).documents()
    texts = {str(document.path): document.text for document in made}
    for kind in TRIAL_KINDS:
        assert found(kind, texts) == (), kind


def registered(needle: RegisteredNeedle) -> list[Line]:
    return sorted((span.path, span.first, span.last) for span in needle.evidence)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((size, seed, placement), id=f"{size}, seed {seed}, placement {placement}")
        for size, seeds in (("small", (0, 20250402)), ("standard", (0, 1, 20250402)))
        for seed in seeds
        for placement in range(3)
    ],
)
def build(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Build:
    size, seed, placement = request.param
    paths = build_scenario(
        spec(),
        size=size,
        seed=seed,
        placement=placement,
        parent=tmp_path_factory.mktemp("builds"),
        ocb_version="0",
    )
    return load_build(paths.root)


def test_a_build_shows_every_needle_at_its_lines_and_its_clean_twin_none(build: Build) -> None:
    needles = build.registry.needles
    clean = restore(build.texts, needles)
    for kind in {needle.kind for needle in needles}:
        wanted = [line for needle in needles if needle.kind == kind for line in registered(needle)]
        assert lines(kind, build.texts) == sorted(wanted)
        assert lines(kind, clean) == []


def test_the_lines_that_show_a_needle_can_be_measured(build: Build) -> None:
    index = CorpusIndex.of(build.texts)
    for needle in build.registry.needles:
        for span in needle.evidence:
            for number in range(span.first, span.last + 1):
                line = index.line(span.path, number)
                assert line is not None
                assert index.is_unique(line), (needle.id, line)
                assert len(line) <= 400


def test_a_planted_form_is_still_a_form(build: Build) -> None:
    for path, text in build.texts.items():
        if path.endswith(".yaml"):
            assert read_form(text) is not None


CONSEQUENCES = {
    "visit-outside-window": "handed out at no visit|came back at no visit|counts",
    "wrong-check-digit": "belongs to no visit|is in no listing",
    "procedure-before-consent": "screening comes before consent|taken before consent|counts",
    "tablet-count-differs": "not that of the log",
}
"""What else is out of order for the same reason."""


def test_all_that_is_not_in_order_is_what_was_planted(build: Build) -> None:
    for needle in build.registry.needles:
        others = [other for other in build.registry.needles if other.id != needle.id]
        alone = restore(build.texts, others)
        assert_only(needle, faults(alone))


def assert_only(needle: RegisteredNeedle, told: tuple[str, ...]) -> None:
    also = CONSEQUENCES.get(needle.kind)
    assert [one for one in told if one.endswith(needle.kind)]
    for one in told:
        assert one.endswith(needle.kind) or (also and re.search(also, one)), (needle.id, one)


def test_of_a_needle_across_files_no_file_alone_decides_anything(build: Build) -> None:
    needles = build.registry.needles
    clean = restore(build.texts, needles)
    across = 0
    for needle in needles:
        files = {span.path for span in needle.evidence}
        if len(files) == 1:
            continue
        across += 1
        alone = restore(build.texts, [other for other in needles if other.id != needle.id])
        assert lines(needle.kind, alone) == registered_in(needle, alone, build.texts)
        for file in files:
            # The very file that shows it, in a world in which it is in order.
            world = {**clean, file: alone[file], **build.witnesses[needle.id][file]}
            assert lines(needle.kind, world) == []
    assert across == (1 if build.manifest.size == "small" else 5)


def registered_in(
    needle: RegisteredNeedle, alone: Mapping[str, str], planted: Mapping[str, str]
) -> list[Line]:
    """Its lines where only it is planted: where other needles took out lines above, they move."""
    moved = []
    for span in needle.evidence:
        shown = planted[span.path].split("\n")[span.first - 1 : span.last]
        first = alone[span.path].split("\n").index(shown[0]) + 1
        moved.append((span.path, first, first + span.last - span.first))
    return sorted(moved)


def test_standard_has_enough_kinds_severities_and_needles_across_files() -> None:
    needles: tuple[NeedleSpec, ...] = spec().needles
    assert len(needles) >= 12
    assert {needle.kind for needle in needles} == set(TRIAL_KINDS)
    assert {needle.severity for needle in needles} == {"minor", "major", "critical"}
    assert sum(needle.copies.get("small", 1) for needle in needles) == 4
    assert sum(needle.copies.get("large", 1) for needle in needles) >= 30


def test_every_planter_of_the_spec_is_installed() -> None:
    for needle in spec().needles:
        installed().planter(needle.plant.planter, needle.plant.parameters)
