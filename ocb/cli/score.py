"""`ocb score`: score recorded runs again, without running an agent."""

from __future__ import annotations

from pathlib import Path

import click

from authoring.artefacts import read_artefact, write_artefact
from authoring.errors import Place, UserError
from evaluation.agents.catalogue import make_harness
from evaluation.judging.catalogue import judge_named
from evaluation.run import RunPaths, RunRecord
from evaluation.sandboxes.layout import INSIDE
from evaluation.scoring.scorer import Scorer
from evaluation.sweep.plan import task_prompt
from generators.build import load_build
from ocb import __version__
from ocb.cli.eval import tools_option
from ocb.sweeps import subject_of


@click.command(name="score")
@click.argument("runs", type=click.Path(path_type=Path))
@click.option(
    "--build",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The build the runs were made on.",
)
@click.option("--judge", "judge_name", default="rules", show_default=True)
@tools_option
def command(*, runs: Path, folder: Path, judge_name: str, tools: Path) -> None:
    """Score every run under RUNS again: reading, claims and verdicts. No agent is run."""
    build = load_build(folder)
    judge = judge_named(judge_name)
    subject = subject_of(build)
    records = sorted(runs.rglob("run.json"))
    if not records:
        raise UserError("holds no run", place=Place(str(runs)))
    for path in records:
        paths = RunPaths(path.parent)
        record = read_artefact(path, RunRecord)
        if record.key.tree != build.manifest.tree:
            raise UserError(f"was made on another build than {folder}", place=Place(str(path)))
        harness = make_harness(record.key.harness, tools)
        task = task_prompt(build, record.key.condition, INSIDE.corpus)
        scorer = Scorer(subject, harness, judge, __version__)
        score = scorer.score(paths, record.outcome, task).score
        write_artefact(path, record.model_copy(update={"outcome": score.outcome}))
    click.echo(f"{len(records)} runs scored", err=True)
