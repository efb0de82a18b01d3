"""`ocb author`: write a scenario, check it, build it, and hold its corpus beside real text."""

from __future__ import annotations

import click

from ocb.cli.author.build import build
from ocb.cli.author.lint import lint
from ocb.cli.author.listing import list_all
from ocb.cli.author.new import new
from ocb.cli.author.realism import realism
from ocb.cli.author.schema import schema


@click.group(name="author")
def command() -> None:
    """Write, build, check and list scenarios. SPEC is a YAML file or the id of a shipped one."""


for one in (new, lint, build, list_all, schema, realism):
    command.add_command(one)
