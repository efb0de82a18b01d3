"""Runs the built-in loop. It has no shell and only looks, so it needs no sandbox."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import orjson
from openai.types.chat import ChatCompletionToolUnionParam

from evaluation.agents.ending import one_line
from evaluation.agents.fixed.chat import ServerError, open_chat
from evaluation.agents.fixed.loop import DELEGATE, Loop, TurnsSpentError, Wording
from evaluation.agents.fixed.profile import PROFILE, VERSION
from evaluation.agents.fixed.session import SessionWriter
from evaluation.agents.fixed.tools import CorpusTools
from evaluation.agents.harness import Ended, Job, Profile
from evaluation.sandboxes.deadline import Deadline, wait_for_end
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.transcripts.fixed import read_fixed_session
from evaluation.transcripts.fixed_rows import FixedHead
from evaluation.transcripts.trajectory import Trajectory

TEXTS = Path(__file__).parent


class Fixed:
    """The harness of the built-in loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock

    @property
    def profile(self) -> Profile:
        return PROFILE

    def installed_version(self) -> str:
        """It comes with ocb."""
        return VERSION

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        """Run it to its end; its session lies in `job.native` afterwards."""
        job.native.mkdir(parents=True, exist_ok=True)
        started = self._clock()
        limit = fault = ""
        with SessionWriter(job.native, FixedHead(version=VERSION, model=job.model)) as session:
            work = asyncio.create_task(converse(job, session))
            try:
                how = await wait_for_end(work, Deadline(job.seconds, job.held, self._clock))
                if how == "ended":
                    await work
                else:
                    limit = f"{job.seconds:g} s"
            except TurnsSpentError:
                limit = f"{job.turns} turns"
            except ServerError as error:
                fault = one_line(str(error))
            finally:
                await cancelled(work)
        ok = not limit and not fault
        return Ended(ok=ok, seconds=self._clock() - started, limit=limit, fault=fault)

    def read_session(self, native: Path) -> Trajectory:
        return read_fixed_session(native)


async def converse(job: Job, session: SessionWriter) -> None:
    """The run itself. Raises TurnsSpentError or ServerError."""
    async with open_chat(job.url, job.token, job.model) as chat:
        tools = CorpusTools(job.corpus)
        await Loop(chat, tools, session, load_wording(), job.turns).run(job.prompt)


async def cancelled(work: asyncio.Task[None]) -> None:
    """End it where it has not ended, and wait until it has."""
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


def load_wording() -> Wording:
    """What models are told and offered: the files beside this one."""
    tools = cast(
        "list[ChatCompletionToolUnionParam]", orjson.loads((TEXTS / "tools.json").read_bytes())
    )
    return Wording(
        main=(TEXTS / "system.txt").read_text(encoding="utf-8"),
        subagent=(TEXTS / "subagent.txt").read_text(encoding="utf-8"),
        tools=tuple(tools),
        subagent_tools=tuple(t for t in tools if _name(t) != DELEGATE),
    )


def _name(tool: ChatCompletionToolUnionParam) -> str:
    return tool["function"]["name"] if tool["type"] == "function" else ""
