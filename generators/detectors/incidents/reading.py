"""What all detectors of log defects share: times, JSON records, figures of the runbook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

import orjson

from generators.detectors.detector import Evidence
from generators.lines import split_lines

RUNBOOK = re.compile(r"# .*\brunbook\b", re.IGNORECASE)
HEAD = 80
"""How far from its start a line carries its time."""
TIME = re.compile(
    r"(?<![\d.])1\d{9}\.?(?P<ms>\d{3})(?!\d)"
    r"|(?<![\d.])(?P<clock>(?:[01]\d|2[0-3])(?::[0-5]\d:[0-5]\d|[0-5]\d[0-5]\d(?=\.\d{3})))"
    r"(?:[.,](?P<fraction>\d{3}))?(?!\d)"
)
"""Since 1970, or of the day: `00:14:03` with or without a fraction, `001403.218`."""
DAY = 24 * 3600 * 1000
MINUTE = 60 * 1000
NAMES: Mapping[str, str] = {
    name: meaning
    for meaning, names in {
        "rid": "rid request_id req trace",
        "status": "status st code",
        "user": "user usr actor account",
        "dep": "dep upstream callee",
        "version": "version release ver",
        "host": "host node instance",
        "service": "service svc app",
    }.items()
    for name in names.split()
}
"""What the keys of JSON logs mean; teams name them differently."""


def time_of(line: str) -> int | None:
    """The time at which a line was written, in milliseconds since midnight."""
    found = TIME.search(line, 0, HEAD)
    if found is None:
        return None
    if found["ms"]:
        return int(found[0].replace(".", "")) % DAY
    clock = found["clock"].replace(":", "")
    seconds = int(clock[:2]) * 3600 + int(clock[2:4]) * 60 + int(clock[4:])
    return seconds * 1000 + int(found["fraction"] or 0)


@dataclass(frozen=True)
class Record:
    """One line of a JSON log, by what its keys mean."""

    line: int
    at: int
    """Milliseconds since midnight."""
    values: Mapping[str, object]

    def text(self, name: str) -> str:
        """A value as text; empty where there is none."""
        return str(self.values.get(name, ""))

    @property
    def status(self) -> int:
        """The HTTP status of a request; 0 where the line tells of none."""
        value = self.values.get("status")
        return value if isinstance(value, int) and "rid" in self.values else 0


def records(text: str) -> Iterator[Record]:
    """The lines of a JSON log; nothing for any other text."""
    if not text.startswith("{"):
        return
    for number, line in enumerate(split_lines(text), start=1):
        at = time_of(line)
        try:
            parsed = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if at is not None and isinstance(parsed, dict):
            values = {NAMES[key]: value for key, value in parsed.items() if key in NAMES}
            yield Record(number, at, values)


def is_runbook(text: str) -> bool:
    """Whether a text is the reference and not a log."""
    return bool(RUNBOOK.match(text))


def figure(text: str, pattern: re.Pattern[str]) -> int | None:
    """The figure that a runbook states, as the first group of a pattern over its unwrapped text."""
    if not is_runbook(text):
        return None
    found = pattern.search(" ".join(text.split()))
    return int(found[1]) if found else None


def minutes(clock: str) -> int:
    """`01:10` is 70."""
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute)


def at_lines(path: PurePosixPath, *lines: int) -> list[Evidence]:
    """Each line as evidence of its own."""
    return [Evidence(path, line, line) for line in lines]
