"""Fields of JSON that others wrote: what has another shape than expected reads as absent.

Prevents a false result: a tool result cut in the middle of an emoji holds half a surrogate pair,
which strict parsers refuse; the whole request would then count as unreadable.
"""

from __future__ import annotations

import json
from functools import cached_property

import orjson
from pydantic import JsonValue

MOST = 1 << 40
"""Of anything that is counted. A greater number is none, and could not be written as JSON."""


MOST_VALUES = 1 << 23
"""Of a JSON text that is parsed: about as many would take half a gigabyte. A text of 64 MB could
hold some thirty million; prose, code and tables of that size hold far fewer marks."""


class Document(str):
    """A JSON text that is parsed once, however often it is read."""

    plain: str
    """The text itself: parsers take no subclass."""

    @classmethod
    def of(cls, text: str) -> Document:
        """From its text."""
        document = cls(text)
        document.plain = text
        return document

    @cached_property
    def value(self) -> JsonValue:
        """What it says; None where it is no JSON."""
        return _parse(self.plain)


def load(text: str) -> JsonValue:
    """The value of a JSON text; None where it is torn, no JSON, or too deep or too much to be a
    message."""
    return text.value if isinstance(text, Document) else _parse(text)


def _parse(text: str) -> JsonValue:
    if len(text) > MOST_VALUES and sum(map(text.count, ",[{")) > MOST_VALUES:
        return None
    try:
        value: JsonValue = orjson.loads(text)
    except ValueError:
        return _load_with_halves(text)
    return value


def _load_with_halves(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
        return _mended(value)
    except (ValueError, RecursionError):
        return None


def _mended(value: JsonValue) -> JsonValue:
    """Half surrogate pairs replaced, so that every text can be written again."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_mended(item) for item in value]
        case dict():
            return {str(_mended(key)): _mended(item) for key, item in value.items()}
        case _:
            return value


def field(value: JsonValue, key: str) -> JsonValue:
    """A field of an object, of any kind."""
    return value.get(key) if isinstance(value, dict) else None


def text_field(value: JsonValue, key: str) -> str:
    """A text field; empty where there is none."""
    found = field(value, key)
    return found if isinstance(found, str) else ""


def list_field(value: JsonValue, key: str) -> list[JsonValue]:
    """A list field; empty where there is none."""
    found = field(value, key)
    return found if isinstance(found, list) else []


def object_field(value: JsonValue, key: str) -> dict[str, JsonValue]:
    """An object field; empty where there is none."""
    found = field(value, key)
    return found if isinstance(found, dict) else {}


def count_field(value: JsonValue, key: str) -> int | None:
    """A field that counts something; none where it counts more than there can be."""
    found = field(value, key)
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= MOST:
        return None
    return found


def joined_text(content: JsonValue) -> str:
    """The text of a message's content: a string, or the text blocks of a list joined with LF."""
    return "\n".join(texts_of(content))


def texts_of(content: JsonValue) -> tuple[str, ...]:
    """The texts of a message's content: a string, or those of a list's text blocks."""
    if isinstance(content, str):
        return (content,)
    blocks = content if isinstance(content, list) else ()
    return tuple(text_field(one, "text") for one in blocks if text_field(one, "type") == "text")


def larger_counts(one: JsonValue, other: JsonValue) -> JsonValue:
    """Two objects of counts as one: of each count the larger, of anything else the later. Counts
    may stand in objects in them."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return one if other is None else other
    kept = {**one, **other}
    for key in one.keys() & other.keys():
        before, after = one[key], other[key]
        if isinstance(before, dict) and isinstance(after, dict):
            kept[key] = {**before, **after, **_larger(before, after)}
    return {**kept, **_larger(one, other)}


def _larger(one: dict[str, JsonValue], other: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Of each count that one of two objects has, the larger."""
    larger: dict[str, JsonValue] = {}
    for key in one.keys() | other.keys():
        counts = [count for part in (one, other) if (count := count_field(part, key)) is not None]
        if counts:
            larger[key] = max(counts)
    return larger
