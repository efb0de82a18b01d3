"""Keeps each request below what the server holds, by a count of our own that the server corrects.

Prevents a false result: of a request that is too long some servers drop the start in silence. Such
a run ends before it is sent, as a limit; where no length is known, as soon as the server's own
count says that it happened.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolUnionParam

from evaluation.agents.fixed.context_length import ContextLength
from evaluation.agents.harness import TOO_LONG
from evaluation.gateway.shortening import LEAST_SHARE, SPARSEST
from generators.tokens import count_tokens

FACTOR = 1.35
"""A model's tokens per token of cl100k_base, until its server counts more."""
ANSWER = 2048
"""Tokens left for the answer, where no setting bounds it."""
GROWN = 1000
"""Characters by which a request must have grown, so that its tokens must have too."""
FRAME = 8
"""Tokens that stand around a message."""


class ContextLimitError(Exception):
    """The context holds no more; the message is the limit with its value."""


@dataclass
class _Size:
    """What one thread has sent. Grows with its conversation."""

    messages: int = 0
    tokens: int = 0
    """By our own count."""
    characters: int = 0
    counted: int = 0
    """Tokens of the latest request, by the server's count; 0: none yet."""
    counted_characters: int = 0
    """Of that request."""


class ContextWatch:
    """The contexts of one run's threads."""

    def __init__(self, length: ContextLength, answer: int = ANSWER) -> None:
        self._length = length
        self._answer = answer
        self._factor = FACTOR
        self._sizes: dict[str, _Size] = {}
        self._is_settled = not length.at_most

    @property
    def is_open(self) -> bool:
        """Whether the server should be asked again."""
        return not self._is_settled

    def settle(self, length: ContextLength) -> None:
        """Take what the server says now that it has answered, where it is less."""
        self._is_settled = True
        if length.tokens and self._length.tokens and length.tokens <= self._length.tokens:
            self._length = length

    def check(
        self,
        thread: str,
        messages: Sequence[ChatCompletionMessageParam],
        tools: Sequence[ChatCompletionToolUnionParam],
    ) -> None:
        """Raises ContextLimitError where the next request would hold too much."""
        size = self._sizes.get(thread)
        if size is None:
            size = self._sizes[thread] = _Size()
            self._add(size, [orjson.dumps(list(tools)).decode()])
        for message in messages[size.messages :]:
            self._add(size, _texts(message))
        size.messages = len(messages)
        if self._length.tokens is None:
            return
        needed = math.ceil(size.tokens * self._factor) + self._answer
        if needed > self._length.tokens:
            raise ContextLimitError(f"{TOO_LONG}{needed} of {self._length.tokens} tokens")

    def _add(self, size: _Size, texts: Iterable[str]) -> None:
        for text in texts:
            size.characters += len(text)
            if self._length.tokens is not None:
                size.tokens += count_tokens(text) + FRAME

    def answered(self, thread: str, counted: int | None) -> None:
        """The server's own count of the latest request.

        Raises ContextLimitError where it counted so few tokens that it cannot have read all.
        """
        size = self._sizes[thread]
        if not counted:
            return
        if self._length.tokens is None or self._length.at_most:
            self._check_count(size, counted)
        size.counted, size.counted_characters = counted, size.characters
        if size.tokens:
            self._factor = max(self._factor, counted / size.tokens)

    def _check_count(self, size: _Size, counted: int) -> None:
        """A server may cut all that goes beyond a bound, and then count the same again and again;
        so what came is looked at, and what came since the call before."""
        if not size.counted:
            return
        expected = round(size.counted * size.characters / size.counted_characters)
        grown = size.characters - size.counted_characters
        stood_still = grown >= GROWN and counted - size.counted < grown / SPARSEST
        if stood_still or counted < LEAST_SHARE * expected:
            raise ContextLimitError(f"{TOO_LONG}the server read {counted} of {expected} tokens")


def _texts(message: ChatCompletionMessageParam) -> Iterable[str]:
    """All that a message says."""
    fields: Mapping[str, object] = {**message}
    content = fields.get("content")
    yield content if isinstance(content, str) else ""
    calls = fields.get("tool_calls")
    if calls:
        yield orjson.dumps(calls).decode()
