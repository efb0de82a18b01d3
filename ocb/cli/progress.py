"""What is shown while a sweep runs: a live table on a terminal, a line for each run elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, TextIO

import click
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from authoring.inert import inert
from evaluation.run import VOID
from evaluation.sweep.pulse import AtWork, Tell, tell_nobody
from evaluation.sweep.stopping import brief
from evaluation.sweep.tally import Progress, Report
from ocb.cli.main import printable

REFRESHES = 4
"""A second; between them nothing is drawn, however many runs end."""
BAR = 30
"""Columns."""


class Watch(NamedTuple):
    """What hears of a sweep while it runs."""

    over: Report
    """Of every run that is over."""
    at_work: Tell
    """Of long silences."""


@contextmanager
def shown_progress(stream: TextIO) -> Iterator[Watch]:
    """What reports to a stream, and leaves the last state on it when it is over."""
    console = Console(file=stream, markup=False, highlight=False, emoji=False)
    if not console.is_terminal or console.is_dumb_terminal:
        yield Watch(show_line, show_at_work)
        return
    board = Board(console, time.monotonic)
    with Live(board, console=console, refresh_per_second=REFRESHES) as live:
        yield Watch(board, tell_nobody)  # it shows the time as it passes
        live.refresh()


def show_line(progress: Progress) -> None:
    """One line a run, on stderr."""
    click.echo(printable(line_of(progress)), err=True)


def show_at_work(at_work: AtWork) -> None:
    """That nothing ended for a while, and runs are being made all the same."""
    line = f"{at_work.running:,} running, the longest for {at_work.longest:.0f} s"
    click.echo(line, err=True)


def line_of(progress: Progress) -> str:
    """Which run is over, and how it ended."""
    record, key = progress.record, progress.record.key
    told = brief(record)
    reason = f" ({told})" if told else ""
    if progress.resumed and record.taken_from:
        how = f", taken from {record.taken_from}"
    elif progress.resumed:
        how = ", was there"
    elif progress.again:
        how = f", {record.seconds:.1f} s, to be made again"
    else:
        how = f", {record.seconds:.1f} s"
    what = f"{key.scenario} {key.harness} {key.model} {key.condition} {key.repetition}"
    of = f"[{progress.finished}/{progress.planned}]"
    return f"{of} {what}: {record.outcome.kind}{reason}{how}"


class Board:
    """The state of a sweep in a few lines that are drawn over and over."""

    def __init__(self, console: Console, clock: Callable[[], float]) -> None:
        self._console = console
        self._clock = clock
        self._started = clock()
        self._last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """A run is over; a void one stays to be seen above the board."""
        self._last = progress
        if progress.record.outcome.kind in VOID and not progress.resumed:
            self._console.print(Text(inert(line_of(progress)), style="red"))

    def __rich__(self) -> Group:
        last = self._last
        if last is None:
            return Group(Text("the first runs are under way"))
        return Group(self._bar(last), Text(f"{_outcomes(last)}; {_spent(last)}"), self._line(last))

    def _bar(self, last: Progress) -> Table:
        left = max(last.planned - last.finished - last.running, 0)
        told = (
            f"{last.finished:,} of {last.planned:,} done, {last.running:,} running, {left:,} left,"
            f" {_clock(self._clock() - self._started)}"
        )
        grid = Table.grid(padding=(0, 1))
        grid.add_column()
        grid.add_column(no_wrap=True)
        bar = ProgressBar(total=max(last.planned, 1), completed=last.finished, width=BAR)
        grid.add_row(bar, told)
        return grid

    def _line(self, last: Progress) -> Text:
        return Text(inert(line_of(last)), style="dim", no_wrap=True, overflow="ellipsis")


def _outcomes(last: Progress) -> str:
    counts = (f"{kind.replace('_', ' ')} {n:,}" for kind, n in sorted(last.outcomes.items()))
    return ", ".join(counts)


def _spent(last: Progress) -> str:
    unknown = f", and {last.unpriced:,} of unknown price" if last.unpriced else ""
    least = "at least " if last.uncounted else ""
    return f"{least}${last.spent:,.2f} spent{unknown}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
