"""Runs the built-in loop. It has no shell and only looks, so it needs no sandbox."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

import orjson
from openai.types.chat import ChatCompletionToolUnionParam

from evaluation.agents.ending import one_line
from evaluation.agents.fixed.chat import OpenAIChat, ServerError, ServerRoot, open_client
from evaluation.agents.fixed.context_length import ask_length as ask
from evaluation.agents.fixed.context_watch import ANSWER, ContextLimitError, ContextWatch
from evaluation.agents.fixed.loop import DELEGATE, Limits, Loop, TurnsSpentError, Wording
from evaluation.agents.fixed.profile import PROFILE, VERSION
from evaluation.agents.fixed.session import SessionWriter
from evaluation.agents.fixed.tools import CorpusTools
from evaluation.agents.harness import Ended, Job, Profile
from evaluation.sandboxes.deadline import Deadline, How, Silence, wait_for_end
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.transcripts.fixed import read_fixed_session
from evaluation.transcripts.fixed_rows import FixedContext, FixedHead
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
        limit = stalled = fault = ""
        work = asyncio.create_task(converse(job))
        try:
            how = await self._end_of(work, job)
            if how == "ended":
                await work
            elif how == "stalled":
                stalled = f"{job.silence:g} s of silence"
            else:
                limit = f"{job.seconds:g} s"
        except TurnsSpentError:
            limit = f"{job.turns} turns"
        except ContextLimitError as error:
            limit = str(error)
        except ServerError as error:
            fault = one_line(str(error))
        finally:
            await cancelled(work)
        ok = not (limit or stalled or fault)
        seconds = self._clock() - started
        return Ended(ok=ok, seconds=seconds, limit=limit, stalled=stalled, fault=fault)

    async def _end_of(self, work: asyncio.Task[None], job: Job) -> How:
        """It prints nothing: the bytes to and from its server are all the life it shows."""
        silence = Silence(job.silence, lambda: 0, job.quiet, job.held, self._clock)
        return await wait_for_end(
            work,
            Deadline(job.seconds, job.held, self._clock),
            silence=silence if math.isfinite(job.silence) else None,
        )

    def read_session(self, native: Path) -> Trajectory:
        return read_fixed_session(native)


async def converse(job: Job) -> None:
    """The run itself. Raises TurnsSpentError, ContextLimitError or ServerError."""
    async with open_client(job.url, job.token) as client:
        ask_length = partial(ask, ServerRoot(client, job.url), job.model)
        length = await ask_length()
        context = FixedContext(tokens=length.tokens, told_by=length.told_by)
        head = FixedHead(version=VERSION, model=job.model, context=context)
        limits = Limits(job.turns, ContextWatch(length, answer_tokens(job)), ask_length)
        wording = load_wording(delegation=job.condition != "no_delegation")
        with SessionWriter(job.native, head) as session:
            chat = OpenAIChat(client, job.model, job.settings)
            await Loop(chat, CorpusTools(job.corpus), session, wording, limits).run(job.prompt)


def answer_tokens(job: Job) -> int:
    """What must be left of the context for an answer."""
    most = job.settings.get("max_tokens")
    return most if isinstance(most, int) and most > 0 else ANSWER


async def cancelled(work: asyncio.Task[None]) -> None:
    """End it where it has not ended, and wait until it has."""
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


def load_wording(*, delegation: bool = True) -> Wording:
    """What models are told and offered: the files beside this one."""
    tools = cast(
        "list[ChatCompletionToolUnionParam]", orjson.loads((TEXTS / "tools.json").read_bytes())
    )
    own = tuple(tool for tool in tools if _name(tool) != DELEGATE)
    return Wording(
        main=(TEXTS / "system.txt").read_text(encoding="utf-8"),
        subagent=(TEXTS / "subagent.txt").read_text(encoding="utf-8"),
        tools=tuple(tools) if delegation else own,
        subagent_tools=own,
    )


def _name(tool: ChatCompletionToolUnionParam) -> str:
    return tool["function"]["name"] if tool["type"] == "function" else ""
