"""A bench for sandboxes: folders with telling names, a gateway that answers, probes as agents."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from evaluation.sandboxes.bubblewrap import Bubblewrap
from evaluation.sandboxes.sandbox import Command, Exit, Program, Sandbox

ENVIRONMENT: Mapping[str, str] = {"PATH": "/usr/bin:/bin", "HOME": "/home/dev", "WORD": "a b\n=c"}
TELLING = "overclaim-needle-planted"
"""Every host path of the bench holds it."""


@dataclass(frozen=True)
class Ran:
    """What a probe did."""

    exit: Exit
    stdout: bytes
    stderr: bytes

    @property
    def text(self) -> str:
        return self.stdout.decode()


@dataclass
class Bench:
    """One build, one home, one gateway; commands are run against them."""

    root: Path
    greeted: list[bytes] = field(default_factory=list)
    """What came to the gateway."""
    on_greeting: Callable[[], None] = lambda: None
    may_answer: Callable[[], bool] = lambda: True
    """Until then the gateway hangs up on whoever comes."""

    def __post_init__(self) -> None:
        self.build = self.root / "build" / "contract_review-0123456789ab"
        self.corpus = self.build / "corpus"
        self.home = self.root / "home"
        self.program = self.root / "tools" / "reader-1.0"
        self.socket = self.root / "gateway.sock"
        for folder in (self.corpus / "sub", self.home, self.program):
            folder.mkdir(parents=True)
        (self.build / "registry.json").write_text("secret")
        (self.corpus / "a.txt").write_text("first\nsecond\n")
        (self.corpus / "sub" / "b.txt").write_text("third\n")
        (self.home / ".settings").write_text("given\n")
        tool = self.program / "tool"
        tool.write_text("#!/bin/sh\necho program\n")
        tool.chmod(0o755)

    def command(self, *argv: str, seconds: float = 60, **more: Any) -> Command:
        return Command(
            argv=argv,
            environment=ENVIRONMENT,
            home=self.home,
            corpus=self.corpus,
            socket=self.socket,
            programs=(Program(self.program, "/opt/reader"),),
            stdout=self.root / "stdout",
            stderr=self.root / "stderr",
            seconds=seconds,
            **more,
        )

    def run(self, sandbox: Sandbox, *argv: str, seconds: float = 60, **more: Any) -> Ran:
        """Run a command to its end, with the gateway up."""
        return asyncio.run(self.run_in_loop(sandbox, *argv, seconds=seconds, **more))

    async def run_in_loop(
        self, sandbox: Sandbox, *argv: str, seconds: float = 60, **more: Any
    ) -> Ran:
        command = self.command(*argv, seconds=seconds, **more)
        server = await asyncio.start_unix_server(self._answer, self.socket)
        try:
            ended = await sandbox.run(command)
        finally:
            server.close()
        return Ran(ended, command.stdout.read_bytes(), command.stderr.read_bytes())

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Say back all that comes, once its sender has said all."""
        data = await reader.read()
        self.greeted.append(data)
        self.on_greeting()
        with contextlib.suppress(ConnectionError):  # a probe may be gone by now
            writer.write(b"gateway:" + data if self.may_answer() else b"")
            await writer.drain()
            writer.close()
            await writer.wait_closed()


def alive(marker: str) -> list[int]:
    """Processes of this machine that have this word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue  # it ended meanwhile
        if any(marker.encode() in word for word in words):
            found.append(int(path.parent.name))
    return found


@pytest.fixture
def bench() -> Iterator[Bench]:
    # Not pytest's own folder: a socket's path may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="ocb-") as folder:
        root = Path(folder, TELLING)
        root.mkdir()
        yield Bench(root)


@pytest.fixture(name="alive")
def alive_fixture() -> Callable[[str], list[int]]:
    return alive


@pytest.fixture
def bubblewrap() -> Bubblewrap:
    fault = Bubblewrap.probe()
    assert fault is None, f"{fault}. Run ./dev test as root, or: apt-get install bubblewrap"
    return Bubblewrap()
