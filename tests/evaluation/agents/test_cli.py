"""Whatever a CLI's process does, its run ends, its tree is dead, and what happened is told."""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from uuid import uuid4

import pytest

from authoring.errors import UserError
from evaluation.agents.claude_code.harness import ClaudeCode
from evaluation.agents.claude_code.install import PROGRAM
from evaluation.sandboxes.bubblewrap import Bubblewrap
from evaluation.sandboxes.sandbox import Command, Exit, Inside, Sandbox
from evaluation.sandboxes.unconfined import Unconfined
from tests.evaluation.agents.desk import Desk, desk_of

RESULT = json.dumps(
    {"type": "result", "subtype": "success", "is_error": False, "result": "All is read."}
)
TOOL_RESULT = json.dumps({"type": "user", "message": {"content": [{"type": "tool_result"}]}})
Clock = Callable[[], float]


def clock_of(desk: Desk) -> Clock:
    """One on which, once something was printed, each look takes ten seconds."""
    stdout = desk.job.native / "stdout.jsonl"
    times = itertools.count(start=10, step=10)

    def look() -> float:
        begun = stdout.exists() and stdout.stat().st_size
        return float(next(times)) if begun else 0.0

    return look


@pytest.fixture
def desk() -> Iterator[Desk]:
    with desk_of(ClaudeCode, PROGRAM) as desk:
        yield desk


MakeSandbox = Callable[[Desk, Clock], Sandbox]


def bubblewrap(_desk: Desk, clock: Clock) -> Sandbox:
    return Bubblewrap(clock)


def unconfined(desk: Desk, clock: Clock) -> Sandbox:
    return Unconfined(desk.job.home, desk.job.corpus, clock)


every_sandbox = pytest.mark.parametrize("make", [bubblewrap, unconfined])


def still() -> float:
    """A clock on which no time passes."""
    return 0.0


def alive(marker: str) -> list[int]:
    """Processes of this machine with this word in their command line."""
    told = subprocess.run(["/usr/bin/pgrep", "-f", marker], capture_output=True, check=False)
    return [int(pid) for pid in told.stdout.split()]


@every_sandbox
def test_a_cli_that_reads_its_standard_input_to_the_end_is_not_held_up(
    make: MakeSandbox, desk: Desk
) -> None:
    """Also where ocb was started from a parent that holds a pipe open."""
    read, write = os.pipe()
    kept = os.dup(0)
    os.dup2(read, 0)
    try:
        ended = desk.run_in(make(desk, still), f"#!/bin/sh\ncat >&2\necho '{RESULT}'\n")
        version = f"#!/bin/sh\ncat >&2\necho '{PROGRAM.version}'\n"
        desk.install(version)
        assert ClaudeCode(desk.tools).installed_version() == PROGRAM.version
    finally:
        os.dup2(kept, 0)
        for descriptor in (read, write, kept):
            os.close(descriptor)
    assert (ended.ok, ended.fault) == (True, "")


CHILD = """#!/bin/sh
python3 - {marker} <<'END' &
import os, signal, time
os.setsid()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
open(os.environ["HOME"] + "/begun", "w")
time.sleep(3600)
END
while ! [ -e $HOME/begun ]; do sleep 0.02; done
echo '{result}'
{then}
"""
"""Leaves a child in a session of its own that holds stdout and ignores what it can."""


@every_sandbox
@pytest.mark.parametrize(
    ("then", "marks"),
    [("exit 0", ("left 1 process behind",)), ("sleep 3600", ())],
    ids=["it exits", "it stays"],
)
def test_a_child_that_stays_does_not_outlive_the_answer(
    then: str, marks: tuple[str, ...], make: MakeSandbox, desk: Desk
) -> None:
    marker = f"marker-{uuid4().hex}"
    script = CHILD.format(marker=marker, result=RESULT, then=then)
    ended = desk.run_in(make(desk, clock_of(desk)), script, grace=30.0, seconds=1e6)
    assert (ended.ok, ended.fault, ended.limit, ended.marks) == (True, "", "", marks)
    assert alive(marker) == []


@every_sandbox
@pytest.mark.parametrize(
    "event", ['{"type":"system","subtype":"init"}', TOOL_RESULT], ids=["at start", "a tool result"]
)
def test_a_cli_that_hangs_silent_is_stalled_long_before_its_time_is_up(
    event: str, make: MakeSandbox, desk: Desk
) -> None:
    script = f"#!/bin/sh\necho '{event}'\nsleep 3600\n"
    ended = desk.run_in(
        make(desk, clock_of(desk)), script, silence=60.0, quiet=lambda: math.inf, seconds=1e6
    )
    assert (ended.ok, ended.stalled, ended.limit) == (False, "60 s of silence", "")


@every_sandbox
def test_a_cli_that_waits_for_the_model_is_not_stalled(make: MakeSandbox, desk: Desk) -> None:
    script = f"#!/bin/sh\necho '{TOOL_RESULT}'\nsleep 3600\n"
    ended = desk.run_in(
        make(desk, clock_of(desk)), script, silence=60.0, quiet=lambda: 1.0, seconds=200.0
    )
    assert (ended.ok, ended.stalled, ended.limit) == (False, "", "200 s")


def test_an_output_of_50_mb_is_whole(desk: Desk) -> None:
    script = f"#!/bin/sh\nhead -c 50000000 /dev/zero | tr '\\0' x\necho\necho '{RESULT}'\n"
    ended = desk.run_in(Bubblewrap(), script)
    assert (ended.ok, ended.fault) == (True, "")
    assert (desk.job.native / "stdout.jsonl").stat().st_size == 50_000_001 + len(RESULT) + 1


@every_sandbox
@pytest.mark.parametrize(
    ("script", "mode", "fault"),
    [
        pytest.param("#!/bin/sh\nexit 3\n", 0o755, "exit code 3", id="at once"),
        pytest.param("#!/bin/none\n", 0o755, "exit code 127: ", id="no such interpreter"),
        pytest.param("\x7fELF and no more", 0o755, "exit code 127: ", id="no program"),
        pytest.param("#!/bin/sh\n", 0o644, "exit code 127: ", id="not executable"),
        pytest.param("#!/bin/sh\nkill -SEGV $$\n", 0o755, "signal 11", id="by a signal"),
    ],
)
def test_a_crash_at_start_is_a_fault(
    script: str, mode: int, fault: str, make: MakeSandbox, desk: Desk
) -> None:
    ended = desk.run_in(make(desk, still), script, mode=mode)
    assert not ended.ok
    assert ended.fault.startswith(fault)


@every_sandbox
def test_a_crash_after_the_answer_is_a_fault(make: MakeSandbox, desk: Desk) -> None:
    ended = desk.run_in(make(desk, still), f"#!/bin/sh\necho '{RESULT}'\nkill -ABRT $$\n")
    assert (ended.ok, ended.fault) == (False, "signal 6")


def test_a_cli_that_leaves_no_session_is_told_when_it_is_read(desk: Desk) -> None:
    ended = desk.run_in(Bubblewrap(), f"#!/bin/sh\necho '{RESULT}'\n")
    assert ended.ok
    with pytest.raises(UserError):
        ClaudeCode(desk.tools).read_session(desk.job.native)


@dataclass(frozen=True)
class Cramped:
    """A sandbox with little room in its home."""

    inner: Sandbox

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def inside(self) -> Inside:
        return self.inner.inside

    async def run(self, command: Command) -> Exit:
        return await self.inner.run(replace(command, home_bytes=4 << 20))


@every_sandbox
def test_a_cli_that_fills_its_home_has_hit_a_limit(
    make: MakeSandbox, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.sandboxes.deadline.HOME_LOOK", 0.1)
    script = "#!/bin/sh\nhead -c 5000000 /dev/zero > $HOME/a\nsleep 3600\n"
    ended = desk.run_in(Cramped(make(desk, time.monotonic)), script)
    assert (ended.ok, ended.limit) == (False, "the home is full")


def test_a_version_that_changes_between_two_looks_is_refused(desk: Desk) -> None:
    """A program that updates itself, though it was told not to."""
    looks = desk.tools.parent / "looks"
    desk.install(
        f"#!/bin/sh\necho >> {looks}\n"
        f"if [ $(wc -l < {looks}) -lt 2 ]; then echo {PROGRAM.version}; else echo 99.0.1; fi\n"
    )
    cli = ClaudeCode(desk.tools)
    assert cli.installed_version() == PROGRAM.version
    with pytest.raises(UserError, match=r"is version 99\.0\.1, not"):
        cli.installed_version()


def test_a_program_cannot_update_itself_from_inside(desk: Desk) -> None:
    script = f"#!/bin/sh\necho 'echo new' > $0 || rm -f $0 || echo '{RESULT}'\n"
    ended = desk.run_in(Bubblewrap(), script)
    assert (ended.ok, ended.fault) == (True, "")
    program = PROGRAM.folder(desk.tools) / PROGRAM.executable
    assert program.read_text() == script
