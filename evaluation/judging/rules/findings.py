"""The findings of a response: a place and what is said of it.

A unit is a list item, a table row, or the sentences of a paragraph from one that names a file up to
the next one that does. A unit without a file of its own takes that of the item, lead-in or heading
above it. Simple polarity is read ("no issue", "compliant", "properly capped"); not read are irony,
a clearing in another sentence ("on a second look this is fine"), and conditions ("would be a breach
if"). A file named by its title alone ("the Northwind lease") is no place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import pairwise

import yaml

from evaluation.judging.rules.names import Names, pieces
from evaluation.judging.rules.segments import Document, Sentence, parse
from evaluation.judging.rules.terms import Term, Text, term_of, text_of

_NAME_ONLY = 4
"""A unit of at most so many words beside its names says nothing of its own."""
_FIELD = re.compile(r"[*_`\"]{0,3}([A-Za-z][A-Za-z ]{1,30}?)[*_`\"]{0,3}(?::| [\u2013\u2014-] )")
_LABEL_LENGTH = 48
_CUTS = (";", " but ", " while ", " whereas ", " however ")
_TURN_REACH = 3
_LEVELS = 6
"""Sentences above a unit that bear on it."""


@dataclass(frozen=True)
class Cues:
    """Words that tell a defect from a clean bill; see findings.yaml."""

    defect: tuple[Term, ...]
    clean: tuple[Term, ...]
    despite: tuple[Term, ...]
    coverage: tuple[Term, ...]
    turns: frozenset[str]
    fields: frozenset[str]
    """Labels of the fields of one finding."""
    files: frozenset[str]
    """Those of them that begin the next finding."""

    def clears(self, text: Text) -> bool:
        """Whether a sentence says that all is well: a clean phrase that nothing turns round."""
        if self._stands(text, self.despite, self.turns | {"no"}):
            return False
        return self._stands(text, self.clean, self.turns)

    def _stands(self, text: Text, terms: Sequence[Term], turns: frozenset[str]) -> bool:
        """Whether one of the terms stands with no word before it that turns it round."""
        return any(
            not turns & set(text.words[max(0, at - _TURN_REACH) : at])
            for term in terms
            for at in text.find(term)
        )

    def blames(self, text: Text) -> bool:
        """Whether a text speaks of something wrong, and not of the review itself."""
        if text.holds_one(self.coverage) and not text.holds_one(self.despite):
            return False
        return text.holds_one(self.defect)


def load_cues() -> Cues:
    """Read findings.yaml."""
    text = files(__package__).joinpath("findings.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506  # "no" stays a word

    def terms(name: str) -> tuple[Term, ...]:
        return tuple(term_of(str(entry)) for entry in data[name])

    turns, fields, places = (frozenset(data[name]) for name in ("turns", "fields", "files"))
    return Cues(
        terms("defect"),
        terms("clean"),
        terms("despite"),
        terms("coverage"),
        turns,
        fields,
        places,
    )


@dataclass(frozen=True)
class Unit:
    """A piece of the response that may hold findings."""

    start: int
    end: int
    source: str
    """Its own words, without the sentences that say that all is well."""
    places: tuple[str, ...]
    """Files it names, or takes from above."""
    own_place: bool
    context: str
    """The words of the items, lead-ins and headings above it."""
    names: int
    """How many words its names take."""

    @cached_property
    def text(self) -> Text:
        return text_of(self.source)

    @cached_property
    def above(self) -> Text:
        return text_of(self.context)

    @property
    def name_only(self) -> bool:
        return len(self.text.words) - self.names <= _NAME_ONLY

    @property
    def clauses(self) -> int:
        """How many findings it can hold for one file."""
        marks = sum(
            self.source.count(mark) for mark in (";", ",", " and ", " also ", ". ", "\n", " + ")
        )
        return 1 + marks


@dataclass(frozen=True)
class _Named:
    """The names that stand in one sentence."""

    paths: tuple[str, ...]
    at: tuple[int, ...]
    """Where each begins."""
    words: int


@dataclass(frozen=True)
class _Above:
    """What a block inherits."""

    paths: tuple[str, ...]
    context: str


@dataclass(frozen=True)
class _Splitter:
    """Makes the units of one response."""

    response: str
    document: Document
    names: Names
    cues: Cues
    of_block: Mapping[int, Sequence[Sentence]]
    named: Mapping[Sentence, _Named]

    def units(self) -> Iterator[Unit]:
        for bundle in self.bundles():
            inherited = self.above(bundle[0])
            sentences = [s for block in bundle for s in self.of_block[block]]
            groups = _groups(sentences, self.named) if len(bundle) == 1 else [tuple(sentences)]
            for group in groups:
                yield from self.of_group(group, inherited)

    def bundles(self) -> Iterator[list[int]]:
        """The blocks that are read together: each alone, but the fields of one finding as one."""
        bundle: list[int] = []
        seen: set[str] = set()
        for block in self.of_block:
            kind = self.document.blocks[block].kind
            label = "" if kind in ("heading", "header", "row") else self.label(block)
            parent = self.document.blocks[block].parent
            goes_on = bundle and label and parent == self.document.blocks[bundle[0]].parent
            repeats = label in seen or (label in self.cues.files and bool(seen & self.cues.files))
            if bundle and not (goes_on and self.label(bundle[0]) and not repeats):
                yield bundle
                bundle, seen = [], set()
            if kind not in ("heading", "header"):
                bundle.append(block)
                seen.add(label)
        if bundle:
            yield bundle

    def label(self, block: int) -> str:
        """The field that a block opens with, as `fields` of findings.yaml has it; else nothing."""
        start = self.of_block[block][0].start
        label = _FIELD.match(self.response[start : start + _LABEL_LENGTH])
        text = label.group(1).casefold() if label else ""
        return text if text in self.cues.fields else ""

    def above(self, block: int) -> _Above:
        """The files of the nearest block above that names any, and the words of all up to it."""
        context: list[str] = []
        for above in self.document.ancestors(block):
            sentences = self.of_block.get(above, ())
            if self.document.blocks[above].kind != "header":
                context += [self.response[s.start : s.end] for s in sentences[-2:]]
            paths = tuple(dict.fromkeys(p for s in sentences[-2:] for p in self.named[s].paths))
            if paths or len(context) > _LEVELS:
                return _Above(paths, "\n".join(context))
        return _Above((), "\n".join(context))

    def of_group(self, group: Sequence[Sentence], inherited: _Above) -> Iterator[Unit]:
        """One unit, or one for each clause that names files of its own."""
        at = next((i for i, s in enumerate(group) if self.named[s].paths), 0)
        naming = group[at]
        edges = [naming.start, *self.cuts(naming), naming.end]
        for start, end in pairwise(edges):
            before = group[:at] if start == naming.start else ()
            after = group[at + 1 :] if end == naming.end else ()
            spans = [(s.start, s.end) for s in before]
            spans += [(start, end), *((s.start, s.end) for s in after)]
            texts = [self.response[first:last] for first, last in spans]
            kept = [text for text in texts if not self.cues.clears(text_of(text))]
            inside = _names_in(self.response, start, end, self.names)
            yield Unit(
                spans[0][0],
                spans[-1][1],
                "\n".join(kept),
                inside.paths or inherited.paths,
                bool(inside.paths),
                inherited.context,
                inside.words,
            )

    def cuts(self, sentence: Sentence) -> list[int]:
        """Where a sentence passes from one file to another: "a.md is fine; b.md has no cap"."""
        at = self.named[sentence].at
        if len(at) < 2:
            return []
        marks = sorted(mark for cut in _CUTS for mark in _occurrences(self.response, cut, sentence))
        edges: list[int] = []
        last = sentence.start
        for mark in marks:
            if any(last <= place < mark for place in at) and at[-1] > mark:
                edges.append(mark)
                last = mark
        return edges


def units(response: str, names: Names, cues: Cues) -> tuple[Unit, ...]:
    """Every unit of a response, in order."""
    document = parse(response)
    of_block: dict[int, list[Sentence]] = {}
    for sentence in document.sentences:
        if document.blocks[sentence.block].kind != "code":
            of_block.setdefault(sentence.block, []).append(sentence)
    named = {s: _names_in(response, s.start, s.end, names) for s in document.sentences}
    return tuple(_Splitter(response, document, names, cues, of_block, named).units())


def _names_in(text: str, start: int, end: int, names: Names) -> _Named:
    found = pieces(text, start, end)
    paths: list[str] = []
    at: list[int] = []
    words, i = 0, 0
    while i < len(found):
        named = names.file_at(text, found, i) if found[i].text[0].isalnum() else None
        if named is None:
            i += 1
            continue
        paths += named.paths
        at.append(found[i].start)
        words += sum(piece.text[0].isalnum() for piece in found[i : i + named.length])
        i += named.length
    return _Named(tuple(dict.fromkeys(paths)), tuple(at), words)


def _groups(
    sentences: Sequence[Sentence], named: Mapping[Sentence, _Named]
) -> Iterator[tuple[Sentence, ...]]:
    """Sentences from one that names a file up to the next; what stands before goes to the first."""
    group: list[Sentence] = []
    has_name = False
    for sentence in sentences:
        if named[sentence].paths and has_name:
            yield tuple(group)
            group = []
        has_name = has_name or bool(named[sentence].paths)
        group.append(sentence)
    if group:
        yield tuple(group)


def _occurrences(text: str, sign: str, sentence: Sentence) -> Iterator[int]:
    at = text.find(sign, sentence.start, sentence.end)
    while at >= 0:
        yield at
        at = text.find(sign, at + len(sign), sentence.end)


def is_finding(unit: Unit, cues: Cues) -> bool:
    """Whether a unit reads like a finding: it has a place, and speaks of something wrong."""
    if not unit.places or not unit.source:
        return False
    return cues.blames(unit.text) or (unit.name_only and unit.own_place and cues.blames(unit.above))
