"""`ocb score`: score recorded runs again, without running an agent."""

from __future__ import annotations

from pathlib import Path

import click

from authoring.artefacts import read_artefact
from authoring.errors import Place, UserError
from evaluation.agents.catalogue import make_harness
from evaluation.judging.catalogue import DEFAULT, judge_named
from evaluation.judging.judge import Judge
from evaluation.run import RunPaths, RunRecord, is_run
from evaluation.scoring.scorer import Scorer, Subject
from evaluation.sweep.making import score_again
from generators.build import Build, load_build
from ocb import __version__
from ocb.cli.eval import tools_option
from ocb.cli.main import printable
from ocb.sweeps import subject_of
from validation.integrity import check_build, check_files

EXIT_NOT_ALL = 1


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
@click.option(
    "--judge", "judge_name", default=DEFAULT, show_default=True, help="Who labels the responses."
)
@tools_option
def command(*, runs: Path, folder: Path, judge_name: str, tools: Path) -> None:
    """Score every run under RUNS again: reading, claims and verdicts. No agent is run.

    Exits with 1 where a run cannot be scored; the others are.
    """
    build = load_build(folder)
    checks = (check_files(build.paths, build.manifest), *check_build(build))
    faults = [check.reason for check in checks if not check.passed]
    if faults:
        raise UserError(f"this build was changed: {'; '.join(faults)}", place=Place(str(folder)))
    judge = judge_named(judge_name)
    subject = subject_of(build)
    folders = [path.parent for path in sorted(runs.rglob("run.json")) if is_run(path.parent)]
    if not folders:
        raise UserError("holds no run", place=Place(str(runs)))
    failed = 0
    for run in folders:
        try:
            _score(RunPaths(run), build, tools, judge, subject)
        except UserError as error:
            failed += 1
            click.echo(printable(f"not scored: {error}"), err=True)
    click.echo(f"{len(folders) - failed} of {len(folders)} runs scored", err=True)
    if failed:
        click.get_current_context().exit(EXIT_NOT_ALL)


def _score(paths: RunPaths, build: Build, tools: Path, judge: Judge, subject: Subject) -> None:
    record = read_artefact(paths.record, RunRecord)
    if record.key.tree != build.manifest.tree:
        raise UserError("was made on another build", place=Place(str(paths.root)))
    scorer = Scorer(subject, make_harness(record.key.harness, tools), judge, __version__)
    score_again(scorer, build, record, paths)
