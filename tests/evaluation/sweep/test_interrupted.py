"""Ctrl-C, and a polite request to end: the agents are ended, and what they had begun is gone."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evaluation.sweep.index import read_counts
from evaluation.sweep.plan import SweepPaths
from generators.build import Build
from tests.evaluation.sweep.model_server import MODEL, Answer, ModelServer, completion

PATIENCE = 60
INTERRUPTED = 130


class SecondCallHangs:
    """The first call is answered; the second hangs, until it is told to go on."""

    def __init__(self) -> None:
        self.hangs = threading.Event()
        self.go_on = threading.Event()
        self._first = True

    def __call__(self) -> Answer:
        if not self._first:
            self.hangs.set()
            self.go_on.wait(PATIENCE)
        self._first = False
        return completion()


RUN = """
import signal
from ocb.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""Tests that were started in the background would have it ignore Ctrl-C."""


def ocb_eval(build: Build, runs: Path, server: ModelServer) -> subprocess.Popen[bytes]:
    what = ("--build", str(build.paths.root), "--model", MODEL, "--upstream", server.url)
    how = ("--repetitions", "3", "--concurrency", "1", "--allow-unvalidated", "-o", str(runs))
    command = [sys.executable, "-c", RUN, "eval", *what, *how]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_an_interrupted_sweep_is_clean_and_goes_on(
    build: Build, tmp_path: Path, number: signal.Signals
) -> None:
    answer, runs = SecondCallHangs(), tmp_path / "runs"
    with ModelServer(answer) as server:
        with ocb_eval(build, runs, server) as process:
            assert answer.hangs.wait(PATIENCE)
            process.send_signal(number)
            _, told = process.communicate(timeout=PATIENCE)
            assert process.returncode == INTERRUPTED
        (sweep,) = (SweepPaths(root) for root in runs.iterdir())
        said = f"{sweep.root}: 1 run there, 2 left; the same command goes on\n"
        assert said in told.decode()
        assert list(sweep.root.glob(".*.unfinished")) == []
        counts = read_counts(sweep)
        assert (counts.planned, counts.running, counts.outcomes) == (2, 0, {"completed": 1})
        answer.go_on.set()
        with ocb_eval(build, runs, server) as process:
            process.communicate(timeout=PATIENCE)
            assert process.returncode == 0
        assert server.calls == 4  # of three runs, one of which was cut off
    assert read_counts(sweep).outcomes == {"completed": 3}
