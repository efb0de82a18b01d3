"""What a condition changes in each real agent: the sub-agent tool is there, or taken away."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.spec import Condition
from evaluation.agents.catalogue import HARNESSES, make_harness
from evaluation.gateway.context import context_log
from evaluation.gateway.wire import read_wire
from generators.build import Build
from tests.e2e.conftest import TOOLS, FinishedRun, run_models

every_harness = pytest.mark.parametrize("name", sorted(HARNESSES))


def run_under(build: Build, name: str, condition: Condition, folder: Path) -> FinishedRun:
    """The delegating model, once, under a condition."""
    runs = run_models(build, name, folder, models=("sim/delegates",), condition=condition)
    return runs["sim/delegates"]


def offered(run: FinishedRun) -> frozenset[str]:
    """Tools that any call of any thread offered."""
    return context_log(read_wire(run.paths.wire)).offered or frozenset()


@every_harness
def test_without_delegation_no_call_offers_a_subagent(
    name: str, truth_build: Build, tmp_path: Path
) -> None:
    run = run_under(truth_build, name, "no_delegation", tmp_path)
    delegate = make_harness(name, TOOLS).profile.hands.delegate
    assert delegate is not None
    assert offered(run)
    assert delegate.tool not in offered(run)
    assert [thread.thread for thread in run.truth.threads] == ["main"]


@every_harness
def test_with_delegation_a_subagent_reads_in_a_thread_of_its_own(
    name: str, truth_build: Build, tmp_path: Path
) -> None:
    run = run_under(truth_build, name, "delegated", tmp_path)
    assert run.record.outcome.kind == "completed"
    coverage = run.score.coverage
    assert coverage is not None
    assert coverage.main is not None
    (subagent,) = coverage.subagents.values()
    assert subagent.lines[0] > 0
    assert coverage.main.lines[0] > 0
    assert coverage.union.lines[0] > max(subagent.lines[1], coverage.main.lines[1])
