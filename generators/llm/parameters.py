"""What a model is asked to write."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from authoring.artefacts import Value
from generators.models.prices import Dollars, Price
from generators.planters.patterns import Pattern

NUMBER = "{number}"


class DocumentOrder(Value):
    """Files of one kind."""

    kind: str
    """What sort of document it is; a needle's target names it."""
    path: Annotated[str, Field(min_length=1)]
    """Below the corpus; `{number}` stands for 01, 02 and so on."""
    count: Annotated[int, Field(ge=1, le=999)] = 1
    brief: str
    """What the file is, what it says and how long it is."""
    must_hold: tuple[Pattern, ...] = ()
    """Regular expressions of which each matches once: anchors of planters, facts that must agree.
    A file without them is asked for again."""

    @model_validator(mode="after")
    def _is_numbered(self) -> Self:
        if self.count > 1 and NUMBER not in self.path:
            raise ValueError(f"path holds no {NUMBER}, and count is {self.count}")
        return self


class LlmParameters(Value):
    """Which model, and what it is to write."""

    model: Annotated[str, Field(min_length=1)]
    """As the server calls it."""
    setting: str
    """The organisation, people, dates and figures that all files share."""
    documents: Annotated[tuple[DocumentOrder, ...], Field(min_length=1)]
    cache: Annotated[str, Field(min_length=1)]
    """The folder of the answers, from the folder of the spec. Keep it with the spec: a build is
    made from it alone, without a model."""
    most_tokens: Annotated[int, Field(ge=1)] = 8000
    """Of one file."""
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    """How often a file is asked for that does not hold what it must."""
    price: Price | None = None
    """US dollars a million tokens of `input` and `output`."""
    most_usd: Dollars | None = None
    """What all calls of one build may cost; it needs a price."""

    @model_validator(mode="after")
    def _cap_has_a_price(self) -> Self:
        if self.most_usd is not None and self.price is None:
            raise ValueError("most_usd needs a price: an unknown price is not 0")
        return self
