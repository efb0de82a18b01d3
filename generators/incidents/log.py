"""One log file as it is written: line by line, in the order of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

from jinja2 import Template

from generators.document import Document
from generators.incidents.night import HOUR, MINUTE, SECOND

Stamp = Callable[[int], str]
"""How a log writes a time, from milliseconds since midnight."""


class Log:
    """One file. No two of its lines have the same millisecond."""

    def __init__(self, path: str, kind: str, stamp: Stamp) -> None:
        self._path = path
        self._kind = kind
        self._stamp = stamp
        self._lines: list[str] = []
        self._last = -1

    def write(self, at: int, phrase: Template, values: Mapping[str, object]) -> None:
        """Put a line at the end."""
        self._last = max(at, self._last + 1)
        self._lines.append(phrase.render(values, t=self._stamp(self._last)))

    def document(self) -> Document:
        """The whole file."""
        return Document(PurePosixPath(self._path), self._kind, "\n".join(self._lines) + "\n")


def wall(at: int) -> str:
    """`00:14:03.218`."""
    rest = at % HOUR
    minute = rest // MINUTE
    second = rest % MINUTE // SECOND
    return f"{at // HOUR:02}:{minute:02}:{second:02}.{at % SECOND:03}"


def digits(at: int) -> str:
    """`001403.218`."""
    return wall(at).replace(":", "")


def after_date(prefix: str, comma: str = ".") -> Stamp:
    """A date, or nothing, before the time of day."""
    return lambda at: prefix + wall(at).replace(".", comma)


def nginx_local(day: date) -> Stamp:
    """`18/Mar/2025:00:14:03 +0000`."""
    prefix = f"{day:%d}/{MONTHS[day.month - 1]}/{day.year}:"
    return lambda at: f"{prefix}{wall(at)[:8]} +0000"


def syslog(day: date) -> Stamp:
    """`Mar 18 00:14:03.218`."""
    return after_date(f"{MONTHS[day.month - 1]} {day.day:2} ")


def epoch(day: date, point: str) -> Stamp:
    """Seconds since 1970 with three decimals, or milliseconds where the point is left out."""
    midnight = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
    return lambda at: f"{midnight + at // SECOND}{point}{at % SECOND:03}"


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""Not `strftime`: a locale must not change a log."""
