"""`ocb demo`: the whole line once, offline, with simulated models."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from authoring.loading import load_spec
from evaluation.agents.catalogue import make_harness
from evaluation.judging.catalogue import judge_named
from evaluation.report.collect import collect
from evaluation.report.export_json import to_report_json
from evaluation.report.table import Report, build_report
from evaluation.report.terminal import print_report
from evaluation.simulated.model import SHOWN
from evaluation.sweep.plan import SweepPlan
from generators.build import Build, build_scenario, load_build
from generators.catalogue import describe
from ocb import __version__
from ocb.cli.main import printable
from ocb.cli.progress import show_line
from ocb.shipped import find_spec
from ocb.sweeps import Sealed, Sweep, execute, planned_agent, planned_build
from ocb.validating import means_of
from validation.feasibility import load_tables
from validation.seal import seal_of
from validation.validate import validate_build

SCENARIO = "contract_review"
HARNESS = "fixed"
REPETITIONS = 2
CONCURRENCY = 2
EXIT_NOT_WHOLE = 1


@click.command(name="demo")
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep build and runs here. Without it: in a new temporary folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(*, folder: Path | None, as_json: bool) -> None:
    """Build a scenario, seal it, run six simulated models on it, and report.

    Needs no network, no key and no sandbox. The models are scripted reviewers with a known truth,
    no language models. With -o, runs that are there already are not made again.
    """
    folder = folder or Path(tempfile.mkdtemp(prefix="ocb-demo-"))
    _say(f"1/4 build: {SCENARIO}")
    build = _build(folder / "build")
    _say(f"2/4 validate: {build.manifest.build}")
    validate_build(build.paths, means_of(load_tables()), __version__)
    _say(f"3/4 eval: {len(SHOWN)} simulated models, {REPETITIONS} runs each, harness {HARNESS}")
    report = _evaluate(build, folder / "runs")
    _say(f"4/4 report: build and runs lie in {folder}")
    if as_json:
        click.echo(to_report_json(report))
    else:
        print_report(report, sys.stdout)
    if report.unfinished or report.lost:
        click.get_current_context().exit(EXIT_NOT_WHOLE)


def _build(parent: Path) -> Build:
    spec = load_spec(find_spec(SCENARIO), describe())
    paths = build_scenario(spec, size="standard", parent=parent, ocb_version=__version__)
    return load_build(paths.root)


def _evaluate(build: Build, parent: Path) -> Report:
    harness = make_harness(HARNESS, parent)
    plan = SweepPlan(
        builds=(planned_build(build),),
        agents=(planned_agent(HARNESS, harness, SHOWN),),
        repetitions=REPETITIONS,
    )
    sweep = Sweep(
        plan=plan,
        builds={build.manifest.build: Sealed(build, seal_of(build.paths))},
        harnesses={HARNESS: harness},
        sandbox=None,
        judge=judge_named("rules"),
        concurrency=CONCURRENCY,
        parent=parent,
    )
    execute(sweep, show_line)
    return build_report(collect(sweep.paths.root))


def _say(stage: str) -> None:
    click.echo(printable(stage), err=True)
