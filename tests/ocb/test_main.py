from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from authoring.errors import InfrastructureError, OcbError, Place, UserError
from ocb import __version__
from ocb.cli import main as main_module
from ocb.cli.main import COMMANDS, CommandEntry, ocb, printable, run

ROOT = Path(__file__).parents[2]


@click.command()
@click.argument("what")
def command(*, what: str) -> int | None:
    """A command of these tests: fails as it is told."""
    click.echo("result")
    faults: dict[str, BaseException] = {
        "user": UserError(
            "is \x1b[31mwrong\x07", place=Place("a.yaml", 3, 5), remedy="mend it\u202e"
        ),
        "infrastructure": InfrastructureError("the disk is full"),
        "ocb": OcbError("failed"),
        "fault": ZeroDivisionError("by\n\x1b[2Jnothing"),
        "interrupt": KeyboardInterrupt(),
        "usage": click.UsageError("no such \x1b[31mthing"),
    }
    if what in faults:
        raise faults[what]
    return 1 if what == "found" else None


@pytest.fixture
def _commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "failing_command", sys.modules[__name__])
    commands = {
        "fail": CommandEntry("failing_command", "Fails."),
        "gone": CommandEntry("ocb.cli.no_such_module", "Is not there."),
    }
    monkeypatch.setattr(main_module, "COMMANDS", commands)


OUTCOMES = {
    "fine": ("fine", 0, ""),
    "something found": ("found", 1, ""),
    "user error": ("user", 2, "ocb: a.yaml:3:5: is \\x1b[31mwrong\\x07\n  mend it\\u202e\n"),
    "infrastructure": ("infrastructure", 3, "ocb: the disk is full\n"),
    "any other of ours": ("ocb", 3, "ocb: failed\n"),
    "our fault": (
        "fault",
        3,
        "ocb: internal error: ZeroDivisionError: by \\x1b[2Jnothing; --debug shows the traceback\n",
    ),
    "interrupt": ("interrupt", 130, "interrupted\n"),
}


@pytest.mark.usefixtures("_commands")
@pytest.mark.parametrize(("what", "code", "told"), OUTCOMES.values(), ids=OUTCOMES)
def test_what_goes_wrong_is_one_message_and_an_exit_code(
    capfd: pytest.CaptureFixture[str], what: str, code: int, told: str
) -> None:
    assert run(["fail", what]) == code
    out, err = capfd.readouterr()
    assert (out, err.lstrip("\n")) == ("result\n", told)


@pytest.mark.usefixtures("_commands")
@pytest.mark.parametrize("what", ["user", "fault"])
def test_debug_shows_the_traceback(capfd: pytest.CaptureFixture[str], what: str) -> None:
    run(["--debug", "fail", what])
    err = capfd.readouterr().err
    assert err.startswith("Traceback (most recent call last):")
    assert "\x1b" not in err
    assert "--debug" not in err


@pytest.mark.usefixtures("_commands")
@pytest.mark.parametrize(
    "arguments", [["fail"], ["fail", "usage"], ["fail", "x", "y"], ["--nonsense"], []]
)
def test_wrong_usage_exits_with_2_and_reaches_the_terminal_as_text(
    capfd: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(arguments) == 2
    out, err = capfd.readouterr()
    assert "Usage: ocb" in out + err
    assert "Traceback" not in err
    assert "\x1b" not in err


@pytest.mark.usefixtures("_commands")
def test_a_command_that_does_not_exist_is_told_with_the_nearest(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(["fial"]) == 2
    assert "no command 'fial'; did you mean 'fail'?" in capfd.readouterr().err


@pytest.mark.usefixtures("_commands")
def test_help_needs_none_of_the_commands(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    out = capfd.readouterr().out
    assert "fail  Fails." in out
    assert "gone  Is not there." in out
    assert run(["gone"]) == 3


def test_help_imports_nothing_that_is_slow() -> None:
    # What takes the time is what is imported; the clock would only tell how busy the machine is.
    probe = (
        "import sys; from ocb.cli.main import run; run(['--help']);"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    ours = {"generators", "validation", "evaluation"}
    theirs = {"pydantic", "yaml", "jinja2", "faker", "tiktoken", "aiohttp", "statsmodels", "rich"}
    assert "click" in loaded
    assert not loaded & (ours | theirs)
    for name, entry in COMMANDS.items():
        assert f"  {name}" in done.stdout
        assert entry.summary in " ".join(done.stdout.split())


def test_every_command_that_is_there_has_its_name_and_help() -> None:
    for name, entry in COMMANDS.items():
        if (ROOT / f"{entry.module.replace('.', '/')}.py").is_file():
            found = ocb.get_command(click.Context(ocb), name)
            assert isinstance(found, click.Command)
            assert found.name == name
            assert found.help


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capfd.readouterr().out == f"ocb {__version__}\n"


STEERING = {
    "escape": ("\x1b[31mred", "\\x1b[31mred"),
    "bell": ("\x07", "\\x07"),
    "carriage return": ("fine\rbad", "fine\\x0dbad"),
    "C1 control": ("\x9b31m", "\\x9b31m"),
    "right to left": ("a\u202eb", "a\\u202eb"),
    "line separator": ("a\u2028b", "a\\u2028b"),
    "line feed and tab stay": ("a\n\tb", "a\n\tb"),
    "letters stay": ("Zürich — 東京", "Zürich — 東京"),
}


@pytest.mark.parametrize(("text", "shown"), STEERING.values(), ids=STEERING)
def test_what_could_steer_a_terminal_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown
