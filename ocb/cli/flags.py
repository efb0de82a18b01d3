"""The flags of `ocb eval`, under the headings of its help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import click
import orjson
from pydantic import JsonValue

from authoring.spec import CONDITIONS
from evaluation.agents.catalogue import HARNESSES
from evaluation.judging.catalogue import DEFAULT
from evaluation.run import Limits
from evaluation.sandboxes.catalogue import AUTO, SANDBOXES

Command = Callable[..., None]
FILE = click.Path(path_type=str)
FOLDER = click.Path(path_type=Path)
LIMITS = Limits()

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "What is run": ("builds", "harness", "models", "conditions", "repetitions", "settings"),
    "Real models": (
        *("upstream", "upstream_kind", "key_variable", "key_file"),
        *("accept", "prices", "windows"),
    ),
    "Limits of one run": ("seconds", "silence", "turns", "tokens", "run_dollars"),
    "The sweep": (
        *("dollars", "retries", "retry_void", "concurrency"),
        *("sandbox", "judge", "name", "parent", "tools"),
    ),
    "Before it starts": ("dry_run", "yes", "allow_infeasible", "allow_unvalidated"),
    "Output": ("as_json",),
}
"""Which parameter stands under which heading. `--help` is click's own, and comes last."""


class GroupedCommand(click.Command):
    """A command whose help has its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        heading_of = {name: heading for heading, names in HEADINGS.items() for name in names}
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                rows[heading_of.get(str(parameter.name), "Output")].append(record)
        for heading, records in rows.items():
            with formatter.section(heading):
                formatter.write_dl(records)


def tools_option(command: Command) -> Command:
    """Where agent CLIs are installed."""
    return click.option(
        "--tools",
        type=FOLDER,
        default=Path(".tools"),
        show_default=True,
        envvar="OCB_TOOLS",
        help="Folder of the installed agent CLIs.",
    )(command)


def _settings(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> dict[str, JsonValue]:
    """`KEY=VALUE`: the value as JSON where it is JSON, else as text."""
    settings: dict[str, JsonValue] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise click.BadParameter(f"{text!r} is not KEY=VALUE", context, parameter)
        if key in settings:
            raise click.BadParameter(f"{key} is given twice", context, parameter)
        try:
            settings[key] = orjson.loads(value)
        except orjson.JSONDecodeError:
            settings[key] = value
    return settings


def _with_default(help_text: str, default: object) -> str:
    return f"{help_text} [default: {default}]"


def _flag(*names: str, **said: Any) -> Callable[[Command], Command]:  # click's own are Any too
    return click.option(*names, **said)


FLAGS = (
    _flag(
        *("--build", "builds"),
        multiple=True,
        metavar="DIR",
        help="A build that `ocb validate` sealed, or a glob of them. Repeatable.",
    ),
    _flag("--harness", help=_with_default(f"The agent: {', '.join(sorted(HARNESSES))}.", "fixed")),
    _flag(
        *("--model", "models"),
        multiple=True,
        metavar="NAME",
        help="sim/NAME for a simulated model, else a name the upstream knows. Repeatable.",
    ),
    _flag(
        *("--condition", "conditions"),
        multiple=True,
        type=click.Choice(CONDITIONS),
        help=_with_default("How the task is put. Repeatable.", "direct"),
    ),
    _flag(
        "--repetitions",
        type=int,
        help=_with_default(
            "Runs of each scenario, model and condition, spread over the scenario's builds.", 1
        ),
    ),
    _flag(
        *("--setting", "settings"),
        multiple=True,
        metavar="KEY=VALUE",
        callback=_settings,
        help="A sampling or reasoning setting of the harness. Repeatable.",
    ),
    _flag("--upstream", metavar="URL", help="Base URL of the server of real models."),
    _flag(
        "--upstream-kind",
        type=click.Choice(("anthropic", "openai", "compatible")),
        help=_with_default("Whose server it is; part of a run's key.", "compatible"),
    ),
    _flag("--key-variable", metavar="NAME", help="Environment variable that holds its key."),
    _flag("--key-file", type=FILE, metavar="FILE", help="File that holds its key."),
    _flag(
        "--accept",
        multiple=True,
        metavar="NAME",
        help="A name under which the models may answer too. Repeatable.",
    ),
    _flag("--prices", type=FILE, metavar="FILE", help="What models cost: ocb.prices/1, YAML."),
    _flag(
        *("--models", "windows"),
        type=FILE,
        metavar="FILE",
        help="Context windows of more models: ocb.models/1, YAML.",
    ),
    _flag("--seconds", type=float, help=_with_default("Wall clock.", f"{LIMITS.seconds:g}")),
    _flag(
        "--silence",
        type=float,
        help=_with_default("Seconds without a sign of life.", f"{LIMITS.silence:g}"),
    ),
    _flag("--turns", type=int, help=_with_default("Model calls of all threads.", LIMITS.turns)),
    _flag("--tokens", type=int, help="Input and output of all calls. [default: no limit]"),
    _flag("--run-dollars", type=float, help="US dollars, by --prices. [default: no limit]"),
    _flag("--dollars", type=float, help="US dollars of all runs. [default: no limit]"),
    _flag("--retries", type=int, help=_with_default("How often a void run is made again.", 2)),
    _flag(
        "--retry-void",
        is_flag=True,
        help="Runs that stayed void in an earlier go are made as often once more.",
    ),
    _flag("--concurrency", type=int, help=_with_default("Runs at once, 1 to 64.", 2)),
    _flag(
        "--sandbox",
        help=_with_default(
            f"{AUTO}, {', '.join(SANDBOXES)}; none is for an agent you trust.", AUTO
        ),
    ),
    _flag("--judge", help=_with_default("Who labels the responses.", DEFAULT)),
    _flag("--name", help="Of the sweep's folder. [default: after what is run]"),
    _flag(
        *("-o", "parent"),
        type=FOLDER,
        default=Path("runs"),
        show_default=True,
        metavar="RUNS",
        help="Where the sweep's folder goes.",
    ),
    tools_option,
    _flag("--dry-run", is_flag=True, help="Look at everything, print the matrix, run nothing."),
    _flag("--yes", is_flag=True, help="Start without asking, whatever it may cost."),
    _flag(
        "--allow-infeasible",
        is_flag=True,
        help="Run models that cannot hold a full reading; every table marks them.",
    ),
    _flag(
        "--allow-unvalidated", is_flag=True, help="Run on builds without a seal; reports say so."
    ),
    _flag(*("--json", "as_json"), is_flag=True, help="Print the outcome of every run as JSON."),
)


def sweep_flags(command: Command) -> Command:
    """All of them."""
    return reduce(lambda made, flag: flag(made), reversed(FLAGS), command)
