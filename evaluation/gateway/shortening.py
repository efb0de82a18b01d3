"""Which calls may have been answered from less than was sent (docs/measurement.md, What entered).

Prevents a false result: servers cut an input that is too long and answer with 200. What fell out
was never given to the model, and would count as read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.gateway.messages import RequestBody, ResponseBody
from evaluation.gateway.wire import WireRow

LEAST_SHARE = 0.7
"""Of the tokens that the earlier calls of the thread predict."""

LEAST_SHARE_OF_FIRST = 0.5
"""Of the tokens that other threads predict for the first call of a thread, which may be of another
model, with other tokens."""

SPARSEST = 16
"""Characters to a token. Text has three to five; a server that counts fewer tokens has cut, also
where no earlier call predicts anything."""

HEAD = 4096
"""Characters of an answer that say which server gave it."""

IMAGES = ('"base64"', '"data:', '"inlineData"', '"inline_data"')
"""What stands in a request with data that is no text, and is counted in another way."""
DATA = re.compile(r"[A-Za-z0-9+/=_-]{1024,}")


@dataclass(frozen=True)
class Cutter:
    """A server that is known to cut what is too long for it, without a word."""

    name: str
    answer: re.Pattern[str]
    """Found at the head of its answers."""


KNOWN_TO_CUT = (Cutter("Ollama", re.compile(r'"system_fingerprint":\s*"fp_ollama"')),)


@dataclass(frozen=True)
class Input:
    """The input of one call, as far as it tells whether it was shortened."""

    call: int
    thread: str
    size: int
    """Characters of the request, data that is no text left out."""
    tokens: int | None
    """By the server's own count; None where it gave none."""
    is_suspect: bool
    """The server was let to shorten it, says that it changed it, or is known to cut."""


def input_of(row: WireRow, request: RequestBody, response: ResponseBody) -> Input:
    """What a row tells of the input of its call."""
    head = row.response[:HEAD]
    is_known = any(server.answer.search(head) for server in KNOWN_TO_CUT)
    return Input(
        call=row.call,
        thread=row.thread,
        size=_text_size(row.request),
        tokens=response.input_tokens,
        is_suspect=request.shortens or response.edited or is_known,
    )


def _text_size(request: str) -> int:
    if not any(mark in request for mark in IMAGES):
        return len(request)
    return len(request) - sum(len(match[0]) for match in DATA.finditer(request))


def doubted_calls(inputs: Iterable[Input]) -> frozenset[int]:
    """The calls whose input may have been shortened, from all inputs in their order.

    A call is predicted to take as many tokens for a character as the latest call before it in its
    thread that is not doubted; the first of a thread, as the latest such call of the run.
    """
    doubted: set[int] = set()
    of_thread: dict[str, float] = {}
    of_run = 0.0
    for one in inputs:
        own = of_thread.get(one.thread)
        least = LEAST_SHARE_OF_FIRST * of_run if own is None else LEAST_SHARE * own
        if one.is_suspect or _is_short(one, least):
            doubted.add(one.call)
        elif one.tokens and one.size:
            of_thread[one.thread] = of_run = one.tokens / one.size
    return frozenset(doubted)


def _is_short(one: Input, least: float) -> bool:
    """Whether it took fewer tokens for a character than that, or than any text does."""
    if one.tokens is None:
        return False
    return one.tokens < one.size / SPARSEST or one.tokens < least * one.size
