"""Whose conversation goes on behind a summary, where no header says it.

A CLI shortens a conversation by asking the model for a summary, and puts the answer in the place of
the history. Then no prompt is left to tell the agent by, and no id of a tool call. What tells it is
the very text that the model answered, which was seen here on its way.

Prevents a false result: what an agent read after a compaction would be nobody's, and a summary that
quotes an order would be taken for the call of the sub-agent that has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.gateway.messages import Message
from evaluation.gateway.spaced import LOOKED_AT, spaced, stands_in
from evaluation.gateway.threads import Summary

LEAST = 64
"""Characters. A shorter one may be what anybody says."""

LONGEST = 1 << 18
MOST = 1 << 10
MOST_KEPT = 1 << 24
"""Characters of one summary, their number, and characters of all, that are kept of one run."""

MOST_WORK = 1 << 26
"""Characters that are searched for summaries, all of a run together."""

FEW_PLACES = 4
"""At which one is looked for in a text: it stands there once."""


@dataclass(frozen=True)
class Continued:
    """A summary that stands in the place of a history."""

    thread: str | None
    """Whose it is; None where several threads were given this text, or nobody knows."""
    size: int
    """Characters of the user's text that holds it: a prompt that stands in it is quoted there, and
    only one that is longer is an agent's own. 0 where it stands as an answer."""


class Summaries:
    """The summaries of one run that came to their end, and the thread of each."""

    def __init__(self, rule: Summary | None) -> None:
        self._rule = rule
        self._threads: dict[str, str | None] = {}
        self._size = 0
        self._has_lost = False
        """One could not be kept. It may hold one that is, so none tells anything any more."""

    def enter(self, thread: str | None, answer: str) -> None:
        """What a thread's call for a summary was answered. None: nobody knows whose call it was."""
        text = spaced(self._kept(answer))
        if len(text) < LEAST:
            return
        if text in self._threads:
            if self._threads[text] != thread:
                self._threads[text] = None
        elif self._has_room(text):
            self._threads[text] = thread
            self._size += len(text)
        else:
            self._has_lost = True

    def _kept(self, answer: str) -> str:
        if self._rule is None or self._rule.kept is None:
            return answer
        found = self._rule.kept.search(answer)
        return found[1] if found else answer

    def _has_room(self, text: str) -> bool:
        is_small = len(text) <= LONGEST and self._size + len(text) <= MOST_KEPT
        return is_small and len(self._threads) < MOST

    def find(self, messages: Sequence[Message]) -> Continued | None:
        """What stands where this CLI puts one; None where nothing does. A summary may quote others,
        but one that stands beside it is as good as it is."""
        if self._rule is None or not self._threads or self._has_lost:
            return None
        found = dict(self._in_place(self._rule, messages))
        if not found:
            return None
        longest = max(found, key=len)
        owners = {self._threads[one] for one in found if one == longest or one not in longest}
        size = max(found.values()) if self._rule.place == "user" else 0
        return Continued(owners.pop() if len(owners) == 1 else None, size)

    def _in_place(self, rule: Summary, messages: Sequence[Message]) -> Iterable[tuple[str, int]]:
        """Summaries, and the size of the text that holds each."""
        for said in _texts(rule, messages):
            text = spaced(said)
            if rule.frame is None:
                known = [text] if text in self._threads else []
            else:
                is_framed = rule.frame.match(said) is not None
                known = self._within(text) if is_framed else []
            yield from ((one, len(text)) for one in known)

    def _within(self, text: str) -> list[str]:
        looked_at = text[: MOST_WORK // len(self._threads)]
        return [one for one in self._threads if stands_in(one, looked_at, FEW_PLACES)]


def _texts(rule: Summary, messages: Sequence[Message]) -> Iterable[str]:
    """The first answer; or what the user said before it, text by text."""
    for message in messages:
        if message.role == "assistant":
            if rule.place == "answer":
                yield message.text[:LOOKED_AT]
            return
        if message.role == "user" and rule.place == "user":
            yield from (text[:LOOKED_AT] for text in message.texts)
