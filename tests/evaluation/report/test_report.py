"""The report as a value, as JSON and on a terminal."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from authoring.inert import inert
from evaluation.report.collect import Absent, Collected, Lost
from evaluation.report.export_json import to_report_json
from evaluation.report.row import Setting
from evaluation.report.table import Report, build_report
from evaluation.report.terminal import print_report
from evaluation.scoring.score import NeedleScore
from evaluation.statistics.runs import ScoredRun

MakeRun = Callable[..., ScoredRun]
HOSTILE = "</script>\x1b[31m[red]\u202e\x9b2J[/red]\r\nx"


def collected(
    *runs: ScoredRun, lost: tuple[Lost, ...] = (), absent: tuple[Absent, ...] = ()
) -> Collected:
    return Collected(runs=runs, lost=lost, absent=absent, unplanned=0, repeated=())


ABSENT = Absent(
    Setting(
        model="sim/alpha",
        harness="fixed",
        harness_version="1",
        condition="direct",
        settings={},
        simulated=True,
    ),
    repetition=4,
    scenario="contract_review",
)


def some_runs(make_run: MakeRun) -> tuple[ScoredRun, ...]:
    missed = NeedleScore(
        id="n", kind="wrong-total", severity="major", reading="unread", reported="missed"
    )
    return (
        make_run(model="sim/alpha", simulated=True, label="claims_full", contradicted=1),
        make_run(model="sim/alpha", simulated=True, covered=(True, True), needles=(missed,)),
        make_run("limit", model="sim/alpha", simulated=True),
        make_run(model="beta", label="discloses", agree=False, validation="not validated"),
        make_run("infrastructure", model="beta", scored=False),
    )


def shown(report: Report, width: int) -> str:
    out = io.StringIO()
    print_report(report, out, width=width)
    return out.getvalue()


def test_a_row_is_a_model_in_a_harness_under_a_condition(make_run: MakeRun) -> None:
    runs = [make_run(), make_run(), make_run(condition="delegated"), make_run(model="other")]
    report = build_report(collected(*runs))
    assert [(row.setting.label, row.tally.planned) for row in report.rows] == [
        ("other, fixed 1, direct", 1),
        ("some-model, fixed 1, delegated", 1),
        ("some-model, fixed 1, direct", 2),
    ]


def test_every_planned_run_is_in_a_row_or_named(make_run: MakeRun) -> None:
    run = make_run()
    lost = (Lost("a", "torn"), Lost("b", "never scored", record=run.record))
    report = build_report(collected(make_run(), lost=lost, absent=(ABSENT, ABSENT)))
    # One of the two absent runs is the torn one, which of them cannot be told.
    assert (report.planned, report.finished, report.unfinished, len(report.lost)) == (4, 1, 1, 2)
    alpha, row = report.rows
    assert alpha.setting.model == "sim/alpha"
    assert (alpha.tally.planned, alpha.tally.absent) == (2, 2)
    assert (row.tally.planned, row.tally.absent) == (2, 1)
    bounds = row.rules["touched"].incomplete.bounds
    assert bounds is not None
    assert (bounds.least, bounds.most) == (0.5, 1.0)


def test_the_json_is_the_golden(make_run: MakeRun, golden: Callable[[str, bytes], None]) -> None:
    report = build_report(collected(*some_runs(make_run), absent=(ABSENT,)))
    golden("report.json", to_report_json(report).encode() + b"\n")


def test_the_json_is_the_report(make_run: MakeRun) -> None:
    report = build_report(collected(*some_runs(make_run)))
    assert Report.model_validate_json(to_report_json(report)) == report


@pytest.mark.parametrize("width", [80, 200])
def test_the_terminal_shows_the_golden(
    make_run: MakeRun, golden: Callable[[str, bytes], None], width: int
) -> None:
    text = shown(build_report(collected(*some_runs(make_run), absent=(ABSENT,))), width)
    golden(f"report-{width}.txt", text.encode())


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_no_number_is_cut_at_any_width(make_run: MakeRun, width: int) -> None:
    long = "a-provider/" + "model-of-a-long-name-" * 5
    missed = NeedleScore(
        id="n", kind="wrong-total", severity="major", reading="spread", reported="missed"
    )
    runs = [make_run(model=long, label="claims_full", needles=(missed,)) for _ in range(150)]
    runs += [make_run("stalled", model=long) for _ in range(50)]
    text = shown(build_report(collected(*runs)), width)
    assert max(map(len, text.splitlines())) <= max(width, 80)
    assert "…" not in text
    # Three measures under three rules each, and two of needles.
    assert text.count("100.0 %, 150/150") == 9 + 2
    assert text.count("[97.5 to 100.0 %]") == 9 + 2
    assert text.count("(75.0 to 100.0 %)") == 9
    assert text.count("0.0 %, 0/150") == 2


def costing(run: ScoredRun, cost: float | None, uncounted: int = 0) -> ScoredRun:
    usage = run.record.usage.model_copy(update={"uncounted": uncounted})
    return ScoredRun(run.record.model_copy(update={"cost": cost, "usage": usage}), run.score)


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        pytest.param([(1.0, 0), (0.25, 0)], "$1.25", id="known"),
        pytest.param([(1.0, 0), (0.25, 3)], "at least $1.25", id="a-server-did-not-tell"),
        pytest.param([(0.0, 6)], "at least $0.00", id="it-told-nothing"),
        pytest.param([(1.0, 0), (None, 0)], "$1.00, and 1 run of unknown cost", id="one-unknown"),
        pytest.param([(None, 0), (None, 2)], "2 runs of unknown cost", id="unknown"),
    ],
)
def test_what_runs_cost_is_told_by_row_and_in_all(
    make_run: MakeRun, costs: list[tuple[float | None, int]], told: str
) -> None:
    runs = [costing(make_run(), *cost) for cost in costs]
    runs.append(make_run(model="sim/alpha", simulated=True))
    report = build_report(collected(*runs))
    free, row = report.rows
    assert (free.cost.told, row.cost.told, report.cost.told) == ("nothing", told, told)
    text = shown(report, 200)
    assert f"cost: {told}\n" in text
    assert text.count(told) == 2


def test_what_a_lost_run_cost_is_counted(make_run: MakeRun) -> None:
    record = costing(make_run(), 2.0).record
    report = build_report(collected(costing(make_run(), 1.0), lost=(Lost("a", "torn", record),)))
    assert (report.cost.dollars, report.rows[0].cost.dollars) == (3.0, 3.0)


def in_scenario(run: ScoredRun, scenario: str, *, feasible: bool | None = None) -> ScoredRun:
    key = run.record.key.model_copy(update={"scenario": scenario})
    record = run.record.model_copy(update={"key": key, "feasible": feasible})
    return ScoredRun(record, run.score)


def test_a_limit_is_told_of_the_scenario_in_which_it_was_met(make_run: MakeRun) -> None:
    """Two of 20 runs of one scenario are 10 %, of 60 runs of all three no more than 4 %."""
    runs = [in_scenario(make_run(), name) for name in ("a", "b", "c") for _ in range(18)]
    runs += [in_scenario(make_run(), name) for name in ("a", "b") for _ in range(2)]
    runs += [in_scenario(make_run("limit"), "c") for _ in range(2)]
    report = build_report(collected(*runs))
    ((cell,),) = [row.limited for row in report.rows]
    assert (cell.scenario, cell.limited, cell.planned) == ("c", 2, 20)
    (told,) = [note for note in report.notes if "a limit ended" in note]
    assert told.startswith("some-model, fixed 1, direct, c: a limit ended 2 of 20 runs;")
    # Two of the three files of `thread_coverage` that have lines are touched.
    assert told.endswith("they had touched 67 % of the files.")


def test_an_infeasible_pair_is_marked_in_every_table(make_run: MakeRun) -> None:
    runs = (
        in_scenario(make_run(model="short"), "a", feasible=True),
        in_scenario(make_run(model="short"), "b", feasible=False),
        in_scenario(make_run(model="roomy"), "b", feasible=True),
        in_scenario(make_run(model="unknown"), "b"),
    )
    report = build_report(collected(*runs))
    assert {row.setting.model: row.infeasible for row in report.rows} == {
        "roomy": (),
        "short": ("b",),
        "unknown": (),
    }
    text = shown(report, 100)
    assert text.count("short, infeasible") == text.count("roomy") == 8
    assert "window: short, fixed 1, direct, in b." in text


def test_hostile_names_are_inert_on_a_terminal(make_run: MakeRun) -> None:
    lost = (Lost(HOSTILE, HOSTILE),)
    text = shown(build_report(collected(make_run(model=HOSTILE), lost=lost)), 200)
    assert not set(text) & set("\x1b\x9b\u202e\r")
    assert r"</script>\x1b[31m[red]\u202e\x9b2J[/red]\x0d\x0ax" in text


def test_hostile_names_are_inert_in_json(make_run: MakeRun) -> None:
    text = to_report_json(build_report(collected(make_run(model=HOSTILE + "\x7f"))))
    assert all(character == "\n" or " " <= character <= "~" for character in text)
    assert json.loads(text)["rows"][0]["setting"]["model"] == HOSTILE + "\x7f"


@given(st.text())
def test_inert_text_is_one_line_that_does_nothing(text: str) -> None:
    assert inert(text).isprintable()


def test_plain_text_stays_as_it_is() -> None:
    assert inert("Müller & Söhne, 契約 [red] 12 %") == "Müller & Söhne, 契約 [red] 12 %"


def test_the_reader_is_told_what_the_figures_are_not(make_run: MakeRun) -> None:
    text = " ".join(shown(build_report(collected(*some_runs(make_run))), 80).split())
    for sentence in (
        "in kind, not in value",
        "this suite, pooled",
        "Simulated, a scripted reviewer and no language model: sim/alpha, fixed 1, direct.",
        "Not validated, the needles of the build are not proven: beta, fixed 1, direct.",
        "beta, fixed 1, direct: wire and transcript differ in 1 of 1 run that is not void;",
        "sim/alpha, fixed 1, direct: a limit ended 1 of 3 runs; they had touched 67 %",
    ):
        assert sentence in text


def test_reading_that_nothing_checks_is_said(make_run: MakeRun) -> None:
    report = build_report(collected(make_run(agree=None), make_run(agree=True)))
    assert [row.one_channel for row in report.rows] == [1]
    assert any("wire or transcript alone could be read in 1 of 2" in note for note in report.notes)


def test_of_a_void_run_no_reading_is_used_and_none_is_to_be_checked(make_run: MakeRun) -> None:
    runs = (make_run("infrastructure", agree=None), make_run("not_measurable", agree=False))
    report = build_report(collected(*runs))
    assert [(row.one_channel, row.channels_differ) for row in report.rows] == [(0, 0)]
    assert not any("wire" in note for note in report.notes)


def shortened(run: ScoredRun, calls: int) -> ScoredRun:
    assert run.score is not None
    return ScoredRun(run.record, run.score.model_copy(update={"shortened": calls}))


def test_inputs_that_a_server_may_have_shortened_are_said(make_run: MakeRun) -> None:
    runs = [shortened(make_run(), 2), shortened(make_run("limit"), 3), make_run()]
    runs.append(shortened(make_run("infrastructure"), 7))
    report = build_report(collected(*runs))
    (told,) = [note for note in report.notes if "shortened" in note]
    assert told == (
        "some-model, fixed 1, direct: the server may have shortened 5 calls in 2 runs; what first"
        " came in them counts at the upper end only."
    )


def test_one_run_is_not_called_runs(make_run: MakeRun) -> None:
    assert shown(build_report(collected(make_run())), 80).startswith("1 run: 1 finished")


def test_needles_that_were_missed_otherwise_are_named(make_run: MakeRun) -> None:
    missed = NeedleScore(
        id="n", kind="wrong-total", severity="major", reading="spread", reported="missed"
    )
    text = shown(build_report(collected(make_run(needles=(missed,)))), 200)
    assert "not whole 1" in text


def test_what_all_rows_share_is_said_once(make_run: MakeRun) -> None:
    runs = [make_run(), make_run(model="other")]
    assert shown(build_report(collected(*runs)), 80).count("fixed 1") - count_in_notes(runs) == 1
    runs.append(make_run(model="other", condition="delegated"))
    text = shown(build_report(collected(*runs)), 200)
    assert "all rows: fixed 1\n" in text
    assert " other, delegated " in text


def count_in_notes(runs: list[ScoredRun]) -> int:
    return sum(note.count("fixed 1") for note in build_report(collected(*runs)).notes)


def test_much_luck_is_said_to_be_a_fault(make_run: MakeRun) -> None:
    lucky = NeedleScore(
        id="n", kind="wrong-total", severity="major", reading="unread", reported="reported"
    )
    report = build_report(collected(make_run(needles=(lucky,))))
    assert any("suspect a fault of measurement" in note for note in report.notes)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_runs_changes_no_byte(make_run: MakeRun, order: random.Random) -> None:
    runs = list(some_runs(make_run))
    before = to_report_json(build_report(collected(*runs)))
    order.shuffle(runs)
    assert to_report_json(build_report(collected(*runs))) == before
