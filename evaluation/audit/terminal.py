"""An audit on a terminal: the verdict, the claims, the files, and what is not known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from authoring.inert import inert
from evaluation.audit.result import (
    ORIGINS,
    UNDECIDED,
    Audit,
    AuditedClaim,
    AuditedFile,
    AuditedReport,
    EvidenceFacts,
    counted,
)
from evaluation.scoring.score import MISLEADING, RULES, Interval, Rule

NARROWEST = 80
MOST_FILES = 200
"""Files of one table; the others are counted, and in the JSON."""
MOST_RANGES = 12
MOST_REPORTED = 40
"""Claims of sub-agents."""
STYLES = {"supported": "green", "contradicted": "bold red", "not checkable": "yellow"}


def print_audit(audit: Audit, rule: Rule, file: TextIO, *, width: int | None = None) -> None:
    """All of it. Without a width it is the terminal's, or 80 where the file is none."""
    console = Console(file=file, width=width, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, NARROWEST)
    for line in _head(audit, rule):
        console.print(line)
    if audit.claims:
        console.print(_claims(audit.claims))
    else:
        console.print("The answer claims nothing about reading that can be checked.")
    for shown in _reports(audit.subagent_claims or ()):
        console.print(shown)
    if audit.files:
        console.print(_files(audit.files))
    if len(audit.files) > MOST_FILES:
        more = counted(len(audit.files) - MOST_FILES, "file", "more ")
        console.print(f"and {more}; --json has them all")
    for note in _notes(audit):
        console.print(note)


def _head(audit: Audit, rule: Rule) -> Iterator[Text]:
    session = audit.session
    models = ", ".join(session.models) or "no model named"
    agents = session.threads - 1
    threads = counted(agents, "sub-agent") if agents else "no sub-agent"
    named = f"{session.agent} {session.version}, {session.format}"
    yield _text(f"session {session.id or session.path}: {named}, {models}, {threads}")
    at = f" at {session.commit}" if session.commit else ""
    yield _text(f"files of {session.root}{at}")
    if audit.scope is not None:
        yield _text(f"under review: {counted(audit.scope.files, 'file')}, by {audit.scope.how}")
    if not audit.evidence.measurable:
        yield _text(f"not measurable: {audit.evidence.why_not}", "yellow")
    yield _verdict(audit, rule)
    why = _undecided(audit, rule)
    if why:
        yield _text(f"undecided: {why}", "yellow")
    origin = (audit.origin or {}).get(rule)
    if origin is not None:
        yield _text(f"the false claim is {ORIGINS[origin]}", "bold")
    if audit.coverage is not None:
        union = audit.coverage.union
        total = sum(file.lines for file in union.files)
        yield _text(
            f"touched {_interval(union.breadth)} of {counted(len(union.files), 'file')},"
            f" entered {_interval(union.lines)} of {counted(total, 'line')}"
        )


def _verdict(audit: Audit, rule: Rule) -> Text:
    if audit.verdict is None:
        return _text(f"no verdict: {audit.evidence.no_verdict}", "yellow")
    value = audit.verdict[rule].value
    others = ", ".join(f"{name}: {audit.verdict[name].value}" for name in RULES if name != rule)
    style = "bold red" if value in MISLEADING else "bold"
    return _text(f"verdict: {value} by the rule {rule!r} ({others})", style)


def _undecided(audit: Audit, rule: Rule) -> str:
    """Why the verdict is; empty where it is decided."""
    found = audit.verdict[rule] if audit.verdict is not None else None
    if found is None or not found.why:
        return ""
    ends = f": {found.least} or {found.most}" if found.least != found.most else ""
    return f"{UNDECIDED[found.why]}{ends}"


def _claims(claims: Sequence[AuditedClaim]) -> Table:
    table = _table("Claims about reading")
    for title in ("status", "claim", "evidence"):
        table.add_column(title, overflow="fold", no_wrap=title == "status")
    for claim in claims:
        table.add_row(*_claim(claim))
    return table


def _claim(claim: AuditedClaim) -> tuple[Text, Text, Text]:
    about = f"\u201c{claim.quote}\u201d \u2014 {claim.subject}: {claim.quantity}"
    return _text(claim.status, STYLES[claim.status]), _text(about), _text(claim.evidence)


def _reports(reports: Sequence[AuditedReport]) -> Iterator[Table | str]:
    """What sub-agents say of their own reading, where they say anything."""
    said = [(report.thread, claim) for report in reports for claim in report.claims]
    if not said:
        return
    table = _table("Claims of sub-agents, each held against its own reading")
    for title in ("agent", "status", "claim", "evidence"):
        table.add_column(title, overflow="fold", no_wrap=title == "status")
    for thread, claim in said[:MOST_REPORTED]:
        table.add_row(_text(thread), *_claim(claim))
    yield table
    if len(said) > MOST_REPORTED:
        more = counted(len(said) - MOST_REPORTED, "claim", "more ")
        yield f"and {more} of sub-agents; --json has them all"


def _files(files: Sequence[AuditedFile]) -> Table:
    table = _table("Lines that entered a context")
    table.add_column("file", overflow="fold")
    for title in ("lines", "entered", "visible"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("by", overflow="fold")
    table.add_column("not entered", overflow="fold")
    for file in files[:MOST_FILES]:
        table.add_row(
            _text(file.path),
            str(file.lines),
            _interval(file.entered),
            _interval(file.visible),
            _text(", ".join(file.by)),
            _text(_gaps(file)),
        )
    return table


def gaps(file: AuditedFile) -> Iterator[Interval]:
    """The lines that did not surely enter, as runs."""
    following = 1
    for first, last in file.ranges:
        if first > following:
            yield (following, first - 1)
        following = last + 1
    if following <= file.lines:
        yield (following, file.lines)


def _gaps(file: AuditedFile) -> str:
    if file.entered is None:
        return "not measurable"
    return _some([str(a) if a == b else f"{a}-{b}" for a, b in gaps(file)])


def _some(named: Sequence[str]) -> str:
    more = f" and {len(named) - MOST_RANGES} more" if len(named) > MOST_RANGES else ""
    return ", ".join(named[:MOST_RANGES]) + more


def _notes(audit: Audit) -> Iterator[Text]:
    evidence = audit.evidence
    unknown = ", ".join(f"{count} {kind}" for kind, count in sorted(evidence.unknown.items()))
    told = f"{counted(evidence.rows, 'row')} read"
    told += f"; of unknown kinds: {unknown}" if unknown else ""
    told += f"; {evidence.unreadable} unreadable" if evidence.unreadable else ""
    told += f" ({_lines_named(evidence)})" if evidence.unreadable_lines else ""
    yield _text(f"evidence: {told}", "dim")
    unreadable = (*(audit.scope.unreadable if audit.scope else ()), *evidence.undecodable)
    if unreadable:
        yield _text(f"not readable, in no count: {', '.join(dict.fromkeys(unreadable))}")
    for missing in evidence.missing:
        yield _text(f"missing: {missing}")
    for fact in evidence.inferred:
        yield _text(f"inferred: {fact}", "dim")
    if evidence.changed:
        told = "changed during the session, so that any of their lines may have entered"
        yield _text(f"{told}: {_some(evidence.changed)}")
    if evidence.followed:
        yield _text(f"changed, and followed from text to text: {_some(evidence.followed)}", "dim")
    for later in evidence.after_answer:
        yield _text(f"after the answer: {_interval(later.entered)} of the lines of {later.path}")
    for note in evidence.notes:
        yield _text(f"note: {note}", "dim")


def _lines_named(evidence: EvidenceFacts) -> str:
    """`line 7`, `lines 7, 12, 31 and more`."""
    lines = evidence.unreadable_lines
    more = " and more" if evidence.unreadable > len(lines) else ""
    return f"line{'s' if evidence.unreadable > 1 else ''} {', '.join(map(str, lines))}{more}"


def _table(title: str) -> Table:
    return Table(title=title, box=box.SIMPLE, title_justify="left", pad_edge=False)


def _interval(found: Interval | None) -> str:
    if found is None:
        return "unknown"
    return str(found[0]) if found[0] == found[1] else f"{found[0]} to {found[1]}"


def _text(text: str, style: str = "") -> Text:
    """Names and quotes are others': nothing in them acts."""
    return Text(inert(" ".join(text.split("\n"))), style=style)
