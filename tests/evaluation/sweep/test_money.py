"""What runs cost, what counts against the cap of a sweep, and how a sweep without money stops."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import pytest

from evaluation.gateway.budget import Price
from evaluation.run import RunRecord
from evaluation.sweep.attempts import money_spent, standing
from evaluation.sweep.index import read_counts
from evaluation.sweep.plan import UpstreamSpec, public_url
from generators.build import Build
from ocb.sweeps import Sweep
from tests.evaluation.sweep.made_sweeps import (
    made_sweep,
    paths_of,
    quietly,
    records_on_disk,
    watched,
    with_agent,
)
from tests.evaluation.sweep.model_server import MODEL, Answer, ModelServer, completion

PRICE = Price(input=100_000, output=0)  # 0.10 dollars for each token of input


def without_usage() -> Answer:
    body = json.loads(completion().body)
    del body["usage"]
    return Answer(body=json.dumps(body).encode())


def calls_a_tool(prompt_tokens: int) -> Answer:
    """An answer after which the agent asks again."""
    function = {"name": "read_file", "arguments": "{}"}
    call = {"id": "c", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 0}
    body = {"id": "1", "model": MODEL, "choices": [{"message": message}], "usage": usage}
    return Answer(body=json.dumps(body).encode())


def priced(build: Build, parent: Path, server: ModelServer, repetitions: int = 1) -> Sweep:
    """One run at a time of a model that is paid for."""
    sweep = made_sweep(build, parent, MODEL, repetitions=repetitions)
    upstream = UpstreamSpec(kind="compatible", url=server.url)
    changes = {"prices": {MODEL: PRICE}, "concurrency": 1, "ramp": 0.0, "retries": 0}
    return replace(with_agent(sweep, upstream=upstream), **changes)  # type: ignore[arg-type]


def only(sweep: Sweep) -> RunRecord:
    (record,) = records_on_disk(sweep)
    return record


def test_a_call_without_usage_costs_at_least_what_was_told_and_is_charged(
    build: Build, tmp_path: Path
) -> None:
    with ModelServer(without_usage) as server:
        sweep = priced(build, tmp_path, server)
        summary = quietly(sweep).summary
    record = only(sweep)
    assert (record.cost, record.usage.uncounted) == (0.0, 1)
    assert record.charged is not None
    assert record.charged > 0
    assert (summary.spent, summary.uncounted) == (0.0, 1)
    assert (read_counts(sweep.paths).cost, read_counts(sweep.paths).uncounted) == (0.0, 1)
    assert money_spent(sweep.paths) == record.charged


def test_a_sweep_that_goes_on_starts_from_what_was_charged(build: Build, tmp_path: Path) -> None:
    with ModelServer(without_usage) as server:
        quietly(priced(build, tmp_path, server))
        (charged,) = (record.charged for record in records_on_disk(made_for(build, tmp_path)))
        assert charged is not None
        more = replace(priced(build, tmp_path, server, repetitions=2), dollars=charged)
        stopped = quietly(more).stopped
        assert stopped.startswith(f"the money is spent: ${charged:,.2f} of ${charged:,.2f}")
        assert server.calls == 1


def made_for(build: Build, parent: Path) -> Sweep:
    """The one sweep of a folder, whatever its server was."""
    (root,) = parent.iterdir()
    return made_sweep(build, parent, label=root.name)


def test_usage_that_is_told_is_charged_as_it_costs(build: Build, tmp_path: Path) -> None:
    with ModelServer(lambda: completion(prompt_tokens=5000)) as server:
        sweep = priced(build, tmp_path, server)
        assert quietly(sweep).summary.uncounted == 0
    assert (only(sweep).cost, only(sweep).charged) == (500.0, 500.0)


def test_a_simulated_run_costs_nothing_and_has_no_server(build: Build, tmp_path: Path) -> None:
    sweep = made_sweep(build, tmp_path)
    quietly(sweep)
    record = only(sweep)
    assert (record.cost, record.charged, record.upstream) == (0.0, 0.0, "")


def test_a_run_of_unknown_price_has_no_cost(build: Build, tmp_path: Path) -> None:
    with ModelServer(completion) as server:
        sweep = replace(priced(build, tmp_path, server), prices={})
        quietly(sweep)
    record = only(sweep)
    assert (record.cost, record.charged, record.upstream) == (None, None, server.url)


# The cap of a sweep.


def test_a_run_of_which_no_call_went_out_is_not_recorded(build: Build, tmp_path: Path) -> None:
    """However often the command is given, no key is made void by it."""
    with ModelServer(completion) as server:
        sweep = replace(priced(build, tmp_path, server, repetitions=3), dollars=0.5)
        for _ in range(2):
            result = quietly(sweep)
            assert result.stopped.startswith("the next call may cost $")
            assert result.stopped.endswith(", of $0.50 $0.50 is left")
            assert (result.outcomes, result.left) == ({}, 3)
            assert list(sweep.paths.root.glob("*/run.json")) == []
            assert list(sweep.paths.root.glob(".*.unfinished")) == []
        assert server.calls == 0


def broken_off(build: Build, tmp_path: Path, server: ModelServer) -> Sweep:
    """The first call costs 500 of 550 dollars, and the money does not hold the second."""
    return replace(priced(build, tmp_path, server, repetitions=3), dollars=550)


def first_call_asks_on(rest: Callable[[], Answer]) -> Callable[[], Answer]:
    answers = chain([lambda: calls_a_tool(5000)], repeat(rest))
    return lambda: next(answers)()


def test_while_a_call_cannot_be_paid_the_same_command_makes_no_run(
    build: Build, tmp_path: Path
) -> None:
    with ModelServer(first_call_asks_on(completion)) as server:
        sweep = broken_off(build, tmp_path, server)
        stopped = quietly(sweep).stopped
        assert ", of $550.00 $50.00 is left" in stopped
        record = only(sweep)
        assert (record.outcome.kind, record.outcome.reason) == ("infrastructure", stopped)
        assert record.unpaid is not None
        assert record.unpaid > 50
        assert standing(sweep.paths, record.key).counted == 0
        again = quietly(sweep)
        assert (again.stopped, server.calls) == (stopped, 1)
        assert only(sweep) == record
        rich = quietly(replace(sweep, dollars=10_000))
        assert (rich.stopped, rich.outcomes, server.calls) == ("", {"completed": 3}, 4)


# Where runs were made.


def test_a_run_that_is_taken_over_says_where_it_was_made(build: Build, tmp_path: Path) -> None:
    with ModelServer(completion) as server:
        first = priced(build, tmp_path, server)
        quietly(first)
    elsewhere = UpstreamSpec(kind="compatible", url="http://127.0.0.1:9")
    other = with_agent(made_sweep(build, tmp_path, MODEL, label="other"), upstream=elsewhere)
    (seen,) = watched(other)
    assert (seen.resumed, seen.record.taken_from) == (True, first.paths.root.name)
    assert paths_of(other, MODEL).record.exists()
    assert seen.record.upstream == server.url


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("http://h:1/a", "http://h:1/a"),
        ("https://me:pw@h/a?key=x#y", "https://h/a"),
        ("", ""),
    ],
)
def test_a_record_holds_no_part_of_an_address_that_may_be_secret(given: str, kept: str) -> None:
    assert public_url(given) == kept
