"""Every protocol that the gateway speaks, by its name on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from evaluation.gateway import anthropic, openai_chat
from evaluation.gateway.messages import WireFormat
from evaluation.gateway.wire import Protocol

PROTOCOLS: Mapping[Protocol, WireFormat] = MappingProxyType(
    {"anthropic": anthropic.FORMAT, "openai-chat": openai_chat.FORMAT}
)
