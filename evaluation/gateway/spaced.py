"""Texts compared whatever their white space: clients indent and wrap what they pass on."""

from __future__ import annotations

LOOKED_AT = 1 << 20
"""Characters of what the user said, and of a prompt, that are looked at."""

MOST_PLACES = 1000
"""At which a text is looked for whole; another may be made of its beginnings."""


def spaced(text: str) -> str:
    """With single spaces."""
    return " ".join(text.split())


def stands_in(told: str, said: str, places: int | None = None) -> bool:
    """Whether a text stands in another whole: not as the beginning or end of longer words. It is
    looked for at so many places."""
    at = said.find(told)
    for _ in range(MOST_PLACES if places is None else places):
        if at < 0:
            return False
        end = at + len(told)
        cut = said[max(at - 1, 0) : at + 1], said[end - 1 : end + 1]
        if not any(len(pair) == 2 and pair.isalnum() for pair in cut):
            return True
        at = said.find(told, at + 1)
    return False
