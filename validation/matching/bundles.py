"""The blocks of a response that tell one finding together.

A heading or list item that says what is wrong, or has fields such as "Severity:" below it, is the
head of one finding with all that stands below it, up to a file of another name or a field that
comes again. Prevents each line of one finding being counted as a finding.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from validation.matching.cues import Cues
from validation.matching.segments import Document, Sentence
from validation.matching.terms import text_of

_FIELD = re.compile(r"[*_`\"]{0,3}([A-Za-z][A-Za-z ]{1,30}?)[*_`\"]{0,3}(?::| [\u2013\u2014-] )")
_LABEL_LENGTH = 48


@dataclass(frozen=True)
class Bundle:
    """Blocks that are read together, in order."""

    blocks: tuple[int, ...]
    finding: int
    """The block that all units of one finding share: its head, or the first of them."""


@dataclass
class _Open:
    """The bundle that may still go on."""

    blocks: list[int]
    head: int | None
    labels: set[str]
    paths: set[str]


@dataclass(frozen=True)
class Bundler:
    """Puts the blocks of one response together."""

    document: Document
    cues: Cues
    of_block: Mapping[int, Sequence[Sentence]]
    named: Mapping[Sentence, tuple[str, ...]]
    """The files that each sentence names."""

    def bundles(self) -> Iterator[Bundle]:
        """Every block but headings that head nothing and the headers of tables, in order."""
        now: _Open | None = None
        for block in self.of_block:
            kind = self.document.blocks[block].kind
            head = self._head(block)
            label = self.label(block)
            if now is not None and not self._goes_on(now, block, head, label):
                yield self._closed(now)
                now = None
            if kind == "header" or (kind == "heading" and head != block):
                continue
            now = now or _Open([], head, set(), set())
            now.blocks.append(block)
            now.labels |= {label} - {""}
            now.paths |= self._paths(block)
        if now is not None:
            yield self._closed(now)

    def label(self, block: int) -> str:
        """The field that a block opens with, as `fields` of findings.yaml has it; else nothing."""
        if self.document.blocks[block].kind in ("heading", "header", "row"):
            return ""
        start = self.of_block[block][0].start
        label = _FIELD.match(self.document.text[start : start + _LABEL_LENGTH])
        text = label.group(1).casefold() if label else ""
        return text if text in self.cues.fields else ""

    def _goes_on(self, now: _Open, block: int, head: int | None, label: str) -> bool:
        kind = self.document.blocks[block].kind
        if kind in ("heading", "header", "row"):
            return False
        repeats = label in now.labels or (
            label in self.cues.files and bool(now.labels & self.cues.files)
        )
        if label and repeats:
            return False
        if label and self.label(now.blocks[0]) and self._are_siblings(now.blocks[0], block):
            return True
        paths = self._paths(block)
        other = bool(paths and now.paths and not paths <= now.paths)
        return head is not None and head == now.head and (not other or bool(label))

    def _are_siblings(self, one: int, other: int) -> bool:
        blocks = self.document.blocks
        return blocks[one].parent == blocks[other].parent

    def _closed(self, now: _Open) -> Bundle:
        return Bundle(tuple(now.blocks), now.blocks[0])

    def _head(self, block: int) -> int | None:
        """The nearest block, itself among them, that heads a finding."""
        for above in (block, *self.document.ancestors(block)):
            if above in self._heads:
                return above
        return None

    @cached_property
    def _heads(self) -> frozenset[int]:
        """Headings and items that tell a finding: by a defect of a file, or by fields below."""
        labels: defaultdict[int, set[str]] = defaultdict(set)
        for block in self.of_block:
            parent = self.document.blocks[block].parent
            if parent is not None and (label := self.label(block)):
                labels[parent].add(label)
        heads: set[int] = set()
        for block in self.of_block:
            if self.document.blocks[block].kind not in ("heading", "item"):
                continue
            if labels[block]:
                tells = bool(labels[block] & self.cues.files) or self._place(block)
            else:
                tells = self._opens(block, heads) and self._place(block) and self._blames(block)
            if tells:
                heads.add(block)
        return frozenset(heads)

    def _opens(self, block: int, heads: Collection[int]) -> bool:
        """Whether it may head a finding of its own: an item below a head only with another file."""
        above = next((b for b in self.document.ancestors(block) if b in heads), None)
        if above is None or self.document.blocks[block].kind == "heading":
            return True
        return bool(self._paths(block) - self._paths(above))

    def _place(self, block: int) -> bool:
        return any(self._paths(b) for b in (block, *self.document.ancestors(block)))

    def _blames(self, block: int) -> bool:
        sentences = self.of_block[block]
        text = text_of(self.document.text[sentences[0].start : sentences[-1].end])
        return self.cues.names_defect(text) and not self.cues.clears(text)

    def _paths(self, block: int) -> set[str]:
        sentences = self.of_block.get(block, ())
        return {path for sentence in sentences for path in self.named[sentence]}
