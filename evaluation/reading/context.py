"""What a channel says stood in each thread's context: the engine's input, whoever recorded it.

Both channels give a `ContextLog`: the wire (what was sent to the model) and the transcript (what
the CLI wrote down). What a CLI's tools add to file text is a `ToolTable` beside that CLI's parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from evaluation.reading.values import value

ThreadKind = Literal["main", "subagent", "unknown"]

MAIN = "main"
"""The name of the main thread in every channel."""
ATTACHED = "@attached"
"""Stands for the tool of a file that no tool returned: the user, or the CLI, attached it. Its
argument `path` names the file where that is known."""


@dataclass(frozen=True)
class Thread:
    """One agent's conversation."""

    id: str
    kind: ThreadKind
    parent: str | None = None
    prompt: str = ""
    """What the agent was asked: the user's task, or the parent's order."""


@value()
class ContextText:
    """One tool result (or attached file) that stood in the input of an accepted model call."""

    thread: str
    call: int
    """Which model call of the channel first held it, in the channel's order."""
    result_id: str
    """The tool call it answers."""
    tool: str
    arguments: Mapping[str, JsonValue]
    text: str
    visible: bool = False
    """Still in the input of the call that gave the final response, which is the main agent's."""
    doubtful: bool = False
    """The server may have shortened the input that it first stood in: upper end only."""
    inherited: bool = False
    """Copied into a fork from its parent: no reading by the fork, and nothing of its own."""


@dataclass(frozen=True)
class FinalResponse:
    """The last non-empty text of the main agent after its last tool result, or of a mixed turn."""

    text: str
    call: int


@dataclass(frozen=True)
class ContextLog:
    """One channel's account of a run."""

    threads: tuple[Thread, ...]
    texts: tuple[ContextText, ...]
    """In the order in which they entered."""
    final: FinalResponse | None
    models: Mapping[str, int] = field(default_factory=dict)
    """Models that answered the main thread, with the number of answers."""
    reports: Mapping[str, str] = field(default_factory=dict)
    """Last text of each sub-agent, by thread."""
    missing: tuple[str, ...] = ()
    """Evidence that is lost, in words. Not empty: coverage is not measurable."""
    tells_visibility: bool = False
    """Whether the channel knows what the last input held: the wire does, a session does not."""
    may_have_cleared: bool = False
    """The server was asked to clear old tool results: what is visible is so at the most."""
    offered: frozenset[str] | None = None
    """Tools that any call of the run offered; None where the channel does not tell."""
    refused: bool = False
    """The main agent's last answer was a refusal, by the protocol's stop reason."""
    shortened: int = 0
    """Calls whose input the server may have shortened."""
    root: str = ""
    """The corpus's folder as the agent saw it, absolute; empty where nobody knows. Without it the
    end of an absolute path tells which file it names."""
    folder: str = ""
    """Where the agent worked, absolute; empty where that was the root."""


Credit = Literal["sure", "possible", "none"]
"""What a tool's text is worth. `none`: a model wrote it; a sub-agent's report is no reading by its
parent. `possible`: a model may have written some of it, so it counts at the upper end only."""


@dataclass(frozen=True)
class ToolOutput:
    """What one tool of one CLI adds to the text of a file."""

    credit: Credit = "sure"
    path_argument: str | None = None
    """The argument that names the file."""
    number: re.Pattern[str] | None = None
    """Matches what stands before the text of each line; group `n` is the line's number."""
    path: re.Pattern[str] | None = None
    """Matches what stands before the text (and before `number`); group `path` is the file."""
    added: re.Pattern[str] | None = None
    """Matches what the tool puts around file text: heads, footers, notes. It is taken out first."""
    added_holds: str = ""
    """Stands in all that `added` matches: without it, none is looked for."""
    doubted: re.Pattern[str] | None = None
    """Found in the arguments of a call that may give back what a model wrote: upper end only."""
    escaped: re.Pattern[str] | None = None
    """Finds file text inside of JSON, as the group `text`, with its line feeds written as `\\n`."""
    heading: re.Pattern[str] | None = None
    """Matches a whole line that names the file of the lines below it, as the group `path`."""


ToolTable = Mapping[str, ToolOutput]
"""By the tool's name."""

UNKNOWN_TOOL = ToolOutput(credit="possible")
"""A tool that is in no table: nobody vouches that its text is a file's."""
