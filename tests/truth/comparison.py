"""Route by route: what each channel says against the truth, and what is wrong with it, by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from evaluation.reading.context import MAIN
from tests.truth.accounts import NO_LINES, Account, ThreadTruth, Truth
from tests.truth.cases import Case, Route
from tests.truth.shown_lines import Lines

Channel = Literal["wire", "session", "stream", "export"]
CHANNELS: tuple[Channel, ...] = ("wire", "session", "stream", "export")
Kind = Literal[
    "more",  # lines that were not shown whole are surely read
    "less",  # lines that were shown are not said
    "upper end",  # the interval holds the truth, and more
    "inherited",  # other lines are taken for copied from a parent
    "threads",  # other threads, parents, or another final response
    "not measurable",  # the channel says that evidence is missing
]
THREADS, VISIBLE = "threads", "visible at the answer"
"""Rows of every case, beside its routes."""


@dataclass(frozen=True)
class Count:
    """Lines of one route, all threads together."""

    sure: int
    most: int

    def __str__(self) -> str:
        return str(self.sure) if self.sure == self.most else f"{self.sure}-{self.most}"


class Fault(NamedTuple):
    """One thing in which a channel is not the truth."""

    kind: Kind
    told: str


@dataclass(frozen=True)
class Finding:
    """How one channel stands to the truth in one route."""

    count: Count
    faults: tuple[Fault, ...] = ()

    @property
    def kinds(self) -> frozenset[Kind]:
        """Empty where it is the truth."""
        return frozenset(fault.kind for fault in self.faults)


@dataclass(frozen=True)
class RouteResult:
    """One row of the table."""

    route: str
    truth: int
    """Lines that were shown whole."""
    findings: Mapping[Channel, Finding]
    broken: str = ""
    """Why the route did not do what it was meant to do; empty where it did."""


def compare(
    case: Case, truth: Truth, accounts: Mapping[Channel, Account]
) -> tuple[RouteResult, ...]:
    """All routes of a case, then its threads, and what was left at the answer."""
    return (
        *(_route(route, truth, accounts) for route in case.routes),
        RouteResult(
            THREADS,
            len(truth.threads),
            {channel: _threads(case, truth, one) for channel, one in accounts.items()},
        ),
        RouteResult(
            VISIBLE,
            len(truth.visible),
            {channel: _visible(truth, one) for channel, one in accounts.items()},
        ),
    )


def _route(route: Route, truth: Truth, accounts: Mapping[Channel, Account]) -> RouteResult:
    return RouteResult(
        route.name,
        sum(len(_of(one.whole, route)) for one in truth.threads.values()),
        {channel: _finding(account, route, truth) for channel, account in accounts.items()},
        _broken(route, truth),
    )


def _of(lines: Lines, route: Route) -> Lines:
    return frozenset(one for one in lines if one[0] in route.files)


def _broken(route: Route, truth: Truth) -> str:
    """Prevents a test that cannot fail: a command that is not installed shows nothing."""
    threads = truth.threads.values()
    whole = NO_LINES.union(*(_of(one.whole, route) for one in threads))
    both = NO_LINES.union(*(_of(one.both, route) for one in threads))
    if route.reshaped:
        is_shown = bool(both) or route.cut
        return "" if is_shown and not whole else "its lines were not shown in another shape"
    if route.lines is not None:
        wanted = {(path, line) for path in route.files for line in route.lines}
        return "" if whole == wanted else f"other lines were shown: {_told(whole ^ wanted)}"
    return "" if whole else "nothing was shown"


def _finding(account: Account, route: Route, truth: Truth) -> Finding:
    sure = most = 0
    faults: list[Fault] = []
    if account.missing:
        faults.append(Fault("not measurable", "; ".join(account.missing)))
    for mark, one in truth.threads.items():
        found = _found(account, mark, route)
        sure, most = sure + len(found.sure), most + len(found.most)
        faults += (Fault(f.kind, f"{mark}: {f.told}") for f in _faults(one, found, route))
    return Finding(Count(sure, most), tuple(faults))


class _Found(NamedTuple):
    sure: Lines
    most: Lines
    inherited: Lines


def _found(account: Account, mark: str, route: Route) -> _Found:
    files = {path: account.of(mark, path) for path in route.files}

    def lines(kind: str) -> Lines:
        return frozenset((path, n) for path, file in files.items() for n in getattr(file, kind))

    return _Found(lines("sure"), lines("most"), lines("inherited"))


def _faults(truth: ThreadTruth, found: _Found, route: Route) -> Iterator[Fault]:
    whole, both = _of(truth.whole, route), _of(truth.both, route)
    if found.sure - whole:
        yield Fault("more", f"{_told(found.sure - whole)} not shown whole")
    if found.inherited != _of(truth.inherited, route):
        yield Fault("inherited", f"{_told(found.inherited ^ _of(truth.inherited, route))}")
    if (both if route.reshaped else whole) - found.most:
        yield Fault("less", f"{_told((both if route.reshaped else whole) - found.most)} shown")
    if not route.reshaped and found.most - found.sure:
        yield Fault("upper end", f"{_told(found.most - found.sure)} possible")


def _told(lines: Lines) -> str:
    """Some of the lines, for a reader."""
    places = sorted(lines)
    some = ", ".join(f"{path}:{line}" for path, line in places[:3])
    return some if len(places) <= 3 else f"{some} and {len(places) - 3} more"


def _threads(case: Case, truth: Truth, account: Account) -> Finding:
    parents = {
        mark: MAIN if parent in case.mains else parent for mark, parent in case.parents.items()
    }
    faults: list[Fault] = []
    if set(account.threads) != set(truth.threads):
        faults.append(Fault("threads", f"threads {sorted(account.threads)}"))
    elif account.parents != parents:
        faults.append(Fault("threads", f"parents {account.parents}"))
    if account.final != truth.final:
        faults.append(Fault("threads", f"final response {account.final[:60]!r}"))
    count = Count(len(account.threads), len(account.threads))
    return Finding(count, tuple(faults))


def _visible(truth: Truth, account: Account) -> Finding:
    files = account.threads.get(MAIN, {})
    least = frozenset((path, n) for path, one in files.items() for n in one.visible)
    more = frozenset((path, n) for path, one in files.items() for n in one.visible_possible)
    count = Count(len(least), len(least | more))
    faults: list[Fault] = []
    if not account.tells_visibility:
        return Finding(count, (Fault("not measurable", "not told"),))
    if truth.visible - least - more:
        faults.append(Fault("less", f"{_told(truth.visible - least - more)} visible"))
    if least - truth.visible:
        kind: Kind = "more" if account.visible_exact else "upper end"
        faults.append(Fault(kind, f"{_told(least - truth.visible)} no longer visible"))
    return Finding(count, tuple(faults))
