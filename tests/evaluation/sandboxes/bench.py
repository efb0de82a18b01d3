"""What tests of sandboxes run against: folders with telling names, and a gateway that answers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.sandboxes.sandbox import Command, Exit, Program, Sandbox

Alive = Callable[[str], list[int]]

ENVIRONMENT: Mapping[str, str] = {"PATH": "/usr/bin:/bin", "HOME": "/home/dev", "WORD": "a b\n=c"}
TELLING = "overclaim-needle-planted"
"""Every host path of the bench holds it."""
LINGER = Path(__file__).with_name("linger.txt").read_text()
"""Leaves a process in another session that ignores what it can, and holds stdout."""
ASK_UNTIL_ANSWERED = """
import socket, time
while True:
    with socket.create_connection(("127.0.0.1", 8080)) as there:
        there.shutdown(socket.SHUT_WR)
        if there.recv(9):
            break
    time.sleep(0.02)
"""
"""Asks the gateway until it does not hang up."""


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


def sh(script: str) -> tuple[str, ...]:
    return ("/bin/sh", "-c", script)


def bash(script: str) -> tuple[str, ...]:
    return ("/bin/bash", "-c", script)


def own_address() -> str:
    """One by which others reach this machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there:
        try:
            there.connect(("192.0.2.1", 53))
        except OSError:
            return "127.0.0.1"
        return str(there.getsockname()[0])


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
