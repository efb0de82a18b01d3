"""A response cut into blocks and sentences, with what governs each: heading, lead-in, table header.

Prevents two false results: a bare file name under "Not reviewed" taken for a reading, and a
sentence of a plan taken for an account. The pass is one line at a time and every sentence is at
most `LONGEST` characters, so whatever looks at a sentence costs time linear in the response.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

LONGEST = 2000
"""Characters of one sentence; a longer one is cut at a space or, where there is none, there."""

BlockKind = Literal["heading", "item", "row", "header", "text", "quote", "code"]

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•‣◦\u2013]|\d{1,3}[.)]|[A-Za-z][.)])[ \t]")
_FENCE = re.compile(r" {0,3}(`{3,20}(?!`)(?=[^`\n]*$)|~{3,20}(?!~))[ \t]*(\w*)")
_ROW = re.compile(r"[ \t]*\|")
_QUOTE = re.compile(r" {0,3}>")
_LEADS_IN = re.compile(r":[*_ \t]{0,6}$")
_LABEL = re.compile(r"[ \t]*(?:\*\*|__)[^*_\n]{1,120}(?:\*\*|__):?[ \t]*$")
_STOP = re.compile(r"[.!?…](?=[\"'”\u2019)*_`\]]{0,4}(?:\s|$))")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|no|nos|inc|ltd|corp|co|approx|incl|cf|art|sec|para|fig|st|mr|ms|dr)"
    r"|(?:^|[\s(])[A-Za-z])$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Block:
    """A heading, paragraph, list item or table row, with its place in the response."""

    kind: BlockKind
    start: int
    """Where its words begin, after the marks."""
    end: int
    level: int
    """Of a heading, 1 to 6; of an item, its indentation; else 0."""
    parent: int | None
    """The block that governs it: parent item, lead-in, table header or heading."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of one block; offsets into the response."""

    start: int
    end: int
    block: int


@dataclass(frozen=True)
class Document:
    """A response as blocks and sentences, both in order."""

    text: str
    blocks: tuple[Block, ...]
    sentences: tuple[Sentence, ...]

    def ancestors(self, block: int) -> Iterator[int]:
        """What governs a block, nearest first."""
        parent = self.blocks[block].parent
        while parent is not None:
            yield parent
            parent = self.blocks[parent].parent


@dataclass
class _Builder:
    """The state of the one pass over the lines."""

    text: str
    blocks: list[Block] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    lead_in: int | None = None
    header: int | None = None
    fence: str = ""
    """The marks that opened the code block we are in."""
    open: bool = False
    """The last block may go on in the next line."""

    def add(self, kind: BlockKind, start: int, end: int, level: int, parent: int | None) -> None:
        self.blocks.append(Block(kind, start, end, level, parent))

    def extend(self, end: int) -> None:
        last = self.blocks[-1]
        self.blocks[-1] = Block(last.kind, last.start, end, last.level, last.parent)

    def outer(self) -> int | None:
        return self.headings[-1] if self.headings else None

    def blank(self) -> None:
        self.open = False
        self.header = None

    def line(self, start: int, end: int) -> None:
        line = self.text[start:end]
        if self.fence or _FENCE.match(line):
            self.code(start, end, line)
        elif _is_rule(line):
            # The rule under a table's header closes nothing.
            if not _ROW.match(line):
                self.blank()
        elif heading := _HEADING.match(line):
            self.heading(start + heading.end(), end, len(heading.group(1)))
        elif _LABEL.match(line) and not self.open:
            self.heading(start, end, 7)
        elif _ROW.match(line):
            self.row(start, end)
        elif item := _ITEM.match(line):
            self.item(start + item.end(), end, len(item.group(1).expandtabs(4)))
        else:
            self.prose(start, end, line)

    def code(self, start: int, end: int, line: str) -> None:
        """A line of a code block, or one that opens or closes it."""
        fence = _FENCE.match(line)
        if fence and not self.fence:
            # A whole report is at times wrapped as Markdown: the marks are skipped, not its text.
            self.fence = "" if fence.group(2) in ("markdown", "md") else fence.group(1)
        elif fence and fence.group(1).startswith(self.fence) and not fence.group(2):
            self.fence = ""
        else:
            self.add("code", start, end, 0, self.outer())
        self.open = False

    def heading(self, start: int, end: int, level: int) -> None:
        while self.headings and self.blocks[self.headings[-1]].level >= level:
            self.headings.pop()
        self.add("heading", start, end, level, self.outer())
        self.headings.append(len(self.blocks) - 1)
        self.items.clear()
        self.lead_in = None
        self.blank()

    def row(self, start: int, end: int) -> None:
        self.open = False
        if self.header is None:
            self.add("header", start, end, 0, self.lead_in or self.outer())
            self.header = len(self.blocks) - 1
        else:
            self.add("row", start, end, 0, self.header)

    def item(self, start: int, end: int, indent: int) -> None:
        while self.items and self.blocks[self.items[-1]].level >= indent:
            self.items.pop()
        if self.items:
            parent: int | None = self.items[-1]
        else:
            parent = self.outer() if self.lead_in is None else self.lead_in
        self.add("item", start, end, indent, parent)
        self.items.append(len(self.blocks) - 1)
        self.open = True

    def prose(self, start: int, end: int, line: str) -> None:
        if self.open:
            self.extend(end)
        elif self.items and line[:1] in " \t":
            self.add("text", start, end, 0, self.items[-1])
        else:
            kind: BlockKind = "quote" if _QUOTE.match(line) else "text"
            self.items.clear()
            self.lead_in = None
            self.add(kind, start, end, 0, self.outer())
        self.open = True
        last = self.blocks[-1]
        if last.kind == "text" and not self.items:
            leads = _LEADS_IN.search(line[-8:])
            self.lead_in = len(self.blocks) - 1 if leads else None


def _is_rule(line: str) -> bool:
    """A blank line, or one of nothing but the signs that rule off."""
    signs = line.strip()
    return not signs or (len(signs) >= 3 and set(signs) <= set("-=*_:| \t"))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    """Where the sentences of a block end."""
    piece = text[start:end]
    for stop in _STOP.finditer(piece):
        before = piece[max(0, stop.start() - 8) : stop.start()]
        if stop.group() != "." or not _ABBREVIATION.search(before):
            yield start + stop.end()
    yield end


def _sentences(text: str, index: int, block: Block) -> Iterator[Sentence]:
    start = block.start
    for stop in _stops(text, block.start, block.end):
        while start < stop:
            end = stop
            if end - start > LONGEST:
                space = text.rfind(" ", start + 1, start + LONGEST)
                end = space if space > start else start + LONGEST
            piece = text[start:end]
            first = start + len(piece) - len(piece.lstrip())
            last = start + len(piece.rstrip())
            if first < last:
                yield Sentence(first, last, index)
            start = end


def parse(text: str) -> Document:
    """Cut a response into blocks and sentences. Never fails; any text is a document."""
    builder = _Builder(text)
    for start, end in _lines(text):
        builder.line(start, end)
    blocks = tuple(builder.blocks)
    sentences = [s for i, b in enumerate(blocks) for s in _sentences(text, i, b)]
    return Document(text, blocks, tuple(sentences))
