"""A child process whose output goes to disk as it comes, and that ends when its time is up.

Prevents a clipped record: an agent may print gigabytes, and a buffer would keep the last of it. The
output goes through a pipe, so that the child never holds a file of the host that it could rewrite.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from authoring.errors import InfrastructureError
from evaluation.sandboxes.deadline import Clock, How
from evaluation.sandboxes.sandbox import Command
from evaluation.sandboxes.supervision import Signs, supervise
from evaluation.sandboxes.trees import Owner

CHUNK = 1 << 16
SHELL = "/bin/sh"
KILLED = 128 + signal.SIGKILL
"""Exit code of what was killed, as a shell tells it."""
TAIL = 2000
"""Bytes of an error output that are worth telling."""
PATIENCE = 10.0
"""Seconds that the system may take to bury what was killed."""


@dataclass(frozen=True)
class Launch:
    """What to start."""

    program: str
    """Host path of what is executed."""
    argv: tuple[str, ...]
    """With the name that a process list shows."""
    environment: Mapping[str, str]
    folder: Path
    descriptors: tuple[int, ...]
    """Handed down beside the output."""
    owner: Owner | None
    stdout: Path
    stderr: Path
    enter: Callable[[int], None] | None = None
    """Called with its id before it starts any other. Raises InfrastructureError."""


GATE = 'read -r _ && exec "$0" "$@" </dev/null'
"""Waits for a line, and becomes the program."""


def behind_gate(launch: Launch) -> Launch:
    """The same, started once a line comes on its standard input."""
    argv = (SHELL, "-c", GATE, launch.program, *launch.argv[1:])
    return replace(launch, program=SHELL, argv=argv)


class Stream:
    """One output of a child, copied to a file by a thread of its own."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._read, self.write_end = os.pipe()
        self._error: OSError | None = None
        self.bytes = 0
        """That came so far, also where the disk took them no more."""
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def handed_down(self) -> None:
        """The child has its end; ours is closed, so that the last of its processes ends it."""
        os.close(self.write_end)

    def _copy(self) -> None:
        with self._file:
            while data := os.read(self._read, CHUNK):
                self.bytes += len(data)
                if self._error is None:
                    try:
                        self._file.write(data)
                        self._file.flush()  # somebody may be watching it
                    except OSError as error:
                        self._error = error  # read on: the child must not block on a full disk
        os.close(self._read)

    async def finish(self) -> None:
        """Wait for the last byte. Raises InfrastructureError where it could not be written."""
        await asyncio.to_thread(self._thread.join, PATIENCE)
        if self._thread.is_alive():
            raise InfrastructureError("a process that was killed still holds its output")
        if self._error is not None:
            raise InfrastructureError(f"the output could not be written: {self._error}")


class Child:
    """A started process."""

    def __init__(self, process: asyncio.subprocess.Process, streams: tuple[Stream, ...]) -> None:
        self.process = process
        self._streams = streams

    @classmethod
    async def start(cls, launch: Launch) -> Self:
        """Start it, in a session of its own and with no standard input."""
        if launch.enter is None:
            return await cls._start(launch, asyncio.subprocess.DEVNULL)
        read, write = os.pipe()
        with os.fdopen(read, "rb"), os.fdopen(write, "wb") as gate:
            child = await cls._start(behind_gate(launch), read)
            try:
                launch.enter(child.process.pid)
            except InfrastructureError:
                child.signal_group(signal.SIGKILL)
                await child.buried()
                raise
            gate.write(b"\n")
        return child

    @classmethod
    async def _start(cls, launch: Launch, stdin: int) -> Self:
        streams = (Stream(launch.stdout), Stream(launch.stderr))
        try:
            process = await asyncio.create_subprocess_exec(
                *launch.argv,
                executable=launch.program,
                stdin=stdin,
                stdout=streams[0].write_end,
                stderr=streams[1].write_end,
                env=launch.environment,
                cwd=launch.folder,
                pass_fds=launch.descriptors,
                start_new_session=True,
                user=launch.owner.uid if launch.owner else None,
                group=launch.owner.gid if launch.owner else None,
                extra_groups=[] if launch.owner else None,
            )
        finally:
            for stream in streams:
                stream.handed_down()
        return cls(process, streams)

    async def buried(self) -> None:
        """Wait for the end of what was killed. Raises InfrastructureError where it does not die."""
        if not await self.ended_within(PATIENCE):
            raise InfrastructureError("a process that was killed does not end")

    async def ended_within(self, seconds: float) -> bool:
        """Wait for its end. False where the time was up first."""
        try:
            await asyncio.wait_for(self.process.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def end_of(self, command: Command, clock: Clock, home: Path | None = None) -> How:
        """Wait until it has ended, or may be ended. Kills nothing."""
        work = asyncio.ensure_future(self._end())
        try:
            return await supervise(work, command, Signs(self.printed, home), clock)
        finally:
            work.cancel()

    def printed(self) -> int:
        """Bytes of both outputs so far."""
        return sum(stream.bytes for stream in self._streams)

    async def _end(self) -> None:
        await self.process.wait()

    def signal_group(self, number: int) -> None:
        """Signal it and all that stayed in its process group."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return

    async def outputs(self) -> None:
        """Wait until both files are whole."""
        for stream in self._streams:
            await stream.finish()


def tail(path: Path) -> str:
    """The end of an error output, on one line, printable whatever it holds."""
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - TAIL))
        text = file.read().decode(errors="replace")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
