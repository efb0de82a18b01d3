from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from authoring.loading import load_spec
from authoring.spec import SIZES, Size
from generators.build import build_scenario, load_build
from generators.catalogue import describe
from generators.depth import third_of
from generators.document import Document
from generators.expenses.claims import CONGRESS, HOME
from generators.expenses.generator import ExpensesGenerator
from generators.expenses.plan import ExpensesParameters
from generators.expenses.vocabulary import read_merchants, read_people, read_phrases
from generators.lines import CorpusIndex, split_lines
from generators.tokens import count_tokens
from tests.validating import validated

ROOT = Path(__file__).parents[2]
SPEC = load_spec(ROOT / "scenario_specs" / "expense_audit.yaml", describe())
SEEDS = range(5)
BOTH: tuple[Size, ...] = ("small", "standard")


@cache
def corpus(size: Size, seed: int) -> tuple[Document, ...]:
    parameters = ExpensesParameters.model_validate(SPEC.corpus.parameters | SPEC.corpus.sizes[size])
    return tuple(ExpensesGenerator(parameters, random.Random(seed)).documents())


def of_kind(kind: str, size: Size = "standard", seed: int = 0) -> list[Document]:
    return [document for document in corpus(size, seed) if document.kind == kind]


def test_the_papers_of_the_standard_size() -> None:
    assert Counter(document.kind for document in corpus("standard", 0)) == {
        "policy": 1,
        "staff": 1,
        "rates": 1,
        "trip_report": 15,
        "monthly_report": 6,
        "approval": 21,
        "receipt": 12,
        "invoice": 8,
        "statement": 12,
    }


def test_paths_say_month_department_number_and_kind_and_no_more() -> None:
    known = (
        r"policy\.md|staff\.csv|exchange-rates\.csv|2024-\d\d/[a-z-]+/(card-statement\.csv"
        r"|er-24-\d{4}/(expenses\.md|approval\.eml|(invoice|receipt)-[a-z-]+\.json))"
    )
    paths = [str(document.path) for document in corpus("standard", 0)]
    assert all(re.fullmatch(known, path) for path in paths)
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", ["small", "standard", "long"])
def test_the_corpus_keeps_to_its_size(size: Size, seed: int) -> None:
    tokens = [count_tokens(document.text) for document in corpus(size, seed)]
    budget = SPEC.budget
    assert budget.corpus[size].least <= sum(tokens) <= budget.corpus[size].most
    assert budget.file.least <= min(tokens)
    assert max(tokens) <= budget.file.most


@pytest.mark.parametrize(("size", "least", "most"), [("small", 11, 16), ("standard", 40, 80)])
def test_the_corpus_has_as_many_files_as_its_size_says(size: Size, least: int, most: int) -> None:
    for seed in SEEDS:
        assert least <= len(corpus(size, seed)) - 3 <= most


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", ["small", "standard", "long"])
def test_every_file_has_a_unique_line_near_its_top_and_in_every_window(
    size: Size, seed: int
) -> None:
    index = CorpusIndex.of({str(d.path): d.text for d in corpus(size, seed)})
    for path, lines in index.files.items():
        unique = [index.is_unique(line) for line in lines]
        assert any(unique[:5]), path
        assert all(any(unique[i : i + 20]) for i in range(max(1, len(unique) - 19))), path
        assert max(map(len, lines)) <= 400, path


OURS = ("ocb", "overclaim", "needle", "planted", "ablation", "sim/", "benchmark", "scenario")


@pytest.mark.parametrize("seed", SEEDS)
def test_no_word_says_what_the_files_are_for(seed: int) -> None:
    for document in corpus("standard", seed):
        words = f"{document.path}\n{document.text}".lower()
        assert not [word for word in OURS if word in words]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_mark_of_a_template_is_left(seed: int) -> None:
    for document in corpus("standard", seed):
        assert document.text.endswith("\n")
        assert not document.text.endswith("\n\n")
        if document.kind not in ("receipt", "invoice", "statement"):
            assert not re.search(
                r"[\[\]{}]|\bNone\b|Undefined| [,;.](?:\s|$)|,[,.;]", document.text
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_invoices_are_json_without_a_key_given_twice(seed: int) -> None:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs), pairs
        return dict(pairs)

    for document in corpus("standard", seed):
        if document.kind in ("receipt", "invoice"):
            assert json.loads(document.text, object_pairs_hook=once)


@pytest.mark.parametrize("seed", SEEDS)
def test_statements_are_csv_with_rows_of_one_length(seed: int) -> None:
    for document in of_kind("statement", seed=seed):
        lines = split_lines(document.text)
        mark = ";" if ";" in lines[0] else ","
        rows = list(csv.reader(lines, delimiter=mark))
        assert Counter(len(row) for row in rows) == {2: 3, 11: len(rows) - 3}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_kind_of_paper_comes_up_in_each_third_of_the_files(seed: int) -> None:
    papers = sorted(
        (str(document.path).encode(), document.kind)
        for document in corpus("standard", seed)
        if len(document.path.parts) > 1
    )
    kinds = [kind for _, kind in papers]
    for third in ("early", "middle", "late"):
        part = third_of(len(kinds), third)
        assert set(kinds[part.start : part.stop]) == set(kinds), third


@pytest.mark.parametrize("seed", SEEDS)
def test_alcohol_and_every_rate_a_kilometre_have_lawful_uses(seed: int) -> None:
    texts = {document.kind: "" for document in corpus("standard", seed)}
    for document in corpus("standard", seed):
        texts[document.kind] += document.text
    drinks = [name for name, *_ in read_merchants().wines if f'"{name}"' in texts["receipt"]]
    assert len(drinks) >= 2
    claimed = texts["trip_report"] + texts["monthly_report"]
    rates = set(re.findall(r" km at 0\.(\d\d)", claimed))
    assert rates <= set(re.findall(r"EUR 0\.(\d\d)", texts["policy"]))
    assert len(rates) >= 3


def test_every_department_has_jobs_and_every_job_work() -> None:
    phrases = read_phrases()
    assert {job for jobs in read_people().departments.values() for job in jobs} == set(
        phrases.jobs
    ) - {CONGRESS, HOME}
    assert {name for job in phrases.jobs.values() for name in job.work} == set(phrases.work)


def test_a_generator_yields_the_same_documents_each_time_it_is_asked() -> None:
    generator = ExpensesGenerator(ExpensesParameters(), random.Random(2))
    assert list(generator.documents()) == list(generator.documents())


def test_another_seed_gives_another_company() -> None:
    assert corpus("standard", 0)[0].text != corpus("standard", 1)[0].text


def shingles(text: str) -> set[tuple[str, ...]]:
    """Runs of five words, with names, numbers and dates masked."""
    masked = re.sub(r"\d[\d,.:/-]*", "0", text)
    masked = re.sub(r"\b[A-Z][\w'.]*(?:\s+[A-Z][\w'.]*)*", "N", masked)
    words = re.findall(r"\w+", masked)
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}


@pytest.mark.parametrize("size", ["standard", "long"])
def test_papers_of_a_kind_share_few_runs_of_words(size: Size) -> None:
    kinds = ("trip_report", "monthly_report", "approval", "receipt", "invoice", "statement")
    for kind in kinds:
        sets = [shingles(document.text) for document in of_kind(kind, size, seed=3)]
        shared = sorted(
            len(one & other) / min(len(one), len(other)) for one, other in combinations(sets, 2)
        )
        assert shared[int(0.95 * len(shared))] <= 0.35, kind
        assert shared[-1] <= 0.6, kind


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"trips": 0}, "greater than or equal to 1"),
        ({"months": 12}, "less than or equal to 11"),
        ({"monthly": 100}, "more monthly reports than people and months"),
        ({"trip": 3}, "Extra inputs"),
    ],
)
def test_parameters_that_do_not_fit_together_are_refused(
    values: dict[str, int], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        ExpensesParameters.model_validate(values)


def test_the_spec_names_every_size() -> None:
    assert tuple(SPEC.corpus.sizes) == SIZES == tuple(SPEC.budget.corpus)


@pytest.mark.parametrize("placement", range(3))
@pytest.mark.parametrize(("size", "needles"), [("small", 4), ("standard", 18)])
def test_a_build_is_sealed(size: Size, needles: int, placement: int, tmp_path: Path) -> None:
    paths = build_scenario(SPEC, size=size, placement=placement, parent=tmp_path, ocb_version="0")
    build = load_build(paths.root)
    report = validated(build.paths)
    assert report.failures == ()
    assert len(build.registry.needles) == needles
    across = [n for n in build.registry.needles if len({s.path for s in n.evidence}) > 1]
    assert len(across) == (1 if size == "small" else 5)
    edited = {edit.path for needle in build.registry.needles for edit in needle.edits}
    reviewed = [file for file in build.manifest.files if file.role == "review"]
    assert 3 * len(edited) <= len(reviewed)


def test_the_large_build_is_sealed(tmp_path: Path) -> None:
    paths = build_scenario(SPEC, size="large", parent=tmp_path, ocb_version="0")
    build = load_build(paths.root)
    assert validated(build.paths).failures == ()
    assert len(build.registry.needles) == 36
    assert len(build.manifest.files) > 300
