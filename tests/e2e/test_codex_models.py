"""Codex offers each kind of model other tools, and the measurement holds for all of them.

The models of today have a script tool and sub-agents that report by message; they are what the
other tests drive. Here are the kinds before them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from authoring.spec import Condition
from evaluation.agents.cli import CliHarness
from evaluation.agents.codex.hands import COMMANDS, SCRIPTS
from evaluation.agents.codex.harness import CLI
from evaluation.gateway.context import context_log as wire_log
from evaluation.gateway.wire import read_wire
from evaluation.reading.context import ContextLog
from evaluation.scoring.score import Coverage
from evaluation.simulated.hands import Call, Hands
from evaluation.transcripts.codex import read_codex_session
from evaluation.transcripts.context import context_log as transcript_log
from evaluation.transcripts.output import STDOUT
from generators.build import Build
from tests.e2e.conftest import TOOLS, FinishedRun, run_models

KINDS = {
    "gpt-6.2-sol": "scripts, and sub-agents beside them",
    "gpt-5.6-luna": "scripts, and sub-agents inside of them",
    "gpt-5.5": "commands, and sub-agents that a search finds",
    "gpt-5.1-codex": "commands, and sub-agents beside them",
}


def run_as(
    model: str,
    build: Build,
    folder: Path,
    *,
    models: tuple[str, ...],
    hands: Hands = SCRIPTS,
    condition: Condition = "direct",
) -> dict[str, FinishedRun]:
    """Simulated models in the place of a model of this name."""
    profile = replace(CLI.profile, neutral_model=model, hands=hands)
    harness = CliHarness(replace(CLI, profile=profile), TOOLS)
    return run_models(build, "codex", folder, models=models, condition=condition, harness=harness)


def lines(coverage: Coverage) -> int:
    """Review lines that entered, which must be a point."""
    assert coverage.lines[0] == coverage.lines[1]
    return coverage.lines[0]


def by_thread(run: FinishedRun) -> list[int]:
    """Review lines that entered, the main thread first."""
    coverage = run.score.coverage
    assert run.score.channels.agree is True
    assert coverage is not None
    assert coverage.main is not None
    return [lines(coverage.main), *map(lines, coverage.subagents.values())]


def known(run: FinishedRun) -> list[int]:
    """The same as the simulated model knows it."""
    return [
        sum(
            last - first + 1
            for call in thread.calls
            for found in call.returned
            if found.path.startswith("lists/")
            for first, last in found.ranges
        )
        for thread in run.truth.threads
    ]


def test_models_that_run_commands_are_measured_alike(truth_build: Build, tmp_path: Path) -> None:
    models = ("sim/partial-claims", "sim/delegates")
    runs = run_as("gpt-5.1-codex", truth_build, tmp_path, models=models, hands=COMMANDS)
    for run in runs.values():
        assert by_thread(run) == known(run)
    assert len(by_thread(runs["sim/delegates"])) == 2


def test_what_a_subagent_inherits_is_no_reading_of_its_own(
    truth_build: Build, tmp_path: Path
) -> None:
    """The CLI's own default: a sub-agent begins with the whole history of its parent."""
    assert SCRIPTS.delegate is not None
    forks = Call("spawn_agent", {**SCRIPTS.delegate.arguments, "fork_turns": "all"})
    hands = replace(SCRIPTS, delegate=forks)
    models = ("sim/delegates",)
    (run,) = run_as("gpt-6.2-sol", truth_build, tmp_path, models=models, hands=hands).values()
    assert by_thread(run) == known(run)
    main, sub = map(
        len, (run.tokens()["main"], *(t for n, t in run.tokens().items() if n != "main"))
    )
    assert sub > known(run)[1] + 1, "its requests hold what its parent read"
    assert main == known(run)[0] + 1
    sent = wire_log(read_wire(run.paths.wire), CLI.profile.attachments)
    kept = transcript_log(read_codex_session(run.paths.native))
    assert inherited(kept) == inherited(sent)
    assert {thread for thread, *_ in inherited(sent)} == set(run.tokens()) - {"main"}


def inherited(log: ContextLog) -> set[tuple[str, str, str]]:
    """What forks began with; but for the call that started them, which the CLI answers by itself
    as it sends it."""
    return {
        (one.thread, one.result_id, one.text)
        for one in log.texts
        if one.inherited and one.text != "aborted"
    }


@pytest.mark.parametrize("model", KINDS)
@pytest.mark.parametrize(("condition", "offers"), [("direct", True), ("no_delegation", False)])
def test_without_delegation_nothing_speaks_of_subagents(
    model: str, condition: Condition, offers: bool, truth_build: Build, tmp_path: Path
) -> None:
    """Some models have the tool inside of another, or find it by a search."""
    models = ("sim/nop",)
    (run,) = run_as(model, truth_build, tmp_path, models=models, condition=condition).values()
    assert run.record.outcome.kind == "completed"
    (request,) = [row.request for row in read_wire(run.paths.wire) if row.kind == "main"]
    assert ("spawn" in request, "multi_agent" in request) == (offers, offers)


def test_the_cli_knows_all_of_our_settings(truth_build: Build, tmp_path: Path) -> None:
    (run,) = run_models(truth_build, "codex", tmp_path, models=("sim/nop",)).values()
    printed = (run.paths.native / STDOUT).read_text()
    assert '"type":"turn.completed"' in printed
    assert '"type":"error"' not in printed
