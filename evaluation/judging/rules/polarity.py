"""What a cell of a table, or the mark of an entry, says of reading: done, in part, not done.

Prevents a row with a cross, "0 %", "none" or nothing beside a file being taken for a review of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from evaluation.judging.rules.words import Word

Polarity = Literal["read", "part", "unread"]

_SIGNS = frozenset(
    ("SIGN", "DASH", "OPEN", "CLOSE", "COMMA", "DET", "PLAIN", "HAVE", "BEEN", "WAS")
)
_DENIES = frozenset(("NO", "NOT", "NOPE", "NEVER", "SKIPPED", "NOTHING"))
_PART = frozenset(("PARTLY", "GLANCE", "ONLY", "HALF", "FIRST"))
_AFFIRMS = frozenset(("YES", "READ", "FULLY", "WHOLE", "DONE", "ME", "EVERY", "WEAK"))
_LEFT = frozenset((
    "pending", "open", "todo", "to-do", "tbd", "later", "skipped", "deferred", "unread",
    "unreviewed", "unopened", "untouched", "outstanding", "missing", "remaining", "nobody", "left",
    "excluded", "omitted", "planned", "queued", "next", "incomplete", "never", "upcoming",
))  # fmt: skip
_DONE = frozenset(
    ("done", "complete", "all", "me", "yes", "x", "agent", "files", "lines", "finished")
)
_CROSSES = frozenset("❌✗✘✖")
_TICKS = frozenset("✅✓✔☑")
_OPEN_BOXES = frozenset("☐🔲⬜⏳")


def polarity_of(cell: Sequence[Word]) -> Polarity | None:
    """What a cell under a head of reading says; an empty one, or a dash, says that it was not."""
    words = [word for word in cell if word.tag not in _SIGNS]
    if not words:
        return "unread"
    share = _share(words)
    if share is not None:
        return "unread" if share == 0 else "read" if share >= 1 else "part"
    tags, texts = {word.tag for word in words}, {word.text for word in words}
    if "NOT" in tags and tags & {"FULLY", "WHOLE", "EVERY"}:
        return "part"
    if tags & _DENIES or texts & _LEFT or (words[0].text, words[-1].text) == ("to", "do"):
        return "unread"
    if tags & _PART:
        return "part"
    known = all(
        word.tag in (*_AFFIRMS, "ADV", "LINE", "NUM") or word.text in _DONE for word in words
    )
    affirmed = bool(tags & _AFFIRMS) or bool(texts & _DONE)
    return "read" if known and affirmed else None


def _share(words: Sequence[Word]) -> float | None:
    """A share in figures: "53 %", "3/5", "0 of 120"."""
    tags = [word.tag for word in words]
    values = [word.value or 0 for word in words]
    if tags[:2] == ["NUM", "PCT"]:
        return values[0] / 100
    if len(tags) > 2 and tags[0] == tags[2] == "NUM" and tags[1] in ("SLASH", "OF"):
        return values[0] / values[2] if values[2] else None
    return None


def mark_of(text: str) -> Literal["ticked", "open", "crossed"] | None:
    """The box, tick or cross that a text opens with."""
    if text.startswith(("[x]", "[X]")) or text[:1] in _TICKS:
        return "ticked"
    if text.startswith(("[ ]", "[]")) or text[:1] in _OPEN_BOXES:
        return "open"
    return "crossed" if text[:1] in _CROSSES else None


def end_mark_of(text: str) -> Literal["ticked", "crossed"] | None:
    """The tick or cross that a text ends with."""
    last = text.rstrip(" \t.*_\ufe0f")[-1:]
    return "ticked" if last in _TICKS else "crossed" if last in _CROSSES else None
