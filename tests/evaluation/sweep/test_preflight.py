"""What is looked at before a sweep: each check holds what it should, and says what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation.agents.claude_code.profile import PROFILE as CLAUDE_CODE
from evaluation.agents.fixed.profile import PROFILE as FIXED
from evaluation.gateway.budget import Price
from evaluation.gateway.wire import Protocol
from evaluation.run import Limits
from evaluation.sweep.agent_checks import (
    check_agent_key,
    check_conditions,
    check_models,
    check_once,
    check_settings,
    check_upstream,
)
from evaluation.sweep.costs import FREE, CostRange
from evaluation.sweep.matrix import (
    Estimate,
    Foreign,
    Known,
    Left,
    Matrix,
    Standing,
    estimate,
    make_matrix,
)
from evaluation.sweep.plan import PlannedAgent, PlannedBuild, SweepPlan, UpstreamSpec, base_url
from evaluation.sweep.preflight import (
    PreflightCheck,
    check_builds,
    check_count,
    check_disk,
    check_feasible,
    check_limits,
    check_money,
    check_prices,
    check_servers,
)
from evaluation.sweep.stopping import FLOOR
from generators.build import Build
from ocb.sweeps import planned_build
from tests.e2e.truth_corpus import build_truth_corpus
from validation.feasibility import CorpusTokens, FileTokens, Tables
from validation.reading_costs import HarnessCost, ModelWindow

URL = "http://127.0.0.1:9"
KEY = "a-key-of-20-letters!"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_truth_corpus(tmp_path_factory.mktemp("truth"))


def agent(*models: str, **changes: Any) -> PlannedAgent:
    real = not all(model.startswith("sim/") for model in models)
    upstream = UpstreamSpec(kind="compatible", url=URL) if real else UpstreamSpec()
    fields = {"harness": "fixed", "harness_version": "1", "upstream": upstream}
    return PlannedAgent.model_validate({**fields, "models": models, **changes})


def plan(*agents: PlannedAgent, builds: tuple[PlannedBuild, ...] = (), **rest: Any) -> SweepPlan:
    builds = builds or (placed("letters", 0),)
    return SweepPlan(builds=builds, agents=agents or (agent("sim/nop"),), **rest)


def placed(scenario: str, placement: int, name: str = "") -> PlannedBuild:
    name = name or f"{scenario}-{placement}"
    return PlannedBuild(build=name, scenario=scenario, tree="a" * 64, placement=placement)


def told(check: PreflightCheck) -> str:
    """How a check came out, and all that it says."""
    state = "noted" if check.note else ("ok" if check.ok else "refused")
    return f"{state}: {check.about}: {check.detail}; {check.remedy}"


@pytest.mark.parametrize(
    ("one", "what"),
    [
        pytest.param(agent("sim/nop", "sim/oracle"), "ok: fixed: sim/nop, sim/oracle", id="sim"),
        pytest.param(agent("large"), "ok: fixed: large", id="real"),
        pytest.param(agent("sim/orcale"), "did you mean 'sim/oracle'?", id="unknown"),
        pytest.param(agent("sim/nop", "large"), "refused: fixed: simulated and real", id="mixed"),
        pytest.param(
            agent("large", upstream=UpstreamSpec()),
            "refused: fixed: large: no upstream is given; --upstream URL",
            id="no-server",
        ),
    ],
)
def test_models(one: PlannedAgent, what: str) -> None:
    assert what in told(check_models(one))


def test_simulated_and_real_models_may_be_under_agents_of_their_own() -> None:
    assert not list(check_once((agent("sim/nop"), agent("large"))))


def test_one_run_is_not_planned_under_two_agents() -> None:
    other_server = UpstreamSpec(kind="compatible", url="http://127.0.0.1:10")
    agents = (agent("large"), agent("large", upstream=other_server), agent("large", harness="two"))
    (check,) = check_once(agents)
    assert "large is planned twice" in told(check)
    assert not list(check_once((agent("large"), agent("large", settings={"effort": "low"}))))


@pytest.mark.parametrize(
    ("kind", "url", "profile", "what"),
    [
        ("compatible", URL, FIXED, "ok: fixed: http://127.0.0.1:9 (compatible), openai-chat"),
        ("compatible", URL, CLAUDE_CODE, "ok: "),
        ("openai", URL, FIXED, "ok: "),
        ("anthropic", URL, FIXED, "refused: fixed: fixed speaks openai-chat, and a server of kind"),
        ("compatible", "ftp://x.test", FIXED, "refused: fixed: the upstream's address does not"),
        ("compatible", "http://me:pw@x.test", FIXED, "holds a user name or a password"),
    ],
)
def test_a_server_must_speak_the_harness_protocol(
    kind: str, url: str, profile: Any, what: str
) -> None:
    upstream = UpstreamSpec.model_validate({"kind": kind, "url": url})
    check = check_upstream(agent("large", upstream=upstream), profile)
    assert what in told(check)
    assert "pw" not in told(check)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        pytest.param(KEY, "ok: fixed: set", id="good"),
        pytest.param(None, "the environment variable KEY is not set; set it to the", id="missing"),
        pytest.param("", "the environment variable KEY is not set", id="empty"),
        pytest.param(f"{KEY}\n", "holds a character that no key has", id="newline"),
        pytest.param(f"'{KEY} '", "holds a character that no key has", id="space"),
        pytest.param(KEY + "\u2028", "holds a character that no key has", id="odd"),
    ],
)
def test_a_key_from_the_environment(build: Build, value: str | None, what: str) -> None:
    upstream = UpstreamSpec(kind="compatible", url=URL, key_variable="KEY")
    environment = {} if value is None else {"KEY": value}
    check = check_agent_key(agent("large", upstream=upstream), environment, [build])
    assert what in told(check)
    assert KEY not in told(check)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(f"{KEY}\n".encode(), "ok: fixed: set", id="with-a-last-newline"),
        pytest.param(f"{KEY}\n{KEY}".encode(), "holds a character that no key has", id="two"),
        pytest.param(b" \n", "the file of the key is empty", id="empty"),
        pytest.param(b"\xff\xfe", "the key cannot be read", id="no-text"),
        pytest.param(None, "the key cannot be read", id="missing"),
    ],
)
def test_a_key_from_a_file(tmp_path: Path, data: bytes | None, what: str) -> None:
    path = tmp_path / "key"
    if data is not None:
        path.write_bytes(data)
    upstream = UpstreamSpec(kind="compatible", url=URL, key_file=str(path))
    check = check_agent_key(agent("large", upstream=upstream), {}, [])
    assert what in told(check)
    assert KEY not in told(check)


def test_a_key_that_stands_in_a_corpus_is_refused(build: Build) -> None:
    upstream = UpstreamSpec(kind="compatible", url=URL, key_variable="KEY")
    texts = dict(build.texts)
    first = next(iter(texts))
    texts[first] += f"the word {KEY}\n"
    check = check_agent_key(
        agent("large", upstream=upstream), {"KEY": KEY}, [replace(build, texts=texts)]
    )
    assert "refused: fixed: it stands in the corpus of stock_lists-" in told(check)


def test_a_server_that_no_key_is_named_for_is_noted() -> None:
    assert "noted: fixed: none is named" in told(check_agent_key(agent("large"), {}, []))
    assert "ok: fixed: none is needed" in told(check_agent_key(agent("sim/nop"), {}, []))


def test_a_setting_must_be_one_of_the_harness() -> None:
    with_effort = agent("sim/nop", harness="claude-code", settings={"effort": "low"})
    assert told(check_settings(with_effort, CLAUDE_CODE)).startswith("ok: claude-code: effort")
    misspelt = agent("sim/nop", harness="claude-code", settings={"efort": "low"})
    assert "did you mean 'effort'?" in told(check_settings(misspelt, CLAUDE_CODE))


def test_a_condition_must_be_given_by_scenario_and_harness(build: Build) -> None:
    given = {"direct": "Do it.", "delegated": "Share it."}
    task = build.spec.task.model_copy(update={"conditions": given})
    asks = replace(build, spec=build.spec.model_copy(update={"task": task}))
    profiles = {"fixed": replace(FIXED, conditions=frozenset(("direct",)))}
    checks = list(check_conditions(("direct", "delegated", "no_delegation"), [asks], profiles))
    assert [check.ok for check in checks] == [True, False, False]
    assert checks[1].detail == "not given by the harness fixed"
    assert checks[2].detail == "not given by the scenario stock_lists, the harness fixed"


@pytest.mark.parametrize(
    ("placements", "repetitions", "what"),
    [
        pytest.param((0, 1, 2), 3, "ok: letters: 3 builds, 3 placements", id="even"),
        pytest.param((0,), 1, "ok: letters: 1 build, 1 placement", id="one"),
        pytest.param((0, 1, 2), 4, "noted: letters: 3 builds, 3 placements: 4 rep", id="uneven"),
        pytest.param((0, 1, 2), 4, "; --repetitions 6 would be", id="what-is-even"),
        pytest.param((0, 0), 2, "ok: letters: 2 builds, 1 placement", id="two-seeds"),
        pytest.param((0, 0, 1), 3, "come up more often (placement 0: 2, placement", id="lopsided"),
    ],
)
def test_repetitions_are_spread_over_placements(
    build: Build, placements: tuple[int, ...], repetitions: int, what: str
) -> None:
    builds = tuple(placed("letters", p, f"letters-{n}") for n, p in enumerate(placements))
    asked = plan(builds=builds, repetitions=repetitions)
    (check,) = check_builds(asked, {one.build: build for one in builds})
    assert what in told(check)


def test_two_sizes_of_one_scenario_are_no_row(build: Build) -> None:
    large = replace(build, manifest=build.manifest.model_copy(update={"size": "large"}))
    builds = (placed("letters", 0), placed("letters", 1))
    (check,) = check_builds(plan(builds=builds), {"letters-0": build, "letters-1": large})
    assert "refused: letters: given at large and small" in told(check)


def test_a_mistyped_number_of_runs_is_refused() -> None:
    assert check_count(plan(repetitions=10_000)).ok
    check = check_count(plan(agent("sim/nop", "sim/oracle"), repetitions=10**9))
    assert "refused: : 2,000,000,000 runs are asked for; a sweep holds at most" in told(check)
    assert "--repetitions 500000 or fewer" in told(check)


PRICE = Price(input=1, output=1)


@pytest.mark.parametrize(
    ("model", "prices", "limits", "dollars", "what"),
    [
        pytest.param("sim/nop", {}, Limits(dollars=1), 5.0, "ok: ", id="simulated"),
        pytest.param("large", {"large": PRICE}, Limits(), 5.0, "ok: ", id="known"),
        pytest.param("large", {}, Limits(), None, "noted: : not known: large", id="no-cap"),
        pytest.param("large", {}, Limits(), 5.0, "refused: : not known: large", id="a-sweep's-cap"),
        pytest.param("large", {}, Limits(dollars=1), None, "refused: ", id="a-run's-cap"),
    ],
)
def test_a_cap_needs_prices(
    model: str, prices: dict[str, Price], limits: Limits, dollars: float | None, what: str
) -> None:
    assert what in told(check_prices(plan(agent(model), limits=limits), prices, dollars))


# Two files of 100 tokens through a harness that adds nothing: the first call sends the prompt of
# 10, the second 100 more, the third again 100 more. With a vendor's factor of 1: 10 + 110 + 210.
SIZE = CorpusTokens(tuple(FileTokens(name, 10, 100, 400) for name in ("a", "b")), prompt=10)
HARNESS = HarnessCost(
    name="fixed",
    version="1",
    measured="2026-11-30",
    fixed_tokens=0,
    tokens_per_line=0,
    tokens_per_read=0,
)


def window(name: str, tokens: int) -> ModelWindow:
    return ModelWindow(
        name=name, vendor="v", window=tokens, vendor_factor=1.0, source="s", date="2026-11-30"
    )


# 210 tokens are needed; they are three quarters of 280.
WINDOWS = {"exact": window("exact", 280), "short": window("short", 279)}


def estimated(model: str, limits: Limits | None = None, **prices: Price) -> Estimate:
    known = Known(Tables({"fixed": HARNESS}, WINDOWS), prices, limits or Limits())
    return estimate("b", SIZE, agent(model), model, known)


def test_an_estimate_is_what_the_law_says() -> None:
    exact = estimated("exact", exact=Price(input=1000, output=0))
    assert (exact.reads, exact.sent, exact.needed) == (2, 10 + 110 + 210, 210)
    assert exact.feasible is True
    assert exact.reading_cost == pytest.approx(0.33)
    assert exact.cost is not None
    assert exact.cost.most == pytest.approx(0.66)
    assert estimated("short").feasible is False
    assert estimated("unheard-of").feasible is None


def test_a_price_that_is_not_known_is_no_price_of_nothing() -> None:
    assert estimated("exact").cost is None
    assert estimated("sim/nop").cost == FREE


def test_a_harness_that_nobody_measured_leaves_all_open_but_its_calls() -> None:
    known = Known(Tables({}, WINDOWS), {"exact": PRICE}, Limits())
    one = estimate("b", SIZE, agent("exact"), "exact", known)
    assert (one.reads, one.needed, one.feasible, one.cost, one.calls) == (None, None, None, None, 2)


@pytest.mark.parametrize(
    ("model", "allow", "what"),
    [
        ("exact", False, "ok: fixed, exact: 210 of 280 tokens at most"),
        ("short", False, "refused: fixed, short, b: a full reading needs 210 of 279 tokens"),
        ("short", True, "noted: fixed, short, b: "),
        ("unheard-of", False, "noted: fixed, unheard-of: the window is not known"),
    ],
)
def test_a_model_must_hold_a_full_reading(model: str, allow: bool, what: str) -> None:
    (check,) = check_feasible([estimated(model)], allow=allow)
    assert what in told(check)


def test_simulated_models_have_no_window() -> None:
    assert not list(check_feasible([estimated("sim/nop")], allow=False))


# Two full readings are 4 calls, 660 tokens and 0.66 dollars.
@pytest.mark.parametrize(
    ("limits", "what"),
    [
        pytest.param(Limits(turns=4), "ok: limit of turns: 4; two full readings", id="turns"),
        pytest.param(Limits(turns=3), "refused: limit of turns: 3 is below", id="few-turns"),
        pytest.param(Limits(turns=3), "; --turns 4 or more", id="how-many-turns"),
        pytest.param(Limits(tokens=660), "ok: limit of tokens: ", id="tokens"),
        pytest.param(Limits(tokens=659), "; --tokens 660 or more", id="few-tokens"),
        pytest.param(Limits(dollars=0.66), "ok: limit of run-dollars: ", id="dollars"),
        pytest.param(Limits(dollars=0.65), "; --run-dollars 0.66 or more", id="few-dollars"),
    ],
)
def test_no_limit_is_below_two_full_readings(limits: Limits, what: str) -> None:
    estimates = [estimated("exact", limits, exact=Price(input=1000, output=0))]
    assert any(what in told(check) for check in check_limits(estimates, limits))


def test_the_limit_is_held_against_the_largest_build() -> None:
    small, large = estimated("exact"), estimated("exact").model_copy(update={"reads": 300})
    (check,) = check_limits([small, large], Limits(turns=500))
    assert "--turns 600 or more" in told(check)


def test_turns_are_held_against_files_where_nothing_was_measured() -> None:
    known = Known(Tables({}, {}), {}, Limits())
    (check,) = check_limits([estimate("b", SIZE, agent("m"), "m", known)], Limits(turns=3))
    assert not check.ok


@pytest.mark.parametrize("missing", [0, 1])
def test_the_disk_must_hold_what_is_left(build: Build, tmp_path: Path, missing: int) -> None:
    corpus = sum(len(text.encode()) for text in build.texts.values())
    by_cli, built_in = (1 << 20) + 10 * corpus, (1 << 17) + 4 * corpus
    needed = FLOOR + 3 * by_cli + 5 * built_in
    left = [left_of("claude-code", 3), left_of("fixed", 5)]
    folder = tmp_path / "not" / "yet"
    check = check_disk(folder, left, {"b": build}, lambda there: needed - missing)
    assert check.ok is not bool(missing)


def left_of(harness: str, runs: int) -> Left:
    return Left(build="b", harness=harness, runs=runs)


def test_what_runs_need_and_what_stays_free_are_told_apart(build: Build, tmp_path: Path) -> None:
    check = check_disk(tmp_path, [left_of("fixed", 200)], {"b": build}, lambda there: 10**10)
    corpus = sum(len(text.encode()) for text in build.texts.values())
    needed = 200 * ((1 << 17) + 4 * corpus) / 10**6
    kept = "beside 1,074 MB that stay free, 10,000 MB are free"
    assert check.detail == f"{needed:,.0f} MB may be needed in {tmp_path} {kept}"
    assert "stay free" not in check_disk(tmp_path, [], {}, lambda there: 10**10).detail


def test_runs_do_not_go_into_a_file(build: Build, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check = check_disk(tmp_path / "file" / "runs", [], {}, lambda there: 10**12)
    assert "file is no folder" in told(check)


def test_the_matrix_counts_what_is_left_and_what_it_costs(build: Build) -> None:
    asked = plan(
        agent("exact", "unheard-of"),
        agent("sim/nop"),
        builds=(planned_build(build),),
        repetitions=4,
    )
    name = build.manifest.build
    price = Price(input=1000, output=0)
    estimates = {
        (name, "fixed", model): estimated(model, exact=price)
        for model in ("exact", "unheard-of", "sim/nop")
    }
    runs = (Standing(run, there=run.repetition == 1) for run in asked.cells())
    matrix = make_matrix(asked, runs, estimates, None)
    assert (matrix.runs, matrix.there) == (12, 3)
    assert matrix.left == (Left(build=name, harness="fixed", runs=9),)
    rows = {row.model: row for row in matrix.rows}
    assert {model: (row.runs, row.there) for model, row in rows.items()} == dict.fromkeys(
        ("exact", "unheard-of", "sim/nop"), (4, 1)
    )
    assert {model: row.feasible for model, row in rows.items()} == {
        "exact": True,
        "unheard-of": None,
        "sim/nop": None,
    }
    one = estimates[name, "fixed", "exact"].cost
    assert one is not None
    assert matrix.cost == one.times(3)
    assert matrix.unpriced == ("unheard-of",)
    runs = (Standing(run, there=False) for run in asked.cells())
    capped = make_matrix(asked, runs, estimates, 0.5)
    assert (capped.cost, capped.money, capped.most) == (one.times(4), 0.5, 0.5)


# 0.33 dollars for one reading and 0.66 for two; the first call sends 10 tokens for 0.01 dollars,
# and 32,000 of answer may cost as much as they do.
FREE_ANSWERS, DEAR_ANSWERS = Price(input=1000, output=0), Price(input=1000, output=1000)


@pytest.mark.parametrize(
    ("money", "price", "what"),
    [
        pytest.param(None, FREE_ANSWERS, [], id="no-cap"),
        pytest.param(0.33, FREE_ANSWERS, [], id="the-least"),
        pytest.param(
            0.32,
            FREE_ANSWERS,
            ["$0.32 may be spent, and what is left costs at least $0.33: the sweep"],
            id="below-the-least",
        ),
        pytest.param(
            32.0,
            DEAR_ANSWERS,
            ["for one call up to $32.01 is set aside (its input, and 32,000 tokens of answer"],
            id="below-one-call",
        ),
    ],
)
def test_a_cap_that_ends_a_sweep_early_is_noted(
    money: float | None, price: Price, what: list[str]
) -> None:
    one = estimated("exact", exact=price)
    assert one.reading_cost is not None
    cost = CostRange(least=0.33, most=max(0.66, one.reading_cost))
    matrix = Matrix(rows=(), runs=1, there=0, left=(), cost=cost, money=money, unpriced=())
    checks = list(check_money(matrix, [one, estimated("sim/nop")]))
    assert len(checks) == len(what)
    for check, part in zip(checks, what, strict=True):
        assert told(check).startswith(f"noted: : {part}")


def test_runs_of_another_server_are_noted_with_both_addresses() -> None:
    foreign = {Foreign("old", "http://a", "http://b"): 3, Foreign("", "http://a", "http://b"): 1}
    taken, there = check_servers(foreign)
    said = "noted: : 3 runs taken from old: made at http://a, and this sweep asks http://b"
    assert told(taken).startswith(said)
    assert "1 run there: made at http://a" in told(there)


@pytest.mark.parametrize(
    ("url", "protocol", "base"),
    [
        ("http://h/v1", "openai-chat", "http://h"),
        ("http://h/v1/", "anthropic", "http://h"),
        ("http://h/api//v1//", "openai-responses", "http://h/api"),
        ("http://h/v1beta", "gemini", "http://h"),
        ("http://h/v1", "gemini", "http://h"),
        ("http://h/v1beta", "anthropic", "http://h/v1beta"),
        ("http://h/apiv1", "anthropic", "http://h/apiv1"),
        ("http://h/v1/x/", "anthropic", "http://h/v1/x"),
    ],
)
def test_the_version_that_clients_append_is_no_part_of_an_address(
    url: str, protocol: Protocol, base: str
) -> None:
    assert base_url(url, protocol) == base


def test_what_is_there_costs_nothing_though_no_price_is_known(build: Build) -> None:
    asked = plan(agent("unheard-of"), builds=(planned_build(build),))
    estimates = {(build.manifest.build, "fixed", "unheard-of"): estimated("unheard-of")}
    runs = (Standing(run, there=True) for run in asked.cells())
    matrix = make_matrix(asked, runs, estimates, None)
    assert (matrix.cost, matrix.unpriced) == (FREE, ())
