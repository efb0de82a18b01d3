"""`ocb author`: build scenarios, check specs, list what is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

import click

from authoring.artefacts import Value, to_json
from authoring.catalogue import Kind
from authoring.errors import Problem, SpecError
from authoring.loading import load_spec
from authoring.spec import SIZES, Size
from generators.build import Build, build_scenario, load_build
from generators.catalogue import describe
from ocb import __version__
from ocb.cli.main import printable
from ocb.shipped import find_spec, shipped_specs

EXIT_PROBLEMS = 2


class BuildSummary(Value):
    """One build, as `--json` prints it."""

    path: str
    scenario: str
    size: Size
    seed: int
    placement: int
    files: int
    tokens: int
    needles: int
    tree: str


class BuildSummaries(Value):
    builds: tuple[BuildSummary, ...]


class ProblemLine(Value):
    """One problem, as `--json` prints it."""

    code: str
    line: int
    column: int
    what: str
    remedy: str


class LintedSpec(Value):
    spec: str
    problems: tuple[ProblemLine, ...]


class LintResult(Value):
    specs: tuple[LintedSpec, ...]


class Listed(Value):
    name: str
    summary: str


class Listing(Value):
    scenarios: tuple[Listed, ...]
    generators: tuple[Listed, ...]
    planters: tuple[Listed, ...]
    kinds: tuple[Listed, ...]


@click.group(name="author")
def command() -> None:
    """Build, check and list scenarios. SPEC is a YAML file or the id of a shipped scenario."""


@command.command()
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
    "-o",
    "parent",
    type=click.Path(path_type=Path),
    default=Path("build"),
    show_default=True,
    metavar="DIR",
    help="Where the build folder goes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def build(
    *,
    specs: tuple[str, ...],
    size: str,
    seed: int | None,
    placement: int,
    parent: Path,
    as_json: bool,
) -> None:
    """Build each SPEC and print the folder made."""
    catalogue = describe()
    loaded = [load_spec(find_spec(name), catalogue) for name in specs]
    summaries = []
    for spec in loaded:
        paths = build_scenario(
            spec,
            # click.Choice lets nothing else through.
            size=cast("Size", size),
            seed=seed,
            placement=placement,
            parent=parent,
            ocb_version=__version__,
        )
        summary = _summary(load_build(paths.root))
        summaries.append(summary)
        click.echo(
            f"{summary.scenario}: {summary.files} files, {summary.tokens:,} tokens,"
            f" {summary.needles} needles",
            err=True,
        )
        if not as_json:
            click.echo(summary.path)
    if as_json:
        _print(BuildSummaries(builds=tuple(summaries)))


def _summary(build: Build) -> BuildSummary:
    manifest = build.manifest
    return BuildSummary(
        path=str(build.paths.root),
        scenario=manifest.scenario,
        size=manifest.size,
        seed=manifest.seed,
        placement=manifest.placement,
        files=len(manifest.files),
        tokens=sum(file.tokens for file in manifest.files),
        needles=len(build.registry.needles),
        tree=manifest.tree,
    )


@command.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def lint(*, specs: tuple[str, ...], as_json: bool) -> None:
    """Check each SPEC and print every problem. Exits with 2 where there is one."""
    catalogue = describe()
    found: dict[Path, tuple[Problem, ...]] = {}
    for path in map(find_spec, specs):
        try:
            load_spec(path, catalogue)
            found[path] = ()
        except SpecError as error:
            found[path] = error.problems
    if as_json:
        _print(LintResult(specs=tuple(_linted(path, own) for path, own in found.items())))
    else:
        for path, problems in found.items():
            for problem in problems:
                click.echo(printable(str(problem)))
            if not problems:
                click.echo(f"{path}: fine")
    if any(found.values()):
        click.get_current_context().exit(EXIT_PROBLEMS)


def _linted(path: Path, problems: Iterable[Problem]) -> LintedSpec:
    lines = tuple(
        ProblemLine(
            code=problem.code,
            line=problem.place.line,
            column=problem.place.column,
            what=problem.what,
            remedy=problem.remedy,
        )
        for problem in problems
    )
    return LintedSpec(spec=str(path), problems=lines)


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def list_all(*, as_json: bool) -> None:
    """List shipped scenarios, and the generators, planters and kinds of defect a spec may name."""
    catalogue = describe()
    listing = Listing(
        scenarios=tuple(
            Listed(name=name, summary=load_spec(path, catalogue).title)
            for name, path in shipped_specs().items()
        ),
        generators=_kinds(catalogue.generators),
        planters=_kinds(catalogue.planters),
        kinds=_kinds(catalogue.kinds),
    )
    if as_json:
        _print(listing)
        return
    for section in Listing.model_fields:
        click.echo(f"{section}:")
        entries: tuple[Listed, ...] = getattr(listing, section)
        for entry in entries:
            click.echo(printable(f"  {entry.name:<28} {entry.summary}"))


def _kinds(kinds: Mapping[str, Kind]) -> tuple[Listed, ...]:
    return tuple(Listed(name=name, summary=kind.summary) for name, kind in sorted(kinds.items()))


def _print(value: Value) -> None:
    click.echo(to_json(value).decode(), nl=False)
