"""`ocb author new`: a first spec to work from."""

from __future__ import annotations

from pathlib import Path

import click

from authoring.artefacts import Value
from authoring.scaffold import scaffold_of, write_scaffold
from generators.catalogue import describe
from ocb.cli.author.printing import json_option, print_json
from ocb.cli.main import printable


class Written(Value):
    """The files that were written, the spec first."""

    files: tuple[str, ...]


@click.command()
@click.argument("name")
@click.option(
    "--generator",
    required=True,
    help="What writes its files: a name of `ocb author list`.",
)
@click.option(
    "-o",
    "spec",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The spec to write.  [default: NAME.yaml]",
)
@json_option
def new(*, name: str, generator: str, spec: Path | None, as_json: bool) -> None:
    """Write a commented spec for the scenario NAME that can be built and validated as it is.

    Beside it comes the JSON Schema by which editors complete it, unless there is one. Nothing that
    is there is written over.
    """
    catalogue = describe()
    scaffold = scaffold_of(name, generator, catalogue)
    written = write_scaffold(scaffold, spec or Path(f"{name}.yaml"), catalogue)
    if as_json:
        print_json(Written(files=tuple(map(str, written))))
        return
    for path in written[1:]:
        click.echo(printable(f"also written: {path}"), err=True)
    click.echo(printable(str(written[0])))
