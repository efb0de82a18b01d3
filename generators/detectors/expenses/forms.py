"""The words by which forms, invoices and card statements are recognised, as typed values.

A reader needs all of them, a drafter draws one of each: so they stand beside the readers.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from functools import cache

import yaml

from authoring.artefacts import Value

Words = tuple[str, ...]


class StatementWords(Value):
    """How banks write the statements of card accounts."""

    delimiters: Words
    marks: Words
    """Of decimals."""
    titles: Words
    units: Words
    months: Words
    totals: Words
    columns: Mapping[str, Words]


class Forms(Value):
    """`forms.yaml`."""

    titles: Words
    fields: Mapping[str, Words]
    headings: Mapping[str, Words]
    columns: Mapping[str, Words]
    per_diem: Mapping[str, Words]
    summary: Mapping[str, Words]
    sums: Mapping[str, Words]
    vat: Mapping[str, Words]
    sign_off: Mapping[str, Words]
    keys: Mapping[str, Words]
    statements: StatementWords


@cache
def read_forms() -> Forms:
    """The words that ship beside this module."""
    source = importlib.resources.files("generators.detectors.expenses") / "forms.yaml"
    return Forms.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))
