"""`ocb validate` as a user meets it: what it prints, what it writes, how it exits."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from ocb.cli.main import run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two small builds."""
    parent = tmp_path_factory.mktemp("builds")
    names = ["contract_review", "trial_records"]
    assert run(["author", "build", *names, "--size", "small", "-o", str(parent)]) == 0
    first, second = sorted(parent.iterdir())
    return first, second


@pytest.fixture
def builds(made: tuple[Path, Path], tmp_path: Path) -> tuple[Path, Path]:
    """Copies that a test may spoil, with the times of the originals."""
    first, second = (shutil.copytree(one, tmp_path / one.name) for one in made)
    return first, second


def lines_of(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_sound_builds_are_sealed_with_a_table_and_a_page(
    builds: tuple[Path, Path], jobs: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", *map(str, builds), "--jobs", jobs]) == 0
    out, err = capfd.readouterr()
    for build in builds:
        (head,) = lines_of(out, build.name)
        assert ": sealed, structural (" in head
        report = json.loads((build / "validation.json").read_text())
        assert report["level"] == "structural"
        for needle in json.loads((build / "registry.json").read_text())["needles"]:
            # A long id goes on in the next line of its cell.
            assert lines_of(out, needle["id"][:12])
        assert (build / "validation.html").read_text().startswith("<!doctype html>")
    assert "FAIL" not in out
    assert "8/8" in err
    assert "\x1b" not in out + err


def test_a_build_that_fails_exits_with_1_and_the_other_is_sealed(
    builds: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    bad, good = builds
    victim = next((bad / "corpus").rglob("*.md"))
    os.utime(victim)
    assert run(["validate", str(bad), str(good), "--json"]) == 1
    shown = json.loads(capfd.readouterr().out)
    assert [report["level"] for report in shown["builds"]] == [None, "structural"]
    failed = [check["code"] for check in shown["builds"][0]["checks"] if not check["passed"]]
    assert failed == ["leak-time"]
    assert "not sealed" not in (good / "validation.html").read_text().lower()


def test_what_is_no_build_is_told_and_the_others_are_sealed(
    builds: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", str(builds[0]), str(tmp_path)]) == 2
    out, err = capfd.readouterr()
    assert lines_of(out, builds[0].name)
    assert "is no build: it holds no manifest.json" in err
    assert (builds[0] / "validation.json").is_file()


def test_one_check_alone_seals_nothing(
    builds: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", str(builds[0]), "--only", "swap", "--json"]) == 0
    (report,) = json.loads(capfd.readouterr().out)["builds"]
    assert {check["code"] for check in report["checks"]} == {"swap"}
    assert report["level"] is None
    assert not (builds[0] / "validation.json").exists()


def test_one_needle_alone_is_shown_alone(
    builds: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    needles = json.loads((builds[0] / "registry.json").read_text())["needles"]
    name = needles[1]["id"]
    assert run(["validate", str(builds[0]), "--needle", name]) == 0
    out = capfd.readouterr().out
    assert "checked in part" in out
    assert name in out
    assert needles[0]["id"] not in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(["--only", "swop"], "did you mean 'swap'", id="code"),
        pytest.param(["--needle", "nothing"], "no build has a needle 'nothing'", id="needle"),
        pytest.param(["--reader", "nobody"], "nobody", id="reader"),
        pytest.param(["--reader", "openai:m", "--max-usd", "1"], "price", id="price"),
        pytest.param(["--models", "nowhere.yaml"], "nowhere.yaml", id="models"),
    ],
)
def test_a_bad_option_is_told_before_anything_is_checked(
    builds: tuple[Path, Path],
    arguments: list[str],
    told: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(["validate", str(builds[0]), *arguments]) == 2
    out, err = capfd.readouterr()
    assert told in err
    assert out == ""
    assert not (builds[0] / "validation.json").exists()
