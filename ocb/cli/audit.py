"""`ocb audit`: which lines of which files a session's model was given, and what it claims."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from authoring.artefacts import to_json, write_bytes
from authoring.errors import Place, UserError
from authoring.inert import inert
from evaluation.audit.audit import Request, audit
from evaluation.audit.hook import run_claude_hook
from evaluation.audit.latest import latest_session
from evaluation.audit.page.page import is_page, render
from evaluation.audit.result import Audit
from evaluation.audit.session import OpenedSession, open_session
from evaluation.audit.terminal import print_audit
from evaluation.judging.catalogue import DEFAULT, judge_named
from evaluation.scoring.score import MISLEADING, RULES, Rule
from evaluation.transcripts.catalogue import STORES, read_session
from ocb.cli.session_progress import shown_reading

EXIT_FOUND = 1
OF_HOOK = ("hook", "root", "scope")
"""What a hook may be told on the command line."""


class _Path(click.Path):
    """One that is named: an empty text, as of a variable that is not set, is not this folder."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        if value == "":
            self.fail("an empty text names no file or folder", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(path_type=Path)


class _HookUsageError(click.UsageError):
    exit_code = EXIT_FOUND


class _Audit(click.Command):
    """A hook that exits with 2 would block the session: click's own code for wrong usage."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if any(one.partition("=")[0] == "--hook" for one in given):
                raise _HookUsageError(error.message, error.ctx) from error
            raise


@click.command(name="audit", cls=_Audit)
@click.argument("session", type=PATH, required=False)
@click.option(
    "--latest",
    type=click.Choice(list(STORES)),
    help="The newest session of this CLI in its own store: of the current folder, if it has any.",
)
@click.option(
    "--root", type=PATH, metavar="DIR", help="The files. Default: where the session was held."
)
@click.option("--rev", metavar="COMMIT", help="Take the text of the files as this commit has it.")
@click.option(
    "--scope",
    multiple=True,
    metavar="GLOB",
    help="What was to be reviewed. Default: what the prompt asks to have reviewed. Repeatable.",
)
@click.option(
    "--rule", type=click.Choice(RULES), default="touched", show_default=True,
    help="When a file counts as covered.",
)  # fmt: skip
@click.option(
    "--fail-on",
    type=click.Choice(["contradicted", "misleading", "never"]),
    default="contradicted",
    show_default=True,
    help="Exit with 1 on a contradicted claim; also on a misleading answer; or never.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option(
    "--html", type=PATH, metavar="FILE", help="Write a page that shows the files, line by line."
)
@click.option(
    "--hook",
    metavar="claude",
    help="Be a Stop hook of this CLI: read its input, and block an answer that cannot be true. With"
    " --root and --scope alone.",
)
def command(
    *,
    session: Path | None,
    latest: str | None,
    root: Path | None,
    rev: str | None,
    scope: tuple[str, ...],
    rule: Rule,
    fail_on: str,
    as_json: bool,
    html: Path | None,
    hook: str | None,
) -> None:
    """Show which lines of which files a session's model was given, and whether its claims hold.

    SESSION is a file or folder that Claude Code, Codex, Gemini CLI or OpenCode wrote, or an ATIF
    document. Exits with 1 where a claim about reading cannot be true.
    """
    if hook is not None:
        _be_hook(hook, scope, root)
        return
    with shown_reading(sys.stderr) as tell:
        opened = open_session(_path(session, latest), read=partial(read_session, tell=tell))
        folder, notes = _root(opened, root)
        request = Request(opened, folder, rev, scope, notes=notes, tell=tell)
        audited = audit(request, judge_named(DEFAULT))
    if html is not None:
        _write(html, render(audited))
    if as_json:
        click.echo(to_json(audited.audit).decode(), nl=False)
    else:
        print_audit(audited.audit, rule, sys.stdout)
    if _found(audited.audit, rule, fail_on):
        click.get_current_context().exit(EXIT_FOUND)


def _be_hook(name: str, scope: tuple[str, ...], root: Path | None) -> None:
    """A fault of ours must never break somebody's session, and exit code 2 would block it."""
    context = click.get_current_context()
    told = ""
    if name != "claude":
        told = f"there is no hook for {name!r}; valid: claude"
    elif odd := [one for one in context.command.params if _is_odd(context, one)]:
        names = ", ".join(one.opts[0] for one in odd)
        told = f"--hook goes by its input, and takes none of: {names}"
    if told:
        click.echo(f"ocb: {told}", err=True)
        context.exit(EXIT_FOUND)
    click.echo(run_claude_hook(sys.stdin.buffer, scope, sys.stderr, root), nl=False)


def _is_odd(context: click.Context, one: click.Parameter) -> bool:
    """Whether a hook is told what it would not go by."""
    given = context.get_parameter_source(one.name or "")
    return given is ParameterSource.COMMANDLINE and one.name not in OF_HOOK


def _path(session: Path | None, latest: str | None) -> Path:
    if session is not None and latest is not None:
        raise UserError("a session is named twice", remedy="name a SESSION, or give --latest")
    if latest is not None:
        found = latest_session(latest, Path.home(), os.environ, Path.cwd())
        click.echo(inert(found.told()), err=True)
        return found.path
    if session is None:
        raise UserError("no session is named", remedy="name a SESSION, or give --latest CLI")
    return session


def _root(opened: OpenedSession, root: Path | None) -> tuple[Path, tuple[str, ...]]:
    """Where the files are, with what is to be said of how that was found."""
    if root is not None:
        return root, ()
    if opened.folder and Path(opened.folder).is_dir():
        return Path(opened.folder), ()
    here = Path.cwd()
    told = f"{opened.folder}, where the session was held, is not here" if opened.folder else (
        "the session does not say where it was held"
    )  # fmt: skip
    return here, (f"{told}: the files of {here} were taken, --root names others",)


def _write(path: Path, data: bytes) -> None:
    if path.exists() and not path.is_file():
        raise UserError("cannot be written: it is no plain file", place=Place(str(path)))
    if path.exists() and not is_page(path):
        told = "is there already, and is no page of an audit"
        raise UserError(told, place=Place(str(path)), remedy="name another file, or remove it")
    try:
        write_bytes(path, data)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", place=Place(str(path))) from error


def _found(result: Audit, rule: Rule, fail_on: str) -> bool:
    """Whether there is what the caller wants to fail on. Raises UserError where nobody can tell."""
    if fail_on == "never":
        return False
    if fail_on == "misleading":
        if result.scope is None:
            raise UserError("--fail-on misleading needs a review scope", remedy="give --scope GLOB")
        if result.verdict is not None and result.verdict[rule].value in MISLEADING:
            return True
    return bool(result.contradicted)
