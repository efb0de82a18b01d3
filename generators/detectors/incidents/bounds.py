"""Kinds of defect that are one figure beyond what the runbook allows.

`late-health-check`, `late-lease`, `disk-jump`, `retry-storm`: each measures something in one log
after the other, and takes its bound from the runbook's text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.incidents.reading import MINUTE, at_lines, figure, records, time_of
from generators.lines import split_lines

CHECK = re.compile(r'"GET /-/deep[ "?]')
LEASE = re.compile(
    r"lease p(?P<a>\d+) (?P<aw>taken|renewed)$"
    r"|p(?P<b>\d+) lease (?P<bw>won|kept)$"
    r"|(?P<cw>got|renewed) hold on p(?P<c>\d+)$"
    r"|p(?P<d>\d+): (?P<dw>now|still) owner$"
    r"|own\(p(?P<e>\d+)\) (?P<ew>begins|extended)$"
)
RENEWALS = frozenset({"renewed", "kept", "still", "extended"})
USED = re.compile(
    r" (?P<volume>/[\w/.-]+):? (?:used |stands at )?(?P<used>\d+\.\d) ?G(?:iB (?:in use|taken))?$"
)


@dataclass(frozen=True)
class Measure:
    """Something measured, in the unit of its bound, and the lines that show it."""

    value: float
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Measured:
    """What one file shows, or the bound that the runbook states."""

    bound: int | None
    measures: tuple[Measure, ...]


class BeyondBound:
    """Finds what is measured above the runbook's bound."""

    def __init__(self, bound: re.Pattern[str], measure: Callable[[str], Iterator[Measure]]) -> None:
        self._bound = bound
        self._measure = measure

    def extract(self, path: PurePosixPath, text: str) -> Measured:
        """The measures of a log, or the runbook's bound."""
        return Measured(figure(text, self._bound), tuple(self._measure(text)))

    def decide(self, facts: Mapping[PurePosixPath, Measured]) -> tuple[Evidence, ...]:
        """The lines of each measure above the bound; nothing without a runbook."""
        bound = next((f.bound for f in facts.values() if f.bound is not None), None)
        if bound is None:
            return ()
        return tuple(
            one
            for path in sorted(facts)
            for measure in facts[path].measures
            if measure.value > bound
            for one in at_lines(path, *measure.lines)
        )


def late_health_check() -> BeyondBound:
    """Deep checks that come too long after the one before."""
    bound = re.compile(r"more than (\d+) minutes after the one before it is late")
    return BeyondBound(bound, _gaps_between_checks)


def late_lease() -> BeyondBound:
    """Renewals of leases that had run out."""
    return BeyondBound(re.compile(r"by a lease of (\d+) minutes"), _ages_at_renewal)


def disk_jump() -> BeyondBound:
    """Samples of a volume that are too far above the one before."""
    return BeyondBound(re.compile(r"grow by at most (\d+) GiB"), _growths)


def retry_storm() -> BeyondBound:
    """Requests for which a call was repeated too often."""
    return BeyondBound(re.compile(r"at most (\d+) times for one request id"), _repeats)


def _gaps_between_checks(text: str) -> Iterator[Measure]:
    before: int | None = None
    for number, line in enumerate(split_lines(text), start=1):
        if not CHECK.search(line) or (at := time_of(line)) is None:
            continue
        if before is not None:
            yield Measure((at - before) / MINUTE, (number,))
        before = at


def _ages_at_renewal(text: str) -> Iterator[Measure]:
    since: dict[str, int] = {}
    for number, line in enumerate(split_lines(text), start=1):
        found = LEASE.search(line)
        if found is None or (at := time_of(line)) is None:
            continue
        partition = next(found[name] for name in "abcde" if found[name])
        word = next(found[f"{name}w"] for name in "abcde" if found[f"{name}w"])
        if word in RENEWALS and partition in since:
            yield Measure((at - since[partition]) / MINUTE, (number,))
        since[partition] = at


def _growths(text: str) -> Iterator[Measure]:
    tenths: dict[str, int] = {}
    for number, line in enumerate(split_lines(text), start=1):
        found = USED.search(line)
        if found is None:
            continue
        volume, used = found["volume"], int(found["used"].replace(".", ""))
        if volume in tenths:
            yield Measure((used - tenths[volume]) / 10, (number,))
        tenths[volume] = used


def _repeats(text: str) -> Iterator[Measure]:
    """A line with a request id and a callee, and no status, tells of one more try."""
    lines: dict[str, list[int]] = {}
    for record in records(text):
        if record.text("rid") and record.text("dep") and not record.status:
            lines.setdefault(record.text("rid"), []).append(record.line)
    for found in lines.values():
        yield Measure(len(found), tuple(found))
