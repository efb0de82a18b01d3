"""From rendered clauses to the lines of a contract: numbering, wrapping, tables left as they are.

A template writes a paragraph, an item (`- `) or a table row on lines of its own, with blank lines
between paragraphs; `## ` begins a titled part of a clause. Here they get their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from generators.contracts.style import Style
from generators.lines import is_weighty
from generators.planters.wrapping import wrap

LOWER_START = re.compile(r"(^|[.?!][\"”)]?\s+)([a-z])")
SPACE_BEFORE = re.compile(r" ([,;.:])(?=\s|$)")
ABBREVIATED = re.compile(r"(?:Inc|Corp|Ltd|L\.P|No|St|a\.m|p\.m)\.\s+$")


@dataclass(frozen=True)
class Block:
    """One paragraph, item, heading or table."""

    kind: Literal["paragraph", "item", "heading", "table"]
    text: str
    """On one line; the rows of a table on lines of their own."""


def parse_blocks(source: str) -> tuple[Block, ...]:
    """The blocks of a rendered template."""
    blocks: list[Block] = []
    held: list[str] = []

    def close() -> None:
        text = SPACE_BEFORE.sub(r"\1", " ".join(" ".join(held).split()))
        held.clear()
        if text.startswith("- "):
            blocks.append(Block("item", text[2:]))
        elif text:
            blocks.append(Block("paragraph", capitalised(text)))

    for line in source.split("\n"):
        stripped = line.strip()
        if stripped.startswith("|"):
            close()
            row = re.sub(r"\s+", " ", stripped)
            if blocks and blocks[-1].kind == "table":
                row = f"{blocks.pop().text}\n{row}"
            blocks.append(Block("table", row))
        elif stripped.startswith("#"):
            close()
            blocks.append(Block("heading", stripped.lstrip("# ")))
        elif not stripped or stripped.startswith("- "):
            close()
            held.append(stripped)
        else:
            held.append(stripped)
    close()
    return tuple(blocks)


def capitalised(text: str) -> str:
    """A paragraph whose sentences begin with a capital, whatever alternative began them."""

    def raised(match: re.Match[str]) -> str:
        if ABBREVIATED.search(text[: match.start(2)]):
            return match.group()
        return match.group(1) + match.group(2).upper()

    return LOWER_START.sub(raised, text)


NARROWER = range(10)
"""By how many columns a paragraph may be set narrower than the rest of its file."""


class Compositor:
    """Breaks the paragraphs of one file into lines.

    Prevents lines that stand in two files, which a reader of one of them cannot be told to have
    read: a paragraph of which a line stands elsewhere is broken a few columns earlier.
    """

    def __init__(self, style: Style, used: AbstractSet[str] = frozenset()) -> None:
        self.style = style
        self._used = used
        self._own: set[str] = set()

    def wrapped(self, text: str, mark: str = "") -> list[str]:
        """The lines of a paragraph or an item, with what stands before it."""
        hang = "" if not mark or mark[0].isdigit() else " " * len(mark)
        best: list[str] = []
        least = 0
        for less in NARROWER:
            width = self.style.width - less
            lines = wrap(mark + text, width=width, first_indent="", indent=hang)
            again = sum(self._stands(line) for line in lines)
            if not best or again < least:
                best, least = lines, again
            if not again or len(lines) == 1:
                break
        self._own.update(best)
        return best

    def _stands(self, line: str) -> bool:
        return (line in self._used or line in self._own) and is_weighty(line)


@dataclass(frozen=True)
class Clause:
    """One section: its place in the outline, and what it says."""

    number: int
    title: str
    source: str


def clause_lines(clause: Clause, compositor: Compositor) -> Iterator[str]:
    """The heading and the numbered text of a clause, with a blank line after each block."""
    style = compositor.style
    yield style.heading(clause.number, clause.title)
    yield from style.below_heading
    blocks = parse_blocks(clause.source)
    titled = any(block.kind == "heading" for block in blocks)
    several = sum(block.kind == "paragraph" for block in blocks) > 1
    part = 0
    for index, block in enumerate(blocks):
        if block.kind == "heading":
            part += 1
            yield style.subheading(clause.number, part, block.text)
            yield from style.below_heading
        elif block.kind == "paragraph" and several and not titled and block.text[0].isupper():
            part += 1
            yield from compositor.wrapped(block.text, style.paragraph(clause.number, part))
            yield from _gap(blocks, index)
        else:
            yield from _plain(blocks, index, compositor, lettered=True)


def plain_lines(source: str, compositor: Compositor) -> Iterator[str]:
    """Text without numbers: a preamble, a schedule, signatures."""
    blocks = parse_blocks(source)
    for index, block in enumerate(blocks):
        if block.kind == "heading":
            yield f"## {block.text}"
            below = compositor.style.below_heading
            yield from ([""] if tabular(blocks, index + 1) else below)
        else:
            yield from _plain(blocks, index, compositor, lettered=False)


def tabular(blocks: Sequence[Block], index: int) -> bool:
    """Whether a table or a list stands there: these need a blank line before them."""
    return index < len(blocks) and blocks[index].kind in ("table", "item")


def _plain(
    blocks: Sequence[Block], index: int, compositor: Compositor, *, lettered: bool
) -> Iterator[str]:
    block = blocks[index]
    if block.kind == "table":
        yield from block.text.split("\n")
    elif block.kind == "item":
        place = index
        while place and blocks[place - 1].kind == "item":
            place -= 1
        mark = compositor.style.item(index - place + 1) if lettered else "- "
        yield from compositor.wrapped(block.text, mark)
    else:
        yield from compositor.wrapped(block.text)
    yield from _gap(blocks, index)


def _gap(blocks: Sequence[Block], index: int) -> Iterator[str]:
    """A blank line after a block, but none between items."""
    following = blocks[index + 1].kind if index + 1 < len(blocks) else ""
    if not (blocks[index].kind == "item" and following == "item"):
        yield ""


RAGGED = 3
"""By how many columns a line falls short of its width, about."""


def expected_lines(source: str, width: int, below: int = 0) -> int:
    """About how many lines a rendered clause takes, with its heading and blank lines.

    `below`: how many blank lines stand below a heading.
    """
    blocks = parse_blocks(source)
    count = 1 + below
    for index, block in enumerate(blocks):
        count += sum(1 for _ in _gap(blocks, index)) if block.kind != "heading" else below
        if block.kind == "table":
            count += block.text.count("\n") + 1
        else:
            count += len(block.text) // (width - RAGGED) + 1
    return count
