"""The loop: ask the model, carry out its calls, until it answers without one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import orjson
from openai.types.chat import (
    ChatCompletionAssistantMessageParam,
    ChatCompletionMessageParam,
    ChatCompletionToolUnionParam,
)

from evaluation.agents.fixed.chat import Chat, Reply
from evaluation.agents.fixed.context_length import ContextLength
from evaluation.agents.fixed.context_watch import ContextWatch
from evaluation.agents.fixed.names import CallNames
from evaluation.agents.fixed.session import SessionWriter
from evaluation.agents.fixed.tools import CorpusTools, Delegate, ToolError, parse
from evaluation.reading.context import MAIN
from evaluation.transcripts.fixed_rows import FixedCall, FixedRow

DELEGATE = "delegate"


class TurnsSpentError(Exception):
    """The run may not call the model again."""


@dataclass(frozen=True)
class Wording:
    """What a model is told and offered."""

    main: str
    """System prompt."""
    subagent: str
    tools: tuple[ChatCompletionToolUnionParam, ...]
    """For the main agent."""
    subagent_tools: tuple[ChatCompletionToolUnionParam, ...]
    """Without `delegate`: a sub-agent has none of its own."""


@dataclass(frozen=True)
class Thread:
    """One agent's conversation."""

    thread: str
    parent: str | None


@dataclass(frozen=True)
class Returned:
    """What a call gave back."""

    text: str
    subagent: str | None = None


@dataclass(frozen=True)
class Limits:
    """What ends a run."""

    turns: int
    watch: ContextWatch
    ask_length: Callable[[], Awaitable[ContextLength]]
    """Asks the server once more how much its context holds."""


class Loop:
    """One run of the main agent and its sub-agents, one after the other."""

    def __init__(
        self,
        chat: Chat,
        tools: CorpusTools,
        session: SessionWriter,
        wording: Wording,
        limits: Limits,
    ) -> None:
        self._chat = chat
        self._tools = tools
        self._session = session
        self._wording = wording
        self._turns_left = limits.turns
        self._watch = limits.watch
        self._ask_length = limits.ask_length
        self._subagents = 0
        self._names = CallNames()

    async def run(self, prompt: str) -> None:
        """The main agent, to its answer.

        Raises TurnsSpentError, ContextLimitError or ServerError.
        """
        await self._converse(Thread(MAIN, None), prompt)

    async def _converse(self, thread: Thread, prompt: str) -> str:
        main = thread.parent is None
        system = self._wording.main if main else self._wording.subagent
        tools = self._wording.tools if main else self._wording.subagent_tools
        messages: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": system},
            {"role": "user", "content": prompt},
        ]
        self._write(thread, FixedRow(thread=thread.thread, role="system", text=system))
        self._write(thread, FixedRow(thread=thread.thread, role="user", text=prompt))
        while True:
            reply = await self._ask(thread, messages, tools)
            messages.append(as_message(reply))
            if not reply.calls:
                return reply.text
            for call in reply.calls:
                returned = await self._carry_out(thread, call)
                self._write(
                    thread,
                    FixedRow(
                        thread=thread.thread,
                        role="tool",
                        text=returned.text,
                        result_of=call.id,
                        name=call.name,
                        subagent=returned.subagent,
                    ),
                )
                messages.append({"role": "tool", "tool_call_id": call.id, "content": returned.text})

    async def _ask(
        self,
        thread: Thread,
        messages: Sequence[ChatCompletionMessageParam],
        tools: Sequence[ChatCompletionToolUnionParam],
    ) -> Reply:
        if self._turns_left == 0:
            raise TurnsSpentError
        self._watch.check(thread.thread, messages, tools)
        self._turns_left -= 1
        reply = self._names.unique(await self._chat.complete(thread, messages, tools))
        self._write(
            thread,
            FixedRow(
                thread=thread.thread,
                role="assistant",
                text=reply.text,
                model=reply.model,
                calls=reply.calls or None,
                usage=reply.usage,
            ),
        )
        self._watch.answered(thread.thread, reply.usage.prompt_tokens if reply.usage else None)
        if self._watch.is_open:
            self._watch.settle(await self._ask_length())
        return reply

    async def _carry_out(self, thread: Thread, call: FixedCall) -> Returned:
        await asyncio.sleep(0)  # a run's time may be up between two calls
        try:
            if call.name == DELEGATE and thread.parent is None:
                return await self._delegate(thread, call)
            return Returned(self._tools.call(call.name, call.arguments))
        except ToolError as error:
            return Returned(f"Error: {error}")

    async def _delegate(self, parent: Thread, call: FixedCall) -> Returned:
        order = parse(Delegate, call.arguments)
        self._subagents += 1
        thread = Thread(f"sub-{self._subagents}", parent.thread)
        answer = await self._converse(thread, order.prompt)
        return Returned(answer or "[no answer]", thread.thread)

    def _write(self, thread: Thread, row: FixedRow) -> None:
        self._session.write(row.model_copy(update={"parent": thread.parent}))


def as_message(reply: Reply) -> ChatCompletionAssistantMessageParam:
    """An answer as it stands in the next request.

    Arguments that are no JSON object go back as an empty one: servers parse what they are sent.
    """
    message: ChatCompletionAssistantMessageParam = {
        "role": "assistant",
        "content": reply.text or None,
    }
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _valid(call.arguments)},
            }
            for call in reply.calls
        ]
    return message


def _valid(arguments: str) -> str:
    try:
        found = orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return "{}"
    return arguments if isinstance(found, dict) else "{}"
