"""Real parts for the end-to-end tests: builds, the installed CLIs, finished runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact
from authoring.spec import Condition
from evaluation.agents.catalogue import make_harness
from evaluation.agents.harness import Harness
from evaluation.judging.catalogue import judge_named
from evaluation.run import Limits, RunPaths, RunRecord
from evaluation.sandboxes.catalogue import choose
from evaluation.scoring.score import Score
from evaluation.simulated.model import MODELS, parse_model
from evaluation.simulated.truth import Truth
from evaluation.sweep.plan import SweepPlan
from generators.build import Build
from ocb.sweeps import Sealed, Sweep, execute, planned_agent, planned_build
from tests.e2e.list_tokens import tokens_by_thread
from tests.e2e.mixed_corpus import build_mixed_corpus
from tests.e2e.truth_corpus import build_truth_corpus

REPOSITORY = Path(__file__).parent.parent.parent
TOOLS = REPOSITORY / ".tools"
"""Where `./dev test` installs the agent CLIs."""

HARNESSES = ("fixed", "claude-code", "codex", "opencode", "gemini-cli")
READERS = tuple(
    name for name, model in MODELS.items() if model.way == "reads" and model.lines is None
)
"""Models that read whole files, or ranges anywhere in them."""
CUSTOM = "sim/custom?share=0.5&lines=20&claim=admits&report=all&seed=3"
SHALLOW = (*(name for name in MODELS if name not in READERS), CUSTOM)
"""The others: they skim, search, reshape or leave it to a script."""


@dataclass(frozen=True)
class FinishedRun:
    """One run as it lies on disk."""

    paths: RunPaths
    record: RunRecord
    score: Score
    truth: Truth

    def tokens(self) -> dict[str, set[str]]:
        """Tokens in the raw requests, by thread, found by a script that knows nothing of ocb."""
        return tokens_by_thread(self.paths.wire)


@pytest.fixture(scope="session")
def truth_build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The corpus of tokens. It bears no seal: its one defect is meant to be plain to see."""
    return build_truth_corpus(tmp_path_factory.mktemp("truth"))


def run_models(
    build: Build,
    harness_name: str,
    parent: Path,
    *,
    models: tuple[str, ...] = READERS,
    condition: Condition = "direct",
    harness: Harness | None = None,
    sandbox: str = "bubblewrap",
) -> dict[str, FinishedRun]:
    """Every model once, through the library as `ocb eval` uses it."""
    harness = harness or make_harness(harness_name, TOOLS)
    plan = SweepPlan(
        builds=(planned_build(build),),
        agents=(planned_agent(harness_name, harness, models),),
        conditions=(condition,),
        limits=Limits(seconds=300, turns=200),
    )
    sweep = Sweep(
        plan=plan,
        builds={build.manifest.build: Sealed(build, None)},
        harnesses={harness_name: harness},
        sandbox=choose(sandbox) if harness.profile.needs_sandbox else None,
        judge=judge_named("rules"),
        concurrency=2,
        parent=parent,
    )
    records = execute(sweep, lambda progress: None).records()
    return {record.key.model: _finished(sweep.paths.run(record.key)) for record in records}


def _finished(paths: RunPaths) -> FinishedRun:
    return FinishedRun(
        paths,
        read_artefact(paths.record, RunRecord),
        read_artefact(paths.score, Score),
        read_artefact(paths.truth, Truth),
    )


@pytest.fixture(scope="module", params=HARNESSES)
def finished(
    request: pytest.FixtureRequest, truth_build: Build, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, FinishedRun]:
    """The runs of all that read in one harness, over the corpus of tokens."""
    return run_models(truth_build, request.param, tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="session")
def mixed_build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Long and short files, some of them JSON."""
    return build_mixed_corpus(tmp_path_factory.mktemp("mixed"))


@pytest.fixture(scope="module", params=HARNESSES)
def shallow(
    request: pytest.FixtureRequest, mixed_build: Build, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, FinishedRun]:
    """The runs of all others in one harness, where it has a shell for those that need one."""
    has_shell = make_harness(request.param, TOOLS).profile.hands.shell is not None
    models = tuple(name for name in SHALLOW if has_shell or not parse_model(name).needs_shell)
    parent = tmp_path_factory.mktemp("runs")
    return run_models(mixed_build, request.param, parent, models=models)
