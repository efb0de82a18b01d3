"""`ocb report` as a user meets it: what it prints, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from authoring.artefacts import write_artefact
from evaluation.run import Limits, Outcome, RunKey, RunPaths, RunRecord, Usage
from ocb.cli.main import run

HOSTILE = "sim/</script>\x1b[31m[red]"


def lay_failed_run(sweep: Path, repetition: int) -> RunPaths:
    """A run that failed around the agent: there is nothing to score."""
    key = RunKey(
        scenario="contract_review",
        tree="a" * 64,
        harness="fixed",
        harness_version="1",
        model=HOSTILE,
        upstream="simulated",
        condition="direct",
        prompt_sha256="b" * 64,
        tools=(),
        limits=Limits(),
        repetition=repetition,
    )
    paths = RunPaths(sweep / key.digest())
    paths.root.mkdir(parents=True)
    record = RunRecord(
        key=key,
        simulated=True,
        sandbox="not needed",
        validation="structural",
        outcome=Outcome(kind="infrastructure", reason="exit code 1"),
        started=0.0,
        seconds=1.0,
        usage=Usage(),
        models={},
    )
    write_artefact(paths.record, record)
    return paths


def test_a_whole_sweep_exits_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_failed_run(tmp_path, 1)
    lay_failed_run(tmp_path, 2)
    assert run(["report", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "2 runs: 2 finished, 0 unfinished, 0 lost" in shown.out
    assert "no data" in shown.out
    assert shown.err == ""


def test_the_json_has_the_same_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_failed_run(tmp_path, 1)
    assert run(["report", str(tmp_path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["schema"] == "ocb.report/1"
    assert report["rows"][0]["tally"]["outcomes"]["infrastructure"] == 1
    assert report["rows"][0]["rules"]["touched"]["incomplete"]["rate"]["method"] == "no data"


def test_an_unfinished_run_exits_with_1(tmp_path: Path) -> None:
    lay_failed_run(tmp_path, 1)
    lay_failed_run(tmp_path, 2).record.unlink()
    assert run(["report", str(tmp_path)]) == 1


def test_a_lost_run_is_named_and_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_failed_run(tmp_path, 1)
    torn = lay_failed_run(tmp_path, 2)
    torn.record.write_bytes(b"{")
    assert run(["report", str(tmp_path)]) == 1
    assert f"lost: {torn.root.name}: run.json is not a valid RunRecord" in capsys.readouterr().out


@pytest.mark.parametrize("flag", [(), ("--json",)], ids=["tables", "json"])
def test_a_hostile_name_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: tuple[str, ...]
) -> None:
    lay_failed_run(tmp_path, 1)
    run(["report", str(tmp_path), *flag])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "[red]" in out


def test_a_folder_without_runs_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "holds no run" in shown.err
    assert "Traceback" not in shown.err
