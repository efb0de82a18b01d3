"""A child process whose output goes to disk as it comes, and that ends when its time is up.

Prevents a clipped record: an agent may print gigabytes, and a buffer would keep the last of it. The
output goes through a pipe, so that the child never holds a file of the host that it could rewrite.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from authoring.errors import InfrastructureError
from evaluation.sandboxes.deadline import Clock, Deadline, How, Lingering, wait_for_end
from evaluation.sandboxes.sandbox import Command
from evaluation.sandboxes.trees import Owner

CHUNK = 1 << 16
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


class Stream:
    """One output of a child, copied to a file by a thread of its own."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._read, self.write_end = os.pipe()
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def handed_down(self) -> None:
        """The child has its end; ours is closed, so that the last of its processes ends it."""
        os.close(self.write_end)

    def _copy(self) -> None:
        with self._file:
            while data := os.read(self._read, CHUNK):
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
        streams = (Stream(launch.stdout), Stream(launch.stderr))
        try:
            process = await asyncio.create_subprocess_exec(
                *launch.argv,
                executable=launch.program,
                stdin=asyncio.subprocess.DEVNULL,
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

    async def ended_within(self, seconds: float) -> bool:
        """Wait for its end. False where the time was up first."""
        try:
            await asyncio.wait_for(self.process.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def end_of(self, command: Command, clock: Clock) -> How:
        """Wait until it has ended, or may be ended. Kills nothing."""
        deadline = Deadline(command.seconds, command.held, clock)
        finished, stdout = command.finished, command.stdout
        lingering = finished and Lingering(lambda: finished(stdout), command.grace, clock)
        work = asyncio.ensure_future(self._end())
        try:
            return await wait_for_end(work, deadline, lingering)
        finally:
            work.cancel()

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
