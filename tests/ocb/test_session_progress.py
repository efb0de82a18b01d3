"""What is shown while a long session is read: soon on a terminal, else seldom, never acting."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pytest

from evaluation.reading.progress import Progress
from ocb.cli.session_progress import line_of, shown_reading


@dataclass
class Clock:
    """Stands still until it is put forward."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that is one."""

    def isatty(self) -> bool:
        return True


def part(done: int) -> Progress:
    return Progress("reading", done * 1_000_000, 300_000_000, "session.jsonl")


def told(stream: io.StringIO, *seconds: float) -> str:
    """What was written of work that tells of itself after so many seconds."""
    clock = Clock()
    with shown_reading(stream, clock) as tell:
        for number, after in enumerate(seconds, start=1):
            clock.now = 100.0 + after
            tell(part(number))
    return stream.getvalue()


def test_of_short_work_nothing_is_told() -> None:
    assert told(io.StringIO(), 0.1, 1, 4.9) == ""
    assert told(Terminal(), 0.1, 0.4) == ""


def test_elsewhere_long_work_is_told_in_a_line_now_and_then() -> None:
    assert told(io.StringIO(), 1, 6, 7, 10, 11.5).splitlines() == [
        "reading session.jsonl: 2 of 300 MB",
        "reading session.jsonl: 5 of 300 MB",
    ]


def test_a_terminal_has_one_line_and_nothing_is_left_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown = told(Terminal(), 0.6, 0.61, 0.8)
    assert [f"{number} of 300 MB" in shown for number in (1, 2, 3)] == [True, False, True]
    assert shown.endswith("\x1b[2K")  # the line is taken away again


def test_a_hostile_name_does_not_act() -> None:
    line = line_of(Progress("reading", 0, 1_000_000, "a\x1b[2J\u202e\r.jsonl"))
    assert not set("\x1b\u202e\r") & set(line)


def test_measuring_is_told_in_results() -> None:
    assert line_of(Progress("measuring", 1200, 34567)) == "measuring: 1,200 of 34,567 results"
