"""`ocb author build`: from specs to builds, several at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import click

from authoring.artefacts import Value
from authoring.errors import InfrastructureError, SpecError, UserError
from authoring.loading import load_spec
from authoring.spec import SIZES, ScenarioSpec, Size
from generators.catalogue import describe
from ocb.building import (
    BuildFailure,
    BuildOrder,
    BuildProgress,
    BuildSummary,
    make_builds,
)
from ocb.cli.author.printing import json_option, print_json
from ocb.cli.main import printable
from ocb.processes import usable_cores
from ocb.shipped import find_spec

ERASE_LINE = "\r\x1b[K"
INFRASTRUCTURE = InfrastructureError.exit_code


class BuildSummaries(Value):
    builds: tuple[BuildSummary, ...]


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@click.option(
    "--size",
    type=click.Choice(SIZES),
    default="standard",
    show_default=True,
    help="How large the corpus is.",
)
@click.option("--seed", type=click.IntRange(0, (1 << 63) - 1), help="Instead of the spec's own.")
@click.option(
    "--placement",
    type=click.IntRange(0, 2),
    default=0,
    show_default=True,
    help="By how many thirds of the files every needle moves on.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="How many builds are made at once.  [default: one a core]",
)
@click.option(
    "-o",
    "parent",
    type=click.Path(path_type=Path),
    default=Path("build"),
    show_default=True,
    metavar="DIR",
    help="Where the build folder goes.",
)
@json_option
def build(
    *,
    specs: tuple[str, ...],
    size: str,
    seed: int | None,
    placement: int,
    jobs: int | None,
    parent: Path,
    as_json: bool,
) -> None:
    """Build each SPEC and print the folder made.

    The same spec, size, seed and placement give the same bytes, with however many jobs.
    """
    orders = [
        BuildOrder(
            spec=spec,
            folder=path.parent,
            # click.Choice lets nothing else through.
            size=cast("Size", size),
            seed=seed,
            placement=placement,
            parent=parent,
        )
        for path, spec in _load(specs).items()
    ]
    outcomes = make_builds(orders, jobs or usable_cores(), _teller())
    made = tuple(one for one in outcomes if isinstance(one, BuildSummary))
    if as_json:
        print_json(BuildSummaries(builds=made))
    else:
        for summary in made:
            click.echo(summary.path)
    _raise_for([one for one in outcomes if isinstance(one, BuildFailure)], len(orders))


def _load(names: tuple[str, ...]) -> dict[Path, ScenarioSpec]:
    """Every spec, each once, before anything is built. Raises UserError with all problems."""
    catalogue = describe()
    loaded: dict[Path, ScenarioSpec] = {}
    errors: list[SpecError] = []
    for path in dict.fromkeys(map(find_spec, names)):
        try:
            loaded[path] = load_spec(path, catalogue)
        except SpecError as error:
            errors.append(error)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise UserError("\n".join(map(str, errors)))
    return loaded


class _Teller:
    """Tells of builds on stderr: a line for each, and on a terminal what is being made."""

    def __init__(self, *, live: bool) -> None:
        self._live = live

    def __call__(self, progress: BuildProgress) -> None:
        if self._live:
            click.echo(ERASE_LINE, err=True, nl=False)
        outcome = progress.outcome
        if isinstance(outcome, BuildSummary):
            number = f"[{progress.finished}/{progress.planned}] " if progress.planned > 1 else ""
            line = (
                f"{number}{outcome.scenario}: {outcome.files} files, {outcome.tokens:,} tokens,"
                f" {outcome.needles} needle{'' if outcome.needles == 1 else 's'}"
            )
            click.echo(printable(line), err=True)
            for left_out in outcome.left_out:
                line = f"  left out: {left_out.path} {left_out.reason}"
                click.echo(printable(line), err=True)
        if self._live and progress.waiting:
            names = ", ".join(progress.waiting)
            line = f"[{progress.finished}/{progress.planned}] building {names}"
            click.echo(printable(line), err=True, nl=False)
        sys.stderr.flush()


def _teller() -> _Teller:
    return _Teller(live=sys.stderr.isatty())


def _raise_for(failures: list[BuildFailure], asked: int) -> None:
    """Raises what was wrong with the builds that failed, as one error."""
    if not failures:
        return
    lines = [f"{one.scenario}: {one.message}" if asked > 1 else one.message for one in failures]
    worst = max(one.exit_code for one in failures)
    kind = InfrastructureError if worst == INFRASTRUCTURE else UserError
    raise kind("\n".join(lines))
