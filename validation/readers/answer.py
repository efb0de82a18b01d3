"""The one shape of a reader's answer. Any other is no answer, and never an empty one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from authoring.artefacts import Value
from generators.models.asking import ModelAnswer, ModelClient, ModelError, ModelRequest
from validation.readers.metering import Meter

MOST_LINE = 10_000_000
MOST_FINDINGS = 50
"""Of one sample: whoever reports more of a few files names everything."""
LONGEST_DEFECT = 1000
LONGEST_PATH = 500
"""Characters. What is matched costs time by its length, and a model decides on that."""

SHAPE: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "findings": {
            "type": "array",
            "description": f"At most {MOST_FINDINGS}.",
            "items": {
                "type": "object",
                "properties": {
                    "file": {"type": "string", "description": "The path, as it is given."},
                    "line": {
                        "type": "integer",
                        "description": "The first line that shows the defect, from 1.",
                    },
                    "defect": {
                        "type": "string",
                        "description": f"What is wrong there; at most {LONGEST_DEFECT} characters.",
                    },
                },
                "required": ["file", "line", "defect"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["findings"],
    "additionalProperties": False,
}
"""Of a `ReaderAnswer`. Written out, so that what was asked once is the same request for ever.

The limits are told in words: not every server takes a schema that has them.
"""


class ReaderFinding(Value):
    """One defect, as a reader tells it."""

    file: Annotated[str, Field(max_length=LONGEST_PATH)]
    line: Annotated[int, Field(ge=1, le=MOST_LINE)]
    defect: Annotated[str, Field(min_length=1, max_length=LONGEST_DEFECT)]


class ReaderAnswer(Value):
    """All that a reader reports of one sample."""

    findings: Annotated[list[ReaderFinding], Field(max_length=MOST_FINDINGS)]


def read_answer(answer: ModelAnswer) -> ReaderAnswer:
    """The answer of a model as a value. Raises ModelError where it has another shape."""
    try:
        return ReaderAnswer.model_validate(dict(answer.content), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ModelError(f"the answer is not in the shape asked for: {key}: {first['msg']}") from (
            error
        )


class ShapedClient:
    """Lets only answers of that shape through: what a cache keeps is an answer."""

    def __init__(self, client: ModelClient, meter: Meter) -> None:
        self._client = client
        self._meter = meter

    def ask(self, request: ModelRequest) -> ModelAnswer:
        answer = self._client.ask(request)
        read_answer(answer)
        self._meter.accept()
        return answer
