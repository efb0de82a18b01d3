"""What a command in a container prints, copied to disk as it comes.

Prevents a clipped record: the engine hands both outputs on in pieces of one stream, and an agent
may print gigabytes of them.

And a run that is void by chance: who watches the output looks at it at once, and it must be there.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from pathlib import Path

from authoring.errors import InfrastructureError
from evaluation.sandboxes.docker.container import BURIAL, Frames, close


class Output:
    """Both outputs of one command. A thread of its own copies them until their end."""

    def __init__(self, frames: Frames, stdout: Path, stderr: Path) -> None:
        self._frames = frames
        self._paths = (stdout, stderr)
        self._error: OSError | None = None
        self.bytes = 0
        """That came so far, also where the disk took them no more."""
        self._loop = asyncio.get_running_loop()
        self.ended = asyncio.Event()
        """The engine hands on no more: the command has ended or closed both, or the engine is
        gone."""
        with contextlib.suppress(OSError):  # the thread will meet it too
            for path in self._paths:
                path.touch()  # somebody may look at it before the thread does
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def _copy(self) -> None:
        try:
            with self._paths[0].open("wb") as stdout, self._paths[1].open("wb") as stderr:
                for out, err in self._frames:
                    data = out or err or b""
                    self.bytes += len(data)
                    if self._error is None:
                        try:
                            file = stdout if out else stderr
                            file.write(data)
                            file.flush()  # somebody may be watching it
                        except OSError as error:
                            self._error = error  # read on: the command must not block
        except OSError as error:
            self._error = error
        finally:
            close(self._frames)
            with contextlib.suppress(RuntimeError):  # nobody waits any more
                self._loop.call_soon_threadsafe(self.ended.set)

    async def finish(self) -> None:
        """Wait for the last byte of what was killed. Raises InfrastructureError where it could not
        be written."""
        try:
            await asyncio.wait_for(self.ended.wait(), BURIAL)
        except TimeoutError:
            close(self._frames)
        if self._error is not None:
            raise InfrastructureError(f"the output could not be written: {self._error}")
