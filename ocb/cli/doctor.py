"""`ocb doctor`: what this machine can do."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click

from authoring.artefacts import Value, to_json
from evaluation.agents.catalogue import make_harness, program_to_install
from evaluation.agents.npm import NpmPack, install
from evaluation.sandboxes.catalogue import choose
from evaluation.sandboxes.docker.image import INSTALL as IMAGE
from evaluation.sandboxes.docker.image import install_image
from ocb.canary import CanaryResult, run_canary
from ocb.cli.flags import tools_option
from ocb.cli.main import printable
from ocb.machine import Machine, Part, examine

GIGABYTE = 10**9
EXIT_LEAKED = 1


class Canaries(Value):
    """What `--canary --json` prints."""

    canaries: tuple[CanaryResult, ...]


@click.command(name="doctor")
@click.option(
    "--install",
    "programs",
    multiple=True,
    metavar="NAME",
    help="First install an agent, as claude-code, or the image of the docker sandbox: "
    f"{IMAGE}. Repeatable.",
)
@click.option(
    "--canary",
    "canaries",
    multiple=True,
    metavar="NAME",
    help="Run this agent on an operator's machine full of notes, hooks and settings, with a "
    "simulated model, and say which of them reached it. Repeatable.",
)
@click.option("--sandbox", "sandbox_name", default="auto", show_default=True, help="For --canary.")
@tools_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    *,
    programs: tuple[str, ...],
    canaries: tuple[str, ...],
    sandbox_name: str,
    tools: Path,
    as_json: bool,
) -> None:
    """Say what this machine can do, and why not.

    Exits with 0 whatever is missing, unless an installation fails or something of the operator's
    reached a model.
    """
    for program in programs:
        if program == IMAGE:
            install_image(os.environ, tools, lambda text: click.echo(text, err=True))
        else:
            click.echo(f"installing {program} into {tools}", err=True)
            install(program_to_install(program), tools, NpmPack())
    if canaries:
        _run_canaries(canaries, sandbox_name, tools, as_json=as_json)
        return
    machine = examine(tools, os.environ)
    if as_json:
        click.echo(to_json(machine).decode(), nl=False)
    else:
        _show(machine)


def _run_canaries(names: tuple[str, ...], sandbox_name: str, tools: Path, *, as_json: bool) -> None:
    """One after the other; exits with 1 where one did not pass."""
    sandbox = choose(sandbox_name)
    results = []
    for name in names:
        with tempfile.TemporaryDirectory(prefix="canary-") as folder:
            results.append(run_canary(name, make_harness(name, tools), sandbox, Path(folder)))
        if not as_json:
            _show_canary(results[-1])
    if as_json:
        click.echo(to_json(Canaries(canaries=tuple(results))).decode(), nl=False)
    if not all(result.passed for result in results):
        click.get_current_context().exit(EXIT_LEAKED)


def _show_canary(result: CanaryResult) -> None:
    told = f"{result.harness} {result.version} in {result.sandbox}: "
    if result.outcome.kind != "completed":
        told += f"proves nothing: {result.outcome.kind} {result.outcome.reason}"
    elif result.leaked:
        told += f"reached the model: {', '.join(result.leaked)}"
    else:
        told += f"nothing of {result.places} places reached the model"
    click.echo(printable(told))


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
        for kept in part.promises:
            state = "kept" if kept.holds else "not kept"
            click.echo(printable(f"    {kept.name:<12} {state:<9} {kept.detail}"))
