"""What is known of a sandbox of namespaces from outside: who is its first process, how it ended,
what it left behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import select
import signal

import orjson

from authoring.errors import InfrastructureError
from evaluation.sandboxes.groups import processes
from evaluation.sandboxes.process import PATIENCE

TOLD = re.compile(rb"(\d{1,7})\n")


class Tally:
    """How many processes a command left behind, as the forwarder tells when it has ended."""

    def __init__(self) -> None:
        self._read, self.write_end = os.pipe()
        self._open_write = True

    def __enter__(self) -> Tally:
        return self

    def __exit__(self, *_: object) -> None:
        self.handed_down()
        os.close(self._read)

    def handed_down(self) -> None:
        """The forwarder has its end."""
        if self._open_write:
            os.close(self.write_end)
            self._open_write = False

    def marks(self) -> tuple[str, ...]:
        """In words for a reader; nothing where nothing was told. Never waits."""
        if not select.select([self._read], [], [], 0)[0]:
            return ()
        told = TOLD.fullmatch(os.read(self._read, 100))
        number = int(told[1]) if told else 0
        return (f"left {processes(number)} behind",) if number else ()


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
