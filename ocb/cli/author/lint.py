"""`ocb author lint`: every problem of a spec at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from authoring.artefacts import Value
from authoring.errors import Problem, SpecError
from authoring.loading import load_spec
from generators.catalogue import describe
from ocb.cli.author.printing import json_option, print_json
from ocb.cli.main import printable
from ocb.shipped import find_spec

EXIT_PROBLEMS = 2


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


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@json_option
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
        print_json(LintResult(specs=tuple(_linted(path, own) for path, own in found.items())))
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
