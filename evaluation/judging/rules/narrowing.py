"""Full claims that are of less than the scope, or that are not made at all.

Prevents "all Python files", "every file changed in this branch", "## Code: all files read" and
"- [ ] Reviewed all 4 files" being taken for a review of everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaluation.judging.rules.analysis import Analysis, SentenceAnalysis
from evaluation.judging.rules.antecedents import Antecedents
from evaluation.judging.rules.calling import Calling
from evaluation.judging.rules.doubts import is_of_part
from evaluation.judging.rules.effects import Effect
from evaluation.judging.rules.hedges import hedged
from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.polarity import end_mark_of, mark_of
from evaluation.judging.rules.retractions import settled_effect
from evaluation.judging.rules.words import Word

_RESTRICTING = frozenset((
    "that", "which", "whose", "with", "without", "over", "above", "below", "longer", "larger",
    "smaller", "shorter", "bigger", "relevant", "related", "containing", "concerning", "affected",
    "named", "matching", "starting", "beginning", "ending", "needed", "necessary", "involved",
))  # fmt: skip
"""Right behind the noun these pick some of the files."""
_PICKING = frozenset((
    "relevant", "large", "larger", "largest", "big", "small", "smaller", "main", "important",
    "key", "critical", "modified", "changed", "new", "touched", "affected", "core", "central",
    "public", "related", "recent", "other", "remaining", "older", "short", "shorter", "long",
    "longer", "interesting", "necessary", "non-trivial", "suspicious", "high-risk", "signed",
))  # fmt: skip
"""Before the noun."""
_NEUTRAL = frozenset(
    ("listed", "provided", "supplied", "given", "assigned", "attached", "uploaded")
)
_AHEAD = frozenset((
    "goal", "plan", "planned", "expected", "expectation", "target", "task", "todo", "to-do",
    "asked", "requested", "request", "wanted", "wish", "next", "comment", "message", "ticket",
    "criterion", "criteria", "example", "template", "prompt", "brief", "instruction",
    "instructions", "quote", "before", "offer", "option", "proposal",
))  # fmt: skip
"""Words of a label behind which nothing is told of one's own finished work."""
_SO_FAR = frozenset(("so far", "to date", "thus far"))
_LONGEST_LABEL = 8
_LONGEST_LIST = 40
"""Entries from one on, back to the line before its list."""
_PARTICIPLE = ("ed", "ten", "wn")
_NOUNS = frozenset(("FILE", "FILES", "SET", "KIND", "KINDS"))
_MANNER = frozenset(("FULLY", "PARTLY", "ADV"))


@dataclass(frozen=True)
class Narrowing:
    """Takes back the full claims of one response that are none."""

    analysis: Analysis
    calling: Calling
    antecedents: Antecedents
    unsaid: frozenset[int]
    """Where the sentences begin that tell of no work that was done."""
    tabled: frozenset[int] = frozenset()
    """Blocks of tables and lists that are read for themselves."""
    left: frozenset[str] = frozenset()
    """Files that are said to be left."""

    def of(self, effects: Sequence[Effect]) -> list[Effect]:
        """The effects, without what is not claimed of the whole scope."""
        return [self._settled(effect) for effect in effects]

    def _settled(self, effect: Effect) -> Effect:
        sentence = self.analysis.sentences[effect.sentence]
        mention = effect.statement.mention
        if sentence.block in self.tabled and not self._is_ticked_total(effect, sentence):
            return replace(effect, kind="nothing")
        if effect.kind in ("full", "implied", "rest") and self._is_unsaid(effect, sentence):
            return replace(effect, kind="nothing")
        if effect.kind == "implied" and self._is_so_far(effect, sentence.words):
            return replace(effect, kind="files", how="unread")
        if effect.kind != "full":
            return effect
        if _is_answered_no(sentence.words, effect.statement.end):
            return replace(effect, kind="files", how="unread")
        text = self.analysis.document.text
        settled = hedged(effect, sentence, text, self.calling.size)
        if settled.kind != "full":
            return settled
        of_part = mention is not None and self._is_of_part(effect, sentence, mention)
        if of_part:
            return replace(effect, kind="implied")
        return settled_effect(effect, text, _end_of(effect, sentence))

    def _is_of_part(self, effect: Effect, sentence: SentenceAnalysis, mention: Mention) -> bool:
        """Whether an "all" that does not say the number of the scope may be of less."""
        if mention.kind != "universal" or mention.value == self.calling.size:
            return False
        if mention.value is not None and sentence.words[mention.last - 1].text == "each":
            return True  # "six agents, ten contracts each"
        index, words = effect.sentence, sentence.words
        named = self._names_behind(index, mention)
        if mention.value is not None and named == mention.value:
            return True  # "all two files: a.py, b.py"
        start = min(effect.statement.start, words[mention.first].start)
        end = _end_of(effect, sentence)
        return (
            self._is_picked(words, mention)
            or self._is_elsewhere(index, words, mention)
            or self.antecedents.narrows(start, end)
        )

    def _is_ticked_total(self, effect: Effect, sentence: SentenceAnalysis) -> bool:
        """ "- All 12 logs read line by line ✔": a full claim, and no entry of one file."""
        raw = self.analysis.document.text[sentence.start : sentence.end]
        return effect.kind == "full" and "ticked" in (mark_of(raw), end_mark_of(raw))

    def _is_unsaid(self, effect: Effect, sentence: SentenceAnalysis) -> bool:
        """Whether it stands in a plan, behind a label of one, or of files said to be left."""
        if sentence.start in self.unsaid:
            return True
        mention = effect.statement.mention
        if mention is not None and self.left & set(mention.paths):
            return True
        return _is_labelled_ahead(sentence.words, effect.statement.start)

    def _is_so_far(self, effect: Effect, words: Sequence[Word]) -> bool:
        """Whether fewer than all are told as what was read so far: there are more to come."""
        mention = effect.statement.mention
        told = mention is not None and mention.kind == "count" and mention.out_of is None
        fewer = told and mention is not None and (mention.value or 0) < self.calling.size
        return fewer and any(word.text in _SO_FAR for word in words)

    def _is_picked(self, words: Sequence[Word], mention: Mention) -> bool:
        """Whether its own words pick some files: an adjective, a kind, a relative clause."""
        inside = words[mention.first : mention.last]
        if any(word.text in _PICKING for word in inside):
            return True
        if any(not self.calling.takes_all(word.text) for word in inside if word.tag != "NUM"):
            return True
        after = words[mention.last : mention.last + 3]
        if not after or inside[-1].tag not in _NOUNS:
            return False
        following = after[0]
        if following.text in _RESTRICTING or following.tag == "THAT":
            return not _is_exempt(after)
        participle = following.tag == "W" and following.text.endswith(_PARTICIPLE)
        return participle and following.text not in _NEUTRAL and _goes_on(after)

    def _is_elsewhere(self, index: int, words: Sequence[Word], mention: Mention) -> bool:
        """Whether what governs it, or stands beside it, is of a part of the scope."""
        text = self.analysis.document.text
        sentence = self.analysis.sentences[index]
        before = text[sentence.start : words[mention.first].start]
        after = text[words[mention.last - 1].end : sentence.end]
        if self._are_all(index, mention):
            return False
        around = (before, after, *self._above(index))
        return any(is_of_part(one, self.calling) for one in around)

    def _are_all(self, index: int, mention: Mention) -> bool:
        """Whether the names behind it are of all the scope: "everything: src/, docs/"."""
        return self._names_behind(index, mention) == self.calling.size

    def _names_behind(self, index: int, mention: Mention) -> int:
        """How many files the sentence names behind its "all"."""
        behind = (m for m in self.analysis.sentences[index].spoken if m.first >= mention.last)
        return len({path for other in behind for path in other.paths})

    def _lead(self, block: int) -> int | None:
        """The text right before a list, which may head it without a colon."""
        blocks = self.analysis.document.blocks
        for above in range(block - 1, max(-1, block - _LONGEST_LIST), -1):
            if blocks[above].kind not in ("item", "row", "header"):
                return above if blocks[above].kind == "text" else None
        return None

    def _above(self, index: int) -> Iterator[str]:
        """The headings and lead-ins over a sentence, and the label that opens its block."""
        document, sentence = self.analysis.document, self.analysis.sentences[index]
        for above in document.ancestors(sentence.block):
            block = document.blocks[above]
            yield document.text[block.start : min(block.end, block.start + 200)]
        listed = document.blocks[sentence.block].kind in ("item", "row", "header")
        if listed and (lead := self._lead(sentence.block)) is not None:
            yield document.text[document.blocks[lead].start : document.blocks[lead].end][:200]
        block = document.blocks[sentence.block]
        if block.start < sentence.start:
            yield document.text[max(block.start, sentence.start - 200) : sentence.start]


def _end_of(effect: Effect, sentence: SentenceAnalysis) -> int:
    """Where a full claim ends: behind its verb, what it is of, and how it was read."""
    mention = effect.statement.mention
    last = max(effect.statement.end, sentence.words[mention.last - 1].end if mention else 0)
    following = (word for word in sentence.words if word.start >= last)
    for word in following:
        if word.tag not in _MANNER:
            break
        last = word.end
    return last


def _is_labelled_ahead(words: Sequence[Word], start: int) -> bool:
    """Whether a label before it says that it is wished or told by others: "Goal: ..."."""
    before = [word for word in words if word.start < start]
    colon = next((i for i, word in enumerate(before) if word.tag == "COLON"), None)
    if colon is None or colon > _LONGEST_LABEL:
        return False
    label = before[:colon]
    return any(word.text in _AHEAD or word.tag == "PLAN" for word in label)


def _is_answered_no(words: Sequence[Word], end: int) -> bool:
    """Whether "no" answers it: "All 4 files reviewed: no (2 of 4)"."""
    behind = [word for word in words if word.start >= end][:3]
    tags = [word.tag for word in behind]
    if tags[:1] not in (["COLON"], ["DASH"], ["PIPE"], ["ASK"]) or len(tags) < 2:
        return False
    no = tags[1] == "NOPE" or (behind[1].text in ("no", "not yet", "not"))
    return no and tags[2:3] in ([], ["SIGN"], ["OPEN"], ["COMMA"], ["DASH"], ["PIPE"], ["SEMI"])


def _is_exempt(after: Sequence[Word]) -> bool:
    """ "With care", "without exception": how it was done, and not of which files."""
    return after[0].text in ("with", "without") and len(after) > 1 and after[1].tag in (
        "W", "ADV", "FULLY", "NO", "DET", "MY",
    ) and not any(word.tag in ("NUM", "LINE", "NAME") for word in after[1:])  # fmt: skip


def _goes_on(after: Sequence[Word]) -> bool:
    """Whether a participle has words of its own: "changed in this branch", "modified by you"."""
    return len(after) > 1 and after[1].tag in ("IN", "BY", "SIGN", "VIA", "ADV")
