"""The harnesses by name: ocb's own, and those that other packages bring by entry point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import cast

from authoring.errors import UserError, nearest
from evaluation.agents.claude_code.harness import ClaudeCode
from evaluation.agents.claude_code.install import PROGRAM as CLAUDE_CODE
from evaluation.agents.codex.harness import Codex
from evaluation.agents.codex.install import PROGRAM as CODEX
from evaluation.agents.fixed.harness import Fixed
from evaluation.agents.gemini_cli.harness import GeminiCli
from evaluation.agents.gemini_cli.install import PROGRAM as GEMINI_CLI
from evaluation.agents.harness import Harness
from evaluation.agents.npm import NpmProgram
from evaluation.agents.opencode.harness import OpenCode
from evaluation.agents.opencode.install import PROGRAM as OPENCODE

GROUP = "ocb.harnesses"

MakeHarness = Callable[[Path], Harness]
"""Makes a harness, given the folder that its programs are installed in."""

HARNESSES: Mapping[str, MakeHarness] = {
    "claude-code": ClaudeCode,
    "codex": Codex,
    "fixed": lambda _tools: Fixed(),
    "gemini-cli": GeminiCli,
    "opencode": OpenCode,
}

PROGRAMS: Mapping[str, NpmProgram] = {
    "claude-code": CLAUDE_CODE,
    "codex": CODEX,
    "gemini-cli": GEMINI_CLI,
    "opencode": OPENCODE,
}
"""What `ocb doctor --install` can install."""


def harness_names() -> tuple[str, ...]:
    """Every harness that can be asked for."""
    return tuple(sorted({*HARNESSES, *_brought()}))


def make_harness(name: str, tools: Path) -> Harness:
    """A harness by its name. Raises UserError with the nearest one where there is none.

    Ours win over an entry point of the same name: a package cannot take the place of one.
    """
    make = HARNESSES.get(name)
    if make is not None:
        return make(tools)
    point = _brought().get(name)
    if point is None:
        raise UserError(f"there is no harness {name!r}", remedy=nearest(name, harness_names()))
    try:
        made = cast("MakeHarness", point.load())
    except (ImportError, AttributeError) as error:
        raise UserError(f"the harness {name} cannot be loaded: {error}") from error
    return made(tools)


def program_to_install(name: str) -> NpmProgram:
    """A program by its name. Raises UserError with the nearest one where there is none."""
    program = PROGRAMS.get(name)
    if program is None:
        raise UserError(f"there is no program {name!r} to install", remedy=nearest(name, PROGRAMS))
    return program


def _brought() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
