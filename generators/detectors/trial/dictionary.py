"""The data dictionary: one thing under the names that the forms of different sites give it."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from functools import cache

import yaml

from authoring.artefacts import Value

Names = Mapping[str, tuple[str, ...]]
"""From the name used inside to all names in use; the first of them is no better than the others."""


class Dictionary(Value):
    """The names of `dictionary.yaml`, by what they name."""

    sections: Names
    fields: Names
    tests: Names
    units: Names
    answers: Names
    actions: Names
    columns: Names
    staff_columns: Names

    def canonical(self, what: str) -> Mapping[str, str]:
        """From any name, in lower case, to the one used inside. `what`: a key of this value."""
        names: Names = getattr(self, what)
        return {other.casefold(): name for name, others in names.items() for other in others}


@cache
def read_dictionary() -> Dictionary:
    """The dictionary that ships beside this module."""
    source = importlib.resources.files("generators.detectors.trial") / "dictionary.yaml"
    return Dictionary.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))


@cache
def canonical(what: str) -> Mapping[str, str]:
    """From any name of the shipped dictionary to the one used inside."""
    return read_dictionary().canonical(what)
