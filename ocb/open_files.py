"""How many files a sweep may open: connections of agents and servers, sockets, pipes, records."""

from __future__ import annotations

import resource

from authoring.errors import UserError

ENOUGH = 1 << 16
"""Files. Programs that agents start inherit the limit, and some look at each number up to it."""

OWN = 64
"""Files that a sweep needs before its first run."""

PER_RUN = 32
"""Files that a run needs: its agents' connections, twice, its sockets, pipes and records."""


def raise_open_files(concurrency: int) -> None:
    """Let this process open as many files as the system allows it, at most some 65,000. Raises
    UserError where so many runs at once need more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        except (ValueError, OSError):  # the system has a limit of its own
            pass
    needed = OWN + PER_RUN * concurrency
    if soft != resource.RLIM_INFINITY and soft < needed:
        raise UserError(
            f"{concurrency} runs at once may need {needed} open files; the system allows {soft}",
            remedy=f"raise the limit with `ulimit -n {needed}`, or lower --concurrency",
        )
