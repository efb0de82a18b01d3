"""A simulated model with parameters, from the flag or the file to the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from authoring.artefacts import read_artefact
from evaluation.run import RunPaths, RunRecord
from evaluation.sweep.plan import SweepPaths
from ocb.cli.main import run
from tests.e2e.truth_corpus import build_truth_corpus

NAME = "sim/custom?share=0.4&lines=20&claim=silent"
SPELLED = "sim/custom?lines=020&claim=silent&seed=0&share=0.40"

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of 16 small files, without a seal."""
    return build_truth_corpus(tmp_path_factory.mktemp("truth")).paths.root


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """A command with runs below the test's own folder: exit code, output, errors."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        where = ("-o", tmp_path / "runs", "--allow-unvalidated") if arguments[0] == "eval" else ()
        code = run([*map(str, (*arguments, *where))])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_two_spellings_are_one_run_with_one_name(stock: Path, tmp_path: Path, say: Say) -> None:
    code, out, err = say("eval", "--build", stock, "--model", SPELLED)
    assert (code, f"fixed {NAME} direct 1: completed" in err) == (0, True), err
    sweep = Path(out.strip())
    request = {
        "schema": "ocb.sweep-request/1",
        "name": sweep.name,
        "builds": [str(stock)],
        "agents": [{"harness": "fixed", "models": [NAME]}],
    }
    file = tmp_path / "sweep.yaml"
    file.write_text(yaml.safe_dump(request))
    code, out, err = say("eval", file)
    assert (code, "completed, was there" in err) == (0, True), err
    paths = SweepPaths(sweep)
    (folder,) = (one for one in sweep.iterdir() if one.is_dir())
    record = read_artefact(RunPaths(folder).record, RunRecord)
    assert (record.key.model, record.key.digest()) == (NAME, folder.name)
    assert yaml.safe_load(paths.plan.read_text())["agents"][0]["models"] == [NAME]
    paths.index.unlink()
    assert "completed, was there" in say("eval", file)[2], "the index is made again from the runs"
    shown = say("report", sweep)[1]
    assert NAME in " ".join(shown.split())
    table = json.loads(say("report", sweep, "--json")[1])
    assert [row["setting"]["model"] for row in table["rows"]] == [NAME]


@pytest.mark.parametrize(
    ("models", "what"),
    [
        pytest.param((NAME, SPELLED), "planned twice", id="one model in two spellings"),
        pytest.param(("sim/custom?share=2",), "valid: a number from 0 to 1", id="a bad value"),
        pytest.param(("sim/custom?line=2",), "did you mean 'lines'?", id="a bad name"),
        pytest.param(("sim/jq-claims",), "fixed gives its model no shell", id="no shell"),
        pytest.param(("sim/script-admits",), "fixed gives its model no shell", id="no script"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is_made(
    stock: Path, tmp_path: Path, say: Say, models: tuple[str, ...], what: str
) -> None:
    flags = (part for model in models for part in ("--model", model))
    code, out, err = say("eval", "--build", stock, *flags)
    assert (code, what in " ".join((out + err).split())) == (2, True), out + err
    assert not (tmp_path / "runs").exists()
