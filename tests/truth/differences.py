"""Differences between channels that cannot be removed: each stands here with its reason.

`docs/sessions.md` explains them. One that is no longer there is a fault as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.truth.comparison import CHANNELS, THREADS, VISIBLE, Channel, Kind, RouteResult
from tests.truth.driver import number

EVERY = ""
"""Of a case or a route: all of them."""
NEWEST = "999"


@dataclass(frozen=True)
class Difference:
    """What one channel of a CLI cannot tell."""

    cli: str
    channel: Channel
    case: str
    route: str
    kinds: frozenset[Kind]
    """What may be wrong then; where it is one route of one case, something of it is."""
    why: str
    since: str = "0"
    before: str = NEWEST

    def applies(self, row: Row, channel: Channel) -> bool:
        """Whether it is said of this row of the table."""
        return (
            (self.cli, self.channel) == (row.cli, channel)
            and self.case in (EVERY, row.case)
            and self.route in (EVERY, row.result.route)
            and number(self.since) <= number(row.version) < number(self.before)
        )

    @property
    def is_special(self) -> bool:
        """Said of one route of one case."""
        return EVERY not in (self.case, self.route)


@dataclass(frozen=True)
class Row:
    """One route of one session."""

    cli: str
    version: str
    case: str
    result: RouteResult


def differ(
    where: str, why: str, *kinds: Kind, since: str = "0", before: str = NEWEST
) -> Difference:
    """Written `CLI channel: case / route`, with `*` for every case or route."""
    source, _, place = where.partition(": ")
    cli, channel = source.split()
    case, route = (EVERY if one == "*" else one for one in place.split(" / "))
    known: Channel = next(one for one in CHANNELS if one == channel)
    return Difference(cli, known, case, route, frozenset(kinds), why, since, before)


GIVEN_LAST = "what was read last before a compaction may have been given to the summariser alone"
NO_ATTACHED = "this version writes down no attached files"
LEFT = "the session does not say what was left after a compaction"
STREAM_LEFT = "a stream does not say what was left"
STREAM_ATTACHED = "a stream holds no attached files"
STREAM_AGENTS = "a stream does not hold all sub-agents, nor what a fork began with"
PRINTED = "what was printed is not what the model was given"
BACKGROUND = "of a command that went on in the background the stream holds no output"

DIFFERENCES: tuple[Difference, ...] = (
    differ("claude-code session: compacted / compaction", GIVEN_LAST, "upper end", before="2.1.43"),
    differ(f"claude-code session: compacted / {VISIBLE}", LEFT, "not measurable", before="2.1.43"),
    differ(
        "claude-code session: mention / a file named with @",
        *(NO_ATTACHED, "not measurable", "less"),
        before="2.1.43",
    ),
    differ(f"claude-code session: mention / {VISIBLE}", NO_ATTACHED, "less", before="2.1.43"),
    differ("claude-code session: deep / compaction", GIVEN_LAST, "upper end", before="2.1.43"),
    differ("claude-code stream: deep / compaction", GIVEN_LAST, "upper end"),
    differ("claude-code stream: mention / a file named with @", STREAM_ATTACHED, "less"),
    differ("claude-code stream: compacted / compaction", GIVEN_LAST, "upper end", before="2.1.43"),
    differ("claude-code stream: compacted / compaction", GIVEN_LAST, "upper end", since="2.1.300"),
    differ(f"claude-code stream: mention / {VISIBLE}", STREAM_ATTACHED, "less"),
    differ(f"claude-code stream: * / {VISIBLE}", STREAM_LEFT, "not measurable", "upper end"),
    differ("claude-code stream: agents / nested sub-agents", STREAM_AGENTS, "not measurable"),
    differ("claude-code stream: agents / nested sub-agents", STREAM_AGENTS, "less"),
    differ(f"claude-code stream: agents / {THREADS}", STREAM_AGENTS, "threads", since="2.1.43"),
    differ("claude-code stream: forked / a forked sub-agent", STREAM_AGENTS, "inherited"),
    differ("codex stream: * / *", PRINTED, "upper end", "not measurable"),
    differ("codex stream: notes / notes of the project", STREAM_ATTACHED, "less"),
    differ("codex stream: polled / a command that is polled", BACKGROUND, "less"),
    differ("codex stream: reading / *", BACKGROUND, "less"),
    differ("codex stream: agents / *", STREAM_AGENTS, "less", "threads"),
    differ("codex stream: forked / *", STREAM_AGENTS, "less", "threads", "inherited"),
    differ(f"gemini-cli session: compacted / {VISIBLE}", LEFT, "upper end"),
    differ("gemini-cli stream: * / *", PRINTED, "not measurable", "less", "upper end"),
    differ(f"gemini-cli stream: agents / {THREADS}", STREAM_AGENTS, "threads"),
    differ("opencode session: compacted / compaction", GIVEN_LAST, "upper end"),
    differ("opencode session: deep / compaction", GIVEN_LAST, "upper end"),
    differ(f"opencode session: compacted / {VISIBLE}", LEFT, "upper end"),
    differ("opencode stream: compacted / compaction", GIVEN_LAST, "upper end"),
    differ(f"opencode stream: * / {VISIBLE}", STREAM_LEFT, "not measurable"),
    differ("opencode stream: agents / *", STREAM_AGENTS, "less", "threads", "not measurable"),
    differ("opencode stream: deep / *", STREAM_AGENTS, "less", "threads", "not measurable"),
)


@dataclass(frozen=True)
class Judged:
    """What one channel says, and what explains it."""

    channel: Channel
    told: str
    """`agrees`; the reason of a named difference; else what is wrong."""
    explained: bool


def judge(row: Row) -> tuple[Judged, ...]:
    """Every channel of a route."""
    return tuple(_judge(row, channel) for channel in row.result.findings)


def _judge(row: Row, channel: Channel) -> Judged:
    finding = row.result.findings[channel]
    named = [one for one in DIFFERENCES if one.applies(row, channel)]
    allowed = frozenset[Kind]().union(*(one.kinds for one in named))
    gone = [one for one in named if one.is_special and not one.kinds & finding.kinds]
    if finding.kinds - allowed:
        told = "; ".join(f"{fault.kind}: {fault.told}" for fault in finding.faults)
        return Judged(channel, told, explained=False)
    if gone:
        return Judged(channel, f"no longer so: {gone[0].why}", explained=False)
    why = "; ".join(dict.fromkeys(one.why for one in named if one.kinds & finding.kinds))
    return Judged(channel, why or "agrees", explained=True)


def faults(cli: str, version: str, case: str, results: Iterable[RouteResult]) -> tuple[str, ...]:
    """All that nothing explains in a session, in words."""
    found: list[str] = []
    for result in results:
        judged = judge(Row(cli, version, case, result))
        found += (
            f"{result.route}: {one.channel}: {one.told}" for one in judged if not one.explained
        )
        found += [f"{result.route}: {result.broken}"] if result.broken else []
    return tuple(found)
