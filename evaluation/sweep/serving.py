"""Whether a run that was ended was ended by its model or by the model's server.

Prevents a false result: behind a server that fails, or is silent, every agent comes to its limit.
Such a run is void and made again; as a limit it would be kept, and told of the model.
"""

from __future__ import annotations

from collections.abc import Callable

from evaluation.agents.harness import TOO_LONG, Ended
from evaluation.gateway.runs import RunTraffic
from evaluation.run import Limits

LAST_FAILED = 3
"""Calls in a row, with no answered one after them, by which the server is told to have failed."""
LONGEST_HELD = 3600.0
"""Seconds at most for which a throttled server stops a run's clock: an hour outlasts a rush, while
a quota that is used up comes back in days. A short run waits no longer than it may last."""
OVER = -1e9
"""Seconds held, of a run that has waited long enough: its time is up, whatever it was."""
LONGEST_SILENCE = 60.0
"""Seconds without a byte for a call, at the end of a run's time, that are the server's fault."""


class Watch:
    """Looks at a run's traffic for whoever may end the run, and keeps what was seen last.

    When a run is ended its calls break off, and nothing tells any more what they had waited for.
    """

    def __init__(self, look: Callable[[], RunTraffic], most: float = LONGEST_HELD) -> None:
        self._look = look
        self._most = most
        self.unanswered = 0.0
        """Seconds for which a call had waited for the server when it was last looked."""

    def held(self) -> float:
        """What is given back to the run's time; once that is as much as may be, the run is over."""
        waited = self._seen().waited
        return OVER if waited >= self._most else waited

    def quiet(self) -> float:
        return self._seen().quiet

    def _seen(self) -> RunTraffic:
        seen = self._look()
        self.unanswered = seen.unanswered
        return seen


def most_held(limits: Limits) -> float:
    """Seconds for which a run may be kept waiting."""
    return min(limits.seconds, LONGEST_HELD)


def server_fault(ended: Ended, traffic: RunTraffic, limits: Limits) -> str:
    """What the server did to a run that a limit or its silence ended; empty: nothing.

    `traffic.unanswered` is as of the moment when the run was ended. The words are the same for all
    runs of one fault, by which a sweep tells that it goes on.
    """
    by = ended.limit or ended.stalled or traffic.limit
    if not by:
        return ""
    if traffic.waited >= most_held(limits):
        return f"throttled for {most_held(limits):g} s"
    last = f"; the last: {traffic.last_failure}" if traffic.last_failure else ""
    if not traffic.answered and not ended.limit.startswith(TOO_LONG):
        return f"no call of the model was answered{last}; ended by {by}"
    if traffic.failed >= LAST_FAILED:
        return f"the last calls were not answered, {LAST_FAILED} or more{last}; ended by {by}"
    if ended.stalled and traffic.unanswered:
        return f"the server did not answer for {limits.silence:g} s"
    is_by_time = ended.stalled or ended.limit == f"{limits.seconds:g} s"
    longest = min(limits.silence, LONGEST_SILENCE, limits.seconds / 2)
    if is_by_time and traffic.throttled >= longest:
        return f"throttled for {longest:g} s or more, and to the end; ended by {by}"
    longest = min(limits.silence, LONGEST_SILENCE)
    if ended.limit == f"{limits.seconds:g} s" and traffic.unanswered >= longest:
        return f"the server did not answer for {longest:g} s or more; ended by {by}"
    return ""
