"""`ocb score`: score recorded runs again, without running an agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from authoring.artefacts import read_artefact
from authoring.errors import Place, UserError
from evaluation.agents.catalogue import make_harness
from evaluation.judging.catalogue import DEFAULT, judge_named
from evaluation.judging.judge import Judge
from evaluation.run import RunKey, RunPaths, RunRecord, is_run
from evaluation.scoring.scorer import Scorer, Subject
from evaluation.sweep.making import score_again
from evaluation.sweep.plan import prompt_hash
from evaluation.sweep.request import folders_of
from generators.build import Build, load_build
from ocb import __version__
from ocb.cli.flags import tools_option
from ocb.cli.main import printable
from ocb.sweeps import subject_of
from validation.integrity import check_build, check_files

EXIT_NOT_ALL = 1


@click.command(name="score")
@click.argument("runs", type=click.Path(path_type=Path))
@click.option(
    "--build",
    "builds",
    multiple=True,
    required=True,
    metavar="DIR",
    help="A build the runs were made on, or a glob of them. Repeatable.",
)
@click.option(
    "--judge", "judge_name", default=DEFAULT, show_default=True, help="Who labels the responses."
)
@tools_option
def command(*, runs: Path, builds: tuple[str, ...], judge_name: str, tools: Path) -> None:
    """Score every run under RUNS again: reading, claims and verdicts. No agent is run.

    Each run is scored against the build that it was made on. Exits with 1 where a run cannot be
    scored; the others are.
    """
    if not runs.is_dir():
        raise UserError("no such folder", place=Place(str(runs)))
    desk = _Desk(_by_tree(builds), judge_named(judge_name), tools)
    folders = [path.parent for path in sorted(runs.rglob("run.json")) if is_run(path.parent)]
    if not folders:
        raise UserError("holds no run", place=Place(str(runs)))
    failed = 0
    for run in folders:
        try:
            desk.score(RunPaths(run))
        except UserError as error:
            failed += 1
            click.echo(printable(f"not scored: {error}"), err=True)
    click.echo(f"{len(folders) - failed} of {len(folders)} runs scored", err=True)
    if failed:
        click.get_current_context().exit(EXIT_NOT_ALL)


def _by_tree(patterns: Iterable[str]) -> dict[str, tuple[Build, ...]]:
    """The builds by the hash of their corpus. Raises UserError with all that are missing or were
    changed."""
    found: dict[str, Build] = {}
    faults = []
    for pattern in dict.fromkeys(patterns):
        folders = folders_of(pattern, Path())
        if not folders:
            faults.append(f"there is no build {pattern!r}")
        for folder in folders:
            try:
                build = _whole(folder)
            except UserError as error:
                faults.append(str(error))
            else:
                found[build.manifest.build] = build
    if faults:
        raise UserError("\n".join(faults))
    trees: dict[str, tuple[Build, ...]] = {}
    for build in found.values():
        trees[build.manifest.tree] = (*trees.get(build.manifest.tree, ()), build)
    return trees


def _whole(folder: Path) -> Build:
    build = load_build(folder)
    checks = (check_files(build.paths, build.manifest), *check_build(build))
    faults = [check.reason for check in checks if not check.passed]
    if faults:
        raise UserError(f"this build was changed: {'; '.join(faults)}", place=Place(str(folder)))
    return build


@dataclass(frozen=True)
class _Desk:
    """Scores runs one after another, each against its own build."""

    builds: Mapping[str, tuple[Build, ...]]
    """By the hash of their corpus; several may ask different things of one."""
    judge: Judge
    tools: Path
    _subjects: dict[str, Subject] = field(default_factory=dict)
    """By build, made when needed."""

    def score(self, paths: RunPaths) -> None:
        """Raises UserError where the run cannot be scored."""
        record = read_artefact(paths.record, RunRecord)
        build = self._build(record.key, paths)
        name = build.manifest.build
        if name not in self._subjects:
            self._subjects[name] = subject_of(build)
        harness = make_harness(record.key.harness, self.tools)
        scorer = Scorer(self._subjects[name], harness, self.judge, __version__)
        score_again(scorer, build, record, paths)

    def _build(self, key: RunKey, paths: RunPaths) -> Build:
        for build in self.builds.get(key.tree, ()):
            given = key.condition in build.spec.task.conditions
            if given and prompt_hash(build, key.condition) == key.prompt_sha256:
                return build
        what = f"was made on another build, of {key.scenario}"
        raise UserError(what, place=Place(str(paths.root)), remedy="name it with --build")
