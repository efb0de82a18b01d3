"""Text of others as text: nothing in a file's, a model's or a tool's words acts on a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

LINE_BREAKS_AND_TURNS = frozenset(
    "\u2028\u2029\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Not control characters by Unicode, but they break a line or turn the direction of writing."""


def controls(text: str) -> Iterator[str]:
    """The characters of a text that act and do not show, but for LF and tab."""
    for character in text:
        if character in LINE_BREAKS_AND_TURNS or (
            unicodedata.category(character) == "Cc" and character not in "\n\t"
        ):
            yield character


def inert(text: str, keep: str = "") -> str:
    """The text with every character that is not simply seen shown as its escape.

    That is control characters, invisible ones and those that turn the direction of writing. `keep`
    holds characters to leave alone: LF and tab, where a text has several lines.
    """
    return "".join(c if c.isprintable() or c in keep else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
