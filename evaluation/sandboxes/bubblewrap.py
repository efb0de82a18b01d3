"""A sandbox of Linux namespaces, by bubblewrap: no daemon, no image, no network.

The agent sees the system's programs, its home, the corpus and one loopback port, which leads to the
gateway. Whoever runs ocb, root included, the agent runs as an ordinary user of the host without any
capability, so that what is left of the kernel's own files is closed to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from authoring.errors import InfrastructureError
from evaluation.sandboxes.arguments import (
    Bind,
    Mounts,
    base_arguments,
    closing_arguments,
    forwarded,
    interpreter,
    run_arguments,
)
from evaluation.sandboxes.deadline import How
from evaluation.sandboxes.groups import Bounds, Group, make_group
from evaluation.sandboxes.layout import (
    FILES,
    FORWARD,
    INSIDE,
    MEMORY_BYTES,
    PROCESSES,
    PROCESSORS,
)
from evaluation.sandboxes.process import KILLED, PATIENCE, Child, Launch, tail
from evaluation.sandboxes.promises import promises_of, unseen
from evaluation.sandboxes.sandbox import Command, Exit, Inside, Promise
from evaluation.sandboxes.scratch import NOBODY
from evaluation.sandboxes.stage import Stage, in_thread, make_stage
from evaluation.sandboxes.status import Status, Tally
from evaluation.sandboxes.trees import Owner

PROGRAM = "bwrap"
MOUNT_POINT = Path(INSIDE.corpus).relative_to(INSIDE.home)
"""What bubblewrap leaves in the home when the corpus is gone again."""
FORWARDER = Path(__file__).with_name("forward.py")
RUNNING = re.compile(rb"^Uid:\t(?P<user>\d+)\t.*^Threads:\t(?P<threads>\d+)$", re.M | re.S)
BOUNDS = Bounds(MEMORY_BYTES, PROCESSES, PROCESSORS)
REMEDY = "install bubblewrap 0.8 or later and allow user namespaces"


class Bubblewrap:
    """Runs commands under `bwrap`."""

    name = "bubblewrap"
    inside: Inside = INSIDE

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock

    @classmethod
    def for_run(cls, _home: Path, _corpus: Path) -> Bubblewrap:
        """One for a run; what is inside does not depend on it."""
        return cls()

    @staticmethod
    def probe() -> str | None:
        """Why it cannot be used on this machine; None where it can. Runs `bwrap` once."""
        program = shutil.which(PROGRAM)
        if program is None:
            return f"{PROGRAM} is not installed; {REMEDY}"
        fault = try_inside(program, "")
        return None if fault is None else f"{fault}; {REMEDY}"

    @staticmethod
    def promises() -> tuple[Promise, ...]:
        """What is promised of a run, and whether it holds here. Runs `bwrap`, makes a group."""
        program = shutil.which(PROGRAM)
        fault = f"{PROGRAM} is not installed" if program is None else try_inside(program, "")
        limited = program is not None and try_inside(program, "import resource") is None
        with make_group(BOUNDS) as group:
            return promises_of(fault, group.missing, limited=limited, root=is_root())

    @classmethod
    def unbounded(cls) -> tuple[str, ...]:
        """What an agent inside can use up of the machine, for a reader."""
        missing = [f"{kept.name} ({kept.detail})" for kept in cls.promises() if not kept.holds]
        return (*missing, f"size of the home where it is not seen: {unseen(root=is_root())}")

    async def run(self, command: Command) -> Exit:
        """Run it to its end; every process of it is dead afterwards."""
        program = shutil.which(PROGRAM)
        if program is None:
            raise InfrastructureError(f"{PROGRAM} is not installed; {REMEDY}")
        async with in_thread(make_stage(agent_owner())) as stage:
            mounts = await asyncio.to_thread(bring_in, stage, command)
            async with in_thread(stage.home_from(command.home)), in_thread(make_group(BOUNDS)) as g:
                try:
                    return await self._run(program, command, mounts, Run(stage.owner, g))
                finally:
                    with contextlib.suppress(OSError):  # not empty, or never made
                        stage.home.joinpath(MOUNT_POINT).rmdir()

    async def _run(self, program: str, command: Command, mounts: Mounts, held: Run) -> Exit:
        with contextlib.ExitStack() as open_files:
            status = open_files.enter_context(Status())
            tally = open_files.enter_context(Tally())
            files = {
                path: open_files.enter_context(in_memory(content.encode()))
                for path, content in inside_files().items()
            }
            arguments = run_arguments(mounts, command.environment, files, status.write_end)
            # By descriptor: a process list inside shows the arguments of the first process.
            data = b"".join(part + b"\0" for part in arguments)
            source = open_files.enter_context(in_memory(data))
            argv = forwarded(command.argv, {**held.limits(), "tell": tally.write_end})
            launch = Launch(
                program=program,
                argv=(PROGRAM, "--args", str(source), "--", *argv),
                environment={},
                folder=Path("/"),
                descriptors=(source, status.write_end, tally.write_end, *files.values()),
                owner=held.owner,
                stdout=command.stdout,
                stderr=command.stderr,
                enter=held.group.enter if held.group.bounded else None,
            )
            ended = await self._supervise(launch, command, mounts.home, (status, tally))
            return replace(ended, marks=(*ended.marks, *held.group.marks()))

    async def _supervise(
        self, launch: Launch, command: Command, home: Path, told: tuple[Status, Tally]
    ) -> Exit:
        status, tally = told
        started = self._clock()
        child = await Child.start(launch)
        status.watch()
        tally.handed_down()
        how: How = "timed out"
        try:
            how = await child.end_of(command, self._clock, home)
        finally:
            if child.process.returncode is None:
                child.signal_group(signal.SIGKILL)
            await status.bury()
            await child.buried()
        seconds = self._clock() - started
        await child.outputs()
        if how != "ended":
            return Exit(KILLED, how, seconds)
        if status.exit_code is None:
            raise InfrastructureError(_failure(child.process.returncode, tail(command.stderr)))
        return Exit(status.exit_code, how, seconds, tally.marks())


def _failure(returncode: int | None, said: str) -> str:
    """Why it ended before the command did. What is killed from outside says nothing of it, while
    an agent may have printed anything."""
    if returncode is not None and returncode < 0:
        return f"{PROGRAM} was killed (signal {-returncode})"
    if returncode == KILLED and not said:  # it passes on what became of its child
        return f"{PROGRAM} was killed (signal {signal.SIGKILL.value})"
    return f"{PROGRAM} failed: {said or f'exit code {returncode}'}"


@dataclass(frozen=True)
class Run:
    """As whom an agent runs, and in which groups."""

    owner: Owner | None
    group: Group

    def limits(self) -> dict[str, int]:
        """Processes are limited by their user where no group does it. Older kernels count what
        that user has elsewhere too."""
        if "pids" in self.group.bounded:
            return {}
        return {"nproc": PROCESSES + threads_of(self.owner.uid if self.owner else os.getuid())}


def try_inside(program: str, script: str) -> str | None:
    """What goes wrong when the forwarder's interpreter runs a script inside; None: nothing."""
    check = (interpreter().program, "-I", "-S", "-B", "-c", script)
    owner = agent_owner()
    try:
        done = subprocess.run(
            [program, *base_arguments(), *closing_arguments(), "--", *check],
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            user=owner.uid if owner else None,
            group=owner.gid if owner else None,
            extra_groups=[] if owner else None,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"{PROGRAM} cannot be run: {error}"
    if done.returncode == 0:
        return None
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return said[-1] if said else f"exit code {done.returncode}"


def threads_of(user: int) -> int:
    """Processes and threads that a user of this machine has now."""
    count = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            found = RUNNING.search(status.read_bytes())
            if found is not None and int(found["user"]) == user:
                count += int(found["threads"])
    return count


def agent_owner() -> Owner | None:
    """Whom the agent is on the host: never root."""
    return NOBODY if is_root() else None


def is_root() -> bool:
    """Whether ocb may do anything on this machine."""
    return os.geteuid() == 0


def bring_in(stage: Stage, command: Command) -> Mounts:
    """Everything that is mounted, under names that tell nothing."""
    stage.bring_corpus(command.corpus)
    programs = []
    for number, program in enumerate(command.programs):
        stage.bring_program(number, program.host)
        programs.append(Bind(stage.program(number), program.inside))
    socket = stage.bring_socket(command.socket)
    return Mounts(stage.home, stage.corpus, socket, tuple(programs))


def inside_files() -> dict[str, str]:
    """Files that are written into the sandbox, by their path there."""
    return {**FILES, FORWARD: FORWARDER.read_text(encoding="utf-8")}


@contextlib.contextmanager
def in_memory(data: bytes) -> Iterator[int]:
    """A descriptor from which these bytes can be read; no file of the host has them."""
    descriptor = os.memfd_create("data")
    try:
        with os.fdopen(descriptor, "wb", closefd=False) as file:
            file.write(data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)
