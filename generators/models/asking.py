"""What is asked of a model and what comes back, whoever serves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Protocol

from pydantic import Field, JsonValue

from authoring.artefacts import Value
from authoring.errors import InfrastructureError


class ModelRequest(Value):
    """One call. All that could change the answer is in it."""

    model: str
    system: str
    prompt: str
    most_tokens: Annotated[int, Field(ge=1)]
    """Of the answer."""
    shape: Mapping[str, JsonValue]
    """JSON Schema of an object: the answer is one of these, and nothing beside it."""


class Usage(Value):
    """What a call took."""

    input_tokens: Annotated[int, Field(ge=0)]
    output_tokens: Annotated[int, Field(ge=0)]


class ModelAnswer(Value):
    """What a model gave."""

    model: str
    """Who answered, in the server's words."""
    content: Mapping[str, JsonValue]
    """In the shape asked for; whoever asked holds it against that."""
    usage: Usage | None
    """None: the server told none, which is not 0."""


class ModelError(InfrastructureError):
    """A model could not be asked, or did not answer as asked."""


class ModelClient(Protocol):
    """Asks a model. Raises ModelError where it cannot be asked or answers in another way."""

    def ask(self, request: ModelRequest) -> ModelAnswer: ...
