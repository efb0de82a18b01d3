from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from authoring.errors import UserError
from authoring.loading import load_spec
from authoring.spec import ScenarioSpec, Size
from generators.build import generate
from generators.catalogue import describe, installed
from generators.document import Document
from generators.edits import apply_changes, changes_of
from generators.expenses.consistency import faults
from generators.expenses.generator import ExpensesGenerator
from generators.expenses.plan import ExpensesParameters
from generators.expenses.planting.planter import CHANGES, ExpenseRecord, ExpenseRecordParameters
from generators.expenses.planting.sheet import summed
from generators.lines import is_weighty, split_lines
from generators.placement import Copy, Site, copies_of, plant_all
from generators.planting import Aim, Ground, Planted
from generators.resolved import BuildParameters, resolve

SPEC = Path(__file__).parents[3] / "scenario_specs" / "expense_audit.yaml"
SEEDS = range(5)


@cache
def spec() -> ScenarioSpec:
    return load_spec(SPEC, describe())


@cache
def corpus(size: Size, seed: int) -> tuple[Document, ...]:
    build = BuildParameters(size=size, seed=seed, placement=0)
    return generate(resolve(spec(), build, installed()), installed())


def clean(size: Size, seed: int) -> dict[str, str]:
    return {str(document.path): document.text for document in corpus(size, seed)}


def line_counts(size: Size, seed: int) -> Counter[str]:
    """How often each line stands in the clean corpus."""
    return Counter(line for text in clean(size, seed).values() for line in split_lines(text))


@cache
def planted(size: Size, seed: int, placement: int) -> dict[str, tuple[Copy, Planted]]:
    documents = corpus(size, seed)
    reviewed = [str(d.path) for d in documents if len(d.path.parts) > 1]
    site = Site.of(documents, reviewed, size=size, seed=seed, placement=placement)
    copies = copies_of(spec().needles, size)
    known = installed()
    done = plant_all(
        copies, lambda needle: known.planter(needle.plant.planter, needle.plant.parameters), site
    )
    return {copy.needle.id: (copy, done[copy.needle.id]) for copy in copies}


def with_one(texts: dict[str, str], one: Planted) -> dict[str, str]:
    """The corpus with one defect in it."""
    changed = dict(texts)
    for path in {edit.path for edit in one.edits}:
        own = [change for change in changes_of(one.edits) if change.path == path]
        changed[path] = apply_changes(texts[path], own)
    return changed


CASES = [
    pytest.param(size, seed, placement, id=f"{size}-{seed}-{placement}")
    for size in ("small", "standard")
    for seed in SEEDS
    for placement in range(3)
]


@pytest.mark.parametrize(("size", "seed", "placement"), CASES)
def test_each_defect_is_the_only_thing_out_of_order(size: Size, seed: int, placement: int) -> None:
    texts = clean(size, seed)
    for copy, one in planted(size, seed, placement).values():
        found = faults(with_one(texts, one))
        # A mail that comes after the payment comes after finance countersigned, too.
        late = "comes too early or too late"
        told = [fault for fault in found if late not in fault]
        assert told
        assert {fault.rpartition(": ")[2] for fault in told} == {copy.needle.kind}
        if copy.needle.kind != "missing-second-approval":
            lines = {f"{span.path}:{span.first}" for span in one.evidence}
            assert {fault.partition(": ")[0] for fault in told} == lines


@pytest.mark.parametrize(("size", "seed", "placement"), CASES)
def test_a_witness_is_a_world_in_order_that_holds_the_planted_file(
    size: Size, seed: int, placement: int
) -> None:
    texts = clean(size, seed)
    across = 0
    for _, one in planted(size, seed, placement).values():
        changed = with_one(texts, one)
        for file, partners in one.witnesses.items():
            across += 1
            assert faults(texts | {file: changed[file]} | dict(partners)) == ()
    assert across == (2 if size == "small" else 10)


@pytest.mark.parametrize(("size", "seed", "placement"), CASES)
def test_what_shows_a_defect_stands_in_one_place(size: Size, seed: int, placement: int) -> None:
    texts = clean(size, seed)
    for _, one in planted(size, seed, placement).values():
        changed = with_one(texts, one)
        counts = line_counts(size, seed)
        for path in {edit.path for edit in one.edits}:
            counts += Counter(split_lines(changed[path]))
            counts -= Counter(split_lines(texts[path]))
        for span in one.evidence:
            for line in split_lines(changed[span.path])[span.first - 1 : span.last]:
                assert counts[line] == 1
                assert is_weighty(line)
                assert len(line) <= 400


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_made_right_again_are_the_sums_of_a_clean_report(seed: int) -> None:
    for document in corpus("standard", seed):
        if document.kind in ("trip_report", "monthly_report"):
            assert summed(document.text) == document.text


def ground() -> Ground:
    generator = ExpensesGenerator(ExpensesParameters(), random.Random(3))
    documents = list(generator.documents())
    return Ground({d.path: d.text for d in documents}, {d.path: d.kind for d in documents})


@pytest.mark.parametrize("change", CHANGES)
def test_a_paper_of_another_kind_is_refused_with_its_path(change: str) -> None:
    planter = ExpenseRecord(ExpenseRecordParameters.model_validate({"change": change}))
    with pytest.raises(UserError, match=r"policy\.md"):
        planter.plant(ground(), Aim(PurePosixPath("policy.md")))


@pytest.mark.parametrize("change", CHANGES)
def test_a_planter_gives_the_same_each_time(change: str) -> None:
    here = ground()
    parameters = ExpenseRecordParameters.model_validate({"change": change})
    aims = [Aim(path, "middle") for path in here.texts]

    def outcomes() -> list[Planted | str]:
        planter, done = ExpenseRecord(parameters), list[Planted | str]()
        for aim in aims:
            try:
                done.append(planter.plant(here, aim))
            except UserError as error:
                done.append(str(error))
        return done

    first = outcomes()
    assert outcomes() == first
    assert any(isinstance(one, Planted) for one in first)
