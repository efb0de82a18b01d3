"""Which calls may have been answered from less than was sent (docs/measurement.md, What entered).

Prevents a false result: servers cut an input that is too long and answer with 200. What fell out
was never given to the model, and would count as read.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.gateway.messages import RequestBody, ResponseBody
from evaluation.gateway.wire import WireRow

LEAST_SHARE = 0.7
"""Of the tokens that the earlier calls of the thread predict."""

LEAST_SHARE_OF_GROWTH = 1 / 3
"""Of the tokens that the same calls predict for what was added alone: a window that is full stands
still while the request grows. One kind of text may have half as many tokens as another."""

LEAST_SHARE_OF_FIRST = 0.5
"""Of the tokens that other calls of the run predict for one that continues none: it may be of
another model, or of another kind of text."""

DENSE = 1 / 3.5
"""Tokens to a character that are predicted at most. Logs have more, prose has fewer: with more, the
prose that an agent reads after logs would pass for cut. 0.7 of it is five characters to a token."""

SMALL = 512
"""Characters by which a request may grow while its tokens stand still: marks, ids, numbers."""

SPARSEST = 16
"""Characters to a token. Text has three to five; a server that counts fewer tokens has cut, also
where no earlier call predicts anything."""

HEAD = 4096
"""Characters of an answer that say which server gave it."""

IMAGES = ('"base64"', '"data:', '"inlineData"', '"inline_data"')
"""What stands in a request with data that is no text, and is counted in another way."""
DATA = re.compile(r"[A-Za-z0-9+/=_-]{1024,}")
THOUGHTS = ("thinking", "signature", "thoughtSignature", "encrypted_content", "reasoning_content")
"""Fields of what a model thought earlier: some servers count them, others leave them out."""
THOUGHT = re.compile(rf'"(?:{"|".join(THOUGHTS)})":\s*"((?:[^"\\]|\\.)*)"')
ESCAPED = r"\u"
"""One character, written as six."""


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
    """Characters of the request, data that is no text and earlier thoughts left out."""
    tokens: int | None
    """By the server's own count; None where it gave none."""
    is_suspect: bool
    """The server was let to shorten it, says that it changed it, or is known to cut."""
    thoughts: int = 0
    """Characters of earlier thoughts."""
    continues: int | None = None
    """The latest call of its thread all of whose messages it repeats; None where there is none: the
    thread is new, or its client took out what it held."""


class Lineage:
    """Tells of each call which earlier one it continues."""

    def __init__(self) -> None:
        self._held: dict[int, int] = {}
        """Messages of each call that the server took."""
        self._continues: dict[int, int | None] = {}

    def enter(self, row: WireRow, messages: int, *, accepted: bool) -> int | None:
        """The next call of the run. Those that were not accepted are passed over."""
        earlier = row.base if row.base is not None and row.base < row.call else None
        while earlier is not None and self._held.get(earlier, row.keep + 1) > row.keep:
            earlier = self._continues.get(earlier)
        self._continues[row.call] = earlier
        if accepted:
            self._held[row.call] = messages
        return earlier


def input_of(
    row: WireRow, request: RequestBody, response: ResponseBody, continues: int | None = None
) -> Input:
    """What a row tells of the input of its call."""
    head = row.response[:HEAD]
    is_known = any(server.answer.search(head) for server in KNOWN_TO_CUT)
    thoughts = _thoughts(row.request)
    return Input(
        call=row.call,
        thread=row.thread,
        size=_text_size(row.request) - thoughts,
        tokens=response.input_tokens,
        is_suspect=request.shortens or response.edited or is_known,
        thoughts=thoughts,
        continues=continues,
    )


def _text_size(request: str) -> int:
    size = len(request) - (len(ESCAPED) + 3) * request.count(ESCAPED)
    if any(mark in request for mark in IMAGES):
        size -= sum(len(match[0]) for match in DATA.finditer(request))
    return size


def _thoughts(request: str) -> int:
    if not any(f'"{name}"' in request for name in THOUGHTS):
        return 0
    return sum(len(match[1]) for match in THOUGHT.finditer(request))


def doubted_calls(inputs: Iterable[Input]) -> frozenset[int]:
    """The calls whose input may have been shortened, from all inputs in their order."""
    expectation = _Expectation()
    doubted: set[int] = set()
    for one in inputs:
        anchor = expectation.anchor(one)
        if one.is_suspect or expectation.is_short(one, anchor):
            doubted.add(one.call)
            expectation.pass_over(one, anchor)
        else:
            expectation.learn(one, anchor)
    return frozenset(doubted)


class _Expectation:
    """What the calls of a run that are not doubted lead to expect of the next.

    A call has the tokens of the latest such call that it continues (its anchor), and for what was
    added as many to a character as most of what was added in its thread before. The median: one
    text that is dense raises no alarm over all that follow, and one that was cut unseen hides none.
    """

    def __init__(self) -> None:
        self._anchors: dict[int, Input | None] = {}
        """Of each call, what a call that continues it is compared with."""
        self._growth: dict[str, list[float]] = {}
        """By thread, tokens to a character of what was added, in order of size."""
        self._whole: list[float] = []
        """Tokens to a character of whole requests, in order of size."""
        self._latest: dict[str, Input] = {}

    def anchor(self, one: Input) -> Input | None:
        return None if one.continues is None else self._anchors.get(one.continues)

    def is_short(self, one: Input, anchor: Input | None) -> bool:
        """Whether it has fewer tokens than may be expected, or than any text has."""
        if one.tokens is None:
            return False
        if one.tokens < one.size / SPARSEST:
            return True
        if anchor is None:
            return self._is_short_alone(one, one.tokens)
        # A server that counted thoughts may leave them out from now on.
        before = max(_tokens(anchor) - DENSE * anchor.thoughts, 0.0)
        added = one.size - anchor.size
        if added < 0:  # no character is more than one token
            return one.tokens < LEAST_SHARE * (before + added)
        grown = added * min(self._density(anchor), DENSE)
        if added > SMALL and one.tokens < before + LEAST_SHARE_OF_GROWTH * grown:
            return True
        return one.tokens < LEAST_SHARE * (before + grown)

    def _is_short_alone(self, one: Input, tokens: int) -> bool:
        """Of a call that continues none: what it shares with others is of an unknown kind."""
        before = self._latest.get(one.thread)
        if before and tokens == before.tokens and one.size > before.size + SMALL:
            return True  # another text of the very same length is a window
        usual = min(_median(self._whole), DENSE) if self._whole else 0.0
        return tokens < LEAST_SHARE_OF_FIRST * usual * one.size

    def _density(self, anchor: Input) -> float:
        growth = self._growth.get(anchor.thread)
        return _median(growth) if growth else _tokens(anchor) / anchor.size

    def pass_over(self, one: Input, anchor: Input | None) -> None:
        """It predicts nothing; what continues it is compared with what it was compared with."""
        self._anchors[one.call] = anchor

    def learn(self, one: Input, anchor: Input | None) -> None:
        """Take in a call that is not doubted."""
        if not one.tokens or one.size <= 0:
            self.pass_over(one, anchor)
            return
        bisect.insort(self._whole, one.tokens / one.size)
        self._latest[one.thread] = one
        added = one.size - anchor.size if anchor else 0
        if anchor and 0 <= added <= SMALL:  # small steps add up
            self._anchors[one.call] = anchor
            return
        self._anchors[one.call] = one
        if anchor and added > 0:
            density = (one.tokens - _tokens(anchor)) / added
            bisect.insort(self._growth.setdefault(one.thread, []), max(density, 1 / SPARSEST))


def _tokens(anchor: Input) -> int:
    """Of a call from which something was learnt."""
    return anchor.tokens or 0


def _median(ordered: list[float]) -> float:
    return ordered[len(ordered) // 2]
