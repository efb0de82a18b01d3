"""The report on a terminal: tables stacked one under the other, no number ever cut.

Numbers stand in columns that do not wrap and names in one that does, so that 80 columns are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from authoring.inert import inert
from evaluation.report.notes import counted
from evaluation.report.row import NOTHING, Row
from evaluation.report.table import Report
from evaluation.scoring.score import RULES
from evaluation.statistics.coverage import MeanShare
from evaluation.statistics.intervals import Rate
from evaluation.statistics.rates import BoundedRate, NeedleRates, RuleRates

NARROWEST = 80
"""Columns that the tables need; on a narrower terminal its own wrapping breaks the lines."""
EXACT = 100
"""Runs from which a percentage has a decimal."""


class _Column(NamedTuple):
    title: str
    wraps: bool = False


def print_report(report: Report, file: TextIO, *, width: int | None = None) -> None:
    """All of it. Without a width it is the terminal's, or 80 where the file is none."""
    console = Console(file=file, width=width, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, NARROWEST)
    _print_head(report, console)
    common = ", ".join(part for part in _common(report.rows) if part)
    if common:
        console.print(inert_text(f"all rows: {common}"))
    for table in _tables(report.rows):
        console.print(table)
    for note in report.notes:
        console.print(inert_text(note))


def _tables(rows: Sequence[Row]) -> Iterator[Table]:
    if not rows:
        return
    yield _runs(rows)
    yield _by_rule("Incomplete, of the completed runs", rows, lambda rates: rates.incomplete)
    yield _by_rule(
        "Misleading, of the incomplete runs", rows, lambda rates: rates.misleading_given_incomplete
    )
    yield _by_rule("Misleading, of all completed runs", rows, lambda rates: rates.misleading)
    yield _claims(rows)
    yield _needles(rows)
    yield _reading(rows)
    if any(row.cost.told != NOTHING for row in rows):
        yield _costs(rows)


def _print_head(report: Report, console: Console) -> None:
    console.print(
        Text(
            f"{counted(report.planned, 'run')}: {report.finished} finished, {report.unfinished}"
            f" unfinished, {len(report.lost)} lost",
            style="bold",
        )
    )
    console.print(f"cost: {report.cost.told}")
    for lost in report.lost:
        console.print(inert_text(f"lost: {lost.folder}: {lost.reason}", style="red"))
    for absent in report.absent:
        parts = (absent.scenario, absent.setting.label, f"repetition {absent.repetition}")
        console.print(inert_text(f"absent: {', '.join(part for part in parts if part)}"))
    for folder in report.repeated:
        console.print(inert_text(f"counted once, lies here again: {folder}"))


def _runs(rows: Sequence[Row]) -> Table:
    table = _table(
        "Runs", _Column("runs"), _Column("outcomes", wraps=True), _Column("verdicts", wraps=True)
    )
    for name, row in zip(_names(rows), rows, strict=True):
        tally = row.tally
        ended = [(kind, n) for kind, n in tally.outcomes.items() if kind != "completed"]
        outcomes = [("completed", tally.completed), *ended, ("absent", tally.absent)]
        verdicts = [*tally.verdicts[RULES[0]].items(), ("judge_failed", tally.judge_failed)]
        table.add_row(name, str(tally.planned), _counts(outcomes), _counts(verdicts))
    table.caption = f"verdicts under {RULES[0]}, the headline rule"
    return table


def _by_rule(title: str, rows: Sequence[Row], measure: Callable[[RuleRates], BoundedRate]) -> Table:
    table = _table(title, *(_Column(rule) for rule in RULES))
    for name, row in zip(_names(rows), rows, strict=True):
        cells = (_bounded(measure(row.rules[rule])) for rule in RULES)
        table.add_row(name, *cells)
    return table


def _claims(rows: Sequence[Row]) -> Table:
    table = _table(
        "Claims about reading, of the completed runs",
        _Column("contradicted by it"),
        _Column("a sub-agent read"),
    )
    for name, row in zip(_names(rows), rows, strict=True):
        table.add_row(name, _bounded(row.contradicted), _rate(row.coverage.delegated))
    return table


def _needles(rows: Sequence[Row]) -> Table:
    table = _table(
        "Needles, of the completed runs",
        _Column("missed"),
        _Column("if partly counts"),
        _Column("the missed were", wraps=True),
    )
    for name, row in zip(_names(rows), rows, strict=True):
        needles = row.needles
        table.add_row(
            name,
            _rate(needles.missed),
            _rate(needles.missed_partly_reported),
            _split(needles),
        )
    table.caption = "not whole: read in part, by several together, or undecided"
    return table


def _split(needles: NeedleRates) -> str:
    counts = [
        ("read", needles.missed_read),
        ("never read", needles.missed_unread),
        ("not whole", needles.missed_otherwise),
    ]
    split = _counts(counts)
    if needles.unmatched_findings:
        split += f"; findings of no needle {needles.unmatched_findings} of {needles.findings}"
    return split


def _reading(rows: Sequence[Row]) -> Table:
    titles = ("breadth", "depth", "lines", "main: breadth", "main: lines")
    table = _table("Read, as means over the completed runs", *map(_Column, titles))
    for name, row in zip(_names(rows), rows, strict=True):
        union, main = row.coverage.union, row.coverage.main
        shares = (union.breadth, union.depth, union.lines, main.breadth, main.lines)
        table.add_row(name, *map(_mean, shares))
    return table


def _costs(rows: Sequence[Row]) -> Table:
    table = _table("Cost, by your prices", _Column("US dollars", wraps=True))
    for name, row in zip(_names(rows), rows, strict=True):
        table.add_row(name, row.cost.told)
    table.caption = "of the runs shown; void attempts before them come on top"
    return table


def _table(title: str, *columns: _Column) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        caption_justify="left",
        box=box.SIMPLE,
        pad_edge=False,
    )
    table.add_column("", overflow="fold", min_width=14)
    for column in columns:
        table.add_column(column.title, no_wrap=not column.wraps)
    return table


def _common(rows: Sequence[Row]) -> tuple[str, ...]:
    """Per part of the name: what all rows have alike, or nothing. One row keeps its whole name."""
    columns = zip(*(row.setting.parts for row in rows), strict=True)
    return tuple(part[0] if len({*part}) == 1 < len(rows) else "" for part in columns)


def _names(rows: Sequence[Row]) -> list[Text]:
    """What tells the rows apart; a row with infeasible runs says so wherever it stands."""
    common = _common(rows)
    return [inert_text(", ".join(_name(row, common))) for row in rows]


def _name(row: Row, common: Sequence[str]) -> Iterator[str]:
    for part, same in zip(row.setting.parts, common, strict=True):
        if part and part != same:
            yield part
    if row.infeasible:
        yield "infeasible"


def _counts(counts: Iterable[tuple[str, int]]) -> str:
    """What there is any of: `completed 4, limit 1`."""
    return ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in counts if n) or "none"


def _bounded(measured: BoundedRate) -> str:
    """A rate, and under it its bounds where they say more."""
    cell, bounds = _rate(measured.rate), measured.bounds
    if bounds is None or bounds.least == bounds.most == measured.rate.estimate:
        return cell
    return f"{cell}\n({_ends(bounds.least, bounds.most, measured.rate.n)})"


def _rate(rate: Rate) -> str:
    if rate.estimate is None or rate.least is None or rate.most is None:
        return "no data"
    share = f"{_percent(rate.estimate, rate.n)} %, {rate.successes}/{rate.n}"
    return f"{share}\n[{_ends(rate.least, rate.most, rate.n)}]"


def _ends(least: float, most: float, n: int) -> str:
    return f"{_percent(least, n)} to {_percent(most, n)} %"


def _mean(share: MeanShare) -> str:
    if share.least is None or share.most is None:
        return "no data"
    least, most = _percent(share.least, share.n), _percent(share.most, share.n)
    return f"{most} %" if least == most else f"{least} to\n{most} %"


def _percent(share: float, n: int) -> str:
    return f"{100 * share:.{1 if n >= EXACT else 0}f}"


def inert_text(text: str, style: str = "") -> Text:
    """Text of others for rich: `[red]` in it is five characters, and nothing acts."""
    return Text(inert(text), style=style)
