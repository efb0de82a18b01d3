"""Canary runs: whether anything of an operator's own set-up reaches the model.

Prevents a false result: an agent measured with its operator's notes, hooks and favourite model is
another agent. A canary run gives ocb a home, folders above the corpus, a repository and variables
that each hold a word of their own, runs the real CLI with a simulated model, and looks for the
words in all that the CLI sent to the model's server.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from authoring.artefacts import Value
from authoring.errors import UserError
from authoring.loading import load_spec
from evaluation.agents.harness import Harness, OperatorFile
from evaluation.gateway.wire import read_wire
from evaluation.judging.catalogue import judge_named
from evaluation.report.collect import collect
from evaluation.run import Outcome, RunPaths
from evaluation.sandboxes.catalogue import Choice
from evaluation.sweep.plan import SweepPlan
from generators.build import Build, build_scenario, load_build
from generators.catalogue import describe
from ocb import __version__
from ocb.shipped import find_spec
from ocb.sweeps import Sealed, Sweep, execute, planned_agent, planned_build

SCENARIO = "contract_review"
MODEL = "sim/oracle"
"""Reads every file: some CLIs look for notes beside each file that they open."""
SLOT = "{canary}"
EVERYONES = (
    OperatorFile(".gitconfig", "[user]\n\tname = {canary}\n\temail = {canary}@localhost\n"),
    OperatorFile(".bashrc", "export OPERATOR={canary}\n"),
    OperatorFile(".profile", "export OPERATOR={canary}\n"),
    OperatorFile(".git/HEAD", "ref: refs/heads/{canary}\n", above_corpus=True),
    OperatorFile(
        ".git/config",
        "[core]\n\trepositoryformatversion = 0\n[user]\n\tname = {canary}\n",
        above_corpus=True,
    ),
    OperatorFile(".git/objects/.keep", "", above_corpus=True),
    OperatorFile(".git/refs/.keep", "", above_corpus=True),
)
"""What every CLI may look at: the shell's and git's set-up, a repository around the corpus."""
VARIABLES = (
    "OPERATOR_NOTE",
    "ANTHROPIC_MODEL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "OPENAI_ORG_ID",
    "OPENCODE_CONFIG_CONTENT",
    "GEMINI_MODEL",
    "GEMINI_SYSTEM_MD",
    "GIT_AUTHOR_NAME",
    "HOSTNAME",
)


class CanaryResult(Value):
    """What one canary run found."""

    harness: str
    version: str
    sandbox: str
    outcome: Outcome
    places: int
    """Files and variables that held a word of their own."""
    leaked: tuple[str, ...]
    """Those whose word the CLI sent to the model's server."""

    @property
    def passed(self) -> bool:
        """A run that did not complete proves nothing."""
        return self.outcome.kind == "completed" and not self.leaked


@dataclass(frozen=True)
class Operator:
    """An operator's machine, every place of it with a word of its own."""

    folder: Path
    words: Mapping[str, str]
    """By place: `~/.claude/CLAUDE.md`, `../CLAUDE.md`, `$ANTHROPIC_MODEL`."""
    variables: Mapping[str, str]

    @property
    def home(self) -> Path:
        return self.folder / "operator"

    @property
    def above(self) -> Path:
        """A folder above the corpus."""
        return self.folder / "project"


def lay_out(folder: Path, files: tuple[OperatorFile, ...]) -> Operator:
    """Write an operator's files, and name their variables."""
    words: dict[str, str] = {}
    for file in files:
        place = f"../{file.path}" if file.above_corpus else f"~/{file.path}"
        word = f"kestrel-{secrets.token_hex(6)}"
        path = folder / ("project" if file.above_corpus else "operator") / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text.replace(SLOT, word), encoding="utf-8")
        if SLOT in file.text:
            words[place] = word
    variables = {name: f"kestrel-{secrets.token_hex(6)}" for name in VARIABLES}
    words |= {f"${name}": word for name, word in variables.items()}
    return Operator(folder, words, variables)


def run_canary(name: str, harness: Harness, sandbox: Choice | None, folder: Path) -> CanaryResult:
    """One run of a harness on an operator's machine made in an empty folder.

    Raises UserError where the harness is not installed.
    """
    operator = lay_out(folder, (*EVERYONES, *harness.profile.operator))
    build = _build(operator.above)
    sweep = Sweep(
        plan=SweepPlan(
            builds=(planned_build(build),), agents=(planned_agent(name, harness, (MODEL,)),)
        ),
        builds={build.manifest.build: Sealed(build, None)},
        harnesses={name: harness},
        sandbox=sandbox if harness.profile.needs_sandbox else None,
        judge=judge_named("rules"),
        concurrency=1,
        parent=folder / "runs",
        retries=0,
    )
    with _environment({**operator.variables, "HOME": str(operator.home)}):
        execute(sweep, lambda _: None)
    (run,) = collect(sweep.paths.root).runs
    shown = _shown(sweep.paths.run(run.record.key))
    return CanaryResult(
        harness=name,
        version=harness.profile.version,
        sandbox=run.record.sandbox,
        outcome=run.record.outcome,
        places=len(operator.words),
        leaked=tuple(place for place, word in operator.words.items() if word in shown),
    )


def _build(parent: Path) -> Build:
    spec = load_spec(find_spec(SCENARIO), describe())
    paths = build_scenario(spec, size="small", parent=parent, ocb_version=__version__)
    return load_build(paths.root)


@contextlib.contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    """The operator's variables are ocb's own while the run lasts."""
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _shown(paths: RunPaths) -> str:
    """All that the CLI sent to the model's server."""
    try:
        rows = tuple(read_wire(paths.wire))
    except UserError:
        return ""
    return "\n".join(part for row in rows for part in (row.request, *row.request_headers.values()))
