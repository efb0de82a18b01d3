"""How the model's server serves one run: what it answers, what it fails, and how long it is silent.

Prevents a false result: agents wait for a server that fails, or call again until their time is up,
and that would be a limit, or a stall, of the model's own.
"""

from __future__ import annotations

import re

from evaluation.gateway.drafts import Draft
from evaluation.gateway.gate import THROTTLED
from evaluation.gateway.headers import joined
from evaluation.gateway.recording import Answered

MOST_FAILED = 20
"""Calls in a row that may fail. Some agents call again many times a second, for ever."""
CONTENT_TYPE = re.compile(r"[\w.+-]{1,40}/[\w.+-]{1,40}")


class Answers:
    """What came of the calls of one run. Seconds are those of the run's own clock."""

    def __init__(self) -> None:
        self.answered = 0
        """Calls for an answer that the server accepted and began to answer."""
        self.failed = 0
        """The latest such calls in a row that came to no whole answer."""
        self.last_failure = ""
        """What the last of them was; empty where there is none."""
        self.fault = ""
        """Why no more calls are passed on; empty where they are."""
        self._waiting: dict[Draft, float] = {}
        """Since when each call in flight has waited for a byte of the server."""
        self._throttled: float | None = None
        """Since when calls are throttled, with none answered between."""
        self._given_up = 0.0
        """Seconds that calls waited on which the client hung up, since the last whole answer: one
        that asks again and again has waited through all of them."""

    def waits(self, draft: Draft, now: float) -> None:
        """A call is sent, or all that has come of its answer is passed on."""
        self._waiting[draft] = now

    def came(self, draft: Draft) -> None:
        """A byte of the server came for a call, or the end of its answer."""
        self._waiting.pop(draft, None)

    def unanswered(self, now: float) -> float:
        """Seconds for which the call that has waited longest has waited; 0 where none waits."""
        if not self._waiting:
            return 0.0
        return self._given_up + now - min(self._waiting.values())

    def throttled(self, now: float) -> float:
        """Seconds since a call was throttled and none was answered after it; 0 where none was."""
        return 0.0 if self._throttled is None else now - self._throttled

    def over(self, draft: Draft, answered: Answered, now: float) -> None:
        """Take in a call that is over."""
        since = self._waiting.pop(draft, None)
        if since is not None and draft.end == "client_gone":
            self._given_up += now - since
        is_asking = draft.arrived is not None and draft.arrived.generation
        if not is_asking or not draft.sent:  # refused here
            return
        if draft.status in THROTTLED:  # it has the gate
            self._throttled = now if self._throttled is None else self._throttled
            return
        is_accepted = answered.body is not None and answered.body.events > 0
        self.answered += is_accepted
        self._throttled = None if is_accepted else self._throttled
        if answered.end == "client_gone":
            return
        if is_accepted and answered.end == "complete":
            self.failed, self.last_failure, self._given_up = 0, "", 0.0
        else:
            self._enter_failure(_told(draft, answered))

    def _enter_failure(self, what: str) -> None:
        self.failed += 1
        self.last_failure = what
        if self.failed >= MOST_FAILED and not self.fault:
            self.fault = f"{MOST_FAILED} calls in a row were not answered; the last: {what}"


def _told(draft: Draft, answered: Answered) -> str:
    """What came in the place of an answer."""
    if not draft.status:
        return "the connection broke" if draft.was_reached else "no connection to the server"
    kind = joined(draft.response_headers).get("content-type", "").partition(";")[0].strip()
    is_plain = CONTENT_TYPE.fullmatch(kind) is not None
    told = f"HTTP {draft.status}, {kind if is_plain else 'no content type'}"
    if draft.is_too_long:
        return f"{told}, an answer that did not end"
    if answered.end == "error_event":
        return f"{told}, an error in the place of an answer"
    return f"{told}, cut off" if answered.end == "upstream_cut" else told
