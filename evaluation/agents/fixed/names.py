"""Ids of tool calls that are unique in a run, whatever the server gave.

Prevents a false result: some servers give no ids, or the same ones in every answer, and a result
would be taken for that of another call.
"""

from __future__ import annotations

from evaluation.agents.fixed.chat import Reply
from evaluation.transcripts.fixed_rows import FixedCall


class CallNames:
    """The ids of one run, all threads together."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._made = 0

    def unique(self, reply: Reply) -> Reply:
        """The answer as it goes into the session and back to the server: an id that is missing, or
        was there before, is replaced."""
        return reply.model_copy(update={"calls": tuple(map(self._named, reply.calls))})

    def _named(self, call: FixedCall) -> FixedCall:
        if not call.id or call.id in self._taken:
            call = call.model_copy(update={"id": self._new()})
        self._taken.add(call.id)
        return call

    def _new(self) -> str:
        while True:
            self._made += 1
            name = f"call-{self._made}"
            if name not in self._taken:
                return name
