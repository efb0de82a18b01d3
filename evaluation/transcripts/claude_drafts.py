"""Steps of a Claude Code thread while its rows are gathered: an answer's blocks have their own."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import JsonValue

from evaluation.transcripts.trajectory import Metrics, ResultStatus, Source, ToolCall

SYNTHETIC = "<synthetic>"
PROMPT_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(slots=True)
class Result:
    """One result, as it came."""

    place: int
    """Of its row in the session."""
    uuid: str
    call: str
    text: str
    status: ResultStatus
    agent: str
    """The sub-agent that it is of."""
    after: int
    """Answers before it."""
    cleared: bool = False
    unseen: bool = False
    """Only a summariser was given it."""


@dataclass(slots=True)
class File:
    """Text of a file that came without a call."""

    place: int
    uuid: str
    path: str
    text: str
    cleared: bool = False


@dataclass(slots=True)
class Draft:
    """One step."""

    source: Source
    time: str | None
    order: int | None
    model: str | None = None
    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    file: File | None = None
    usage: Metrics | None = None
    request: str = ""
    """The model call that an answer is of, where that is known."""
    uuid: str = ""
    """Of its last row."""

    @property
    def message(self) -> str:
        """All that was said."""
        texts = self.texts
        return texts[0] if len(texts) == 1 else "\n".join(texts)


def model_of(row: dict[str, JsonValue], message: dict[str, JsonValue]) -> str | None:
    """The model that answered; None for rows that no model wrote."""
    model = message.get("model")
    if not isinstance(model, str) or model == SYNTHETIC or row.get("isApiErrorMessage") is True:
        return None
    return model


def usage_of(usage: JsonValue) -> Metrics | None:
    """Tokens, as the protocol counts them."""
    if not isinstance(usage, dict):
        return None
    prompt: int | None = None
    for part in PROMPT_TOKENS:
        value = usage.get(part)
        if isinstance(value, int):
            prompt = value + (prompt or 0)
    output = usage.get("output_tokens")
    return Metrics(
        prompt_tokens=prompt, completion_tokens=output if isinstance(output, int) else None
    )
