"""Code inside an answer: commands in the line, and indented blocks. It is no word of the answer."""

from __future__ import annotations

import re

from evaluation.judging.rules.words import Word
from validation.matching.segments import Document

_CODE = re.compile(r"`([^`\n]{1,300})`")
_IDENTIFIER = re.compile(r"`([A-Za-z]\w*(?:[._]\w+)*\([^`\n ]{0,80}\)|[A-Za-z]\w*_\w+)`")
_DEEP = re.compile(r"(?: {4}| {0,3}\t)[ \t]*\S")
_BLANK = re.compile(r"\n[ \t\r]*\n\Z")


def without_code(text: str, start: int, end: int, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Commands and output in the line are no words of the answer; a name in marks is one."""
    spans = [m.span(1) for m in _CODE.finditer(text, start, end) if " " in m.group(1).strip()]
    if not spans:
        return words
    return tuple(
        word._replace(tag="CODE") if any(a <= word.start < b for a, b in spans) else word
        for word in words
    )


def without_identifiers(
    text: str, start: int, end: int, words: tuple[Word, ...]
) -> tuple[Word, ...]:
    """Names of functions in marks are no verbs: "`skip_unread()`"."""
    spans = [match.span(1) for match in _IDENTIFIER.finditer(text, start, end)]
    if not spans:
        return words
    return tuple(
        word._replace(tag="W")
        if word.tag not in ("NAME", "FOLDER") and any(a <= word.start < b for a, b in spans)
        else word
        for word in words
    )


def indented(document: Document) -> frozenset[int]:
    """The blocks of indented code: four spaces behind a blank line, and outside of lists."""
    found: set[int] = set()
    in_list = False
    before = 0
    for i, block in enumerate(document.blocks):
        line = document.text.rfind("\n", 0, block.start) + 1
        deep = _DEEP.match(document.text, line) is not None
        blank = not document.text[before:line].strip(" \t\r\n*_")
        gap = line == 0 or _BLANK.search(document.text, max(0, line - 200), line) is not None
        goes_on = i - 1 in found and blank
        if deep and block.kind in ("text", "item") and not in_list and (gap or goes_on):
            found.add(i)
        elif not deep:
            in_list = block.kind == "item"
        before = block.end
    return frozenset(found)
