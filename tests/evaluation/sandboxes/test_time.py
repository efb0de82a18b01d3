"""In every sandbox a run that is over is ended, for whatever reason, with all that it started."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from uuid import uuid4

import pytest

from evaluation.sandboxes.bubblewrap import Bubblewrap
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.sandboxes.unconfined import Unconfined
from tests.evaluation.sandboxes.bench import LINGER, Bench

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


def printed(bench: Bench) -> int:
    """Bytes of both outputs so far."""
    paths = (bench.root / "stdout", bench.root / "stderr")
    return sum(path.stat().st_size for path in paths if path.exists())


@every_sandbox
def test_who_falls_silent_is_killed_with_all_it_started(
    make: MakeSandbox, bench: Bench, alive: Callable[[str], list[int]]
) -> None:
    """Once it has printed something, each look at the clock takes ten seconds."""
    marker = f"marker-{uuid4().hex}"
    times = itertools.count(start=10, step=10)
    ran = bench.run(
        make(bench, lambda: float(next(times)) if printed(bench) else 0.0),
        *("/usr/bin/python3", "-c", LINGER + "time.sleep(3600)", marker),
        seconds=1e6,
        silence=60.0,
        quiet=lambda: math.inf,
    )
    assert (ran.exit.how, ran.text) == ("stalled", "lingering\n")
    assert alive(marker) == []


@every_sandbox
@pytest.mark.parametrize("output", ["", " >&2"], ids=["stdout", "stderr"])
def test_whatever_is_printed_is_a_sign_of_life(
    output: str, make: MakeSandbox, bench: Bench
) -> None:
    """Three seconds pass with each byte, and five may pass in silence."""
    script = f"for i in 1 2 3 4 5 6; do echo{output}; sleep 0.1; done"
    sandbox = make(bench, lambda: 3.0 * printed(bench))
    ran = bench.run(sandbox, "/bin/sh", "-c", script, silence=5.0, quiet=lambda: math.inf)
    assert (ran.exit.code, ran.exit.how, ran.exit.seconds) == (0, "ended", 18.0)


@every_sandbox
def test_a_home_that_holds_too_much_ends_a_run(
    make: MakeSandbox, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.sandboxes.deadline.HOME_LOOK", 0.1)
    home = make(bench, time.monotonic)
    script = f"head -c 9000000 /dev/zero > {home.inside.home}/large; sleep 3600"
    ran = bench.run(home, "/bin/sh", "-c", script, home_bytes=8 << 20)
    assert (ran.exit.code, ran.exit.how) == (137, "filled")


@every_sandbox
def test_the_date_of_the_machine_ends_nothing(
    make: MakeSandbox, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at the wall clock finds it a year later, or a year before."""
    years = itertools.cycle((1.0, 3e7, -3e7, 0.0))
    monkeypatch.setattr("time.time", lambda: 1.8e9 + next(years))
    ran = bench.run(
        make(bench, time.monotonic),
        *("/bin/sh", "-c", "echo begun; sleep 0.6; echo over"),
        seconds=30.0,
        silence=20.0,
        finished=lambda stdout: b"begun" in stdout.read_bytes(),
        grace=20.0,
    )
    assert (ran.exit.code, ran.exit.how, ran.text) == (0, "ended", "begun\nover\n")
    assert 0.6 <= ran.exit.seconds < 20.0


@every_sandbox
def test_what_a_command_left_behind_is_marked(make: MakeSandbox, bench: Bench) -> None:
    script = "(setsid sleep 3600 &); sleep 3600 & exit 5"
    ran = bench.run(make(bench, time.monotonic), "/bin/sh", "-c", script)
    assert (ran.exit.code, ran.exit.marks) == (5, ("left 2 processes behind",))
