"""What one model call says, in whichever protocol: messages, tool calls, tool results.

Small values that every protocol file gives, so that whoever reads a wire knows no protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from evaluation.gateway.calls import Call
from evaluation.gateway.wire import Protocol

Role = Literal["user", "assistant", "system"]


@dataclass(frozen=True)
class ToolUse:
    """A tool call that a model made."""

    id: str
    name: str
    arguments: dict[str, JsonValue]
    """Empty where they were torn off or are no object."""


@dataclass(frozen=True)
class ToolResult:
    """What came back to the model for one tool call."""

    id: str
    """The tool call it answers."""
    text: str
    """Text blocks, joined with LF."""
    is_error: bool


@dataclass(frozen=True)
class Message:
    """One message of a request."""

    role: Role
    text: str
    """Text blocks, joined with LF."""
    uses: tuple[ToolUse, ...] = ()
    results: tuple[ToolResult, ...] = ()
    blocks: tuple[str, ...] = field(default=(), compare=False)
    """The blocks of the text, where there are several."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The text, block by block."""
        return self.blocks or ((self.text,) if self.text else ())


UNKNOWN = Message("system", "")
"""In the place of a message of a role that is not known here."""


@dataclass(frozen=True)
class RequestBody:
    """The part of a request that a reader needs."""

    model: str
    messages: tuple[Message, ...]
    """One for each that was sent; one of a role that is not known here is empty."""
    tools: tuple[str, ...]
    """Names of the tools that were offered."""
    stream: bool
    max_tokens: int | None = None
    """The most it lets the model answer; None where it does not say."""
    shortens: bool = False
    """It lets the server drop what does not fit (`truncation: auto`)."""
    clears: bool = False
    """It asks the server to clear old tool results."""


@dataclass(frozen=True)
class ResponseBody:
    """The part of an answer that a reader needs."""

    model: str
    text: str
    """Text blocks, joined with LF."""
    uses: tuple[ToolUse, ...]
    stop: str
    """Why the model stopped, in the protocol's word; empty where it never said."""
    events: int
    """Events of the answer itself, keep-alives and errors not counted; 1 for plain JSON."""
    input_tokens: int | None
    """Cached input included. None where the server did not say."""
    output_tokens: int | None
    error: str
    """What the server said went wrong; empty where nothing did."""
    whole: bool
    """Whether the answer came to its end: a stop reason or the protocol's end mark was seen."""
    refused: bool = False
    """The stop reason says that the model, or a filter, refused."""
    cached_tokens: int = 0
    """Of the input: read from a cache."""
    cache_written: int = 0
    """Of the input: written to a cache."""
    edited: bool = False
    """The server says that it changed the input: cleared or cut something."""


@dataclass(frozen=True)
class WireFormat:
    """One protocol, as functions that never raise on what others wrote."""

    name: Protocol
    calls: tuple[Call, ...]
    """All that is passed on."""
    is_generation: Callable[[str, str], bool]
    """Whether method and path ask for an answer of the model."""
    read_request: Callable[[str, int], RequestBody | None]
    """The body, so many leading messages left out: a reader looks at new ones only."""
    read_messages: Callable[[str], tuple[JsonValue, ...]]
    """The messages of a request as they were sent, to be compared."""
    read_response: Callable[[str], ResponseBody | None]
    error_body: Callable[[int, str], bytes]
    """An error of this status in the shape that this protocol's clients expect."""
    model_in_path: Callable[[str], str] | None = None
    """The model that a call asks for, where its body does not name it."""
    without_text: Callable[[str], str] | None = None
    """A streamed answer less the pieces of its text: all else reads the same, and much faster."""
