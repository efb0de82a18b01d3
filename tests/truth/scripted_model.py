"""A model on loopback that does what a case says, and keeps what it was really sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import web
from pydantic import JsonValue

from evaluation.simulated.conversation import Conversation, Reply, ToolUse
from evaluation.simulated.server import ANTHROPIC, CHAT, GEMINI, RESPONSES, Dialect
from evaluation.simulated.wire_format import Exchange, estimate_tokens
from tests.loopback import LoopbackServer
from tests.truth.cases import Case, Found, marked

SUMMARY = re.compile(
    r"detailed summary of (the|this|our) conversation|summary of the conversation"
    r"|CONTEXT CHECKPOINT COMPACTION|state_snapshot|continuing our conversation above",
    re.I,
)
"""How the CLIs ask for the summary by which they shorten a session."""
ASIDE = """\
<analysis>
Lists of crates were read, one after the other.
</analysis>

<summary>
1. The request: go over the lists, one after the other.

2. So far, the lists were looked at in part; this was summed up {number} times.
</summary>"""
"""No two are alike, as with a real model."""
DIALECTS = {
    "/v1/messages": ANTHROPIC,
    "/v1/chat/completions": CHAT,
    "/v1/responses": RESPONSES,
}
LATEST = 6000
"""Characters at the end of what the user's side said, where a request for a summary stands."""


@dataclass(frozen=True)
class Sent:
    """A request of an agent's thread, as it came."""

    mark: str
    body: bytes
    headers: Mapping[str, str]
    """Names in lower case."""
    last_word: str
    """What the model said where it asked for nothing more; else empty."""


class Script:
    """The turns of each thread in order, the thread told by a mark in its prompt."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._given = dict.fromkeys(case.threads, 0)
        self._left = set(case.threads)
        self._last = next(iter(case.threads))
        self._asides = 0
        self.sent: list[Sent] = []
        self.unknown: set[str] = set()
        """Tools that a case wanted and the CLI does not offer."""

    def answer(self, conversation: Conversation, body: bytes, headers: Mapping[str, str]) -> Reply:
        """The next turn of the thread that a request belongs to."""
        texts = "\n".join(conversation.user_texts)
        if not conversation.tools or SUMMARY.search(texts[-LATEST:]):
            self._asides += 1
            aside = ASIDE.format(number=self._asides)
            return Reply('{"title": "Lists"}' if conversation.wants_json else aside)
        mark = self._mark(texts)
        if mark is None:
            return Reply("Ready.")
        turns, number = self._case.threads[mark], self._given[mark]
        self._given[mark] += 1
        turn = turns[min(number, len(turns) - 1)]
        self.sent.append(Sent(mark, body, headers, "" if turn.uses else turn.text))
        if not turn.uses or number >= len(turns) - 1:
            self._left.discard(mark)
        self.unknown |= {use.tool for use in turn.uses} - conversation.tools
        place = list(self._case.threads).index(mark)
        return Reply(
            turn.text,
            tuple(
                ToolUse(f"{place}{number:02}{n:02}".rjust(24, "A"), use.tool, filled)
                for n, use in enumerate(turn.uses)
                if (filled := dict(_filled(use.arguments.items(), body)))
            ),
        )

    def _mark(self, texts: str) -> str | None:
        """The mark that was named last. After a compaction none may be left to tell by; a call that
        only warms the cache never had one."""
        marks = [mark for mark in self._case.threads if marked(mark, texts)]
        if not marks and texts.rstrip().endswith("Warmup"):
            return None
        self._last = max(marks, key=lambda one: texts.rfind(f": {one}."), default=self._last)
        return self._last

    @property
    def left(self) -> frozenset[str]:
        """Threads that did not come to their end."""
        return frozenset(self._left)


def _filled(
    arguments: Iterable[tuple[str, JsonValue | Found]], body: bytes
) -> Iterator[tuple[str, JsonValue]]:
    for name, value in arguments:
        if isinstance(value, Found):
            found = [one[1] for one in value.pattern.finditer(body.decode())]
            last = found[-1] if found else ""
            yield name, int(last) if value.number and last else last
        else:
            yield name, value


class ScriptedModel(LoopbackServer):
    """`async with ScriptedModel(script) as model`: every protocol, on a port of its own."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_post("/v1/messages/count_tokens", self._count)
        for path in DIALECTS:
            router.add_post(path, self._answer)
        router.add_post("/v1beta/models/{model}:{method}", self._answer_gemini)
        router.add_get("/{path:.*}", self._nothing)

    async def _answer(self, request: web.Request) -> web.Response:
        return self._reply(DIALECTS[request.path], request, await request.read(), {})

    async def _answer_gemini(self, request: web.Request) -> web.Response:
        body, method = await request.read(), request.match_info["method"]
        if method == "countTokens":
            return web.json_response({"totalTokens": estimate_tokens(len(body))})
        streamed = method == "streamGenerateContent"
        more = {"model": request.match_info["model"], "stream": streamed}
        return self._reply(GEMINI, request, body, more)

    def _reply(
        self, dialect: Dialect, request: web.Request, body: bytes, more: dict[str, Any]
    ) -> web.Response:
        asked = orjson.loads(body) | more
        headers = {name.lower(): value for name, value in request.headers.items()}
        reply = self._script.answer(dialect.parse(asked), body, headers)
        exchange = Exchange(model=str(asked.get("model", "")), request=body)
        if asked.get("stream") is not True:
            answer = dialect.write_json(reply, exchange)
            return web.Response(body=answer, content_type="application/json")
        events = b"".join(dialect.write_events(reply, exchange, asked))
        return web.Response(body=events, headers={"Content-Type": "text/event-stream"})

    async def _count(self, request: web.Request) -> web.Response:
        return web.json_response({"input_tokens": estimate_tokens(len(await request.read()))})

    async def _nothing(self, request: web.Request) -> web.Response:
        return web.json_response({"data": [], "models": []})
