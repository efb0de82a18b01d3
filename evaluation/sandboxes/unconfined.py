"""No sandbox at all, for those who ask for it in so many words.

The agent runs as ocb does, in the host's own folders: it can read every file of its user, write to
the corpus, and reach the network. A fresh home, a clean environment and the gateway are all it has
of a sandbox.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

from evaluation.sandboxes.deadline import How
from evaluation.sandboxes.process import KILLED, PATIENCE, Child, Launch
from evaluation.sandboxes.sandbox import Command, Exit, Inside, Program
from evaluation.sandboxes.stage import failures
from evaluation.sandboxes.status import Tally

FORWARDER = Path(__file__).with_name("forward.py")


class Unconfined:
    """Runs one command on the host itself. One for each run: the port is its own."""

    name = "none"

    def __init__(
        self, home: Path, corpus: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        port: int = self._listener.getsockname()[1]
        self.inside = Inside(str(home), str(corpus), f"http://127.0.0.1:{port}")

    @classmethod
    def for_run(cls, home: Path, corpus: Path) -> Unconfined:
        """One for a run with this home and corpus."""
        return cls(home, corpus)

    @staticmethod
    def probe() -> str | None:
        """Nothing stands in its way."""
        return None

    @staticmethod
    def unbounded() -> tuple[str, ...]:
        """All of it."""
        return ("everything",)

    def close(self) -> None:
        """Give the port back; for one that never ran."""
        self._listener.close()

    async def run(self, command: Command) -> Exit:
        """Run it to its end. What it started is killed with it, where the system tells of it."""
        with failures(), contextlib.closing(self._listener) as listener, Tally() as tally:
            where = f"fd:{listener.fileno()}"
            argv = tuple(on_host(part, command.programs) for part in command.argv[:1])
            launch = Launch(
                program=sys.executable,
                argv=(
                    *(sys.executable, "-I", "-S", "-B", str(FORWARDER), where),
                    *(str(command.socket), f"tell={tally.write_end}", *argv, *command.argv[1:]),
                ),
                environment={
                    name: on_host(value, command.programs)
                    for name, value in command.environment.items()
                },
                folder=command.corpus,
                descriptors=(listener.fileno(), tally.write_end),
                owner=None,
                stdout=command.stdout,
                stderr=command.stderr,
            )
            started = self._clock()
            child = await Child.start(launch)
            tally.handed_down()
            how: How = "timed out"
            try:
                how = await child.end_of(command, self._clock, command.home)
            finally:
                await end(child)
            seconds = self._clock() - started
            await child.outputs()
            if how != "ended":
                return Exit(KILLED, how, seconds)
            return Exit(child.process.returncode or 0, how, seconds, tally.marks())


async def end(child: Child) -> None:
    """Ask the forwarder to take everything along; where it does not, kill its group."""
    if child.process.returncode is not None:
        return
    child.process.terminate()
    if not await child.ended_within(PATIENCE):
        child.signal_group(signal.SIGKILL)
        await child.buried()


def on_host(text: str, programs: tuple[Program, ...]) -> str:
    """A path of the sandbox in a program's folder, as the path it has here."""
    for program in programs:
        text = text.replace(program.inside, str(program.host))
    return text
