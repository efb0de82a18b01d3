"""Text of others as text: nothing in a file's, a model's or a tool's words acts on a terminal."""

from __future__ import annotations


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
