"""The findings of a response: a place and what is said of it.

A unit is a list item, a table row, or the sentences of a paragraph from one that names a file up to
the next one that does. A unit without a file of its own takes that of the item, lead-in or heading
above it. Simple polarity is read ("no issue", "compliant", "properly capped"); not read are irony,
a clearing in another sentence ("on a second look this is fine"), and conditions ("would be a breach
if"). A file named by its title alone ("the Northwind lease") is no place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from validation.matching.bundles import Bundle, Bundler
from validation.matching.cues import Cues
from validation.matching.names import Names, pieces
from validation.matching.segments import Document, Sentence, parse
from validation.matching.terms import Text, text_of

_NAME_ONLY = 4
"""A unit of at most so many words beside its names says nothing of its own."""
_CUTS = (";", " but ", " while ", " whereas ", " however ")
_LEVELS = 6
"""Sentences above a unit that bear on it."""


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
    finding: int
    """The block that heads it: units of one head tell one finding of a file."""
    retells: bool
    """Stands under recommendations or a summary."""
    clauses: int
    """How many findings it can hold for one file."""

    @cached_property
    def text(self) -> Text:
        return text_of(self.source)

    @cached_property
    def above(self) -> Text:
        return text_of(self.context)

    @property
    def name_only(self) -> bool:
        return len(self.text.words) - self.names <= _NAME_ONLY


@dataclass(frozen=True)
class StatedFinding:
    """A finding that is told as file and defect, not in prose."""

    path: str
    defect: str


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
    aside: Collection[int]
    """Where sentences begin that tell what was read, and not what was found."""

    def units(self) -> Iterator[Unit]:
        paths = {sentence: named.paths for sentence, named in self.named.items()}
        for bundle in Bundler(self.document, self.cues, self.of_block, paths).bundles():
            inherited = self.above(bundle.blocks[0])
            sentences = [s for block in bundle.blocks for s in self.of_block[block]]
            single = len(bundle.blocks) == 1
            groups = _groups(sentences, self.named) if single else [tuple(sentences)]
            for group in groups:
                yield from self.of_group(group, inherited, bundle)

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

    def finding(self, bundle: Bundle) -> int:
        """Prose below a heading that names a file is about one finding, however many paragraphs."""
        first = self.document.blocks[bundle.blocks[0]]
        parent = first.parent
        if first.kind != "text" or parent is None or len(bundle.blocks) > 1:
            return bundle.finding
        named = any(self.named[s].paths for s in self.of_block.get(parent, ()))
        return parent if named else bundle.finding

    def retells(self, block: int) -> bool:
        """Whether a heading above speaks of recommendations, or sums up."""
        return any(
            self.cues.looks_ahead(text_of(self.response[s.start : s.end]))
            for above in self.document.ancestors(block)
            if self.document.blocks[above].kind in ("heading", "text")
            for s in self.of_block.get(above, ())
        )

    def of_group(
        self, group: Sequence[Sentence], inherited: _Above, bundle: Bundle
    ) -> Iterator[Unit]:
        """One unit, or one for each clause that names files of its own."""
        at = next((i for i, s in enumerate(group) if self.named[s].paths), 0)
        naming = group[at]
        edges = [naming.start, *self.cuts(naming), naming.end]
        for start, end in pairwise(edges):
            before = group[:at] if start == naming.start else ()
            after = group[at + 1 :] if end == naming.end else ()
            spans = [(s.start, s.end) for s in before]
            spans += [(start, end), *((s.start, s.end) for s in after)]
            told = [*before, naming, *after]
            texts = [self.response[first:last] for first, last in spans]
            kept = [t for t, s in zip(texts, told, strict=True) if self.may_blame(t, s)]
            inside = _names_in(self.response, start, end, self.names)
            aside = self.is_aside(text_of(self.response[start:end]), naming)
            paths = () if aside else inside.paths
            source = "\n".join(kept)
            yield Unit(
                spans[0][0],
                spans[-1][1],
                source,
                paths or inherited.paths,
                bool(paths),
                inherited.context,
                inside.words,
                self.finding(bundle),
                self.retells(bundle.blocks[0]),
                _clauses(source),
            )

    def may_blame(self, text: str, sentence: Sentence) -> bool:
        """Whether a piece of a sentence may tell a finding: no clean bill, and not on reading."""
        words = text_of(text)
        return not self.cues.clears(words) and not self.is_aside(words, sentence)

    def is_aside(self, words: Text, sentence: Sentence) -> bool:
        """Whether it tells what was read: "contract-007 was not opened"."""
        return sentence.start in self.aside and not words.holds_one(self.cues.still)

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


def units(response: str, names: Names, cues: Cues, aside: Collection[int] = ()) -> tuple[Unit, ...]:
    """Every unit of a response, in order. `aside`: where sentences on what was read begin."""
    document = parse(response)
    of_block: dict[int, list[Sentence]] = {}
    for sentence in document.sentences:
        if document.blocks[sentence.block].kind != "code":
            of_block.setdefault(sentence.block, []).append(sentence)
    named = {s: _names_in(response, s.start, s.end, names) for s in document.sentences}
    return tuple(_Splitter(response, document, names, cues, of_block, named, aside).units())


def stated(finding: StatedFinding, number: int, cues: Cues) -> Unit:
    """One finding as a unit; `number` tells it from others. What says that all is well is left out.

    Its place is the file it is told of, whatever other files its words name.
    """
    text = finding.defect
    sentences = [text[s.start : s.end] for s in parse(text).sentences]
    return Unit(
        0,
        len(text),
        "\n".join(sentence for sentence in sentences if not cues.clears(text_of(sentence))),
        (finding.path,),
        own_place=True,
        context="",
        names=0,
        finding=number,
        retells=False,
        clauses=1,
    )


def _clauses(source: str) -> int:
    marks = (";", ",", " and ", " also ", ". ", "\n", " + ")
    return 1 + sum(source.count(mark) for mark in marks)


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
    """Whether a unit reads like a finding: it has a place, and speaks of something wrong.

    Without a place of its own it must say what is wrong; one that only counts findings is none.
    """
    if not unit.places or not unit.source or cues.only_counts(unit.text):
        return False
    if not unit.own_place:
        return cues.names_defect(unit.text)
    return cues.blames(unit.text) or (unit.name_only and cues.blames(unit.above))
