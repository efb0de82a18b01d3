"""A response analysed: the words, mentions, verbs and statements of each sentence, and its lists.

A heading, lead-in or table header with a verb of reviewing governs the files listed under it:
"Not reviewed:" over twelve names says of each that it was not reviewed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaluation.judging.rules.code import without_identifiers
from evaluation.judging.rules.cutting import CutResponse, cut
from evaluation.judging.rules.framing import without_frames
from evaluation.judging.rules.mentions import Mention, mentions
from evaluation.judging.rules.polarity import mark_of
from evaluation.judging.rules.statement import Statement
from evaluation.judging.rules.statements import statements
from evaluation.judging.rules.verb import Verb
from evaluation.judging.rules.verbs import verbs
from evaluation.judging.rules.words import Namer, Reader, Word
from validation.matching.segments import Document, Sentence

_AHEAD = frozenset((
    "plan", "next", "recommendation", "recommendations", "recommended", "todo", "to-do", "task",
    "request", "instructions", "follow-up", "proposed",
))  # fmt: skip
_CALLOUT = frozenset((
    "note", "warning", "caveat", "limitation", "limitations", "coverage", "scope", "important",
))  # fmt: skip
_LABEL = 4
"""Words of a line that is a label rather than a sentence."""
_GOVERNING = frozenset(("heading", "text", "item", "header"))
_LISTED = frozenset(("item", "row", "text"))


@dataclass(frozen=True)
class SentenceAnalysis:
    """One sentence, with all that was found in it."""

    start: int
    end: int
    block: int
    words: tuple[Word, ...]
    spoken: tuple[Mention, ...]
    verbs: tuple[Verb, ...]
    statements: tuple[Statement, ...]
    planned: bool
    """Stands under a plan, next steps or the task's own words."""


@dataclass(frozen=True)
class Analysis:
    """A whole response."""

    document: Document
    sentences: tuple[SentenceAnalysis, ...]


def analyse(response: str, reader: Reader) -> Analysis:
    """Analyse a response. Never fails: a text without statements has none."""
    return analysed(cut(response, Namer(reader.names)), reader)


def analysed(response: CutResponse, reader: Reader) -> Analysis:
    """Analyse a response that is cut already."""
    document = response.document
    read: list[SentenceAnalysis] = []
    ahead: dict[int, bool] = {}
    for sentence, raw in response.cuts:
        read_words = without_identifiers(
            document.text, sentence.start, sentence.end, reader.words(raw)
        )
        words = without_frames(read_words)
        if not words or _is_quoted(document, sentence.block, words):
            continue
        ticked = mark_of(document.text[sentence.start : sentence.end]) == "ticked"
        above = document.ancestors(sentence.block)
        planned = not ticked and any(ahead.get(block, False) for block in above)
        asks = words[-1].tag == "ASK" and document.blocks[sentence.block].kind != "header"
        analysed = _sentence(words, sentence, reader, asks=asks, planned=planned)
        ahead[sentence.block] = _looks_ahead(document, analysed)
        read.append(analysed)
    return Analysis(document, tuple(_with_lists(document, read)))


def _sentence(
    words: tuple[Word, ...], sentence: Sentence, reader: Reader, *, asks: bool, planned: bool
) -> SentenceAnalysis:
    spoken = mentions(words, reader.lexicon.mentions, reader.names)
    found = verbs(words, spoken, asks=asks, planned=planned)
    said = statements(words, spoken, found)
    return SentenceAnalysis(
        sentence.start, sentence.end, sentence.block, words, spoken, found, said, planned
    )


def _is_quoted(document: Document, block: int, words: Sequence[Word]) -> bool:
    """A block quote is another's text, unless it is a call-out of the report's own."""
    opening = {word.text.strip("!") for word in words[:4]}
    return document.blocks[block].kind == "quote" and not opening & _CALLOUT


def _looks_ahead(document: Document, sentence: SentenceAnalysis) -> bool:
    """Whether what stands under this sentence is a plan, or the task."""
    kind = document.blocks[sentence.block].kind
    if kind == "heading":
        return bool({word.text for word in sentence.words} & _AHEAD) or any(
            word.tag in ("PLAN", "MODAL") for word in sentence.words
        )
    words = sentence.words
    label = len(words) <= _LABEL or words[-1].tag == "COLON"
    ahead = any(word.tag == "PLAN" or (label and word.text in _AHEAD) for word in words)
    return ahead or (bool(sentence.verbs) and not any(v.factual for v in sentence.verbs))


def _with_lists(document: Document, read: Sequence[SentenceAnalysis]) -> Iterator[SentenceAnalysis]:
    """The sentences, with the statements that their headings and lead-ins make of them."""
    last_of = {sentence.block: sentence for sentence in read}
    listed: dict[int, list[SentenceAnalysis]] = {}
    for sentence in read:
        kind = document.blocks[sentence.block].kind
        governor = _governor(document, last_of, sentence.block) if kind in _LISTED else None
        if governor is not None and not sentence.statements and not sentence.planned:
            listed.setdefault(governor, []).append(sentence)
    for sentence in read:
        entries = listed.get(sentence.block, []) if sentence is last_of[sentence.block] else []
        made = tuple(_listed_statements(document.text, sentence, entries))
        if made:
            kept = tuple(s for s in sentence.statements if not _is_label(s))
            yield replace(sentence, statements=kept + made)
        else:
            yield sentence


def _is_label(statement: Statement) -> bool:
    mention = statement.mention
    return mention is None or mention.kind == "definite"


def _governor(document: Document, last_of: dict[int, SentenceAnalysis], block: int) -> int | None:
    """The nearest block above whose verb says what was done with the things listed here."""
    for above in document.ancestors(block):
        sentence = last_of.get(above)
        if sentence is None or document.blocks[above].kind not in _GOVERNING:
            continue
        if any(_may_govern(s) for s in sentence.statements):
            return above
        if document.blocks[above].kind in ("heading", "text"):
            return None
    return None


def _may_govern(statement: Statement) -> bool:
    return statement.factual and _is_label(statement) and not statement.noun


def _listed_statements(
    text: str, governor: SentenceAnalysis, entries: Sequence[SentenceAnalysis]
) -> Iterator[Statement]:
    """What the governing verb says of each thing listed."""
    verb = next((s for s in reversed(governor.statements) if _may_govern(s)), None)
    if verb is None:
        return
    for entry in entries:
        first = next(
            (m for m in entry.spoken if m.first <= 2 and m.kind not in ("content", "part")), None
        )
        if first is None or (first.kind == "count" and first.bare):
            continue
        unticked = text[entry.start : entry.start + 3] == "[ ]"
        refused = unticked or any(w.tag in ("NOPE", "UNREAD", "NOT") for w in entry.words)
        refused = refused or any(w.tag == "NO" for w in entry.words[first.last : first.last + 3])
        undone = refused and verb.act == "read" and not verb.negated
        yield replace(
            verb,
            mention=first,
            act="unread" if undone else verb.act,
            start=entry.words[first.first].start,
            end=entry.words[first.last - 1].end,
            partly=verb.partly or any(w.tag == "PARTLY" for w in entry.words),
        )
