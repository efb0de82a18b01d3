"""What `ocb validate` prints of a build: needles by families of checks, then what does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from authoring.inert import inert
from validation.check import Check
from validation.families import FAMILIES
from validation.readers.codes import CODES as READER_CODES
from validation.report import ValidationReport

NARROWEST = 80
"""Columns that the table needs; on a narrower terminal its own wrapping breaks the lines."""
GOOD, BAD, NONE = "ok", "FAIL", "-"


class _Column(NamedTuple):
    title: str
    codes: Iterable[str]


TITLES = {
    "ablation": "found",
    "subsets": "subsets",
    "witnesses": "witness",
    "references": "rule",
    "wording": "words",
    "gradient": "spread",
    "shortcuts": "search",
    "measurability": "lines",
    "leaks": "leaks",
}
"""Of the families that speak of single needles: short enough for a terminal."""
COLUMNS = (
    *(_Column(title, FAMILIES[name].codes) for name, title in TITLES.items()),
    _Column("model", READER_CODES),
)


def print_report(report: ValidationReport, file: TextIO, *, kept: bool) -> None:
    """The table of a build, and in full every check that does not hold.

    `kept`: the build was checked whole, so that it is sealed or not.
    """
    console = Console(file=file, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, NARROWEST)
    console.print(_head(report, kept=kept))
    names = list(dict.fromkeys(check.needle for check in report.checks if check.needle))
    if names:
        console.print(_table(report.checks, names))
    for check in report.failures:
        subject = f" {check.needle}" if check.needle else ""
        console.print(_line(f"  failed: {check.code}{subject}: {check.reason}"), style="red")
    if kept and not names:
        console.print(_line("  nothing else was checked: that needs the files as they were built"))
    for check in report.checks:
        if check.note and check.passed and not check.needle:
            console.print(_line(f"  noted: {check.code}: {check.note}"))


def _line(text: str) -> Text:
    return Text(inert(text))


def _head(report: ValidationReport, *, kept: bool) -> Text:
    failed = len(report.failures)
    count = f"{len(report.checks)} checks" + (f", {failed} failed" if failed else "")
    state = _state(report) if kept else "checked in part"
    return _line(f"{report.build}: {state} ({count})")


def _state(report: ValidationReport) -> str:
    """The level of the seal; for `read`, by whom, and how often the hardest needle was found."""
    if report.level is None:
        return "not sealed"
    reader = report.figures.reader
    if report.level != "read" or reader is None:
        return f"sealed, {report.level}"
    shares = [row.planted for row in reader.needles if row.planted]
    state = f"sealed, read by {reader.reader}"
    if not shares:
        return state
    least = min(shares, key=lambda share: share.rate)
    return f"{state}, least rate {least.hits} of {least.samples}"


def _table(checks: Sequence[Check], names: Iterable[str]) -> Table:
    shown = [
        column
        for column in COLUMNS
        if any(check.needle and check.code in column.codes for check in checks)
    ]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    table.add_column("needle", overflow="fold")
    for column in shown:
        table.add_column(column.title, no_wrap=True)
    for needle in names:
        own = [check for check in checks if check.needle == needle]
        table.add_row(inert(needle), *(_cell(own, column.codes) for column in shown))
    return table


def _cell(checks: Iterable[Check], codes: Iterable[str]) -> Text:
    wanted = set(codes)
    results = [check.passed for check in checks if check.code in wanted]
    if not results:
        return Text(NONE, style="dim")
    return Text(GOOD, style="green") if all(results) else Text(BAD, style="bold red")
