"""`ocb validate --reader` as a user meets it, with a model server on loopback."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ocb.cli.main import run
from tests.generators.models.model_server import Asked, Reply, answered, serving
from tests.validation.readers.reviewers import environment

RUN = "from ocb.cli.main import main; main()"
READER = ["--reader", "openai:m-1", "--jobs", "1"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small build."""
    parent = tmp_path_factory.mktemp("builds")
    assert run(["author", "build", "contract_review", "--size", "small", "-o", str(parent)]) == 0
    (build,) = parent.iterdir()
    return build


@pytest.fixture
def build(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / made.name)


def refused(asked: Asked) -> Reply:
    return Reply({"error": {"message": "bad key"}}, 401)


def nothing_found(asked: Asked) -> Reply:
    return answered(asked, {"findings": []})


def needles_of(build: Path) -> list[str]:
    return [one["id"] for one in json.loads((build / "registry.json").read_text())["needles"]]


def test_a_reader_that_is_refused_leaves_the_build_sealed_without_it(
    build: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(refused) as server:
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        assert run(["validate", str(build), *READER]) == 1
    out, err = capfd.readouterr()
    assert ": sealed, structural (" in out
    assert "  failed: reader-failed" in out
    assert "not asked, since the first 3 calls failed alike" in " ".join(out.split())
    assert json.loads((build / "validation.json").read_text())["level"] == "structural"
    assert "checks had no answer" in (build / "validation.html").read_text()
    # Four are asked at once: three more may be on their way when the third is refused.
    assert 3 <= len(server.asked) <= 6
    samples = 20 * len(needles_of(build))
    assert f"0 of {samples} samples answered, {samples} failed" in err


def test_a_reader_of_one_needle_is_asked_about_that_one_and_seals_nothing(
    build: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    name = needles_of(build)[1]
    with serving(nothing_found) as server:
        for key, value in environment(server).items():
            monkeypatch.setenv(key, value)
        assert run(["validate", str(build), "--needle", name, *READER]) == 1
    assert len(server.asked) == 20
    out, err = capfd.readouterr()
    assert f"failed: reader {name}: it is reported in 0 of 10" in out
    assert "20 of 20 samples answered\n" in err
    assert not (build / "validation.json").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--price", "1", "1", "--max-usd", "nan"],
        ["--price", "1", "1", "--max-usd", "inf"],
        ["--price", "nan", "1"],
        ["--price", "1", "inf"],
        ["--price", "1", "1e7"],
        ["--timeout", "0"],
        ["--timeout", "nan"],
    ],
    ids=" ".join,
)
def test_a_number_that_limits_nothing_is_refused(
    build: Path, options: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", str(build), *READER, *options]) == 2
    out, err = capfd.readouterr()
    assert options[-1] in err or options[1] in err
    assert out == ""


def test_a_reader_is_not_paid_for_checks_that_are_not_shown(
    build: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", str(build), *READER, "--only", "swap"]) == 2
    assert "--only names no check of a reader" in capfd.readouterr().err


def test_ctrl_c_ends_a_reader_whose_server_hangs(build: Path) -> None:
    asked = threading.Event()

    def hang(_: Asked) -> Reply:
        asked.set()
        return Reply(how="never")

    with serving(hang) as server:
        # A shell has what it starts in the background ignore Ctrl-C, and so would this process.
        code = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {RUN}"
        command = [sys.executable, "-c", code, "validate", str(build), *READER]
        variables = environment(server) | {"PATH": "/usr/bin:/bin"}
        process = subprocess.Popen(
            command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            assert asked.wait(120)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
        finally:
            process.kill()
            process.communicate()
    assert process.returncode == 130
    assert err.endswith(b"interrupted\n")


def test_a_call_ends_at_the_time_limit_that_is_said(
    build: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(lambda _: Reply(how="never")) as server:
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        assert run(["validate", str(build), "--timeout", "0.2", *READER]) == 1
    assert "no answer within 0.2 seconds" in capfd.readouterr().out
