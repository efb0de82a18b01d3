"""From rendered clauses to the lines of a contract: numbering, wrapping, tables left as they are.

A template writes a paragraph, an item (`- `) or a table row on lines of its own, with blank lines
between paragraphs; `## ` begins a titled part of a clause. Here they get their numbers.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from generators.contracts.style import Style

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


@dataclass(frozen=True)
class Clause:
    """One section: its place in the outline, and what it says."""

    number: int
    title: str
    source: str


def clause_lines(clause: Clause, style: Style) -> Iterator[str]:
    """The heading and the numbered text of a clause, with a blank line after each block."""
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
            yield from _wrapped(block.text, style.paragraph(clause.number, part), style.width)
            yield from _gap(blocks, index)
        else:
            yield from _plain(blocks, index, style, lettered=True)


def plain_lines(source: str, style: Style, *, level: int = 2) -> Iterator[str]:
    """Text without numbers: a preamble, a schedule, signatures."""
    blocks = parse_blocks(source)
    for index, block in enumerate(blocks):
        if block.kind == "heading":
            yield f"{'#' * level} {block.text}"
            yield from ([""] if tabular(blocks, index + 1) else style.below_heading)
        else:
            yield from _plain(blocks, index, style, lettered=False)


def tabular(blocks: Sequence[Block], index: int) -> bool:
    """Whether a table or a list stands there: these need a blank line before them."""
    return index < len(blocks) and blocks[index].kind in ("table", "item")


def _plain(blocks: Sequence[Block], index: int, style: Style, *, lettered: bool) -> Iterator[str]:
    block = blocks[index]
    if block.kind == "table":
        yield from block.text.split("\n")
    elif block.kind == "item":
        place = index
        while place and blocks[place - 1].kind == "item":
            place -= 1
        mark = style.item(index - place + 1) if lettered else "- "
        yield from _wrapped(block.text, mark, style.width)
    else:
        yield from _wrapped(block.text, "", style.width)
    yield from _gap(blocks, index)


def _gap(blocks: Sequence[Block], index: int) -> Iterator[str]:
    """A blank line after a block, but none between items."""
    following = blocks[index + 1].kind if index + 1 < len(blocks) else ""
    if not (blocks[index].kind == "item" and following == "item"):
        yield ""


def _wrapped(text: str, mark: str, width: int) -> list[str]:
    hang = "" if not mark or mark[0].isdigit() else " " * len(mark)
    return textwrap.wrap(
        mark + text,
        width=width,
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
