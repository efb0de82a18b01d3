"""`ocb eval`: run agents on a sealed build, and score what they read and what they say."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import cast

import click

from authoring.artefacts import Value, to_json
from authoring.errors import UserError
from authoring.spec import CONDITIONS, Condition
from evaluation.agents.catalogue import make_harness
from evaluation.agents.harness import Harness
from evaluation.gateway.address import check_url
from evaluation.judging.catalogue import DEFAULT, judge_named
from evaluation.run import MOST_SECONDS, VOID, Limits, RunRecord
from evaluation.sandboxes.catalogue import Choice, choose
from evaluation.sweep.plan import SIMULATED, SweepPlan, UpstreamSpec
from evaluation.sweep.runner import Progress
from generators.build import load_build
from generators.build_paths import BuildPaths
from ocb.cli.main import printable
from ocb.sweeps import Sealed, Sweep, execute, planned_agent, planned_build
from validation.report import Level
from validation.seal import seal_of

EXIT_VOID = 3


class Evaluated(Value):
    """What `--json` prints."""

    sweep: str
    outcomes: dict[str, int]
    runs: tuple[RunRecord, ...]


def tools_option(command: Callable[..., None]) -> Callable[..., None]:
    """Where agent CLIs are installed."""
    return click.option(
        "--tools",
        type=click.Path(path_type=Path),
        default=Path(".tools"),
        show_default=True,
        envvar="OCB_TOOLS",
        help="Folder of the installed agent CLIs.",
    )(command)


@click.command(name="eval")
@click.option(
    "--build",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A build that `ocb validate` sealed.",
)
@click.option(
    "--harness",
    "harness_name",
    default="fixed",
    show_default=True,
    help="The agent: fixed, claude-code.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    help="sim/NAME for a simulated model, else a name the upstream knows. Repeatable.",
)
@click.option(
    "--condition",
    "conditions",
    multiple=True,
    type=click.Choice(CONDITIONS),
    default=("direct",),
    show_default=True,
    help="Repeatable.",
)
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs of each model and condition.",
)
@click.option(
    "--sandbox",
    "sandbox_name",
    default="auto",
    show_default=True,
    help="auto, bubblewrap, or none (only for an agent you trust).",
)
@click.option(
    "--upstream",
    "upstream_url",
    default="",
    metavar="URL",
    help="Base URL of the server of real models.",
)
@click.option(
    "--key-variable",
    default="",
    metavar="NAME",
    help="Environment variable that holds the upstream's key.",
)
@click.option(
    "--judge", "judge_name", default=DEFAULT, show_default=True, help="Who labels the responses."
)
@click.option(
    "--seconds",
    type=click.FloatRange(1, MOST_SECONDS),
    default=Limits().seconds,
    show_default=True,
    help="Wall clock of one run.",
)
@click.option(
    "--turns",
    type=click.IntRange(min=1),
    default=Limits().turns,
    show_default=True,
    help="Model calls of one run.",
)
@click.option("--concurrency", type=click.IntRange(1, 64), default=2, show_default=True)
@click.option("--allow-unvalidated", is_flag=True, help="Run on a build without a seal.")
@click.option(
    "-o",
    "parent",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    metavar="RUNS",
    help="Where the sweep's folder goes.",
)
@tools_option
@click.option("--json", "as_json", is_flag=True, help="Print the outcome of every run as JSON.")
def command(
    *,
    folder: Path,
    harness_name: str,
    models: tuple[str, ...],
    conditions: tuple[str, ...],
    repetitions: int,
    sandbox_name: str,
    upstream_url: str,
    key_variable: str,
    judge_name: str,
    seconds: float,
    turns: int,
    concurrency: int,
    allow_unvalidated: bool,
    parent: Path,
    tools: Path,
    as_json: bool,
) -> None:
    """Run agents on a sealed build and score what they read and what they say.

    Prints the sweep's folder. A sweep that was interrupted goes on where it stopped: give the same
    command again. Exits with 3 where a run is void.
    """
    if not math.isfinite(seconds):
        raise UserError("--seconds takes a finite number")
    seal = _seal(BuildPaths(folder), allow_unvalidated=allow_unvalidated)
    build = load_build(folder)
    harness = make_harness(harness_name, tools)
    upstream = _upstream(models, upstream_url, key_variable)
    plan = SweepPlan(
        builds=(planned_build(build),),
        agents=(planned_agent(harness_name, harness, tuple(dict.fromkeys(models)), upstream),),
        # click.Choice lets nothing else through.
        conditions=cast("tuple[Condition, ...]", tuple(dict.fromkeys(conditions))),
        repetitions=repetitions,
        limits=Limits(seconds=seconds, turns=turns),
    )
    sweep = Sweep(
        plan=plan,
        builds={build.manifest.build: Sealed(build, seal)},
        harnesses={harness_name: harness},
        sandbox=_sandbox(harness, sandbox_name),
        judge=judge_named(judge_name),
        concurrency=concurrency,
        parent=parent,
    )
    records = execute(sweep, show_progress)
    outcomes = Counter(record.outcome.kind for record in records)
    if as_json:
        result = Evaluated(sweep=str(sweep.paths.root), outcomes=dict(outcomes), runs=records)
        click.echo(to_json(result).decode(), nl=False)
    else:
        click.echo(str(sweep.paths.root))
    if any(record.outcome.kind in VOID for record in records):
        click.get_current_context().exit(EXIT_VOID)


def _upstream(models: tuple[str, ...], url: str, key_variable: str) -> UpstreamSpec:
    simulated = [model for model in models if model.startswith(SIMULATED)]
    if len(simulated) == len(models):
        return UpstreamSpec()
    if simulated:
        raise UserError("simulated and real models cannot be in one sweep", remedy="make two")
    if not url:
        real = ", ".join(models)
        raise UserError(f"{real}: no upstream is given", remedy="--upstream URL, or a sim/ model")
    check_url(url)
    return UpstreamSpec(kind="compatible", url=url.rstrip("/"), key_variable=key_variable)


def _sandbox(harness: Harness, name: str) -> Choice | None:
    return choose(name) if harness.profile.needs_sandbox else None


def _seal(paths: BuildPaths, *, allow_unvalidated: bool) -> Level | None:
    try:
        return seal_of(paths)
    except UserError:
        if allow_unvalidated:
            return None
        raise


def show_progress(progress: Progress) -> None:
    """One line a run, on stderr."""
    record = progress.record
    reason = f" ({record.outcome.reason})" if record.outcome.reason else ""
    again = ", was there" if progress.resumed else f", {record.seconds:.1f} s"
    key = record.key
    line = (
        f"[{progress.finished}/{progress.planned}] {key.model} {key.condition} "
        f"{key.repetition}: {record.outcome.kind}{reason}{again}"
    )
    click.echo(printable(line), err=True)
    sys.stderr.flush()
