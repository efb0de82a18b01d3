"""`ocb eval` as a user meets it: what is said before it starts, what comes out, how it ends."""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from authoring.artefacts import read_artefact, write_artefact
from authoring.loading import load_spec
from evaluation.run import Outcome, RunPaths, RunRecord
from evaluation.scoring.score import Score
from evaluation.sweep.costs import load_prices
from generators.build import build_scenario
from generators.catalogue import describe
from ocb.cli.eval import command
from ocb.cli.flags import HEADINGS
from ocb.cli.main import run
from ocb.shipped import find_spec
from tests.e2e import truth_corpus
from tests.evaluation.sweep.model_server import MODEL, ModelServer, completion

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PRICES = """\
schema: ocb.prices/1
models:
  - {name: large, input: 5, output: 25, date: 2026-11-30, source: a list}
"""
FAR = "http://192.0.2.1:9"  # an address that leads nowhere (RFC 5737); nothing is sent to it


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of 16 small files, without a seal."""
    return truth_corpus.build_truth_corpus(tmp_path_factory.mktemp("truth")).paths.root


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of another scenario, without a seal."""
    spec = load_spec(find_spec("contract_review"), describe())
    parent = tmp_path_factory.mktemp("letters")
    return build_scenario(spec, size="small", parent=parent, ocb_version="test").root


class DiskUsage(NamedTuple):
    """What a disk says of itself."""

    free: int


class Said:
    """What a command said, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in err


Eval = Callable[..., Said]


@pytest.fixture
def evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Eval:
    """`ocb eval` with runs below the test's own folder."""

    def call(*arguments: str | Path) -> Said:
        where = ("-o", str(tmp_path / "runs"), "--allow-unvalidated")
        code = run(["eval", *map(str, arguments), *where])
        shown = capsys.readouterr()
        return Said(code, shown.out, shown.err)

    return call


def test_a_dry_run_shows_the_matrix_and_makes_nothing(
    evaluate: Eval, stock: Path, tmp_path: Path
) -> None:
    said = evaluate("--build", stock, "--model", "sim/oracle", "--repetitions", "3", "--dry-run")
    assert said.code == 0
    assert "3 runs, 0 there already; what is left costs nothing" in said.out
    assert "stock_lists, fixed, sim/oracle, direct" in said.out
    assert not (tmp_path / "runs").exists()


def test_a_dry_run_in_json_is_json_alone(evaluate: Eval, stock: Path) -> None:
    said = evaluate("--build", stock, "--model", "sim/oracle", "--dry-run", "--json")
    plan = json.loads(said.out)
    assert (plan["schema"], plan["runs"], plan["sweep"]) == ("ocb.evaluation/1", [], "")
    assert plan["matrix"]["runs"] == 1
    assert {"name", "about", "ok", "note", "detail", "remedy"} == {*plan["preflight"][0]}
    assert all(check["ok"] for check in plan["preflight"])


def test_the_same_command_again_makes_nothing(evaluate: Eval, stock: Path) -> None:
    first = evaluate("--build", stock, "--model", "sim/oracle", "--json")
    assert (first.code, "1 run, 0 there already" in first.err) == (0, True)
    made = json.loads(first.out)
    assert made["outcomes"] == {"completed": 1}
    assert [one["key"]["model"] for one in made["runs"]] == ["sim/oracle"]
    again = evaluate("--build", stock, "--model", "sim/oracle")
    assert again.out == made["sweep"] + "\n"
    assert "1 run, 1 there already" in again.err
    assert "[1/1] stock_lists fixed sim/oracle direct 1: completed, was there" in again.err


def test_a_void_run_counts_as_there_once_it_was_made_often_enough(
    evaluate: Eval, stock: Path
) -> None:
    asked = ("--build", stock, "--model", "sim/nop")
    (record,) = Path(evaluate(*asked).out.strip()).glob("*/run.json")
    void = read_artefact(record, RunRecord).model_copy(
        update={"outcome": Outcome(kind="infrastructure"), "attempt": 3}
    )
    write_artefact(record, void)
    assert "1 run, 1 there already" in evaluate(*asked, "--dry-run").out
    assert "1 run, 0 there already" in evaluate(*asked, "--dry-run", "--retries", "3").out
    assert "1 run, 0 there already" in evaluate(*asked, "--dry-run", "--retry-void").out


def shown_after(text: str) -> str:
    """The first block that the page shows after a text."""
    page = (EXAMPLES.parent / "evaluation.md").read_text()
    lines = page[page.index(text) :].splitlines()
    block = itertools.takewhile(
        lambda line: not line or line.startswith("    "),
        itertools.dropwhile(lambda line: not line.startswith("    "), lines),
    )
    return textwrap.dedent("\n".join(block)) + "\n"


def typed(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints that is typed as the page shows it."""
    if inner := re.search(r'"\$\((.*)\)"', line):
        line = line.replace(inner[0], shlex.quote(typed(inner[1], capsys).strip()))
    program, *arguments = shlex.split(line)
    code = run(arguments)
    shown = capsys.readouterr()
    assert (program, code) == ("ocb", 0), shown.err
    return shown.out


def test_who_follows_the_page_gets_runs_and_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sweep.yaml").write_text(shown_after("Put this into `sweep.yaml`"))
    told = [
        typed(line, capsys) for line in shown_after("Then, in the same folder").split("\n") if line
    ]
    assert "8 runs: 8 finished, 0 unfinished, 0 lost" in told[-1]
    records = [
        read_artefact(path, RunRecord) for path in tmp_path.glob("runs/first-look/*/run.json")
    ]
    cells = {(one.key.repetition, one.key.model, one.key.condition) for one in records}
    assert len(records) == len(cells) == 2 * 2 * 2
    assert {one.outcome.kind for one in records} == {"completed"}
    assert {one.validation for one in records} == {"structural"}


@pytest.mark.parametrize("ending", ["", "/v1", "/v1/"])
def test_an_address_is_the_same_with_and_without_its_version(
    evaluate: Eval, stock: Path, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / "sweep.yaml"
    path.write_text(
        f"schema: ocb.sweep-request/1\nbuilds: ['{stock}']\nagents:\n"
        f"  - {{models: [large], upstream: {{url: '{FAR}{ending}'}}}}\n"
    )
    flags = ("--build", stock, "--model", "large", "--upstream", FAR + ending)
    for asked in ((path,), flags):
        plan = json.loads(evaluate(*asked, "--dry-run", "--json").out)
        (check,) = (one for one in plan["preflight"] if one["name"] == "upstream")
        assert check["detail"].startswith(f"{FAR} (compatible)")


def test_runs_that_were_made_at_another_server_are_noted(evaluate: Eval, stock: Path) -> None:
    asked = ("--build", stock, "--model", MODEL, "--name")
    with ModelServer(completion) as server:
        assert evaluate(*asked, "first", "--upstream", server.url + "/v1").code == 0
        made_at = server.url
    said = evaluate(*asked, "second", "--upstream", "http://127.0.0.1:9")
    told = f"1 run taken from first: made at {made_at}, and this sweep asks http://127.0.0.1:9"
    assert told in said.err
    assert "completed, taken from first" in said.err


def test_a_cap_below_the_cost_is_told_beside_it(evaluate: Eval, stock: Path, prices: Path) -> None:
    asked = ("--build", stock, "--model", "large", "--upstream", FAR, "--prices", prices)
    free = json.loads(evaluate(*asked, "--dry-run", "--json").out)["matrix"]
    capped = evaluate(*asked, "--dollars", "0.01", "--dry-run")
    assert f"what is left costs ${free['cost']['least']:.2f} to" in " ".join(capped.out.split())
    assert "of which $0.01 is left, ends it before" in " ".join(capped.out.split())
    assert "note  money: $0.01 may be spent" in capped.out
    assert "note  money: for one call up to $0.8" in capped.out


def test_the_page_shows_the_examples_as_they_are() -> None:
    page = (EXAMPLES.parent / "evaluation.md").read_text()
    for name in ("sweep.yaml", "prices.yaml"):
        shown = "".join(f"    {line}\n" for line in (EXAMPLES / name).read_text().splitlines())
        assert re.sub(r" +\n", "\n", shown) in page
    assert load_prices(EXAMPLES / "prices.yaml").of("large-1-20260101") is not None


def test_every_flag_is_explained_on_the_page() -> None:
    page = (EXAMPLES.parent / "evaluation.md").read_text()
    flags = [flag for one in command.params for flag in one.opts if flag.startswith("--")]
    assert flags
    assert not [flag for flag in flags if f"`{flag}" not in page]


def test_every_option_stands_under_one_heading() -> None:
    options = [one.name for one in command.params if isinstance(one, click.Option)]
    headed = [name for names in HEADINGS.values() for name in names]
    assert sorted(map(str, options)) == sorted(headed)


def test_runs_of_two_scenarios_are_scored_against_their_own_builds(
    evaluate: Eval, stock: Path, letters: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = evaluate("--build", stock, "--build", letters, "--model", "sim/partial-claims")
    sweep = Path(said.out.strip())
    scores = {path: path.read_bytes() for path in sweep.glob("*/score.json")}
    assert len(scores) == 2
    for path in scores:
        path.unlink()
    assert run(["score", str(sweep), "--build", str(stock)]) == 1
    assert "made on another build, of contract_review" in capsys.readouterr().err
    assert run(["score", str(sweep), "--build", str(stock), "--build", str(letters)]) == 0
    assert {path: path.read_bytes() for path in scores} == scores
    assert run(["report", str(sweep), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["scenarios"] == ["contract_review", "stock_lists"]
    assert row["tally"]["outcomes"]["completed"] == 2


def test_builds_of_one_corpus_that_ask_otherwise_are_told_apart(
    evaluate: Eval,
    stock: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asks = truth_corpus.SPEC.replace("Put the whole report", "Give the whole report")
    monkeypatch.setattr(truth_corpus, "SPEC", asks)
    other = truth_corpus.build_truth_corpus(tmp_path).paths.root
    sweep = evaluate("--build", other, "--model", "sim/nop").out.strip()
    assert run(["score", sweep, "--build", str(stock)]) == 1
    assert "made on another build" in capsys.readouterr().err
    assert run(["score", sweep, "--build", str(stock), "--build", str(other)]) == 0


def test_a_build_that_is_given_twice_is_run_once(evaluate: Eval, stock: Path) -> None:
    said = evaluate("--build", stock, "--build", f"{stock}/../*", "--model", "sim/nop", "--dry-run")
    assert "taken once" in said.out
    assert "1 run, 0 there" in said.out


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    path = tmp_path / "prices.yaml"
    path.write_text(PRICES)
    return path


def test_everything_that_is_wrong_is_told_at_once(
    evaluate: Eval, stock: Path, prices: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "the-key-of-a-server\nx")
    said = evaluate(
        *("--build", stock, "--build", tmp_path / "none", "--model", "large", "--upstream", FAR),
        *("--key-variable", "A_KEY", "--setting", "efort=3", "--turns", "31", "--judge", "rule"),
        *("--condition", "direct", "--prices", prices, "--run-dollars", "0.01", "--json"),
    )
    assert said.code == 2
    plan = json.loads(said.out)
    refused = {check["name"] for check in plan["preflight"] if not check["ok"]}
    assert refused == {"build", "key", "settings", "judge", "limits"}
    for check in plan["preflight"]:
        assert check["ok"] or check["detail"] in said.err
    assert "the-key-of-a-server" not in said.out + said.err
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        pytest.param(("--repetitions", 10**9), "--repetitions: ", id="a-billion"),
        pytest.param(("--seconds", "nan"), "--seconds: ", id="not-a-number"),
        pytest.param(("--dollars", "inf"), "--dollars: ", id="no-end-of-money"),
        pytest.param(("--name", "../x"), "--name: ", id="a-path"),
        pytest.param(("--setting", "effort"), "'effort' is not KEY=VALUE", id="no-value"),
        pytest.param(("--harness", "fixt"), "did you mean 'fixed'?", id="harness"),
        pytest.param(("--model", "large"), "simulated and real models", id="mixed"),
        pytest.param(("--condition", "direkt"), "'direkt'", id="condition"),
    ],
)
def test_a_bad_flag_is_told(
    evaluate: Eval, stock: Path, arguments: tuple[Any, ...], what: str
) -> None:
    said = evaluate("--build", stock, "--model", "sim/nop", *arguments)
    assert (said.code, what in said.err) == (2, True), said.err


def test_a_bad_file_is_told_with_its_places(evaluate: Eval, tmp_path: Path) -> None:
    path = tmp_path / "sweep.yaml"
    path.write_text("schema: ocb.sweep-request/1\nbuilds: [x]\nagents: []\nretrys: 1\n")
    said = evaluate(path)
    assert said.code == 2
    for place in (":2:10: ", ":3:9: ", ":4:1: "):
        assert f"{path}{place}" in said.err


def test_money_is_not_spent_without_a_yes(evaluate: Eval, stock: Path, prices: Path) -> None:
    asked = ("--build", stock, "--model", "large", "--upstream", FAR)
    said = evaluate(*asked, "--prices", prices)
    assert said.code == 2
    assert re.search(r"it may cost up to \$\d+\.\d\d; nothing was run\n  --yes starts it", said.err)
    unknown = evaluate(*asked)
    assert "its cost is not known: no price of large; nothing was run" in unknown.err
    capped = evaluate(*asked, "--dollars", "0.99", "--prices", prices, "--dry-run")
    assert (capped.code, capped.err) == (0, "")


def test_runs_that_stay_void_end_with_3(evaluate: Eval, stock: Path) -> None:
    """Nobody listens at this port of the very machine, which needs no --yes."""
    asked = ("--build", stock, "--model", "large", "--upstream", "http://127.0.0.1:9")
    said = evaluate(*asked, "--retries", "0", "--json")
    assert said.code == 3
    made = json.loads(said.out)
    assert made["outcomes"] == {"infrastructure": 1}
    assert made["runs"][0]["cost"] is None


def test_a_sweep_that_is_stopped_ends_with_3(
    evaluate: Eval, stock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There was room when it was looked at, and there is none when it begins."""
    rooms = chain((1 << 40,), repeat(1 << 20))
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: DiskUsage(free=next(rooms)))
    said = evaluate("--build", stock, "--model", "sim/nop", "--json")
    assert said.code == 3
    stopped = json.loads(said.out)["stopped"]
    assert "the disk" in stopped
    assert f"stopped: {stopped}\n{json.loads(said.out)['sweep']}: 0 runs there, 1 left" in said.err


def test_an_infeasible_pair_is_refused_or_marked(
    evaluate: Eval, stock: Path, tmp_path: Path
) -> None:
    windows = tmp_path / "windows.yaml"
    windows.write_text(
        "schema: ocb.models/1\nmodels:\n"
        "  - {name: tiny, vendor: v, window: 1000, source: a list, date: 2026-11-30}\n"
    )
    asked = ("--build", stock, "--model", "tiny", "--upstream", "http://127.0.0.1:9")
    more = ("--models", windows, "--retries", "0")
    assert "feasible (fixed, tiny, stock_lists-" in evaluate(*asked, *more).err
    said = evaluate(*asked, *more, "--allow-infeasible")
    assert said.code == 3
    assert " NO   unknown" in said.err
    (record,) = Path(said.out.strip()).glob("*/run.json")
    assert read_artefact(record, RunRecord).feasible is False


def test_on_a_terminal_it_asks(stock: Path, prices: Path, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    program = Path(sys.executable).parent / "ocb"
    with subprocess.Popen(
        [
            *(program, "eval", "--build", stock, "--model", "large", "--upstream", FAR),
            *("--prices", prices, "--allow-unvalidated", "-o", tmp_path / "runs"),
        ],
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=slave,
    ) as process:
        os.close(slave)
        told = ""
        while "Start? [y/N]" not in told:
            told += os.read(master, 4096).decode()
        os.write(master, b"n\n")
        assert process.wait(60) == 2
        assert process.stdout is not None
        assert process.stdout.read() == b""
    os.close(master)
    assert not (tmp_path / "runs").exists()


def test_scores_are_there_for_every_run(evaluate: Eval, stock: Path) -> None:
    sweep = Path(evaluate("--build", stock, "--model", "sim/oracle").out.strip())
    (found,) = sweep.glob("*/score.json")
    score = read_artefact(RunPaths(found.parent).score, Score)
    assert score.verdict is not None
    assert score.verdict["read"].value == "complete"
