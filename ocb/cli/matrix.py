"""The matrix of a sweep and what was looked at before it, as a reader sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

import orjson
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from authoring.inert import inert
from evaluation.gateway.budget import in_dollars
from evaluation.sweep.costs import CostRange
from evaluation.sweep.matrix import Matrix, MatrixRow
from evaluation.sweep.plan import SIMULATED
from evaluation.sweep.preflight import PreflightCheck

NARROWEST = 80
"""Columns that the table needs."""
ABOUT_COST = (
    "Cost: from one full reading with its history cached to two without a cache, within the caps of"
    " a run; of the runs that are left."
)


def print_matrix(matrix: Matrix, file: TextIO, *, width: int | None = None) -> None:
    """Every cell, and the sum of them."""
    console = _console(file, width)
    table = Table(box=box.SIMPLE, pad_edge=False, show_footer=False)
    table.add_column("", overflow="fold", min_width=20)
    for title in ("runs", "there", "feasible", "cost"):
        table.add_column(title, no_wrap=True, justify="right")
    for row in matrix.rows:
        there = f"{row.there:,}"
        table.add_row(_name(row), f"{row.runs:,}", there, _feasible(row), _cost(row.cost))
    console.print(table)
    console.print(Text(inert(_sum(matrix))))
    if matrix.cost.most:
        console.print(Text(ABOUT_COST))


def _name(row: MatrixRow) -> Text:
    settings = orjson.dumps(row.settings, option=orjson.OPT_SORT_KEYS).decode()
    parts = (row.scenario, row.harness, row.model, row.condition, settings if row.settings else "")
    return Text(inert(", ".join(part for part in parts if part)))


def _feasible(row: MatrixRow) -> str:
    """Whether the model can hold a full reading; a simulated one has no window."""
    if row.model.startswith(SIMULATED):
        return "-"
    return {True: "yes", False: "NO", None: "?"}[row.feasible]


def _cost(cost: CostRange | None) -> str:
    if cost is None:
        return "unknown"
    if not cost.most:
        return "nothing"
    return f"{in_dollars(cost.least)} to {in_dollars(cost.most)}"


def _sum(matrix: Matrix) -> str:
    runs = f"{matrix.runs:,} run{'' if matrix.runs == 1 else 's'}"
    told = f"{runs}, {matrix.there:,} there already; what is left costs "
    if not matrix.unpriced:
        return told + _cost(matrix.cost) + _end_of_money(matrix)
    known = f"{_cost(matrix.cost)} and " if matrix.cost.most else ""
    unknown = f"an unknown amount for {', '.join(matrix.unpriced)}"
    return told + known + unknown + _end_of_money(matrix)


def _end_of_money(matrix: Matrix) -> str:
    """Whether the sweep's cap ends it early."""
    if matrix.money is None or matrix.money >= matrix.cost.most:
        return ""
    how = "ends" if matrix.money < matrix.cost.least else "may end"
    return f"; the cap of the sweep, of which {in_dollars(matrix.money)} is left, {how} it before"


def print_checks(checks: Sequence[PreflightCheck], file: TextIO, *, every: bool) -> None:
    """One line for each check and its remedy; without `every` only what a reader must know."""
    console = _console(file, None)
    for check in checks:
        if every or check.note or not check.ok:
            console.print(Text(inert(_line(check))), soft_wrap=True)
            if check.remedy:
                console.print(Text(inert(f"        {check.remedy}")), soft_wrap=True)


def _line(check: PreflightCheck) -> str:
    sign = "note" if check.note else ("ok" if check.ok else "NO")
    return f"  {sign:<5} {told(check)}"


def told(check: PreflightCheck) -> str:
    """A check in one sentence."""
    about = f" ({check.about})" if check.about else ""
    return f"{check.name}{about}: {check.detail}"


def refusal(checks: Iterable[PreflightCheck]) -> str:
    """Everything that keeps a sweep from starting, with what to do, in one message."""
    lines = ["the sweep does not start; nothing was run or spent"]
    for check in checks:
        lines.append(f"  {told(check)}")
        if check.remedy:
            lines.append(f"    {check.remedy}")
    return "\n".join(lines)


def _console(file: TextIO, width: int | None) -> Console:
    console = Console(file=file, width=width, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, NARROWEST)
    return console
