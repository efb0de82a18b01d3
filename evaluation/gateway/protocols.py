"""Every protocol that the gateway speaks, by its name on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from evaluation.gateway import anthropic, gemini, openai_chat, openai_responses
from evaluation.gateway.messages import WireFormat
from evaluation.gateway.wire import Protocol

PROTOCOLS: Mapping[Protocol, WireFormat] = MappingProxyType(
    {
        "anthropic": anthropic.FORMAT,
        "openai-chat": openai_chat.FORMAT,
        "openai-responses": openai_responses.FORMAT,
        "gemini": gemini.FORMAT,
    }
)
