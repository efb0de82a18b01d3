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
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

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
from evaluation.sandboxes.layout import FILES, FORWARD, INSIDE, UNBOUNDED
from evaluation.sandboxes.process import KILLED, PATIENCE, Child, Launch, tail
from evaluation.sandboxes.sandbox import Command, Exit, Inside
from evaluation.sandboxes.scratch import NOBODY
from evaluation.sandboxes.stage import Stage, make_stage
from evaluation.sandboxes.trees import Owner

PROGRAM = "bwrap"
MOUNT_POINT = Path(INSIDE.corpus).relative_to(INSIDE.home)
"""What bubblewrap leaves in the home when the corpus is gone again."""
FORWARDER = Path(__file__).with_name("forward.py")
RUNNING = re.compile(rb"^Uid:\t(?P<user>\d+)\t.*^Threads:\t(?P<threads>\d+)$", re.M | re.S)
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
    def unbounded() -> tuple[str, ...]:
        """What an agent inside can use up of the machine, for a reader. Runs `bwrap` once."""
        program = shutil.which(PROGRAM)
        if program is None or try_inside(program, "import resource") is None:
            return UNBOUNDED
        missing = "processes, open files and size of a file: Python's module `resource` is missing"
        return (*UNBOUNDED, missing)

    async def run(self, command: Command) -> Exit:
        """Run it to its end; every process of it is dead afterwards."""
        program = shutil.which(PROGRAM)
        if program is None:
            raise InfrastructureError(f"{PROGRAM} is not installed; {REMEDY}")
        with make_stage(agent_owner()) as stage:
            mounts = await asyncio.to_thread(bring_in, stage, command)
            with stage.home_from(command.home):
                try:
                    return await self._run(program, command, mounts, stage.owner)
                finally:
                    with contextlib.suppress(OSError):  # not empty, or never made
                        stage.home.joinpath(MOUNT_POINT).rmdir()

    async def _run(
        self, program: str, command: Command, mounts: Mounts, owner: Owner | None
    ) -> Exit:
        with contextlib.ExitStack() as open_files:
            status = open_files.enter_context(Status())
            files = {
                path: open_files.enter_context(in_memory(content.encode()))
                for path, content in inside_files().items()
            }
            arguments = run_arguments(mounts, command.environment, files, status.write_end)
            # By descriptor: a process list inside shows the arguments of the first process.
            data = b"".join(part + b"\0" for part in arguments)
            source = open_files.enter_context(in_memory(data))
            running = threads_of(owner.uid if owner else os.getuid())
            argv = forwarded(command.argv, running)
            launch = Launch(
                program=program,
                argv=(PROGRAM, "--args", str(source), "--", *argv),
                environment={},
                folder=Path("/"),
                descriptors=(source, status.write_end, *files.values()),
                owner=owner,
                stdout=command.stdout,
                stderr=command.stderr,
            )
            return await self._supervise(launch, command, status)

    async def _supervise(self, launch: Launch, command: Command, status: Status) -> Exit:
        started = self._clock()
        child = await Child.start(launch)
        status.watch()
        how: How = "timed out"
        try:
            how = await child.end_of(command, self._clock)
        finally:
            if child.process.returncode is None:
                child.signal_group(signal.SIGKILL)
            await status.bury()
            await child.process.wait()
        seconds = self._clock() - started
        await child.outputs()
        if how != "ended":
            return Exit(KILLED, how, seconds)
        if status.exit_code is None:
            raise InfrastructureError(f"{PROGRAM} failed: {tail(command.stderr)}")
        return Exit(status.exit_code, how, seconds)


class Status:
    """What bubblewrap says of its child: who it is, and how it ended."""

    def __init__(self) -> None:
        self._read, self.write_end = os.pipe()
        self._open_write = True
        self._data = b""
        self._init: int | None = None
        """A descriptor of the first process of the namespace: when it ends, the kernel has killed
        and buried all others."""

    def __enter__(self) -> Status:
        return self

    def __exit__(self, *_: object) -> None:
        self._close_write()
        os.close(self._read)
        if self._init is not None:
            os.close(self._init)

    def _close_write(self) -> None:
        if self._open_write:
            os.close(self.write_end)
            self._open_write = False

    def watch(self) -> None:
        """The child has its end. Take hold of the first process as soon as its id is told."""
        self._close_write()
        asyncio.get_running_loop().add_reader(self._read, self._more)

    def _more(self) -> None:
        data = os.read(self._read, 4096)
        if not data:
            asyncio.get_running_loop().remove_reader(self._read)
        self._data += data
        pid = self._told("child-pid")
        if self._init is None and pid is not None:
            with contextlib.suppress(ProcessLookupError):  # it is dead already
                self._init = os.pidfd_open(pid)

    def _told(self, key: str) -> int | None:
        for line in self._data.split(b"\n")[:-1]:
            row = orjson.loads(line)
            if key in row:
                return int(row[key])
        return None

    @property
    def exit_code(self) -> int | None:
        """None where the command never started."""
        return self._told("exit-code")

    async def bury(self) -> None:
        """Kill what is left inside, and wait until it is dead.

        Raises InfrastructureError where it does not die.
        """
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._read)
        while select.select([self._read], [], [], 0)[0]:
            before = len(self._data)
            self._more()
            if len(self._data) == before:
                break
        loop.remove_reader(self._read)
        if self._init is None:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._init, signal.SIGKILL)
        dead = asyncio.Event()
        loop.add_reader(self._init, dead.set)
        try:
            await asyncio.wait_for(dead.wait(), PATIENCE)
        except TimeoutError as error:
            raise InfrastructureError("a sandboxed process could not be killed") from error
        finally:
            loop.remove_reader(self._init)


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
    return NOBODY if os.geteuid() == 0 else None


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
