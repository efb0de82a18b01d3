"""`ocb eval`: run agents on sealed builds, and score what they read and what they say."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import click
import orjson
from pydantic import Field

from authoring.artefacts import Value, to_json
from authoring.errors import UserError
from evaluation.run import VOID, RunRecord
from evaluation.sweep.matrix import Matrix
from evaluation.sweep.overrides import Overrides, with_overrides
from evaluation.sweep.preflight import PreflightCheck
from evaluation.sweep.request import SweepRequest, read_request
from ocb.cli.flags import GroupedCommand, sweep_flags
from ocb.cli.main import printable
from ocb.cli.matrix import print_checks, print_matrix, refusal
from ocb.cli.progress import shown_progress
from ocb.gathering import Allowed
from ocb.planning import Means, Prepared, prepare
from ocb.sweeps import Sweep, execute, stand_of

EXIT_REFUSED = 2
EXIT_VOID = 3


class Evaluation(Value):
    """What `--json` prints (`ocb.evaluation/1`), with `runs` after it: every `run.json`."""

    schema_: Annotated[Literal["ocb.evaluation/1"], Field(alias="schema")] = "ocb.evaluation/1"
    sweep: str = ""
    """Its folder; empty where nothing was run."""
    preflight: tuple[PreflightCheck, ...]
    matrix: Matrix | None
    """As it was before the sweep; null where it could not be told."""
    outcomes: dict[str, int] = {}
    spent: float = 0.0
    """US dollars of all attempts, as far as prices are known."""
    uncounted: int = 0
    """Of those attempts, how many cost more than was told: `spent` is at least so much."""
    unpriced: int = 0
    """Runs of which the price is not known."""
    stopped: str = ""
    """Why it ended before its end."""


@click.command(name="eval", cls=GroupedCommand)
@click.argument("sweep_file", type=click.Path(path_type=Path), required=False, metavar="[SWEEP]")
@sweep_flags
def command(
    *,
    sweep_file: Path | None,
    parent: Path,
    tools: Path,
    retry_void: bool,
    dry_run: bool,
    yes: bool,
    allow_infeasible: bool,
    allow_unvalidated: bool,
    as_json: bool,
    **said: object,
) -> None:
    """Run agents on sealed builds and score what they read and what they say.

    SWEEP is a YAML file that says what to run (docs/evaluation.md shows one); flags say the same,
    and win over the file. Prints the sweep's folder. A sweep that was interrupted goes on where it
    stopped: give the same command again.

    Exit codes: 0 fine; 2 nothing was run, since something is wrong or --yes is missing; 3 runs
    stay void, or the sweep was stopped; 130 interrupted.
    """
    request = _request(sweep_file, Overrides.model_validate(said))
    means = Means(os.environ, tools, parent, free=lambda folder: shutil.disk_usage(folder).free)
    allowed = Allowed(allow_infeasible, allow_unvalidated, again=retry_void)
    prepared = prepare(request, means, allowed)
    if dry_run or prepared.sweep is None:
        _show_plan(prepared, as_json=as_json, dry_run=dry_run)
    else:
        _show_before(prepared)
        _approve(prepared, yes=yes)
        _run(prepared, as_json=as_json)


def _request(file: Path | None, said: Overrides) -> SweepRequest:
    request = read_request(file, served=said.upstream is not None) if file else None
    return with_overrides(request, said)


def _show_plan(prepared: Prepared, *, as_json: bool, dry_run: bool) -> None:
    """What would be run; the result of a dry run. Raises UserError where the sweep is refused."""
    if as_json:
        _print_json(Evaluation(preflight=prepared.checks, matrix=prepared.matrix), ())
    elif dry_run:
        print_checks(prepared.checks, sys.stdout, every=True)
        if prepared.matrix is not None:
            print_matrix(prepared.matrix, sys.stdout)
    else:
        print_checks([one for one in prepared.checks if one.note], sys.stderr, every=False)
    if prepared.refusals:
        raise UserError(refusal(prepared.refusals))
    if prepared.to_approve:
        click.echo(printable(f"without --yes it asks first: {prepared.to_approve}"), err=True)


def _show_before(prepared: Prepared) -> None:
    print_checks(prepared.checks, sys.stderr, every=False)
    if prepared.matrix is not None:
        print_matrix(prepared.matrix, sys.stderr)


def _approve(prepared: Prepared, *, yes: bool) -> None:
    """Ask on a terminal; elsewhere nobody could answer. Raises UserError without a yes."""
    what = prepared.to_approve
    if yes or not what:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(f"{what}; nothing was run", remedy="--yes starts it all the same")
    if not click.confirm(printable(f"{what}. Start?"), err=True):
        click.echo("nothing was run", err=True)
        click.get_current_context().exit(EXIT_REFUSED)


def _run(prepared: Prepared, *, as_json: bool) -> None:
    sweep = prepared.sweep
    if sweep is None:
        raise AssertionError("a sweep that was refused is not run")
    try:
        with shown_progress(sys.stderr) as watch:
            result = execute(sweep, watch.over, watch.at_work)
    except KeyboardInterrupt:
        _tell_stand(sweep)
        raise
    if as_json:
        done = Evaluation(
            sweep=str(sweep.paths.root),
            preflight=prepared.checks,
            matrix=prepared.matrix,
            outcomes={kind: n for kind, n in result.outcomes.items() if n},
            spent=result.summary.spent,
            uncounted=result.summary.uncounted,
            unpriced=result.summary.unpriced,
            stopped=result.stopped,
        )
        _print_json(done, result.records())
    else:
        click.echo(str(sweep.paths.root))
    if result.stopped:
        click.echo(printable(f"stopped: {result.stopped}"), err=True)
        _tell_stand(sweep)
    if result.stopped or any(result.outcomes[kind] for kind in VOID):
        click.get_current_context().exit(EXIT_VOID)


def _tell_stand(sweep: Sweep) -> None:
    """Where a sweep lies that came to no end, and how far it is."""
    stand = stand_of(sweep)
    runs = f"{stand.there:,} run{'' if stand.there == 1 else 's'}"
    told = f"{sweep.paths.root}: {runs} there, {stand.left:,} left; the same command goes on"
    click.echo(printable(told), err=True)


def _print_json(head: Evaluation, runs: Iterable[RunRecord]) -> None:
    """One object; its runs go out one by one, so that no sweep is too large."""
    opened = to_json(head).decode().rstrip().removesuffix("}").rstrip()
    click.echo(f'{opened},\n  "runs": [', nl=False)
    comma = ""
    for run in runs:
        row = orjson.dumps(run.model_dump(mode="json", by_alias=True)).decode()
        click.echo(f"{comma}\n    {row}", nl=False)
        comma = ","
    click.echo("\n  ]\n}" if comma else "]\n}")
