"""Fields of ATIF documents, whoever wrote them and whatever stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import orjson
from pydantic import JsonValue, TypeAdapter, ValidationError

from evaluation.transcripts.json_lines import Object
from evaluation.transcripts.trajectory import Agent, Metrics, ToolCall, located, tool_call

T = TypeVar("T")


def agent_of(document: Object) -> Agent:
    """Who acted."""
    found = document.get("agent")
    agent = found if isinstance(found, dict) else {}
    extra = agent.get("extra")
    return Agent(
        name=text_of(agent, "name") or "unknown",
        version=text_of(agent, "version") or "unknown",
        model_name=text_of(agent, "model_name") or None,
        extra=located(text_of(extra, "cwd") if isinstance(extra, dict) else ""),
    )


def calls_of(step: Object) -> Iterator[ToolCall]:
    """The calls of a step."""
    for place, value in enumerate(objects(step.get("tool_calls")), start=1):
        arguments = value.get("arguments")
        if isinstance(arguments, str):
            arguments = _loaded(arguments)
        identity = text_of(value, "tool_call_id") or f"call {place}"
        yield tool_call(identity, text_of(value, "function_name"), arguments)


def _loaded(text: str) -> JsonValue:
    try:
        value: JsonValue = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return value


def metrics_of(value: JsonValue) -> Metrics | None:
    """Tokens of a step."""
    if not isinstance(value, dict):
        return None
    asked, written = value.get("prompt_tokens"), value.get("completion_tokens")
    return Metrics(
        prompt_tokens=asked if isinstance(asked, int) else None,
        completion_tokens=written if isinstance(written, int) else None,
    )


def own_extra(kind: TypeAdapter[T], extra: JsonValue) -> T | None:
    """An `extra` that this program wrote itself; None of any other."""
    if not isinstance(extra, dict):
        return None
    try:
        return kind.validate_python(extra)
    except ValidationError:
        return None


def text_in(content: JsonValue) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(text_of(part, "text") for part in objects(content) if "text" in part)


def text_of(value: Object, key: str) -> str:
    """A text field; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def objects(value: JsonValue) -> list[Object]:
    """The objects of a list, or a single one; of anything else, none."""
    if isinstance(value, dict):
        return [value]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
