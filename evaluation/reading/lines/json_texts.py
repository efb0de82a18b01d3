"""Text inside of JSON: what a server's tool gives back, `jq -Rs .`, a script's `json.dumps`."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from generators.lines import CorpusIndex

STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)("|\\?$)', re.MULTILINE)
"""A string, also one whose end was cut off."""
BREAK = "\\n"
FILES = (".json", ".jsonl", ".ndjson", ".ipynb")
ESCAPE = re.compile(r"(\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}))|\\(?:u[0-9a-fA-F]{0,3}\Z)?")
"""An escape of JSON, or what is left of one where the text was cut."""


def own_strings(index: CorpusIndex) -> frozenset[str]:
    """Strings of several lines that files of the corpus hold themselves."""
    return frozenset(
        match[1]
        for path in index.files
        if path.endswith(FILES)
        for match in STRING.finditer(index.text(path))
        if BREAK in match[1]
    )


def texts_within(line: str, index: CorpusIndex) -> Iterator[str]:
    """The texts of several lines that a line holds, escaped; but for those of the corpus's JSON."""
    for match in STRING.finditer(line):
        if BREAK in match[1] and match[1] not in index.kept(own_strings):
            plain = unescaped(match[1])
            if plain:
                yield plain


class OwnTexts:
    """What a pattern finds inside of JSON in the corpus itself."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._found: dict[re.Pattern[str], Sequence[str]] = {}

    def begins_one(self, text: str, pattern: re.Pattern[str]) -> bool:
        """Whether one of them begins with a text, which may have been cut off."""
        if pattern not in self._found:
            lines = self._index.places
            found = {match["text"] for line in lines for match in pattern.finditer(line)}
            self._found[pattern] = sorted(found)
        known = self._found[pattern]
        place = bisect_left(known, text)
        return bool(text) and place < len(known) and known[place].startswith(text)


def unescaped(text: str) -> str:
    """A text as it stood before it was written into JSON; empty where it is none.

    Its end or middle may be gone, in the midst of an escape.
    """
    for written in (text, ESCAPE.sub(lambda escape: escape[1] or "", text)):
        try:
            return str(json.loads(f'"{written}"', strict=False))
        except ValueError:
            continue
    return ""
