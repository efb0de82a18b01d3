"""The sandbox: one command in a container of its own.

The agent sees the programs of the image, its home, the corpus and one loopback port, which leads to
the gateway. The root and the corpus cannot be written to, there is no network, and everything
inside is an ordinary user who has no capability and can gain none.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from authoring.errors import InfrastructureError
from evaluation.sandboxes.bubblewrap import MOUNT_POINT, bring_in, inside_files
from evaluation.sandboxes.docker.container import Container, started
from evaluation.sandboxes.docker.engine import connected, describe
from evaluation.sandboxes.docker.image import image_in
from evaluation.sandboxes.docker.outfit import BOUNDS, Outfit, Shared
from evaluation.sandboxes.docker.output import Output
from evaluation.sandboxes.docker.promises import is_root, promises_of
from evaluation.sandboxes.docker.rehearsal import fault_before, rehearse
from evaluation.sandboxes.groups import Bounds
from evaluation.sandboxes.layout import ID, INSIDE, SOCKET, USER
from evaluation.sandboxes.process import KILLED
from evaluation.sandboxes.promises import unseen
from evaluation.sandboxes.sandbox import Command, Exit, Inside, Promise
from evaluation.sandboxes.stage import Stage, in_thread, make_stage
from evaluation.sandboxes.supervision import Signs, supervise
from evaluation.sandboxes.trees import Owner

FIRST_LOOK, LOOK = 0.01, 0.5
"""Seconds between two questions whether a command has ended that prints no more."""


class Docker:
    """Runs commands in containers."""

    name = "docker"
    inside: Inside = INSIDE

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        bounds: Bounds = BOUNDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._environment = environment
        self._bounds = bounds
        self._clock = clock

    @classmethod
    def for_run(cls, _home: Path, _corpus: Path) -> Docker:
        """One for a run; what is inside does not depend on it."""
        return cls()

    @classmethod
    def probe(cls) -> str | None:
        """Why it cannot be used on this machine; None where it can. Runs a container once."""
        try:
            return fault_before(os.environ) or rehearse(cls())
        except InfrastructureError as error:
            return str(error)

    @staticmethod
    def promises() -> tuple[Promise, ...]:
        """What is promised of a run, and whether it holds here, by what the engine tells."""
        try:
            if (fault := fault_before(os.environ)) is not None:
                return promises_of(fault)
            with connected(os.environ) as client:
                return promises_of(describe(client))
        except InfrastructureError as error:
            return promises_of(str(error))

    @classmethod
    def unbounded(cls) -> tuple[str, ...]:
        """What an agent inside can use up of the machine, for a reader."""
        missing = [f"{kept.name} ({kept.detail})" for kept in cls.promises() if not kept.holds]
        return (*missing, f"size of the home where it is not seen: {unseen(root=is_root())}")

    async def run(self, command: Command) -> Exit:
        """Run it to its end; every process of it is dead afterwards."""
        async with in_thread(make_stage(None)) as bare:
            stage = replace(bare, owner=agent_owner())
            outfit = await asyncio.to_thread(self.outfit, stage, command)
            async with in_thread(stage.home_from(command.home)):
                try:
                    return await self._run(command, outfit, stage.home)
                finally:
                    with contextlib.suppress(OSError):  # not empty, or never made
                        stage.home.joinpath(MOUNT_POINT).rmdir()

    def outfit(self, stage: Stage, command: Command) -> Outfit:
        """Everything that the container has, under host paths that tell nothing."""
        mounts = bring_in(stage, command)
        owner = stage.owner or agent_owner()
        return Outfit(
            image=image_in(self._environment),
            owner=owner,
            shared=(
                Shared(mounts.home, INSIDE.home, writable=True),
                Shared(mounts.corpus, INSIDE.corpus),
                Shared(mounts.socket, SOCKET),
                *(Shared(program.host, program.inside) for program in mounts.programs),
                *written(stage, files_of(owner)),
            ),
            label=stage.root.name,
            bounds=self._bounds,
        )

    async def _run(self, command: Command, outfit: Outfit, home: Path) -> Exit:
        async with in_thread(started(self._environment, outfit)) as container:
            frames = await asyncio.to_thread(container.execute, command.argv, command.environment)
            began = self._clock()
            output = Output(frames, command.stdout, command.stderr)
            work = asyncio.ensure_future(end_of(container, output))
            try:
                signs = Signs(lambda: output.bytes, home)
                how = await supervise(work, command, signs, self._clock)
            finally:
                work.cancel()
            seconds = self._clock() - began
            marks = await asyncio.to_thread(container.reached)
            if how == "ended":
                work.result()  # raises where the engine was lost
                marks = (*await asyncio.to_thread(container.left_behind), *marks)
        await output.finish()
        return Exit(container.code if how == "ended" else KILLED, how, seconds, marks)


async def end_of(container: Container, output: Output) -> None:
    """Wait until the command has ended. Raises InfrastructureError where that cannot be told."""
    await output.ended.wait()
    look = FIRST_LOOK
    while not await asyncio.to_thread(container.has_ended):
        await asyncio.sleep(look)
        look = min(2 * look, LOOK)


def agent_owner() -> Owner:
    """Whom the agent is on the host: never root."""
    return Owner(ID, ID) if os.geteuid() == 0 else Owner(os.geteuid(), os.getegid())


def files_of(owner: Owner) -> dict[str, str]:
    """Files that everybody inside finds, by their path there."""
    user = f"{USER}:x:{owner.uid}:"
    return {
        **inside_files(),
        "/etc/passwd": f"{user}{owner.gid}:{USER}:{INSIDE.home}:/bin/bash\n",
        "/etc/group": f"{USER}:x:{owner.gid}:\n",
        "/etc/resolv.conf": "",  # else the engine puts its own there, under a path of its own
    }


def written(stage: Stage, files: Mapping[str, str]) -> Iterator[Shared]:
    """Write files to the stage, each to be mounted alone."""
    for path, text in files.items():
        host = stage.root / "system" / path.lstrip("/")
        host.parent.mkdir(parents=True, exist_ok=True)
        host.write_text(text, encoding="utf-8")
        host.chmod(0o644)
        yield Shared(host, path)
