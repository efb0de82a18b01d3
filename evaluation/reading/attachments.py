"""How a CLI writes files into what it sends that no tool returned: data of its harness.

The user named them, or the CLI reads them by itself. What each CLI writes around them stands beside
its parser, which tells them from what the user said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """The text of a file, as it stood in a message."""

    path: str | None
    """None where it is not told."""
    text: str


FindFiles = Callable[[Sequence[str]], Iterable[AttachedFile]]


def no_files(_texts: Sequence[str]) -> tuple[AttachedFile, ...]:
    """Of a CLI that attaches none."""
    return ()


@dataclass(frozen=True)
class Attachments:
    """Where files stand in what one CLI sends."""

    in_messages: FindFiles = no_files
    """In the texts under the user's name that follow each other without an answer between them."""
    in_result: FindFiles = no_files
    """In the text of a tool result, behind what the tool returned."""
