"""Tree-sitter queries that need too long: siblings by siblings by siblings, or a slow predicate.

A query that runs hears no signal, and what its predicates raise is lost. So it is tried in a child
first, which the system ends when its time is up. Prevents a build, and a validation, that never
ends.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import TypeVar

from generators.planters import patterns

T = TypeVar("T")


def in_time(query: str, run: Callable[[], T]) -> T:
    """What a query finds. Raises UserError where it computes longer than `patterns.SECONDS`.

    In a thread that is not the main one, which must not fork, nothing is limited.
    """
    seconds = patterns.SECONDS
    if threading.current_thread() is threading.main_thread() and not _ends(run, seconds):
        raise patterns.too_slow("query", query, seconds)
    return run()


def _ends(run: Callable[[], object], seconds: float) -> bool:
    """Whether it ends in time, well or not: what it raises is raised again by the parent."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return not os.WIFSIGNALED(status)
    try:
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        run()
    finally:
        # Nothing of the parent may be done twice: no handler, no buffer, no `finally` further out.
        os._exit(0)
