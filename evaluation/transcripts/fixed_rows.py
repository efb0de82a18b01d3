"""The rows of the built-in loop's own session (`fixed.session/1`): one JSON object a line.

    session.jsonl
    ├── FixedHead      the first line
    └── FixedRow …     in the order in which they happened, all threads in one file

Written by the loop, flushed after each row, so that a killed run leaves a readable prefix; read by
the transcript channel.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value

SESSION = "session.jsonl"
"""The file, in a run's native folder."""

Role = Literal["system", "user", "assistant", "tool"]


class FixedContext(Value):
    """How much the server's context holds, as it says itself."""

    tokens: int | None = None
    """Of input and answer together; None: it does not say."""
    told_by: str
    """Which field of which server, in words; or that none says."""


class FixedHead(Value):
    """What ran."""

    schema_: Annotated[Literal["fixed.session/1"], Field(alias="schema")] = "fixed.session/1"
    version: str
    """Of the loop."""
    model: str
    """As asked for."""
    context: FixedContext | None = None
    """As asked of the server before the first call."""


class FixedCall(Value):
    """A tool call as the model wrote it."""

    id: str
    name: str
    arguments: str
    """Raw: a model may write what is no JSON."""


class FixedUsage(Value):
    """Tokens of one answer, by the server's own count."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class FixedRow(Value):
    """One message of one thread, as it stood in that thread's conversation."""

    thread: str
    """`main`, or `sub-1`, `sub-2` … in the order of delegation."""
    parent: str | None = None
    """None for the main thread."""
    role: Role
    text: str
    """A tool row's is exactly what the model was given."""
    model: str | None = None
    """Who answered; assistant rows only."""
    calls: tuple[FixedCall, ...] | None = None
    """What an assistant row asked for."""
    result_of: str | None = None
    """The id of the call that a tool row answers."""
    name: str | None = None
    """The tool, in a tool row."""
    subagent: str | None = None
    """The thread that a call started, in its tool row."""
    usage: FixedUsage | None = None
