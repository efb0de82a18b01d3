"""Which vendor's client a name such as `anthropic:claude-sonnet-4-5` asks for.

An SDK takes a second to load, so it is loaded when the first question is asked, and not by
`ocb --help`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import NamedTuple

from authoring.errors import UserError, nearest
from generators.models.asking import ModelClient
from generators.models.deadline import SECONDS

MODULES = {"anthropic": "generators.models.anthropic", "openai": "generators.models.openai"}
"""Each has a `connect(environment, seconds)`."""


class ModelName(NamedTuple):
    """A model, and who serves it."""

    vendor: str
    model: str
    """As the server calls it."""

    def __str__(self) -> str:
        return f"{self.vendor}:{self.model}"


def parse_model_name(text: str) -> ModelName:
    """`vendor:model`. Raises UserError where the vendor is not known or no model is named."""
    vendor, colon, model = text.partition(":")
    if vendor not in MODULES:
        known = [f"{name}:<model>" for name in sorted(MODULES)]
        remedy = nearest(vendor, MODULES) if colon else f"valid: {', '.join(known)}"
        raise UserError(f"no model {text!r} is known", remedy=remedy)
    if not model.strip():
        raise UserError(f"{text!r} names no model", remedy=f"say {vendor}:<model>")
    return ModelName(vendor, model.strip())


def connect(
    name: ModelName, environment: Mapping[str, str], seconds: float = SECONDS
) -> ModelClient:
    """A client with the key and the address that the environment names for this vendor.

    Raises UserError where there is no key.
    """
    client: ModelClient = importlib.import_module(MODULES[name.vendor]).connect(
        environment, seconds
    )
    return client
