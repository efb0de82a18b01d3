"""Watches over one command until it has ended or may be ended, in whatever sandbox it runs.

A sandbox starts the command, hands in a future that is done when the command has ended, and kills
what is left when this returns. Every clock is one that only grows, so that setting the machine's
date ends nothing and lengthens nothing.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evaluation.sandboxes.deadline import (
    Clock,
    Deadline,
    Filling,
    How,
    Lingering,
    Silence,
    Wait,
    wait_for,
    wait_for_end,
)
from evaluation.sandboxes.sandbox import Command
from evaluation.sandboxes.size import size_of


@dataclass(frozen=True)
class Signs:
    """What a sandbox can see of a command while it runs."""

    printed: Callable[[], int]
    """Bytes of stdout and stderr so far."""
    home: Path | None
    """Where the host has its home meanwhile; None: its size is bounded otherwise."""


async def supervise(
    work: asyncio.Future[None],
    command: Command,
    signs: Signs,
    clock: Clock = time.monotonic,
    wait: Wait = wait_for,
) -> How:
    """How the command ended, or why it may be ended now. Kills nothing and never cancels `work`.

    Honours the command's seconds, held, finished, grace, silence, quiet and home_bytes.
    """
    finished, stdout = command.finished, command.stdout
    silence = Silence(command.silence, signs.printed, command.quiet, command.held, clock)
    filling = home_watch(signs.home, command.home_bytes, clock) if signs.home else None
    try:
        return await wait_for_end(
            work,
            Deadline(command.seconds, command.held, clock),
            finished and Lingering(lambda: finished(stdout), command.grace, clock),
            wait,
            silence=silence if math.isfinite(command.silence) else None,
            filling=filling,
        )
    finally:
        if filling is not None:
            await filling.end()


def home_watch(home: Path, most: int, clock: Clock) -> Filling:
    """Tells when a home holds more than it may."""

    async def measure() -> int:
        stop = threading.Event()
        try:
            return await asyncio.to_thread(size_of, home, most, stop.is_set)
        finally:
            stop.set()  # a thread cannot be cancelled, and must not outlive the run by much

    return Filling(measure, most, clock)
