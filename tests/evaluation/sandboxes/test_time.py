"""In every sandbox: the time a run was held is taken off, and what is finished need not exit."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import pytest

from evaluation.sandboxes.bubblewrap import Bubblewrap
from evaluation.sandboxes.sandbox import Exit, Sandbox
from evaluation.sandboxes.unconfined import Unconfined

LINGER = Path(__file__).with_name("linger.txt").read_text()

ASK_UNTIL_ANSWERED = """
import socket, sys, time
while True:
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as there:
        there.shutdown(socket.SHUT_WR)
        if there.recv(9):
            break
    time.sleep(0.02)
print("answered")
"""


class Ran(Protocol):
    exit: Exit

    @property
    def text(self) -> str: ...


class Bench(Protocol):
    root: Path
    corpus: Path
    home: Path
    may_answer: Callable[[], bool]

    def run(self, sandbox: Sandbox, *argv: str, seconds: float = 60, **more: Any) -> Ran: ...


MakeSandbox = Callable[[Bench, Callable[[], float]], Sandbox]


def bubblewrap(bench: Bench, clock: Callable[[], float]) -> Sandbox:
    return Bubblewrap(clock)


def unconfined(bench: Bench, clock: Callable[[], float]) -> Sandbox:
    return Unconfined(bench.home, bench.corpus, clock)


every_sandbox = pytest.mark.parametrize("make", [bubblewrap, unconfined])


@every_sandbox
def test_a_command_that_is_held_outlives_its_seconds(make: MakeSandbox, bench: Bench) -> None:
    """Ten seconds pass at each look at the clock, all of them held; it may run for one."""
    looks = itertools.count()
    times = itertools.count(step=10.0)
    asked = 0.0

    def clock() -> float:
        nonlocal asked
        asked = next(times)
        return asked

    def held() -> float:
        next(looks)
        return asked

    bench.may_answer = lambda: next(looks) > 8
    sandbox = make(bench, clock)
    port = sandbox.inside.gateway.rpartition(":")[2]
    python = ("/usr/bin/python3", "-c", ASK_UNTIL_ANSWERED, port)
    ran = bench.run(sandbox, *python, seconds=1.0, held=held)
    assert (ran.exit.code, ran.exit.how, ran.text) == (0, "ended", "answered\n")


@every_sandbox
def test_what_has_finished_and_does_not_exit_is_killed_with_all_it_started(
    make: MakeSandbox, bench: Bench, alive: Callable[[str], list[int]]
) -> None:
    """Its time would be a minute; each look at the clock takes a second."""
    marker = f"marker-{uuid4().hex}"
    times = itertools.count()
    ran = bench.run(
        make(bench, lambda: float(next(times))),
        *("/usr/bin/python3", "-c", LINGER + "time.sleep(3600)", marker),
        seconds=60.0,
        finished=lambda stdout: stdout.read_bytes() == b"lingering\n",
        grace=3.0,
    )
    assert ran.exit.how == "lingered"
    assert alive(marker) == []


@every_sandbox
def test_what_exits_in_its_grace_keeps_its_exit_code(make: MakeSandbox, bench: Bench) -> None:
    ran = bench.run(
        make(bench, lambda: 0.0),
        *("/bin/sh", "-c", "echo done; exit 3"),
        finished=lambda stdout: b"done" in stdout.read_bytes(),
    )
    assert (ran.exit.code, ran.exit.how) == (3, "ended")
