"""What the commands of `ocb author` share: how a result is printed as JSON."""

from __future__ import annotations

from collections.abc import Callable

import click

from authoring.artefacts import Value, to_json


def json_option(command: Callable[..., None]) -> Callable[..., None]:
    """`--json`, as every command has it that prints a result."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(
        command
    )


def print_json(value: Value) -> None:
    """A value on stdout."""
    click.echo(to_json(value).decode(), nl=False)
