"""A model call and its answer, with the protocol taken off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue


@dataclass(frozen=True)
class ToolResult:
    """What a tool gave back, as the model is given it."""

    text: str
    is_error: bool = False
    """Always False in a protocol that does not tell."""


@dataclass(frozen=True)
class Conversation:
    """What one request holds."""

    tools: frozenset[str]
    """Names of the tools offered."""
    user_texts: tuple[str, ...]
    """Texts of user messages, tool results left out."""
    calls: tuple[str, ...]
    """Keys of the tool calls in the assistant's turns, in order."""
    results: Mapping[str, ToolResult]
    """By the key of the call they answer."""
    wants_json: bool = False
    """The request asks for structured output."""


@dataclass(frozen=True)
class ToolUse:
    """One tool call of an answer."""

    key: str
    """24 letters and digits; the protocol puts its own prefix before it."""
    tool: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True)
class Reply:
    """One answer: text, or tool calls with or without text before them."""

    text: str
    calls: tuple[ToolUse, ...] = ()
