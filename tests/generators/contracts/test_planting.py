"""Where the needles of the shipped contracts stand, and which contracts take them."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest
from pydantic import ValidationError

from authoring.errors import UserError
from authoring.loading import load_spec
from authoring.spec import NeedleSpec, Size
from generators.build import generate
from generators.catalogue import describe, installed
from generators.contracts.manner import manners
from generators.contracts.planter import ContractAcross, ContractAcrossParameters, Defect
from generators.contracts.term_planter import ContractTerm, ContractTermParameters
from generators.detectors.contract_terms import CONTRACT_TERMS
from generators.lines import CorpusIndex, is_weighty, normal_form, split_lines
from generators.merging import merge_plantings
from generators.placement import Site, copies_of, plant_all
from generators.planting import Aim, Ground, Planted, Planter
from generators.resolved import BuildParameters, resolve

SPEC = Path(__file__).parents[3] / "scenario_specs" / "contract_review.yaml"
PLACEMENTS = range(3)


class Corpus(NamedTuple):
    """A planted corpus and its needles."""

    texts: dict[str, str]
    needles: dict[str, Planted]
    ground: Ground

    @property
    def review(self) -> list[str]:
        return sorted((path for path in self.texts if path != "playbook.md"), key=str.encode)


def planter_of(needle: NeedleSpec) -> Planter:
    return installed().planter(needle.plant.planter, needle.plant.parameters)


@cache
def planted(size: Size, placement: int) -> Corpus:
    spec = load_spec(SPEC, describe())
    parameters = BuildParameters(size=size, seed=spec.seed, placement=placement)
    resolved = resolve(spec, parameters, installed())
    documents = generate(resolved, installed())
    review = [str(d.path) for d in documents if d.kind != "playbook"]
    site = Site.of(documents, review, size=size, seed=spec.seed, placement=placement)
    found = plant_all(copies_of(resolved.needles, size), planter_of, site)
    clean = {str(path): text for path, text in site.ground.texts.items()}
    merged = merge_plantings(clean, found)
    return Corpus(dict(merged.texts), dict(merged.needles), site.ground)


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("size", ["small", "standard", "long"])
def test_every_line_that_shows_a_needle_stands_in_one_place_only(
    size: Size, placement: int
) -> None:
    corpus = planted(size, placement)
    index = CorpusIndex.of(corpus.texts)
    for name, one in corpus.needles.items():
        for span in one.evidence:
            for line in split_lines(corpus.texts[span.path])[span.first - 1 : span.last]:
                normal = normal_form(line)
                assert index.is_unique(normal) or not is_weighty(normal), (name, line)


def test_a_state_whose_law_is_not_listed_is_named_in_other_contracts_too() -> None:
    for placement in PLACEMENTS:
        corpus = planted("standard", placement)
        one = corpus.needles["law-not-listed"]
        span = one.evidence[0]
        shown = split_lines(corpus.texts[span.path])[span.first - 1 : span.last]
        state = re.search(r"laws? of the State of ((?:North )?[A-Z]\w+)", " ".join(shown))
        assert state
        others = [
            " ".join(text.split()) for path, text in corpus.texts.items() if path != span.path
        ]
        assert sum(f"the State of {state[1]}" in text for text in others) >= 3


def test_copies_of_a_needle_say_different_things() -> None:
    for placement in PLACEMENTS:
        changed = [
            " ".join(edit.planted)
            for one in planted("long", placement).needles.values()
            for edit in one.edits
            if edit.planted
        ]
        assert len(set(changed)) == len(changed)


NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|eighteen|twenty|thirty|"
    r"forty|sixty|seventy|ninety)(?:-(?:one|two|three|four|five|six|eight))?"
)
MANNERS = {
    "word and figure": r"\([0-9]+\)",
    "figures": r"(?<![\w(.,-])[0-9]+",
    "words": rf"(?<![\w-]){NUMBER_WORD}",
}


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("units", ["days|months|hours", "(?:business )?(?:days?|months?|hours?)"])
@pytest.mark.parametrize("manner", MANNERS)
def test_no_manner_of_writing_a_length_of_time_marks_where_needles_are(
    manner: str, units: str, placement: int
) -> None:
    corpus = planted("standard", placement)
    pattern = re.compile(rf"{MANNERS[manner]} (?:{units})")
    lines = {path: split_lines(corpus.texts[path]) for path in corpus.review}
    hits = {
        (path, number)
        for path, text in lines.items()
        for number, line in enumerate(text, start=1)
        if pattern.search(line)
    }
    shown = [
        {(span.path, line) for span in one.evidence for line in range(span.first, span.last + 1)}
        for one in corpus.needles.values()
    ]
    marked = sum(bool(places & hits) for places in shown)
    share = len(hits) / sum(map(len, lines.values()))
    assert share > 0.025 or marked < len(shown) / 4, (share, marked, len(shown))


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("size", ["small", "standard", "long"])
def test_a_contract_with_a_needle_writes_all_its_lengths_of_time_alike(
    size: Size, placement: int
) -> None:
    corpus = planted(size, placement)
    for one in corpus.needles.values():
        for span in one.evidence:
            text = corpus.texts[span.path]
            assert len(set(manners(text))) == 1, (span.path, Counter(manners(text)))


# Which contracts take a needle


BOOK = "# Acme playbook\n\n## Liability\nAt most twelve months.\n\n## Payment\nAt least 30 days.\n"
MASTER = """\
# Master Agreement

MSA-2022-004

## 5. Payment
Acme pays each invoice within 45 days of receipt.

## 9. Liability
Each side's liability is capped at the fees paid in the nine (9) months before the claim.

| Role | Day rate (USD) |
|---|---:|
| Engineer | 900.00 |
"""
AMENDMENT = """\
# First Amendment

AMD-2023-050, to MSA-2022-004

The payment term is shortened by fifteen (15) days.

The cap on liability is lengthened by three (3) months.

Rates rise by 10 per cent.

| Role | Previous rate (USD) | New rate (USD) |
|---|---:|---:|
| Engineer | 900.00 | 990.00 |
"""
LATER = "Invoices fall due thirty (30) days later than before"
SECOND = (
    AMENDMENT.replace("First", "Second")
    .replace("2023-050", "2024-050")
    .replace("The payment term is shortened by fifteen (15) days", LATER)
    .replace("lengthened by three", "reduced by three")
    .replace("900.00 | 990.00", "990.00 | 1,089.00")
)
WORK = """\
# Statement of Work

SOW-2022-009, under MSA-2022-004

| Role | Days | Day rate (USD) | Amount (USD) |
|---|---:|---:|---:|
| Engineer | 10 | 900.00 | 9,000.00 |
| **Total** | 10 | | **9,000.00** |
"""
FILES = {
    "book.md": (BOOK, "playbook"),
    "first.md": (AMENDMENT, "amendment"),
    "master.md": (MASTER, "msa"),
    "second.md": (SECOND, "amendment"),
    "work.md": (WORK, "sow"),
}
GROUND = Ground(
    {PurePosixPath(name): text for name, (text, _) in FILES.items()},
    {PurePosixPath(name): kind for name, (_, kind) in FILES.items()},
)
KIND_OF: dict[Defect, str] = {
    "rate-above-schedule": "rate-above-schedule",
    "misstated-rate": "misstated-rate",
    "payment-beyond": "amended-beyond-limit",
    "cap-beyond": "amended-beyond-limit",
}


def across(defect: Defect, target: str) -> Planted:
    planter = ContractAcross(ContractAcrossParameters(defect=defect))
    return planter.plant(GROUND, Aim(PurePosixPath(target)))


def found(kind: str, texts: dict[str, str]) -> set[tuple[str, int]]:
    detector = CONTRACT_TERMS[kind].make()
    facts = {PurePosixPath(p): detector.extract(PurePosixPath(p), t) for p, t in texts.items()}
    return {(str(one.path), one.first) for one in detector.decide(facts)}


@pytest.mark.parametrize(
    ("defect", "target", "shown"),
    [
        ("rate-above-schedule", "work.md", {"work.md", "master.md"}),
        ("misstated-rate", "second.md", {"second.md", "first.md"}),
        ("payment-beyond", "second.md", {"second.md", "first.md", "master.md"}),
        ("cap-beyond", "second.md", {"second.md", "first.md", "master.md"}),
    ],
)
def test_a_defect_of_a_later_amendment_needs_all_that_it_goes_on_from(
    defect: Defect, target: str, shown: set[str]
) -> None:
    clean = {str(path): text for path, text in GROUND.texts.items()}
    one = across(defect, target)
    texts = dict(merge_plantings(clean, {"n": one}).texts)
    kind = KIND_OF[defect]
    assert found(kind, clean) == set()
    assert found(kind, texts) == {(span.path, span.first) for span in one.evidence}
    assert {span.path for span in one.evidence} == shown
    for count in range(len(texts)):
        for kept in combinations(texts, count):
            subset = {path: texts[path] for path in {*kept, "book.md"}}
            assert bool(found(kind, subset)) == (shown <= subset.keys()), subset.keys()


@pytest.mark.parametrize("defect", list(KIND_OF))
def test_in_a_witness_world_the_very_file_is_in_order(defect: Defect) -> None:
    clean = {str(path): text for path, text in GROUND.texts.items()}
    one = across(defect, "work.md" if defect == "rate-above-schedule" else "second.md")
    texts = merge_plantings(clean, {"n": one}).texts
    assert one.witnesses.keys() == {span.path for span in one.evidence}
    for file, partners in one.witnesses.items():
        world = {**clean, **partners, file: texts[file]}
        for kind in set(KIND_OF.values()):
            assert found(kind, world) == set(), (file, kind)


def test_an_amendment_that_another_goes_on_from_takes_no_defect() -> None:
    with pytest.raises(UserError, match=r"a later amendment goes on from it: second\.md"):
        across("misstated-rate", "first.md")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Payment is due in thirty (30) days.\n", "in ten (10) days"),
        ("Payment is due in 30 days.\n", "in 10 days"),
        ("Payment is due in thirty days.\n", "in ten days"),
    ],
    ids=["word and figure", "figures", "words"],
)
def test_a_wording_takes_the_manner_of_its_contract(text: str, shown: str) -> None:
    pattern = r"(?:thirty|30)(?: \(\d+\))? days"
    one = term(text, pattern=pattern, replacements=["ten (10) days"])
    assert shown in one.edits[0].planted[0]


LETTER = "Notice is thirty (30) days\nfrom receipt of this letter.\n"


def term(text: str, *others: str, **parameters: object) -> Planted:
    texts = {PurePosixPath(f"{i}.md"): one for i, one in enumerate([text, *others])}
    ground = Ground(texts, dict.fromkeys(texts, "letter"))
    given = ContractTermParameters.model_validate(parameters)
    return ContractTerm(given).plant(ground, Aim(PurePosixPath("0.md")))


def test_wordings_that_other_contracts_use_come_first() -> None:
    words = ("two (2) days", "five (5) days", "ten (10) days")
    for word in words:
        one = term(LETTER, f"Or {word}.", pattern=r"thirty \(30\) days", replacements=words)
        assert word in one.edits[0].planted[0]


def test_a_wording_that_would_repeat_a_line_is_left_for_another_or_refused() -> None:
    pattern, words = r"thirty \(30\) days", ("two (2) days", "ten (10) days")
    text, other = "Notice is thirty (30) days.\n", "Notice is two (2) days.\n"
    one = term(text, other, pattern=pattern, replacements=words)
    assert one.edits[0].planted == ("Notice is ten (10) days.",)
    with pytest.raises(UserError, match="stands elsewhere too: Notice is two"):
        term(text, other, pattern=pattern, replacements=words[:1])


def test_a_section_that_goes_is_shown_by_lines_that_stand_nowhere_else() -> None:
    text = "# A\n\nOne line.\n\n## Exit\n\nGo.\n\n## Notices\n\nWrite to us.\n"
    one = term(text, heading="Exit")
    assert [(span.first, span.last) for span in one.evidence] == [(4, 6)]
    with pytest.raises(UserError, match="stands elsewhere too: ## Notices"):
        term(text, "## Notices\n", heading="Exit")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "or the heading of a section"),
        ({"pattern": "a"}, "need each other"),
        ({"replacements": ["a"]}, "need each other"),
        ({"pattern": "(", "replacements": ["a"]}, "is not a regular expression"),
    ],
)
def test_parameters_that_say_nothing_to_do_are_refused(
    parameters: dict[str, object], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        ContractTermParameters.model_validate(parameters)
