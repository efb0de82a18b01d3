from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from generators.detectors.trial.forms import read_form
from generators.document import Document
from generators.lines import CorpusIndex, split_lines
from generators.tokens import count_tokens
from generators.trial.consistency import faults
from generators.trial.generator import TrialGenerator
from generators.trial.plan import TrialParameters

ROOT = Path(__file__).parents[2]
SEEDS = range(5)
SMALL = TrialParameters(sites=1, subjects=2, visits=3, serious=1, monitoring=2)
LARGE = TrialParameters(sites=40, subjects=124, visits=5, serious=36)


@cache
def corpus(seed: int, parameters: TrialParameters | None = None) -> tuple[Document, ...]:
    generator = TrialGenerator(parameters or TrialParameters(), random.Random(seed))
    return tuple(sorted(generator.documents(), key=lambda d: str(d.path)))


def texts(seed: int, parameters: TrialParameters | None = None) -> dict[str, str]:
    return {str(d.path): d.text for d in corpus(seed, parameters)}


@cache
def index(seed: int) -> CorpusIndex:
    return CorpusIndex.of(texts(seed))


def test_the_default_is_the_records_of_nine_subjects_at_four_sites() -> None:
    kinds = Counter(document.kind for document in corpus(0))
    assert kinds.pop("crf") in (34, 35)
    assert kinds == {
        "protocol": 1,
        "delegation": 4,
        "listing": 4,
        "log": 4,
        "monitoring": 4,
        "consent": 9,
        "serious": 4,
    }


def test_paths_say_site_subject_and_visit_and_no_more() -> None:
    subject = r"sites/\d{3}/subjects/\d{3}-\d{4}-\d/(v[1-4]\.yaml|consent\.md)"
    site = r"sites/\d{3}/((delegation-log|monitoring-[\d-]+)\.md|(lab-listing|dispensing-log)\.csv)"
    report = r"sites/\d{3}/safety/s-\d{4}\.md"
    pattern = rf"protocol\.md|{report}|{site}|{subject}"
    assert all(re.fullmatch(pattern, str(d.path)) for d in corpus(0))


@pytest.mark.parametrize("seed", SEEDS)
def test_each_site_has_a_serious_event_before_any_has_two(seed: int) -> None:
    """Or else no report would stand in some third of the files."""
    sites = Counter(d.path.parts[1] for d in corpus(seed) if d.kind == "serious")
    assert list(sites.values()) == [1, 1, 1, 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_consent_says_of_the_signature_stands_now_early_now_late(seed: int) -> None:
    depths = []
    for document in corpus(seed):
        if document.kind == "consent":
            lines = split_lines(document.text)
            (line,) = [n for n, text in enumerate(lines) if re.search(r"version \d", text)]
            depths.append(3 * line // len(lines))
    assert set(depths) == {0, 1, 2}


def test_a_section_of_a_form_stands_at_another_depth_from_visit_to_visit() -> None:
    depths: dict[str, set[int]] = {}
    for document in corpus(0):
        if document.kind == "crf":
            form = read_form(document.text)
            assert form is not None
            line, count = form.of("labs")[3].line, len(split_lines(document.text))
            depths.setdefault(form.subject, set()).add(3 * (line - 1) // count)
    assert len(depths) == 9
    assert sum(len(seen) == 3 for seen in depths.values()) >= 7


def test_a_generator_yields_the_same_documents_each_time_it_is_asked() -> None:
    generator = TrialGenerator(SMALL, random.Random(2))
    assert list(generator.documents()) == list(generator.documents())


def test_another_seed_gives_another_trial() -> None:
    assert not set(texts(0).values()) & set(texts(1).values())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_corpus_keeps_to_its_size(seed: int) -> None:
    counts = [count_tokens(document.text) for document in corpus(seed)]
    assert 55_000 <= sum(counts) <= 70_000
    assert 13_000 <= sum(count_tokens(d.text) for d in corpus(seed, SMALL)) <= 17_000


@pytest.mark.parametrize("seed", SEEDS)
def test_every_file_has_a_unique_line_near_its_top_and_in_every_window(seed: int) -> None:
    for path, lines in index(seed).files.items():
        unique = [index(seed).is_unique(line) for line in lines]
        assert any(unique[:5]), path
        assert all(any(unique[i : i + 20]) for i in range(max(1, len(unique) - 19))), path


@pytest.mark.parametrize("seed", SEEDS)
def test_every_record_of_a_form_is_the_only_line_of_its_text(seed: int) -> None:
    """A defect may be put into any of them, and must be told apart from all others."""
    for path, lines in index(seed).files.items():
        if path.endswith((".yaml", ".csv")):
            records = [
                line for line in lines if re.search(r"\d{5}-\d\d|\d{3}/\d{3}|[CL]\d+\.", line)
            ]
            assert all(index(seed).is_unique(line) for line in records), path


@pytest.mark.parametrize("seed", SEEDS)
def test_no_line_is_long_and_no_mark_of_a_template_is_left(seed: int) -> None:
    for document in corpus(seed):
        assert max(map(len, split_lines(document.text))) <= 400
        assert not re.search(r"\{\{|%\}|\[[^\]]*\||Undefined|\bNone\b| [,;.]\s", document.text)
        assert document.text.endswith("\n")
        assert not document.text.endswith("\n\n")
        assert "\n\n\n" not in document.text


@pytest.mark.parametrize("seed", SEEDS)
def test_every_form_is_yaml_that_any_reader_takes(seed: int) -> None:
    for document in corpus(seed):
        if document.path.suffix == ".yaml":
            # The same safe loader as `safe_load`, in C.
            made = yaml.load(document.text, yaml.CSafeLoader)
            assert isinstance(made, dict), document.path


OURS = ("ocb", "overclaim", "needle", "planted", "ablation", "sim/", "benchmark", "scenario")


@pytest.mark.parametrize("seed", SEEDS)
def test_no_word_says_what_the_files_are_for(seed: int) -> None:
    for path, text in texts(seed).items():
        words = f"{path}\n{text}".lower()
        assert not [word for word in OURS if word in words]


# Records that agree


@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param(SMALL, id="small"),
        pytest.param(TrialParameters(), id="standard"),
        pytest.param(
            TrialParameters(sites=3, subjects=11, visits=7, serious=3, monitoring=3),
            id="all visits",
        ),
    ],
)
@pytest.mark.parametrize("seed", range(12))
def test_the_records_agree_with_each_other_and_with_the_protocol(
    seed: int, parameters: TrialParameters
) -> None:
    assert faults(texts(seed, parameters)) == ()


def test_a_large_trial_agrees_too() -> None:
    made = texts(0, LARGE)
    assert len(made) >= 301
    assert faults(made) == ()


def first_of(made: Mapping[str, str], ending: str, holds: str = "") -> str:
    """The first file with such a name that holds what a pattern matches."""
    return next(p for p in sorted(made) if p.endswith(ending) and re.search(holds, made[p]))


MUTATIONS: Mapping[str, tuple[str, str, str, str]] = {
    "a form that is no form": ("v1.yaml", r"(?m)^# .*$", "- a list:", "is no form"),
    "a form without its signature": ("v1.yaml", r"(?m)^.*sign.*:\n.*\n\Z", "", "is not signed"),
    "a form without an examination": (
        "v2.yaml",
        r"(?m)^(?:exam|physical_examination|examination|body_systems):$",
        "elsewhere:",
        "fewer than 3 records in exam",
    ),
    "a signature two years later": (
        "v1.yaml",
        r"202([34])(-\d\d-\d\d(?:[^\n]*))\n\Z",
        r"2029\2\n",
        "is not signed in time",
    ),
    "a signer whom nobody knows": (
        "v1.yaml",
        r"(by|signatory|investigator):? [A-Z]\w+",
        r"\1 Zacharias",
        "in no delegation log",
    ),
    "another body mass index": (
        "v1.yaml",
        r"\b(2[6-9]|3[0-6])\.\d(?= kg/m2|[^\n]*kg/m2)",
        "38.7",
        "body mass index",
    ),
    "a sample of no visit": ("lab-listing.csv", r"\bV1\b", "V9", "belongs to no visit"),
    "a sample of another year": ("lab-listing.csv", r"202\d-", "2019-", "taken before consent"),
    "a flag too many": ("lab-listing.csv", r"(?<=[;,])H(?=[;,\n])", "L", "flag"),
    "a supply of another size": (
        "dispensing-log.csv",
        r"(?<=[;,])(\d\d)0(?=[;,])",
        r"\g<1>1",
        "the supply is not that of the log",
    ),
    "a supply of another day": (
        "dispensing-log.csv",
        r"202\d-",
        "2019-",
        "handed out at no visit|came back at no visit",
    ),
    "a supply by a stranger": (
        "dispensing-log.csv",
        r"(?<=[;,])[A-Z][A-Z](?=[;,\n])",
        "ZZ",
        "nobody of the site",
    ),
    "a report before the site knew": (
        "safety/",
        r"(?s)(.*)202\d(-\d\d-\d\d \d\d:\d\d)",
        r"\g<1>2019\2",
        "sent before the site knew",
    ),
    "a note with wrong figures": (
        "monitoring",
        r"\d+(?= (?:had taken|had started|dosed))",
        "77",
        "counts",
    ),
    "a subject without consent": ("consent.md", r"version (?=\d)", "edition ", "of other subjects"),
}


@pytest.mark.parametrize(
    ("file", "pattern", "replacement", "fault"),
    [pytest.param(*mutation, id=name) for name, mutation in MUTATIONS.items()],
)
def test_what_does_not_agree_is_told(file: str, pattern: str, replacement: str, fault: str) -> None:
    made = texts(0)
    path = next(p for p in sorted(made) if file in p and re.search(pattern, made[p]))
    changed = re.sub(pattern, replacement, made[path], count=1)
    assert changed != made[path]
    found = faults(made | {path: changed})
    assert [one for one in found if re.search(fault, one)], found


def test_a_corpus_without_a_protocol_is_not_in_order() -> None:
    made = texts(0, SMALL)
    del made["protocol.md"]
    assert faults(made) == ("there are 0 protocols",)


# Variation


def shingles(text: str) -> set[tuple[str, ...]]:
    """Runs of five words, with names, numbers and dates masked."""
    masked = re.sub(r"\d[\d,.:/-]*", "0", text)
    masked = re.sub(r"\b[A-Z][\w'.]*(?:\s+[A-Z][\w'.]*)*", "N", masked)
    words = re.findall(r"\w+", masked)
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}


def test_files_of_a_kind_share_few_runs_of_words() -> None:
    parameters = TrialParameters(sites=10, subjects=30, monitoring=2, serious=12)
    for kind in ("crf", "listing", "log", "delegation", "monitoring", "consent", "serious"):
        sets = [shingles(d.text) for d in corpus(3, parameters) if d.kind == kind]
        shared = sorted(
            len(one & other) / min(len(one), len(other)) for one, other in combinations(sets, 2)
        )
        assert shared[int(0.95 * len(shared))] <= 0.35, kind
        assert shared[-1] <= 0.6, kind


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"sites": 3, "subjects": 2, "serious": 0}, "more sites than subjects"),
        ({"subjects": 9, "serious": 10}, "more serious events"),
        ({"visits": 2}, "greater than or equal to 3"),
        ({"visits": 8}, "less than or equal to 7"),
        ({"forms": 3}, "Extra inputs"),
    ],
)
def test_parameters_that_do_not_fit_together_are_refused(
    values: dict[str, int], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        TrialParameters.model_validate(values)


LISTED = re.compile(r"(\d+) mg (once|twice|three times) daily")
TIMES = {"once": 1, "twice": 2, "three times": 3}


def test_the_dose_of_metformin_is_the_same_where_a_form_lists_and_where_it_states_it() -> None:
    checked = 0
    for path, text in sorted(texts(0).items()):
        lines = [line for line in text.split("\n") if "metformin" in line]
        listed = [match for line in lines if (match := LISTED.search(line))]
        stated = [line for line in lines if "mg/day" in line]
        if listed and stated:
            milligrams, times = listed[0].groups()
            assert str(int(milligrams) * TIMES[times]) in stated[0], path
            checked += 1
    assert checked > 3
