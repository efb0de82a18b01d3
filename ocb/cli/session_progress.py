"""What is shown while a long session is read and measured: a live line, or one now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from authoring.inert import inert
from evaluation.reading.progress import Progress, Tell

SOON = 0.5
"""Seconds after which a terminal shows that there is work."""
LIVE = 0.1
"""Seconds between two drawings of the line."""
LONG = 5.0
"""Seconds after which it is told elsewhere, and between two lines there."""
MEGABYTE = 1_000_000


@contextmanager
def shown_reading(stream: TextIO, clock: Callable[[], float] = time.monotonic) -> Iterator[Tell]:
    """What tells a stream how far a session was read; nothing is left of it on a terminal."""
    console = Console(file=stream, markup=False, highlight=False, emoji=False)
    if not console.is_terminal or console.is_dumb_terminal:

        def write(line: str) -> None:
            stream.write(f"{line}\n")
            stream.flush()

        yield Paced(write, clock, first=LONG, every=LONG)
        return
    live = Live(console=console, auto_refresh=False, transient=True)

    def draw(line: str) -> None:
        live.start()
        live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)

    try:
        yield Paced(draw, clock, first=SOON, every=LIVE)
    finally:
        live.stop()


class Paced:
    """Shows some of what it hears: nothing of short work, and of long work not all."""

    def __init__(
        self, show: Callable[[str], None], clock: Callable[[], float], *, first: float, every: float
    ) -> None:
        self._show = show
        self._clock = clock
        self._next = clock() + first
        self._every = every

    def __call__(self, progress: Progress) -> None:
        now = self._clock()
        if now >= self._next:
            self._next = now + self._every
            self._show(line_of(progress))


def line_of(progress: Progress) -> str:
    """How far it has come, in words."""
    if progress.doing == "reading":
        done, total = progress.done / MEGABYTE, progress.total / MEGABYTE
        return f"reading {inert(progress.what)}: {done:,.0f} of {total:,.0f} MB"
    return f"measuring: {progress.done:,} of {progress.total:,} results"
