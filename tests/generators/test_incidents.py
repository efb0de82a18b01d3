from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path, PurePosixPath

import pytest
from pydantic import ValidationError

from authoring.loading import load_spec
from authoring.spec import ScenarioSpec, Size
from generators.catalogue import describe
from generators.document import Document
from generators.incidents.consistency import faults
from generators.incidents.generator import IncidentsGenerator
from generators.incidents.parameters import IncidentsParameters
from generators.lines import CorpusIndex, normal_form, split_lines
from generators.tokens import count_tokens

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "scenario_specs" / "incident_logs.yaml"
SEEDS = range(8)
SIZES: tuple[Size, ...] = ("small", "standard", "long", "large")
LOGS = ("access", "service", "worker", "job", "auth", "system", "changes")


@cache
def spec() -> ScenarioSpec:
    return load_spec(SPEC, describe())


@cache
def corpus(size: Size, seed: int) -> tuple[Document, ...]:
    parameters = IncidentsParameters.model_validate(spec().corpus.sizes[size])
    generator = IncidentsGenerator(parameters, random.Random(seed))
    return tuple(sorted(generator.documents(), key=lambda document: str(document.path)))


def texts(size: Size, seed: int) -> dict[str, str]:
    return {str(document.path): document.text for document in corpus(size, seed)}


def test_a_fleet_has_seven_logs_a_site_and_a_runbook() -> None:
    kinds = Counter(document.kind for document in corpus("standard", 0))
    assert kinds == dict.fromkeys(LOGS, 3) | {"runbook": 1}
    folders = Counter(document.path.parent for document in corpus("standard", 0))
    assert folders.pop(PurePosixPath()) == 1
    assert sorted(folders.values()) == [7, 7, 7]


def test_a_large_fleet_has_three_hundred_logs_or_more() -> None:
    assert len(corpus("large", 1)) > 300


def test_the_sites_take_their_tickets_and_deploys_from_one_register() -> None:
    changes = "".join(document.text for document in corpus("long", 0) if document.kind == "changes")
    numbers = re.findall(r"(?:CHG-\d+ approved|DEP-\d+ announced)", changes)
    assert len(set(numbers)) == len(numbers) > 6 * 6


@pytest.mark.parametrize("seed", SEEDS)
def test_one_log_of_the_standard_size_is_beyond_two_thousand_lines_and_two_beyond_six_hundred(
    seed: int,
) -> None:
    lengths = sorted(len(split_lines(document.text)) for document in corpus("standard", seed))
    assert lengths[-1] > 2000 + 3
    assert lengths[-3] >= 600 + 3
    assert lengths[-4] < 200
    assert 12 <= len(lengths) - 1 <= 24


@pytest.mark.parametrize(("size", "seeds"), [("small", 20), ("standard", 12), ("long", 2)])
def test_a_size_keeps_its_budget_whatever_the_seed(size: Size, seeds: int) -> None:
    allowed = spec().budget.corpus[size]
    for seed in range(seeds):
        total = sum(count_tokens(text) for text in texts(size, seed).values())
        assert allowed.least < total < allowed.most, (seed, total)


@pytest.mark.parametrize("size", ["small", "standard"])
@pytest.mark.parametrize("seed", range(16))
def test_a_clean_night_agrees_with_itself_and_with_the_runbook(size: Size, seed: int) -> None:
    assert faults(texts(size, seed)) == ()


@pytest.mark.parametrize("size", ["long", "large"])
def test_so_does_a_long_one(size: Size) -> None:
    assert faults(texts(size, 1)) == ()


@pytest.mark.parametrize("size", SIZES)
def test_every_log_can_be_measured_line_by_line(size: Size) -> None:
    found = texts(size, 2)
    index = CorpusIndex.of(found)
    for path, text in found.items():
        lines = split_lines(text)
        unique = [index.is_unique(normal_form(line)) for line in lines]
        assert any(unique[:5]), path
        if path != "runbook.md":
            assert all(unique), path
        for start in range(max(1, len(lines) - 19)):
            assert any(unique[start : start + 20]), (path, start)
        assert max(map(len, lines)) <= 400, path


@pytest.mark.parametrize("size", SIZES)
def test_logs_of_a_kind_share_few_runs_of_words(size: Size) -> None:
    for seed in range(1 if size == "large" else 3):
        for kind in LOGS:
            sets = [shingles(d.text) for d in corpus(size, seed) if d.kind == kind]
            shared = sorted(len(a & b) / len(a | b) for a, b in combinations(sets, 2))
            assert shared[int(0.95 * len(shared))] <= 0.35, (kind, seed)
            assert shared[-1] <= 0.6, (kind, seed)


def shingles(text: str) -> set[tuple[str, ...]]:
    """Runs of five words; words with a digit, so ids and times, are one mask, as names are."""
    words = [
        "0" if any(c.isdigit() for c in word) else "N" if word[0].isupper() else word
        for word in re.findall(r"[\w.:,+-]*\d[\w.:,+-]*|[^\W\d]+", text)
    ]
    words = [word for i, word in enumerate(words) if word not in "0N" or words[i - 1 : i] != [word]]
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}


def test_the_same_seed_gives_the_same_night_and_another_seed_another_one() -> None:
    again = IncidentsGenerator(
        IncidentsParameters.model_validate(spec().corpus.sizes["small"]), random.Random(1)
    )
    assert {str(d.path): d.text for d in again.documents()} == texts("small", 1)
    assert not set(texts("small", 1).values()) & set(texts("small", 2).values())


def test_one_generator_tells_the_same_night_twice() -> None:
    generator = IncidentsGenerator(IncidentsParameters(), random.Random(3))
    assert list(generator.documents()) == list(generator.documents())


PRINT = """
import hashlib, random
from generators.incidents.generator import IncidentsGenerator
from generators.incidents.parameters import IncidentsParameters
documents = IncidentsGenerator(IncidentsParameters(busiest=300), random.Random(5)).documents()
print(hashlib.sha256("".join(d.text for d in documents).encode()).hexdigest())
"""


def test_neither_hash_seed_nor_zone_nor_locale_changes_a_byte() -> None:
    settings = [
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"},
    ]
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINT],
            check=True,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=os.environ | setting,
        ).stdout
        for setting in settings
    }
    assert len(printed) == 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"sites": 49}, "less than or equal to 48"),
        ({"sites": 0}, "greater than or equal to 1"),
        ({"requests": 0}, "greater than or equal to 1"),
        ({"messages": -1}, "greater than or equal to 1"),
        ({"site": 3}, "Extra inputs"),
    ],
)
def test_parameters_out_of_range_are_refused(values: dict[str, int], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        IncidentsParameters.model_validate(values)


@pytest.mark.parametrize("values", [{"sites": 1}, {"sites": 48, "requests": 5, "chatter": 1}])
def test_a_fleet_may_be_one_site_or_many(values: dict[str, int]) -> None:
    parameters = IncidentsParameters.model_validate(values)
    documents = list(IncidentsGenerator(parameters, random.Random(1)).documents())
    assert len(documents) == 7 * values["sites"] + 1
    assert faults({str(d.path): d.text for d in documents}) == ()


WORDS_OF_OURS = re.compile(r"(?i)\bocb\b|overclaim|needle|planted|ablation|\bsim/")


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_tells_the_reader_what_this_is(seed: int) -> None:
    for path, text in texts("standard", seed).items():
        assert not WORDS_OF_OURS.search(path + text), path
