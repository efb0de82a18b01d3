"""`ocb author schema`: the JSON Schema of a spec."""

from __future__ import annotations

import click

from authoring.json_schema import schema_bytes
from generators.catalogue import describe


@click.command()
def schema() -> None:
    """Print the JSON Schema of a spec, with the parameters of all that is installed here.

    An editor completes and checks a spec by it whose first line names the file:
    `# yaml-language-server: $schema=schema.json`.
    """
    click.echo(schema_bytes(describe()).decode(), nl=False)
