"""What is shown while a sweep runs, and of its plan: whole, bounded, and inert."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable

import pytest
from rich.console import Console

from evaluation.gateway.budget import in_dollars
from evaluation.run import Limits, Outcome, OutcomeKind, RunKey, RunRecord, Usage
from evaluation.sweep.costs import FREE, CostRange
from evaluation.sweep.matrix import Matrix, MatrixRow
from evaluation.sweep.preflight import noted, passed, refused
from evaluation.sweep.pulse import AtWork
from evaluation.sweep.tally import Progress
from ocb.cli.matrix import print_checks, print_matrix, refusal
from ocb.cli.progress import Board, line_of, show_line, shown_progress

HOSTILE = "m\x1b[2J[red]\u202e\r\nx\x9b"
ACTING = set("\x1b\x9b\u202e\r")


def progress(
    kind: OutcomeKind = "completed",
    *,
    model: str = "large",
    reason: str = "status 500",
    taken_from: str = "",
    **changes: object,
) -> Progress:
    key = RunKey(
        scenario="letters",
        tree="a" * 64,
        harness="fixed",
        harness_version="1",
        model=model,
        upstream="compatible",
        condition="direct",
        prompt_sha256="b" * 64,
        tools=(),
        limits=Limits(),
        repetition=3,
    )
    record = RunRecord(
        key=key,
        simulated=False,
        sandbox="not needed",
        validation="structural",
        outcome=Outcome(kind=kind, reason="" if kind == "completed" else reason),
        started=0.0,
        seconds=12.34,
        usage=Usage(),
        taken_from=taken_from,
        models={},
    )
    whole = {"record": record, "finished": 7, "planned": 40, "resumed": False}
    return Progress(**(whole | changes))  # type: ignore[arg-type]  # a table's fields


@pytest.mark.parametrize(
    ("one", "line"),
    [
        pytest.param(
            progress(), "[7/40] letters fixed large direct 3: completed, 12.3 s", id="made"
        ),
        pytest.param(
            progress(resumed=True),
            "[7/40] letters fixed large direct 3: completed, was there",
            id="was-there",
        ),
        pytest.param(
            progress(resumed=True, taken_from="last-week"),
            "[7/40] letters fixed large direct 3: completed, taken from last-week",
            id="taken-over",
        ),
        pytest.param(
            progress("infrastructure", reason="exit code 1:\n" + "x" * 500),
            "[7/40] letters fixed large direct 3: infrastructure (exit code 1: "
            f"{'x' * 86}…), 12.3 s",
            id="a-long-reason",
        ),
        pytest.param(
            progress("infrastructure", again=True),
            "[7/40] letters fixed large direct 3: infrastructure (status 500), 12.3 s,"
            " to be made again",
            id="void",
        ),
    ],
)
def test_a_run_is_one_line(one: Progress, line: str) -> None:
    assert line_of(one) == line


def test_without_a_terminal_each_run_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(io.StringIO()) as watch:
        assert watch.over is show_line
        watch.over(progress(model=HOSTILE))
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 2)  # a name's own LF, and the line's end
    assert not set(shown.err) & ACTING


def test_without_a_terminal_a_long_silence_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(io.StringIO()) as watch:
        watch.at_work(AtWork(running=3, longest=240.4))
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "3 running, the longest for 240 s\n")


def test_what_is_spent_is_at_least_that_where_a_server_did_not_tell() -> None:
    out = io.StringIO()
    shown = board(out)
    shown(progress(spent=1.0, uncounted=1))
    Console(file=out, width=100).print(shown)
    assert "at least $1.00 spent" in out.getvalue()


def board(out: io.StringIO, clock: Callable[[], float] = lambda: 0.0) -> Board:
    return Board(Console(file=out, width=100, markup=False, highlight=False), clock)


def test_the_board_tells_running_done_spent_and_left() -> None:
    out = io.StringIO()
    times = iter((0.0, 3725.0))
    shown = board(out, lambda: next(times))
    outcomes: Counter[OutcomeKind] = Counter({"completed": 5, "limit": 2})
    shown(progress(running=2, outcomes=outcomes, spent=1.234, unpriced=1))
    Console(file=out, width=100).print(shown)
    text = " ".join(out.getvalue().split())
    for part in (
        "7 of 40 done, 2 running, 31 left, 1:02:05",
        "completed 5, limit 2; $1.23 spent, and 1 of unknown price",
        "letters fixed large direct 3: completed",
    ):
        assert part in text


def test_a_void_run_stays_to_be_seen_and_others_do_not() -> None:
    out = io.StringIO()
    shown = board(out)
    shown(progress())
    shown(progress("infrastructure", resumed=True))
    assert out.getvalue() == ""
    shown(progress("infrastructure", model=HOSTILE))
    assert "infrastructure (status 500)" in out.getvalue()
    assert not set(out.getvalue()) & ACTING


def test_ten_thousand_runs_are_no_longer_a_board_than_one() -> None:
    out = io.StringIO()
    shown = board(out)
    for finished in range(10_000):
        shown(progress(finished=finished, planned=10_000, model=HOSTILE * 50))
    Console(file=out, width=100).print(shown)
    assert len(out.getvalue().splitlines()) == 3
    assert "9,999 of 10,000 done" in out.getvalue()
    assert not set(out.getvalue()) & ACTING


def row(**changes: object) -> MatrixRow:
    whole = {
        "scenario": "letters",
        "harness": "fixed",
        "model": "large",
        "settings": {},
        "condition": "direct",
        "runs": 4,
        "there": 1,
        "feasible": True,
        "cost": CostRange(least=0.004, most=1234.5),
    }
    return MatrixRow.model_validate(whole | changes)


def shown_matrix(
    *rows: MatrixRow, unpriced: tuple[str, ...] = (), money: float | None = None
) -> str:
    out = io.StringIO()
    cost = FREE
    for one in rows:
        cost = cost.plus(one.cost or FREE)
    matrix = Matrix(rows=rows, runs=8, there=2, left=(), cost=cost, money=money, unpriced=unpriced)
    print_matrix(matrix, out, width=80)
    return out.getvalue()


def test_the_matrix_shows_both_ends_and_what_is_not_known() -> None:
    text = shown_matrix(row(), row(model="other", feasible=False, cost=None), unpriced=("other",))
    flat = " ".join(text.split())
    assert "letters, fixed, large, direct 4 1 yes $0.004 to $1,234.50" in flat
    assert "letters, fixed, other, direct 4 1 NO unknown" in flat
    assert "costs $0.004 to $1,234.50 and an unknown amount for other" in flat
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("money", "told"),
    [
        pytest.param(0.5, "of which $0.50 is left, ends it before", id="below-the-least"),
        pytest.param(200.0, "of which $200.00 is left, may end it before", id="between"),
        pytest.param(400.0, "costs $184.00 to $400.00 Cost:", id="enough"),
        pytest.param(None, "costs $184.00 to $400.00 Cost:", id="no-cap"),
    ],
)
def test_a_cap_hides_no_end_of_the_cost(money: float | None, told: str) -> None:
    one = row(cost=CostRange(least=184.0, most=400.0))
    flat = " ".join(shown_matrix(one, money=money).split())
    assert "what is left costs $184.00 to $400.00" in flat
    assert told in flat


def test_a_simulated_model_has_no_window_and_costs_nothing() -> None:
    flat = " ".join(shown_matrix(row(model="sim/nop", feasible=None, cost=FREE)).split())
    assert "sim/nop, direct 4 1 - nothing" in flat
    assert "what is left costs nothing" in flat


def test_names_in_a_plan_are_inert() -> None:
    text = shown_matrix(row(model=HOSTILE, cost=None), unpriced=(HOSTILE,))
    out = io.StringIO()
    print_checks([refused("key", HOSTILE, HOSTILE, HOSTILE)], out, every=True)
    assert not set(text + out.getvalue()) & ACTING


@pytest.mark.parametrize(
    ("amount", "shown"), [(0, "$0.00"), (0.004, "$0.004"), (0.01, "$0.01"), (1234.5, "$1,234.50")]
)
def test_what_costs_little_does_not_cost_nothing(amount: float, shown: str) -> None:
    assert in_dollars(amount) == shown


def test_only_what_a_reader_must_know_is_told_before_a_sweep() -> None:
    checks = [
        passed("seal", "b", "sealed"),
        noted("prices", "", "not known: m", "--prices FILE"),
        refused("key", "fixed", "it is not set", "set it"),
    ]
    out = io.StringIO()
    print_checks(checks, out, every=False)
    assert out.getvalue() == (
        "  note  prices: not known: m\n        --prices FILE\n"
        "  NO    key (fixed): it is not set\n        set it\n"
    )
    assert refusal(checks[2:]).splitlines() == [
        "the sweep does not start; nothing was run or spent",
        "  key (fixed): it is not set",
        "    set it",
    ]
