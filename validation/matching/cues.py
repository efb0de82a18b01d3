"""What tells a finding from a clean bill, and from a sentence on the review itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import yaml

from validation.matching.terms import Term, Text, term_of

_TURN_REACH = 3
_COUNT_REACH = 3


@dataclass(frozen=True)
class Cues:
    """Words that tell a defect from a clean bill; see findings.yaml."""

    defect: tuple[Term, ...]
    clean: tuple[Term, ...]
    despite: tuple[Term, ...]
    coverage: tuple[Term, ...]
    specific: tuple[Term, ...]
    """Those of `defect` that say what is wrong; not "issue", "severity", "should"."""
    still: tuple[Term, ...]
    """Those that tell a finding even of a file that is said not to have been read."""
    counted: tuple[Term, ...]
    """What a summary counts."""
    ahead: tuple[Term, ...]
    """Headings of recommendations and summaries."""
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

    def names_defect(self, text: Text) -> bool:
        """Whether a text says what is wrong, not only that something is, or should be done."""
        return self.blames(text) and text.holds_one(self.specific)

    def looks_ahead(self, text: Text) -> bool:
        """Whether a heading is one of recommendations, or of a summary."""
        return text.holds_one(self.ahead)

    def only_counts(self, text: Text) -> bool:
        """Whether a text tells how many findings there are, and none of them."""
        counts = any(
            any(word.isdecimal() for word in text.words[max(0, at - _COUNT_REACH) : at])
            for term in self.counted
            for at in text.find(term)
        )
        return counts and not text.holds_one(self.specific)

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

    general = {*terms("general"), *terms("counted")}
    turns, fields, places = (frozenset(data[name]) for name in ("turns", "fields", "files"))
    return Cues(
        terms("defect"),
        terms("clean"),
        terms("despite"),
        terms("coverage"),
        tuple(term for term in terms("defect") if term not in general),
        terms("still"),
        terms("counted"),
        terms("ahead"),
        turns,
        fields,
        places,
    )
