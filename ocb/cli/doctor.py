"""`ocb doctor`: what this machine can do."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import click

from authoring.artefacts import to_json
from evaluation.agents.catalogue import program_to_install
from evaluation.agents.npm import NpmPack, install
from ocb.cli.eval import tools_option
from ocb.cli.main import printable
from ocb.machine import Machine, Part, examine

GIGABYTE = 10**9


@click.command(name="doctor")
@click.option("--install", "program", metavar="NAME", help="First install an agent: claude-code.")
@tools_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(*, program: str | None, tools: Path, as_json: bool) -> None:
    """Say what this machine can do, and why not.

    Exits with 0 whatever is missing, unless an installation fails.
    """
    if program is not None:
        click.echo(f"installing {program} into {tools}", err=True)
        install(program_to_install(program), tools, NpmPack())
    machine = examine(tools, os.environ)
    if as_json:
        click.echo(to_json(machine).decode(), nl=False)
    else:
        _show(machine)


def _show(machine: Machine) -> None:
    click.echo(f"ocb {machine.ocb}, Python {machine.python}, {machine.system}")
    _show_parts("agents", machine.agents)
    _show_parts("sandboxes", machine.sandboxes)
    _show_parts("others", machine.others)
    click.echo(f"keys that are set: {', '.join(machine.keys) or 'none'}")
    click.echo(f"free on this disk: {machine.free_bytes / GIGABYTE:.1f} GB")


def _show_parts(title: str, parts: Iterable[Part]) -> None:
    click.echo(title)
    for part in parts:
        state = "yes" if part.works else "no"
        click.echo(printable(f"  {part.name:<14} {state:<4} {part.detail}"))
