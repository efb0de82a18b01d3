"""The words of one sentence, and the small steps that all forms of clause are read by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from evaluation.judging.rules.assertion import Strength
from evaluation.judging.rules.thing import Thing, Wording
from evaluation.judging.rules.things import things_at
from evaluation.judging.rules.words import Word

BREAKS = frozenset((
    "COMMA", "SEMI", "DASH", "COLON", "OPEN", "CLOSE", "AND", "BUT", "CAUSE", "PIPE", "SIGN", "YES",
    "NOPE", "",
))  # fmt: skip
"""What ends a clause; the empty tag stands for the end of the sentence."""
_MARKS = BREAKS - {"AND", "NOPE", ""}
_LIGHT = frozenset(("HAVE", "ADV", "FULLY", "PARTLY", "ONLY", "EVERY", "DID", "ABLE"))
_ADJUNCTS = frozenset(("FULLY", "PARTLY", "PLAIN", "ADV", "ONLY"))
_OPENS_CLAUSE = frozenset(("ME", "READ", "GLANCE", "WEAK", "ADV", "FULLY", "EVERY", "NUM"))
_STRENGTHS: dict[str, Strength] = {
    "READ": "read", "READBASE": "read", "GLANCE": "glance", "WEAK": "weak",
}  # fmt: skip
_BEFORE_BASE = frozenset(("didn't", "did not"))
_VERBS = 4
"""Verbs that one subject may have."""


class Auxiliaries(NamedTuple):
    """The words between a subject and its verb."""

    last: int
    fully: bool
    partly: bool
    denied: bool
    was: bool
    """A passive."""
    base: bool
    """The verb behind them stands in its base form: "did read"."""


class Verbs(NamedTuple):
    """One verb of reading, or several that share what was read."""

    last: int
    strength: Strength


@dataclass(frozen=True)
class Cursor:
    """One sentence, with what is known of the place where it stands."""

    wording: Wording
    ticked: bool = False
    """Opens with a tick: "[x] Read cart.py"."""
    heading: Word | None = None
    """The file that the heading above names."""
    _listed: dict[int, tuple[Thing, ...]] = field(default_factory=dict, compare=False, repr=False)
    """What was found from each word on; several forms of clause ask for the same."""

    @property
    def words(self) -> Sequence[Word]:
        return self.wording.words

    def tag(self, i: int) -> str:
        return self.wording.tag(i)

    def text(self, i: int) -> str:
        return self.words[i].text if i < len(self.words) else ""

    def is_file(self, i: int) -> bool:
        """Whether a noun of the files stands here."""
        return self.tag(i) != "NAME" and self.wording.calling.is_file(self.text(i))

    def listed(self, i: int) -> tuple[Thing, ...]:
        """The things that are named or counted from word `i` on."""
        if i not in self._listed:
            self._listed[i] = things_at(self.wording, i)
        return self._listed[i]

    def past_marks(self, i: int) -> int:
        while self.tag(i) in _MARKS:
            i += 1
        return i

    def end_of_clause(self, i: int) -> int:
        """The next word that ends a clause; an "and" between nouns does not."""
        while i < len(self.words):
            joins = self.tag(i) == "AND" and self.tag(i + 1) not in _OPENS_CLAUSE
            if self.tag(i) in BREAKS and not joins:
                break
            i += 1
        return i

    def ends(self, j: int) -> bool:
        """Whether what is spoken of is told with the word before, so far as can be seen."""
        return self.tag(j) in BREAKS | _ADJUNCTS or self.tag(j) == "PURPOSE"

    def closes(self, j: int) -> bool:
        """Whether nothing but how it was read follows."""
        while self.tag(j + (self.tag(j) == "COMMA")) in _ADJUNCTS:
            j += 1
        return self.tag(j) in BREAKS and self.tag(j) != "COLON"

    def past_total(self, i: int) -> int:
        """Past "of the 24 files", where that is how many are in scope; else 0."""
        j = i + 1
        while self.tag(j) in ("DET", "EVERY"):
            j += 1
        named = self.tag(j) == "NUM" and self.is_file(j + 1)
        return j + 2 if named and self.words[j].value == self.wording.calling.size else 0

    @cached_property
    def total(self) -> int | None:
        """The files in scope, where the sentence says their number before it counts."""
        found = any(w.tag == "OF" and self.past_total(i) for i, w in enumerate(self.words))
        return self.wording.calling.size if found else None

    def objects(self, j: int) -> tuple[Thing, ...]:
        """What is read, from word `j` on; after "of 24 files", a number alone counts files."""
        things = self.listed(j)
        alone = self.tag(j) == "NUM" and (self.ends(j + 1) or self.tag(j + 1) in ("WAS", "HAVE"))
        if not things and alone and self.total is not None:
            return (Thing("scope", j, j + 1, value=self.words[j].value, out_of=self.total),)
        return things

    def auxiliaries(self, j: int, *more: str) -> Auxiliaries:
        """Past what stands before a verb; `more` are classes that may stand there too."""
        first = j
        while self.tag(j) in _LIGHT or self.tag(j) == "NOT" or self.tag(j) in more:
            j += 1
        tags = {self.tag(k) for k in range(first, j)}
        return Auxiliaries(
            last=j,
            fully="FULLY" in tags,
            partly="PARTLY" in tags,
            denied=bool(tags & {"NOT", "NEVER"}),
            was=bool(tags & {"WAS", "BEEN"}),
            base=bool(tags & {"DID", "ABLE"})
            or any(self.text(k) in _BEFORE_BASE for k in range(first, j)),
        )

    def verbs(self, j: int, *, base: bool = False) -> Verbs | None:
        """ "opened and read", "reviewed and fixed"; None where no verb of reading stands here."""
        if self.tag(j) not in _STRENGTHS or (self.tag(j) == "READBASE" and not base):
            return None
        strength = _STRENGTHS[self.tag(j)]
        j += 1
        for _ in range(_VERBS):
            k = j
            while self.tag(k) in ("COMMA", "AND", "ADV", "SLASH") and k - j < 3:
                k += 1
            read = self.tag(k) in ("READ", "GLANCE", "WEAK")
            other = self.tag(k) == "W" and self.text(k).endswith("ed") and self.listed(k + 1)
            if k == j or not (read or other):
                break
            strength = "read" if self.tag(k) == "READ" else strength
            j = k + 1
        return Verbs(j, strength)
