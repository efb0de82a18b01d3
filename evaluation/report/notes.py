"""What a reader must know beside the numbers, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evaluation.report.row import LimitedCell, Row
from evaluation.run import VOID
from evaluation.statistics.rates import ESTIMAND, LUCKY_FAULT

ABOUT_RATES = (
    f"Rates estimate {ESTIMAND}: the share, how many of how many, [Wilson's interval at 95 %],"
    " (what the rate could have been, were the runs outside its denominator known)."
)
COMPARABLE = (
    "These are not the paper's corpora, prompts or judges: the figures compare with the paper's in"
    " kind, not in value."
)


def notes(rows: Sequence[Row]) -> tuple[str, ...]:
    """Warnings first, then what the figures are and are not."""
    return (
        *_kinds(rows),
        *(note for row in rows for note in _warnings(row)),
        ABOUT_RATES,
        COMPARABLE,
    )


def _kinds(rows: Sequence[Row]) -> Iterator[str]:
    simulated = _named(rows, lambda row: row.setting.simulated)
    if simulated:
        yield f"Simulated, a scripted reviewer and no language model: {simulated}."
    unsealed = _named(rows, lambda row: "not validated" in row.validation)
    if unsealed:
        yield f"Not validated, the needles of the build are not proven: {unsealed}."
    structural = _named(rows, lambda row: "structural" in row.validation)
    if structural:
        yield f"Validated at the structural level, by detectors and no model reader: {structural}."
    for row in rows:
        if row.infeasible:
            yield (
                f"Infeasible, a full reading does not fit into the model's window:"
                f" {row.setting.label}, in {', '.join(row.infeasible)}."
            )


def _named(rows: Sequence[Row], holds: Callable[[Row], bool]) -> str:
    names = [row.setting.label for row in rows if holds(row)]
    return "every row" if len(names) == len(rows) > 1 else "; ".join(names)


def _warnings(row: Row) -> Iterator[str]:
    label, used = row.setting.label, _not_void(row)
    if row.channels_differ:
        yield (
            f"{label}: wire and transcript differ in {row.channels_differ} of {used};"
            " the wire's numbers are used."
        )
    if row.one_channel:
        yield (
            f"{label}: wire or transcript alone could be read in {row.one_channel} of {used};"
            " nothing checks their reading."
        )
    if row.shortened_calls:
        calls, runs = counted(row.shortened_calls, "call"), counted(row.shortened_runs, "run")
        yield (
            f"{label}: the server may have shortened {calls} in {runs}; what first came in them"
            " counts at the upper end only."
        )
    if row.needles.suspicious:
        lucky = row.needles.lucky
        yield (
            f"{label}: {lucky.successes} of {lucky.n} reported needles were never read, more than"
            f" {LUCKY_FAULT:.0%}: suspect a fault of measurement."
        )
    for cell in row.limited:
        where = f"{label}, {cell.scenario}" if len(row.scenarios) > 1 else label
        planned = counted(cell.planned, "run")
        yield f"{where}: a limit ended {cell.limited} of {planned}{_read_by_then(cell)}."


def _read_by_then(cell: LimitedCell) -> str:
    breadth = cell.breadth
    if breadth.least is None or breadth.most is None:
        return ""
    ends = f"{100 * breadth.least:.0f}"
    if breadth.least != breadth.most:
        ends += f" to {100 * breadth.most:.0f}"
    return f"; they had touched {ends} % of the files"


def _not_void(row: Row) -> str:
    number = sum(n for kind, n in row.tally.outcomes.items() if kind not in VOID)
    return f"{counted(number, 'run')} that {'is' if number == 1 else 'are'} not void"


def counted(number: int, noun: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
