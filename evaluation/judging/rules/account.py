"""What a whole response asserts of the answerer's own reading: its sentences, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaluation.judging.rules.assertion import Assertion
from evaluation.judging.rules.assertions import assertions
from evaluation.judging.rules.calling import Calling
from evaluation.judging.rules.code import indented, without_code
from evaluation.judging.rules.cursor import Cursor
from evaluation.judging.rules.cutting import CutResponse
from evaluation.judging.rules.doubts import doubted, is_lead, is_to_do
from evaluation.judging.rules.drafts import heads_draft
from evaluation.judging.rules.gaps import Gap, heads_gaps, listed_gap, noted_gap
from evaluation.judging.rules.leftovers import leftovers, under_head
from evaluation.judging.rules.lexicon import Lexicon
from evaluation.judging.rules.listings import Head, head_of, listed, row
from evaluation.judging.rules.polarity import end_mark_of, mark_of
from evaluation.judging.rules.remainders import only_of_rest, remainder, sampled
from evaluation.judging.rules.tables import Entry, Marked, of_list, of_table, waiting
from evaluation.judging.rules.thing import Wording
from evaluation.judging.rules.words import Reader, Word
from validation.matching.segments import Sentence

_OTHERS = re.compile(r"(?<!\w)'[^'\n]{12,300}'(?!\w)|~~|<!--")
_UNTICKED = re.compile(r"\[ ?\]|[❌✗✘☐✖⏳🔲⬜]")
_TICKED = re.compile(r"\[[xX]\]|[✅✓✔☑]")
_MARK = 3
"""Characters of a box or tick that opens an entry."""
_DONE = frozenset((
    "what i did", "what was done", "work done", "what i have done", "steps taken", "done",
    "how i proceeded", "how i worked",
))  # fmt: skip
"""Heads of lists of finished work."""
_AHEAD = frozenset((
    "plan", "next", "recommendation", "recommendations", "recommended", "todo", "to-do", "task",
    "tasks", "request", "instructions", "follow-up", "proposed", "steps", "step", "how", "criteria",
    "definition", "goal", "goals", "checklist", "before", "remaining", "workflow", "usage",
    "expected", "requirements", "quote", "log", "output", "changelog", "example", "later",
    "merging", "prompt",
))  # fmt: skip
"""Words of a heading or a lead-in under which nothing is told of work that was done."""


@dataclass(frozen=True)
class Account:
    """What a response asserts, and the files that it names as not read, in order."""

    assertions: tuple[Assertion, ...]
    gaps: tuple[Gap, ...]
    unsaid: frozenset[int]
    """Where the sentences begin that tell of no work that was done: plans, boxes without a tick."""
    marked: tuple[Marked, ...]
    """What tables and check lists tell of files."""
    tabled: frozenset[int]
    """The blocks of those tables and lists."""

    @property
    def left(self) -> frozenset[str]:
        """The files that are said not to have been read."""
        return frozenset(path for gap in self.gaps if not gap.depth for path in gap.paths)


def account_of(response: CutResponse, lexicon: Lexicon, calling: Calling) -> Account:
    """Read a response about the files in scope."""
    walk = _Walk(Reader(lexicon, response.names), calling, response)
    found = sorted(walk.found(), key=lambda one: (one.start, one.end))
    return Account(
        tuple(found),
        tuple(walk.gaps),
        frozenset(walk.unsaid),
        *walk.tables(),
    )


class _Walk:
    """One pass over a response's sentences, with the headings and heads of lists seen so far."""

    def __init__(self, reader: Reader, calling: Calling, response: CutResponse) -> None:
        self.reader, self.calling, self.cuts = reader, calling, response.cuts
        self.document, self.text = response.document, response.document.text
        self.gaps: list[Gap] = []
        self.unsaid: set[int] = set()
        self.entries: dict[int | None, list[Entry]] = {}
        """Rows and marked entries, by what they stand under."""
        self.last: dict[int, Wording] = {}
        self.ahead: dict[int, bool] = {}
        self.left: dict[int, bool] = {}
        """Blocks that head what is left to do; files below may well be told as not read."""
        self.heads: dict[int, Head | None] = {}
        self.drafted = False
        """Since the last heading, or line with a colon, it is a text for somebody else."""
        self.lead: int | None = None
        """The text block before a list, which may head it without a colon."""
        self.indented = indented(self.document)

    def found(self) -> Iterator[Assertion]:
        for sentence, raw in self.cuts:
            kind = self.document.blocks[sentence.block].kind
            if kind == "quote" or sentence.block in self.indented:
                if kind != "quote":
                    self.unsaid.add(sentence.start)
                continue
            if kind not in ("item", "row", "header"):
                self.lead = sentence.block
            things = self._things(sentence, raw)
            if things.words:
                for said in self._sentence(sentence, things):
                    yield doubted(said, things, sentence.end, self._around(sentence))
                self.last[sentence.block] = things

    def _around(self, sentence: Sentence) -> list[str]:
        """What governs a sentence, and what stands before it in its block."""
        blocks = (*self._above(sentence.block), sentence.block)
        return [self._words_of(block) for block in blocks if block in self.last]

    def _words_of(self, block: int) -> str:
        words = self.last[block].words
        return self.text[words[0].start : words[-1].end]

    def _above(self, block: int) -> Iterator[int]:
        """What a block stands under; a list also under the line right before it."""
        yield from self.document.ancestors(block)
        if self.document.blocks[block].kind in ("item", "row", "header") and self.lead is not None:
            yield self.lead

    def _things(self, sentence: Sentence, raw: Sequence[Word]) -> Wording:
        words = self.reader.words(raw)
        words = without_code(self.text, sentence.start, sentence.end, words)
        words = tuple(self._known(word) for word in words)
        return Wording(self.text, words, self.calling, self.reader.names)

    def _known(self, word: Word) -> Word:
        """The word; an adverb that the lexicon does not know may well change what is claimed."""
        unknown = word.tag == "ADV" and tuple(word.text.split()) not in self.reader.lexicon.phrases
        return word._replace(tag="W") if unknown else word

    def _sentence(self, sentence: Sentence, things: Wording) -> Iterator[Assertion]:
        block, words = sentence.block, things.words
        if self._is_drafted(block, words):
            self.unsaid.add(sentence.start)
            return
        self._enter(sentence, things)
        self.ahead[block] = self.ahead.get(block, False) or self._looks_ahead(block, words)
        raw = self.text[sentence.start : sentence.end]
        kind = self.document.blocks[block].kind
        ticked = bool(_TICKED.match(raw[:_MARK]))  # what has a tick is done, whatever stands above
        planned = not ticked and any(
            self.ahead.get(above, False) for above in self.document.ancestors(block)
        )
        quoted = any(word.tag == "Q" for word in words)
        asks = words[-1].tag == "ASK" and kind != "header"
        if not ticked:
            self._note(block, things, planned=planned)
            left = any(self.left.get(above, False) for above in self._above(block))
            planned = planned or left
        self.left[block] = self.left.get(block, False) or self._is_left(block, words)
        unticked = _UNTICKED.match(raw[:_MARK]) is not None
        heads = kind == "heading" or words[-1].tag == "COLON"
        ahead = self.ahead[block] or (heads and self.left[block])
        if planned or unticked or ahead or _OTHERS.search(raw):
            self.unsaid.add(sentence.start)
        if planned or unticked or quoted or asks or kind == "header" or _OTHERS.search(raw):
            return
        if ticked and words[0].text == "x":
            things = replace(things, words=words[1:])
        if kind == "row":
            yield from self._row(block, things)
        else:
            done = ticked or self._is_done(block)
            yield from assertions(Cursor(things, done, self._headed(block)))
        if kind in ("item", "row"):
            yield from self._entry(block, things)

    def _is_drafted(self, block: int, words: Sequence[Word]) -> bool:
        """Whether it belongs to a draft, which goes on to the next heading."""
        heading = self.document.blocks[block].kind == "heading"
        before = self.drafted and not heading
        heads = (heading or words[-1].tag == "COLON") and heads_draft(words)
        self.drafted = before or heads
        return before

    def _enter(self, sentence: Sentence, things: Wording) -> None:
        """Keep a row of a table, or an entry with a box, a tick or a cross."""
        kind, above = (
            self.document.blocks[sentence.block].kind,
            self.document.blocks[sentence.block].parent,
        )
        raw = self.text[sentence.start : sentence.end]
        if kind == "row" or (kind in ("item", "text") and (mark_of(raw) or end_mark_of(raw))):
            self.entries.setdefault(above, []).append(Entry(sentence.block, things, raw))

    def tables(self) -> tuple[tuple[Marked, ...], frozenset[int]]:
        """What the tables and check lists tell of files, and their blocks."""
        marked: list[Marked] = []
        blocks: set[int] = set()
        for above, entries in self.entries.items():
            head = self.last.get(above) if above is not None else None
            if above is not None and (self.left.get(above) or self.ahead.get(above)):
                entries = [entry for entry in entries if mark_of(entry.raw) == "ticked"]
            table = above is not None and self.document.blocks[above].kind == "header"
            if table and head is None:
                continue
            told = of_table(head, entries) if table and head else of_list(head, entries)
            found = list(told)
            if found:
                marked += found
                blocks |= {entry.block for entry in entries}
                blocks |= {above} if table and above is not None else set()
        return tuple(marked), frozenset(blocks)

    def _row(self, block: int, things: Wording) -> Iterator[Assertion]:
        above = self.document.blocks[block].parent
        header = self.last.get(above) if above is not None else None
        told = row(header, things) if header is not None else None
        if told is not None:
            yield told
        elif not any(word.tag == "NAME" for word in things.words):
            yield from assertions(Cursor(things))

    def _entry(self, block: int, things: Wording) -> Iterator[Assertion]:
        above = self.document.blocks[block].parent
        if above is not None and self.document.blocks[above].kind == "header":
            above = self.document.blocks[above].parent
        if above is None or above not in self.last or block in self.last:
            return
        governing = self.last[above]
        kind = self.document.blocks[above].kind
        closes = governing.words[-1].tag == "COLON" or kind == "heading"
        if not closes:
            return
        if above not in self.heads:
            self.heads[above] = head_of(governing)
        head = self.heads[above]
        if head is not None:
            yield from listed(head, governing.words[0].start, things)

    def _note(self, block: int, things: Wording, *, planned: bool) -> None:
        """Files named here as not read."""
        kind, above = self.document.blocks[block].kind, self.document.blocks[block].parent
        gap = None if planned else noted_gap(things)
        if kind in ("item", "row") and above in self.last and block not in self.last:
            gap = gap or (listed_gap(things) if heads_gaps(self.last[above]) else None)
        if gap is None and kind in ("item", "row") and (paths := self._waiting(block, things)):
            gap = Gap(paths, things.words[0].start, things.words[-1].end)
        if gap is not None:
            self.gaps.append(gap)
        elif not planned:
            head = next((h for h in self._above(block) if h in self.last), None)
            implied = under_head(self.last[head], things) if head is not None else None
            if implied is not None:
                self.gaps.append(implied)
                return
            found = list(leftovers(things, reading=self._tells_of_reading(block, things)))
            counted = remainder(things) or only_of_rest(things) or sampled(things)
            self.gaps += found or ([counted] if counted else [])

    def _waiting(self, block: int, things: Wording) -> tuple[str, ...]:
        """The files that an entry names, under a head of what is left to do."""
        head = next((b for b in self._above(block) if self.left.get(b) or self.ahead.get(b)), None)
        if head is None or block in self.last:
            return ()
        verb = any(word.tag in ("READ", "READBASE") for word in self.last[head].words)
        return waiting(things, headed=verb and is_to_do(self._words_of(head), ()))

    def _tells_of_reading(self, block: int, things: Wording) -> bool:
        """Whether a sentence, or the one before it in its block, has a verb of reading."""
        before = self.last[block].words if block in self.last else ()
        verbs = (w for w in (*before, *things.words) if w.tag in ("READ", "READBASE"))
        return any(verb.text != "open" for verb in verbs)

    def _headed(self, block: int) -> Word | None:
        """The file that the heading above names, and nothing else."""
        for above in self.document.ancestors(block):
            if self.document.blocks[above].kind == "heading" and above in self.last:
                words = [w for w in self.last[above].words if w.tag not in ("SIGN", "NUM", "COLON")]
                alone = len(words) == 1 and words[0].tag == "NAME" and len(words[0].paths) == 1
                return words[0] if alone else None
        return None

    def _is_done(self, block: int) -> bool:
        """Whether it is an entry under "What I did", so that "Read a.md" tells of the past."""
        above = self.document.blocks[block].parent
        if self.document.blocks[block].kind != "item" or above not in self.last:
            return False
        head = [word for word in self.last[above].words if word.tag not in ("SIGN", "COLON", "NUM")]
        return len(head) == 1 and head[0].text in _DONE

    def _looks_ahead(self, block: int, words: Sequence[Word]) -> bool:
        """Whether what stands under these words is a plan, advice, or another's."""
        tags = {word.tag for word in words}
        heading = self.document.blocks[block].kind == "heading"
        leads = words[-1].tag == "COLON" or heading
        return leads and ("NOFACT" in tags or self._is_ahead(words))

    def _is_ahead(self, words: Sequence[Word]) -> bool:
        """Whether one of these words is of what comes, and is no noun of the files."""
        found = {word.text for word in words} & _AHEAD
        return any(not self.calling.is_file(word) for word in found)

    def _is_left(self, block: int, words: Sequence[Word]) -> bool:
        """Whether it heads what is left to do, with a colon or without."""
        heading = self.document.blocks[block].kind == "heading"
        if not (words[-1].tag == "COLON" or heading or (block == self.lead and is_lead(words))):
            return False
        told = any(word.tag == "NOFACT" for word in words) or self._is_ahead(words)
        return told or is_to_do(self.text[words[0].start : words[-1].end], words)
