"""The one place that calls git, on repositories of anybody: it reads, and starts nothing.

A repository's own settings may name programs (of hooks, of a file system monitor, of a transport)
and places to fetch from. Nothing of that is done: what is not in the repository is not had.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SECONDS = 120.0
OFF = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.sshCommand", "false"),
    ("core.askPass", ""),
    ("credential.helper", ""),
    ("core.alternateRefsCommand", ""),
    ("log.showSignature", "false"),
    ("protocol.allow", "never"),
)
"""Settings by which git would start a program; those of the command line come before all others."""
KEPT_OUT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    # Older ones know no such word, and a repository may allow one protocol by its name.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def git(root: Path, *arguments: str) -> bytes:
    """What git prints. Raises OSError or SubprocessError."""
    done = subprocess.run(
        command(root, *arguments),
        capture_output=True,
        check=True,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        env=environment(),
    )
    return done.stdout


def git_objects(root: Path) -> subprocess.Popen[bytes]:
    """A process that is told names of objects on its input, and answers with what they hold."""
    return subprocess.Popen(
        command(root, "cat-file", "--batch"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )


def command(root: Path, *arguments: str) -> list[str]:
    """A call of git in a folder."""
    settings = (part for name, value in OFF for part in ("-c", f"{name}={value}"))
    return ["git", "-C", str(root), "--no-pager", "--no-optional-locks", *settings, *arguments]


def environment() -> dict[str, str]:
    """Nothing of the caller's that would point git at another repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, **KEPT_OUT}
