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
    names = ["incident_logs", "trial_records"]
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
    victim = next((bad / "corpus").rglob("*.*"))
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


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--only", "reader"], id="reader-not-asked"),
        pytest.param(["--only", "leak-time", "--needle", "{first}"], id="of-no-needle"),
    ],
)
def test_nothing_checked_is_no_success(
    builds: tuple[Path, Path], arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    first = json.loads((builds[0] / "registry.json").read_text())["needles"][0]["id"]
    named = [argument.format(first=first) for argument in arguments]
    assert run(["validate", str(builds[0]), *named]) == 2
    assert "nothing was checked" in capfd.readouterr().err


def test_a_build_without_a_corpus_leaves_the_others_alone(
    builds: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    bad, good = builds
    shutil.rmtree(bad / "corpus")
    assert run(["validate", str(bad), str(good)]) == 1
    out = capfd.readouterr().out
    assert "(missing)" in out
    assert json.loads((good / "validation.json").read_text())["level"] == "structural"


def test_a_name_that_is_no_utf8_is_told_in_what_can_be_written(
    builds: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    (builds[0] / "corpus" / os.fsdecode(b"odd-\xff.md")).write_text("odd\n")
    assert run(["validate", str(builds[0]), "--json"]) == 1
    (report,) = json.loads(capfd.readouterr().out)["builds"]
    assert "odd-\\udcff.md (new)" in report["checks"][0]["reason"]


@pytest.mark.parametrize("name", ["validation.json", "validation.html"])
def test_what_cannot_be_written_is_named_and_seals_nothing(
    builds: tuple[Path, Path], name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (builds[0] / name).mkdir()
    assert run(["validate", str(builds[0]), str(builds[1])]) == 3
    assert name in capfd.readouterr().err
    assert not (builds[0] / "validation.json").is_file()
    assert (builds[1] / "validation.json").is_file()


def test_a_file_that_claims_any_size_is_not_read(
    builds: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    victim = next((builds[0] / "corpus").rglob("*.*"))
    os.truncate(victim, 1 << 40)
    os.truncate(builds[1] / "registry.json", 1 << 40)
    assert run(["validate", *map(str, builds)]) == 1
    assert "(changed)" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("window: 99999999999999999999", "less than or equal to 1000000000"),
        ("window: 9, vendor_factor: 1e308", "less than or equal to 100"),
    ],
)
def test_a_model_of_no_possible_size_is_refused(
    builds: tuple[Path, Path],
    tmp_path: Path,
    row: str,
    told: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    table = tmp_path / "models.yaml"
    line = f"{{name: m, vendor: v, {row}, source: s, date: 2026-01-01}}"
    table.write_text(f"schema: ocb.models/1\nmodels:\n  - {line}\n")
    assert run(["validate", str(builds[0]), "--models", str(table)]) == 2
    assert told in capfd.readouterr().err
