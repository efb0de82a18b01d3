"""`ocb audit`: which lines of which files a session's model was given, and what it claims."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from authoring.artefacts import to_json, write_bytes
from authoring.errors import Place, UserError
from evaluation.audit.audit import Request, audit
from evaluation.audit.hook import run_claude_hook
from evaluation.audit.page.page import render
from evaluation.audit.result import Audit
from evaluation.audit.session import OpenedSession, open_session
from evaluation.audit.terminal import print_audit
from evaluation.judging.catalogue import DEFAULT, judge_named
from evaluation.scoring.score import MISLEADING, RULES, Rule
from evaluation.transcripts.catalogue import STORES
from evaluation.transcripts.catalogue import latest as latest_session

EXIT_FOUND = 1
FOLDER = click.Path(path_type=Path)


@click.command(name="audit")
@click.argument("session", type=FOLDER, required=False)
@click.option(
    "--latest", type=click.Choice(list(STORES)), help="The newest session in this CLI's own store."
)
@click.option(
    "--root", type=FOLDER, metavar="DIR", help="The files. Default: where the session was held."
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
    "--html", type=FOLDER, metavar="FILE", help="Write a page that shows the files, line by line."
)
@click.option(
    "--hook",
    metavar="claude",
    help="Be a Stop hook of this CLI: read its input, and block an answer that cannot be true.",
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
        _be_hook(hook, scope)
        return
    opened = open_session(_path(session, latest))
    folder, notes = _root(opened, root)
    request = Request(opened, folder, rev, scope, notes=notes)
    audited = audit(request, judge_named(DEFAULT))
    if html is not None:
        _write(html, render(audited))
    if as_json:
        click.echo(to_json(audited.audit).decode(), nl=False)
    else:
        print_audit(audited.audit, rule, sys.stdout)
    if _found(audited.audit, rule, fail_on):
        click.get_current_context().exit(EXIT_FOUND)


def _be_hook(name: str, scope: tuple[str, ...]) -> None:
    """A fault of ours must never break somebody's session, and exit code 2 would block it."""
    if name != "claude":
        click.echo(f"ocb: there is no hook for {name!r}; valid: claude", err=True)
        click.get_current_context().exit(EXIT_FOUND)
    click.echo(run_claude_hook(sys.stdin.buffer, scope, sys.stderr), nl=False)


def _path(session: Path | None, latest: str | None) -> Path:
    if session is not None and latest is not None:
        raise UserError("a session is named twice", remedy="name a SESSION, or give --latest")
    if latest is not None:
        path = latest_session(latest, Path.home())
        click.echo(f"audits {path}", err=True)
        return path
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
