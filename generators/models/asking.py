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


TokenCount = Annotated[int, Field(ge=0, le=1_000_000_000)]
"""Of one call, as a server tells it: beyond that it tells nonsense."""


class Usage(Value):
    """What a call took."""

    input_tokens: Annotated[int, Field(ge=0, le=3_000_000_000)]
    """With those read from and written to the server's own cache, which are counted apart."""
    output_tokens: TokenCount


class ModelAnswer(Value):
    """What a model gave."""

    model: str
    """Who answered, in the server's words."""
    content: Mapping[str, JsonValue]
    """In the shape asked for; whoever asked holds it against that."""
    usage: Usage | None
    """None: the server told none, which is not 0."""


class ModelError(InfrastructureError):
    """A model could not be asked, or did not answer as asked.

    `unserved`: the kind of fault, where no model answered at all and the next call is likely to
    meet the same: "status 401".
    """

    def __init__(self, message: str, *, unserved: str = "") -> None:
        self.unserved = unserved
        super().__init__(message)


class ModelClient(Protocol):
    """Asks a model. Raises ModelError where it cannot be asked or answers in another way."""

    def ask(self, request: ModelRequest) -> ModelAnswer: ...
