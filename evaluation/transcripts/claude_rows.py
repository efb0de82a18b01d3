"""The rows of Claude Code's files, and their fields, whatever stands in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from evaluation.transcripts.json_lines import read_lines

Row = dict[str, JsonValue]

BEGINNING = '{"parentUuid":'
"""Of every row that says what entered, so that one is found behind another that was torn."""


@dataclass
class RowCount:
    """Rows while files are read."""

    rows: int = 0
    unreadable: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    """Of kinds that the reader does not know, by kind."""


def rows_of(path: Path, count: RowCount) -> Iterator[Row]:
    """The rows of a file in its order. Raises UserError where it cannot be read."""
    for line in read_lines(path, BEGINNING):
        count.rows += 1
        if not line.whole:
            count.unreadable += 1
        for row in line.rows:  # noqa: UP028 - there is one, as a rule, for which that is faster
            yield row


def kind_of(value: JsonValue) -> str:
    """What a row, a block or an attachment says it is."""
    found = value.get("type") if isinstance(value, dict) else None
    return found if isinstance(found, str) and found else "without a type"


def text_of(value: JsonValue, key: str) -> str:
    """A text field; empty where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def object_of(value: JsonValue, key: str) -> Row:
    """An object field; empty where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def list_of(value: JsonValue, key: str) -> list[JsonValue]:
    """A list field; empty where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def texts_in(value: Iterable[JsonValue]) -> frozenset[str]:
    """The texts of a list, whatever else it holds."""
    return frozenset(item for item in value if isinstance(item, str))
