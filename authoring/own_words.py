"""Words of ours, which no agent may see: where it reads one, it knows that it is being measured."""

from __future__ import annotations

import re
from collections.abc import Mapping


def _spellings(word: str) -> str:
    """A word alone, in snake or kebab case, or as a part of a name in camel case."""
    title = word.title()
    return (
        rf"(?<![A-Za-z0-9])(?:{word}|{title})s?(?![a-z0-9])"
        rf"|(?<=[a-z0-9]){title}s?(?![a-z0-9])"
        rf"|(?<![A-Za-z0-9]){word.upper()}S?(?![A-Za-z0-9])"
    )


OURS: Mapping[str, re.Pattern[str]] = {
    "ocb": re.compile(_spellings("ocb")),
    "overclaim": re.compile("overclaim", re.IGNORECASE),
    "needle": re.compile(_spellings("needle")),
    "planted": re.compile(_spellings("planted")),
    "ablation": re.compile(_spellings("ablation")),
    "sim/": re.compile(r"(?<![A-Za-z0-9/._-])sim/"),
}
"""By what every writing of them holds in lower case."""


def own_words(text: str) -> tuple[str, ...]:
    """Every word of ours in a text."""
    small = text.casefold()
    return tuple(word for word, pattern in OURS.items() if word in small and pattern.search(text))
