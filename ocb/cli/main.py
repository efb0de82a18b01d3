"""`ocb`: finds the command by name, and turns what goes wrong into one message and an exit code."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click

from authoring.errors import OcbError, nearest
from authoring.inert import inert
from ocb import __version__

EXIT_INTERNAL = 3
EXIT_INTERRUPTED = 130
EXIT_NO_READER = 141


class CommandEntry(NamedTuple):
    """Where a command is, and its line in `ocb --help`."""

    module: str
    summary: str


COMMANDS: Mapping[str, CommandEntry] = {
    "author": CommandEntry("ocb.cli.author", "Build, check and list scenarios."),
    "validate": CommandEntry("ocb.cli.validate", "Prove that the needles of a build can be found."),
    "eval": CommandEntry("ocb.cli.eval", "Run agents on a build and score what they read and say."),
    "score": CommandEntry("ocb.cli.score", "Score recorded runs again; no agent is run."),
    "report": CommandEntry("ocb.cli.report", "Show the figures of scored runs."),
    "audit": CommandEntry(
        "ocb.cli.audit", "Show what any session's model read, and whether its claims hold."
    ),
    "doctor": CommandEntry("ocb.cli.doctor", "Say what this machine can do."),
    "demo": CommandEntry("ocb.cli.demo", "All of it once, offline, with simulated models."),
}
"""In the order of the work. Written out, so that `ocb --help` imports none of them."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            raise click.UsageError(f"no command {cmd_name!r}; {nearest(cmd_name, COMMANDS)}", ctx)
        command = importlib.import_module(entry.module).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{entry.module}.command is no click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Measures whether a coding agent read what its final response says it reviewed.",
)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, prog_name="ocb", message="%(prog)s %(version)s")
def ocb(*, debug: bool) -> None:
    """The root; `--debug` is read by `run`, so that it also holds for faults of start-up."""


def main() -> None:
    """The entry point of the `ocb` script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Where not all characters can be written, those that cannot are told by their numbers.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; what goes wrong is told on stderr."""
    debug = _asks_for_debug(arguments)
    try:
        result = ocb.main(args=list(arguments), prog_name="ocb", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        told = io.StringIO()
        error.show(told)
        click.echo(printable(told.getvalue()), err=True, nl=False)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone, as in `ocb ... | head`; Python would tell it once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_NO_READER
    except SystemExit as stop:
        # click ends the process itself where it is the first to see that the reader has gone.
        cause = stop.__context__
        if isinstance(cause, OSError) and cause.errno == errno.EPIPE:
            return EXIT_NO_READER
        raise
    except OcbError as error:
        _tell(str(error), debug=debug)
        return error.exit_code
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _tell(f"{where}{error.strerror or error}", debug=debug)
        return EXIT_INTERNAL
    except Exception as error:  # noqa: BLE001 - the one boundary where our own faults are told
        hint = "" if debug else "; --debug shows the traceback"
        _tell(f"internal error: {type(error).__name__}: {_one_line(error)}{hint}", debug=debug)
        return EXIT_INTERNAL
    return result if isinstance(result, int) else 0


def _asks_for_debug(arguments: Sequence[str]) -> bool:
    """Whether `--debug` stands before the command's name."""
    for argument in arguments:
        if argument == "--debug":
            return True
        if not argument.startswith("-"):
            return False
    return False


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _tell(message: str, *, debug: bool) -> None:
    if debug:
        click.echo(printable(traceback.format_exc().rstrip()), err=True)
    click.echo(f"ocb: {printable(message)}", err=True)


def printable(text: str) -> str:
    """A text with what could steer a terminal written out, as `\\x1b`; its lines stay lines."""
    return inert(text, keep="\n\t")
