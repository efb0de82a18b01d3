"""Which lines a sentence of wrapped prose spans.

The evidence of a wording is the whole sentence that states it: planter and detector both take the
lines from here, so that a changed word at a line's end cannot make them differ by a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generators.lines import split_lines

HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
ITEM = re.compile(r"\s*(?:[-*+]|\([a-z]{1,4}\)|[a-z]\.|[ivx]{1,4}\.)\s+\S")
TABLE = re.compile(r"\s*\|")
END = re.compile(r"[.?!][\"'”\u2019)*]*(\s+)(?=[\"'“\u2018(*\[]*[A-Z0-9])")
ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“])(?:[A-Z]|No|Nos|Inc|Ltd|Co|Corp|Art|Sec|Cl|cf|e\.g|i\.e|Mr|Ms|Mrs|Dr|St|v|U\.S)$"
)
NUMBERING = re.compile(r"(?:\*\*)?\d+(?:\.\d+)*$")


@dataclass(frozen=True)
class Sentence:
    """One sentence, a heading or one row of a table."""

    text: str
    """On one line, with single spaces."""
    first: int
    """Its first line, counted from 1."""
    last: int
    """Its last line."""
    heading: str = ""
    """The text of the heading above it, without its marks."""
    level: int = 0
    """1 to 6 for a heading, 0 for anything else."""


@dataclass(frozen=True)
class _Block:
    """Lines that hold one paragraph, item, row or heading."""

    first: int
    lines: tuple[str, ...]


def _blocks(text: str) -> Iterator[_Block]:
    held: list[str] = []
    start = 0
    for number, line in enumerate(split_lines(text), start=1):
        alone = HEADING.match(line) or TABLE.match(line)
        if held and (not line.strip() or alone or ITEM.match(line)):
            yield _Block(start, tuple(held))
            held = []
        if alone:
            yield _Block(number, (line,))
        elif line.strip():
            start = start if held else number
            held.append(line)
    if held:
        yield _Block(start, tuple(held))


def _cuts(joined: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence in the joined text of a block."""
    start = 0
    for match in END.finditer(joined):
        before = joined[start : match.start()]
        if ABBREVIATION.search(before) or NUMBERING.match(before.strip()):
            continue
        yield start, match.start(1)
        start = match.end(1)
    if start < len(joined):
        yield start, len(joined)


def sentences(text: str) -> tuple[Sentence, ...]:
    """Every sentence of a Markdown text, in order, with the heading it stands under."""
    found: list[Sentence] = []
    heading = ""
    for block in _blocks(text):
        mark = HEADING.match(block.lines[0])
        if mark:
            heading = mark.group(2)
            found.append(Sentence(heading, block.first, block.first, heading, len(mark.group(1))))
            continue
        joined = "\n".join(block.lines)
        for start, end in _cuts(joined):
            first = block.first + joined.count("\n", 0, start)
            last = block.first + joined.count("\n", 0, end)
            found.append(Sentence(" ".join(joined[start:end].split()), first, last, heading))
    return tuple(found)
