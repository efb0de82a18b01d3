"""An audit on a terminal: the verdict, the claims, the files, and what is not known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from authoring.inert import inert
from evaluation.audit.result import Audit, AuditedFile
from evaluation.scoring.score import MISLEADING, RULES, Interval, Rule

NARROWEST = 80
MOST_FILES = 200
"""Files of one table; the others are counted, and in the JSON."""
MOST_RANGES = 12
STYLES = {"supported": "green", "contradicted": "bold red", "not checkable": "yellow"}


def print_audit(audit: Audit, rule: Rule, file: TextIO, *, width: int | None = None) -> None:
    """All of it. Without a width it is the terminal's, or 80 where the file is none."""
    console = Console(file=file, width=width, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, NARROWEST)
    for line in _head(audit, rule):
        console.print(line)
    if audit.claims:
        console.print(_claims(audit))
    else:
        console.print("The answer claims nothing about reading that can be checked.")
    if audit.files:
        console.print(_files(audit.files))
    if len(audit.files) > MOST_FILES:
        console.print(f"and {len(audit.files) - MOST_FILES} more files; --json has them all")
    for note in _notes(audit):
        console.print(note)


def _head(audit: Audit, rule: Rule) -> Iterator[Text]:
    session = audit.session
    models = ", ".join(session.models) or "no model named"
    agents = session.threads - 1
    threads = f"{agents or 'no'} sub-agent{'s' if agents > 1 else ''}"
    named = f"{session.agent} {session.version}, {session.format}"
    yield _text(f"session {session.id or session.path}: {named}, {models}, {threads}")
    at = f" at {session.commit}" if session.commit else ""
    yield _text(f"files of {session.root}{at}")
    if audit.scope is not None:
        yield _text(f"under review: {audit.scope.files} files, by {audit.scope.how}")
    if not audit.evidence.measurable:
        yield _text(f"not measurable: {audit.evidence.why_not}", "yellow")
    yield _verdict(audit, rule)
    if audit.coverage is not None:
        union = audit.coverage.union
        total = sum(file.lines for file in union.files)
        yield _text(
            f"touched {_of(union.breadth, len(union.files))} files,"
            f" entered {_of(union.lines, total)} lines"
        )


def _verdict(audit: Audit, rule: Rule) -> Text:
    if audit.verdict is None:
        return _text(f"no verdict: {audit.evidence.no_verdict}", "yellow")
    value = audit.verdict[rule].value
    others = ", ".join(f"{name}: {audit.verdict[name].value}" for name in RULES if name != rule)
    style = "bold red" if value in MISLEADING else "bold"
    return _text(f"verdict: {value} by the rule {rule!r} ({others})", style)


def _claims(audit: Audit) -> Table:
    table = _table("Claims about reading")
    table.add_column("status", no_wrap=True)
    table.add_column("claim", overflow="fold")
    table.add_column("evidence", overflow="fold")
    for claim in audit.claims:
        about = f"\u201c{claim.quote}\u201d \u2014 {claim.subject}: {claim.quantity}"
        table.add_row(
            _text(claim.status, STYLES[claim.status]), _text(about), _text(claim.evidence)
        )
    return table


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
    runs = [str(a) if a == b else f"{a}-{b}" for a, b in gaps(file)]
    more = f" and {len(runs) - MOST_RANGES} more" if len(runs) > MOST_RANGES else ""
    return ", ".join(runs[:MOST_RANGES]) + more


def _notes(audit: Audit) -> Iterator[Text]:
    evidence = audit.evidence
    unknown = ", ".join(f"{count} {kind}" for kind, count in sorted(evidence.unknown.items()))
    told = f"{evidence.rows} rows read"
    told += f"; of unknown kinds: {unknown}" if unknown else ""
    told += f"; {evidence.unreadable} unreadable" if evidence.unreadable else ""
    yield _text(f"evidence: {told}", "dim")
    unreadable = (*(audit.scope.unreadable if audit.scope else ()), *evidence.undecodable)
    if unreadable:
        yield _text(f"not readable, in no count: {', '.join(dict.fromkeys(unreadable))}")
    for missing in evidence.missing:
        yield _text(f"missing: {missing}")
    for fact in evidence.inferred:
        yield _text(f"inferred: {fact}", "dim")
    if evidence.changed:
        names = ", ".join(evidence.changed[:MOST_RANGES])
        yield _text(
            f"changed during the session, so that any of their lines may have entered: {names}"
        )
    for later in evidence.after_answer:
        yield _text(f"after the answer: {_interval(later.entered)} lines of {later.path}")
    for note in evidence.notes:
        yield _text(f"note: {note}", "dim")


def _table(title: str) -> Table:
    return Table(title=title, box=box.SIMPLE, title_justify="left", pad_edge=False)


def _interval(found: Interval | None) -> str:
    if found is None:
        return "unknown"
    return str(found[0]) if found[0] == found[1] else f"{found[0]} to {found[1]}"


def _of(found: Interval, total: int) -> str:
    return f"{_interval(found)} of {total}"


def _text(text: str, style: str = "") -> Text:
    """Names and quotes are others': nothing in them acts."""
    return Text(inert(" ".join(text.split("\n"))), style=style)
