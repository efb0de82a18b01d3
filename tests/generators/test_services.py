from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path, PurePosixPath

import pytest
from pydantic import ValidationError

from authoring.loading import load_spec
from authoring.spec import Size
from generators.build import build_scenario
from generators.build_folder import load_build
from generators.catalogue import describe
from generators.document import Document
from generators.lines import CorpusIndex, split_lines
from generators.planters.languages import LanguageName, Source
from generators.services.consistency import faults
from generators.services.generator import ServicesGenerator
from generators.services.plan import ServicesParameters
from generators.tokens import count_tokens

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "scenario_specs" / "service_audit.yaml"
BUILDS: list[tuple[Size, int]] = [("small", 0), ("small", 1), ("standard", 0), ("standard", 1)]
CORPORA: list[tuple[Size, int]] = [*BUILDS, ("long", 0)]


@cache
def corpus(size: Size, seed: int) -> tuple[Document, ...]:
    sizes = load_spec(SPEC, describe()).corpus.sizes
    parameters = ServicesParameters.model_validate(sizes[size])
    return tuple(ServicesGenerator(parameters, random.Random(seed)).documents())


def texts(size: Size, seed: int) -> dict[PurePosixPath, str]:
    return {document.path: document.text for document in corpus(size, seed)}


@cache
def index(size: Size, seed: int) -> CorpusIndex:
    return CorpusIndex.of({str(path): text for path, text in texts(size, seed).items()})


def test_the_kinds_of_files_of_the_standard_size() -> None:
    assert Counter(document.kind for document in corpus("standard", 0)) == {
        "baseline": 1,
        "client": 8,
        "config": 4,
        "deployment": 4,
        "gateway": 4,
        "handler": 8,
        "image": 4,
        "library": 7,
        "migration": 8,
        "policy": 4,
        "schema": 8,
        "start": 4,
        "store": 8,
        "webhook": 4,
    }


@pytest.mark.parametrize(
    ("size", "least", "most", "files"),
    [
        ("small", 13_000, 17_000, range(12, 16)),
        ("standard", 50_000, 75_000, range(40, 81)),
        ("long", 120_000, 180_000, range(120, 180)),
    ],
)
def test_a_size_has_its_tokens_and_files(size: Size, least: int, most: int, files: range) -> None:
    for seed in range(2):
        documents = corpus(size, seed)
        assert least <= sum(count_tokens(document.text) for document in documents) <= most
        assert len(documents) - 1 in files


def test_a_generator_yields_the_same_documents_each_time_it_is_asked() -> None:
    generator = ServicesGenerator(ServicesParameters(services=2), random.Random(2))
    assert list(generator.documents()) == list(generator.documents())


def test_another_seed_gives_another_code_base() -> None:
    assert texts("small", 0).keys() != texts("small", 1).keys()


@pytest.mark.parametrize(("size", "seed"), CORPORA)
def test_what_one_file_says_of_another_is_so(size: Size, seed: int) -> None:
    assert faults(texts(size, seed)) == ()


BROKEN = {
    "a module that is not there": (r"\.intake import", ".intakes import", "no module"),
    "a name that is not there": (r"import BadInput, Body$", "import BadInputs, Body", "has no"),
    "a method that a store has not": (
        r"    async def (count|how_many|tally)\(",
        "    async def sum_of(",
        "Store has no",
    ),
    "a column that a table has not": (r"^    tenant_id UUID", "    owner_id UUID", "no column"),
    "a table that is not there": (r"^CREATE TABLE (\w+)s \(", r"CREATE TABLE \1 (", "no table"),
    "a field that is not selected": (r"^    version: int$", "    edition: int", "differ"),
    "a text that does not fit": (r"VARCHAR\((?:100|120|140|160|200|240)\)", "VARCHAR(90)", "may"),
    "a port that is another": (r"^EXPOSE \d+", "EXPOSE 8000", "do not agree on port"),
    "an ingress to nowhere": (r"target: \d+", "target: 8000", "does not lead"),
    "a neighbour at another port": (r"\.internal:8\d+\"", '.internal:8000"', "does not listen"),
    "a caller that gives up first": (r"timeout_ms: [2-5]\d\d\d", "timeout_ms: 10", "too short"),
    "a secret by another name": (r"name: (\w+)_SECRET", r"name: \1_KEY", "secrets"),
    "a permission nobody has": (r"^  (\w+)\.read: ", r"  \1.see: ", "granted"),
    "a call without a route": (r"/\$\{encodeURI", "/x/${encodeURI", "no route"),
    "root in an image": (r"^USER \d+:", "USER 0:", "user of its own"),
}


@pytest.mark.parametrize(("pattern", "replacement", "said"), BROKEN.values(), ids=BROKEN)
def test_what_is_not_so_is_found(pattern: str, replacement: str, said: str) -> None:
    changed = {
        path: re.sub(pattern, replacement, text, flags=re.MULTILINE)
        for path, text in texts("standard", 0).items()
    }
    assert any(said in fault for fault in faults(changed))


LANGUAGES: Mapping[str, LanguageName] = {
    ".py": "python",
    ".ts": "typescript",
    ".sql": "sql",
    ".yaml": "yaml",
    "": "dockerfile",
}


@pytest.mark.parametrize(("size", "seed"), CORPORA)
def test_every_file_parses(size: Size, seed: int) -> None:
    for path, text in texts(size, seed).items():
        if path.suffix in LANGUAGES:
            assert Source.parse(text, LANGUAGES[path.suffix]).faults() == 0, path


@pytest.mark.parametrize(("size", "seed"), [("small", 0), ("standard", 0), ("long", 0)])
def test_every_name_in_python_is_known_and_used(size: Size, seed: int, tmp_path: Path) -> None:
    for path, text in texts(size, seed).items():
        if path.suffix == ".py":
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
    command = [
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--select",
        "F",
        "--output-format",
    ]
    checked = subprocess.run(
        [sys.executable, *command, "concise", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(("size", "seed"), CORPORA)
def test_every_file_has_a_unique_line_near_its_top_and_in_every_window(
    size: Size, seed: int
) -> None:
    for path, lines in index(size, seed).files.items():
        unique = [index(size, seed).is_unique(line) for line in lines]
        assert any(unique[:5]), path
        assert all(any(unique[i : i + 20]) for i in range(max(1, len(unique) - 19))), path


OURS = ("ocb", "overclaim", "needle", "planted", "ablation", "sim/", "benchmark", "scenario")


@pytest.mark.parametrize(("size", "seed"), CORPORA)
def test_no_word_says_what_the_files_are_for_and_no_mark_of_a_template_is_left(
    size: Size, seed: int
) -> None:
    for document in corpus(size, seed):
        words = f"{document.path}\n{document.text}".lower()
        assert not [word for word in OURS if word in words]
        assert not re.search(r"[«»]|\{%|@HEAD@|Undefined|\(,|, ,|\{COLUMNS\}", document.text)
        assert document.text.endswith("\n")
        assert not document.text.endswith("\n\n")
        assert max(map(len, split_lines(document.text))) <= 180, document.path


def shingles(text: str) -> set[tuple[str, ...]]:
    """Runs of five words, with names, numbers and dates masked."""
    masked = re.sub(r"\d[\d,.:/-]*", "0", text)
    masked = re.sub(r"\b[A-Z][\w'.]*(?:\s+[A-Z][\w'.]*)*", "N", masked)
    words = re.findall(r"\w+", masked)
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}


@pytest.mark.parametrize(("size", "seed"), [("standard", 0), ("long", 0)])
def test_files_of_a_kind_share_few_runs_of_words(size: Size, seed: int) -> None:
    kinds = defaultdict(list)
    for document in corpus(size, seed):
        kinds[document.kind].append(shingles(document.text))
    for kind, sets in kinds.items():
        shared = sorted(
            len(one & other) / len(one | other) for one, other in combinations(sets, 2)
        ) or [0.0]
        assert shared[int(0.95 * (len(shared) - 1))] <= 0.35, kind
        assert shared[-1] <= 0.6, kind


def test_the_largest_size_keeps_to_its_budget_and_has_its_needles(tmp_path: Path) -> None:
    spec = load_spec(SPEC, describe())
    paths = build_scenario(spec, size="large", parent=tmp_path, ocb_version="0")
    build = load_build(paths.root)
    assert len(build.registry.needles) == 38
    assert len([file for file in build.manifest.files if file.role == "review"]) >= 300
    assert 900_000 <= sum(file.tokens for file in build.manifest.files) <= 1_100_000
    for path, text in build.texts.items():
        assert not [word for word in OURS if word in f"{path}\n{text}".lower()], path


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"services": 0}, "greater than or equal to 1"),
        ({"services": 13}, "less than or equal to 12"),
        ({"entities": 9}, "less than or equal to 8"),
        ({"parts": ["handler"]}, "Input should be"),
        ({"service": 2}, "Extra inputs"),
    ],
)
def test_parameters_that_cannot_be_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ServicesParameters.model_validate(values)


def test_one_service_alone_calls_nobody() -> None:
    parameters = ServicesParameters(services=1, entities=1)
    documents = list(ServicesGenerator(parameters, random.Random(0)).documents())
    assert faults({document.path: document.text for document in documents}) == ()
