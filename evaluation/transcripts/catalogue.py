"""Every format of sessions by name; which one a file is, is told from its content alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from authoring.errors import Place, UserError, nearest
from evaluation.reading.collector import without_collector
from evaluation.reading.context import ToolTable
from evaluation.reading.progress import Tell
from evaluation.transcripts import (
    atif_in,
    atif_tools,
    claude_code,
    claude_stream,
    codex,
    codex_exec,
    codex_tools,
    fixed,
    gemini_cli,
    gemini_stream,
    gemini_tools,
    opencode,
    opencode_export,
    opencode_stream,
    opencode_tools,
)
from evaluation.transcripts.json_lines import telling
from evaluation.transcripts.trajectory import Agent, Trajectory


@dataclass(frozen=True)
class Format:
    """One format of one CLI's sessions."""

    name: str
    """`claude-code`, `claude-code stream-json`, `codex`, `atif`."""
    sniff: Callable[[Path], bool]
    """Whether this file or folder holds such a session, by its content. Reads a little, and never
    raises."""
    read: Callable[[Path], Trajectory]
    """Raises UserError where it cannot be read."""
    tools: ToolTable
    """What each tool of that CLI adds to file text."""
    choose: Callable[[Agent], ToolTable] | None = None
    """The table by who acted, where one format holds sessions of several."""


@dataclass(frozen=True)
class Session:
    """A session that was read."""

    format: Format
    trajectory: Trajectory

    @property
    def tools(self) -> ToolTable:
        """What each tool adds to file text, in this session."""
        choose = self.format.choose
        return choose(self.trajectory.agent) if choose is not None else self.format.tools


def _opencode(agent: Agent) -> ToolTable:
    return opencode_tools.tools_of(agent.version)


FORMATS: tuple[Format, ...] = (
    Format("fixed", fixed.is_fixed, fixed.read_fixed, fixed.TOOLS),
    # Claude Code
    Format(
        "claude-code",
        claude_code.is_claude_session,
        claude_code.read_claude_session,
        claude_code.TOOLS,
    ),
    # Codex
    Format("codex", codex.is_codex, codex.read_codex, codex_tools.TOOLS),
    # Gemini CLI
    Format("gemini-cli", gemini_cli.is_gemini, gemini_cli.read_gemini, gemini_tools.TOOLS),
    # OpenCode
    Format("opencode", opencode.is_opencode, opencode.read_opencode, opencode.TOOLS, _opencode),
    Format(
        "opencode export",
        opencode_export.is_opencode_export,
        opencode_export.read_opencode_export,
        opencode.TOOLS,
        _opencode,
    ),
    Format("atif", atif_in.is_atif, atif_in.read_atif, atif_tools.UNKNOWN, atif_tools.tools_of),
    # What they print while they work: a run's folder holds it beside the session, which says more.
    Format(
        "claude-code stream-json",
        claude_stream.is_claude_stream,
        claude_stream.read_claude_stream,
        claude_code.TOOLS,
    ),
    Format(
        "codex exec --json", codex_exec.is_codex_exec, codex_exec.read_codex_exec, codex_exec.TOOLS
    ),
    Format(
        "gemini-cli stream-json",
        gemini_stream.is_gemini_stream,
        gemini_stream.read_gemini_stream,
        gemini_stream.TOOLS,
    ),
    Format(
        "opencode run --format json",
        opencode_stream.is_opencode_stream,
        opencode_stream.read_opencode_stream,
        opencode.TOOLS,
        _opencode,
    ),
)
"""In the order in which they are tried: those that tell themselves most surely come first."""


def read_session(
    path: Path, formats: tuple[Format, ...] = FORMATS, *, tell: Tell | None = None
) -> Session:
    """The session in a file or folder, whatever wrote it. `tell` hears how far that has come.

    Raises UserError where there is none that is known, or where it cannot be read.
    """
    if not path.exists():
        raise UserError("no such file or folder", place=Place(str(path)))
    for one in formats:
        if one.sniff(path):
            with telling(tell), without_collector():
                return Session(one, one.read(path))
    known = ", ".join(one.name for one in formats)
    raise UserError("is no session of a known format", place=Place(str(path)), remedy=known)


@dataclass(frozen=True)
class Store:
    """Where a CLI keeps its sessions."""

    folder: str
    """Below a home."""
    variable: str
    """Of the environment: it names another folder."""
    below: str
    """Where the store is in that one."""
    sessions: str
    """A glob below the store; empty where it is the store itself that is read."""
    is_main: Callable[[Path], bool]
    """Whether a file is a session that no other started."""

    def place(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The store of this user."""
        named = environment.get(self.variable)
        return Path(named, self.below) if named else home / self.folder


STORES: Mapping[str, Store] = {
    "claude": Store(
        folder=".claude/projects",
        variable="CLAUDE_CONFIG_DIR",
        below="projects",
        sessions="*/*.jsonl",
        is_main=claude_code.is_claude_session,
    ),
    "codex": Store(
        folder=".codex/sessions",
        variable="CODEX_HOME",
        below="sessions",
        sessions="*/*/*/*.jsonl",
        is_main=codex.is_main_rollout,
    ),
    "gemini": Store(
        folder=".gemini/tmp",
        variable="GEMINI_CLI_HOME",
        below=".gemini/tmp",
        sessions="*/chats/*.json*",
        is_main=gemini_cli.is_main_session,
    ),
    "opencode": Store(
        folder=".local/share/opencode",
        variable="XDG_DATA_HOME",
        below="opencode",
        sessions="",
        is_main=opencode.is_opencode,
    ),
}


def stored_sessions(name: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The sessions of `claude`, `codex`, `gemini` or `opencode` in the CLI's own store, the newest
    first. For OpenCode it is the store, of which the newest session is read.

    Raises UserError where there is none.
    """
    store = STORES.get(name)
    if store is None:
        raise UserError(f"no store of {name!r} is known", remedy=nearest(name, STORES))
    folder = store.place(home, environment)
    found = folder.glob(store.sessions) if store.sessions else iter((folder,))
    is_empty = True
    for path in _newest_first(found):
        if store.is_main(path):
            is_empty = False
            yield path
    if is_empty:
        raise UserError(
            f"holds no session of {name}",
            place=Place(str(folder)),
            remedy=f"{store.variable} names another place; or name a session by its path",
        )


def _newest_first(paths: Iterable[Path]) -> list[Path]:
    times: dict[Path, int] = {}
    for path in paths:
        try:
            times[path] = path.stat().st_mtime_ns
        except OSError:
            continue  # gone in the meantime
    return sorted(times, key=lambda path: (times[path], str(path)), reverse=True)
