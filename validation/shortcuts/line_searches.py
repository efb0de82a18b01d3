"""Searches over lines: by rarity of what they hold, and by measures of their form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import Bags, Counts, Indices, Material, Scores
from validation.shortcuts.search import Look, Unit, by_peers, of_lines, quoted


@dataclass(frozen=True)
class RarestFeature:
    """Ranks lines by the rarest of the features that they hold."""

    name: str
    does: str
    bags: Callable[[Material], Bags]
    what: str
    """What a feature is called."""
    among_peers: bool = False
    """Whether rarity is counted within the files of one kind."""
    quote: bool = True
    """Whether a feature is text of the corpus."""
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        bags = self.bags(corpus.material)

        def score(group: int | None) -> Scores:
            counts = corpus.counts(group)
            return bags.most(_surprise(bags, counts))

        def seen(line: int) -> str:
            group = int(corpus.line_group[line]) if self.among_peers else None
            found = bags.lines_with(corpus.counts(group))
            features = bags.of_line(int(corpus.lines[line]))
            if not len(features):
                return f"no {self.what}"
            rarest = features[np.argmin(found[features])]
            name = quoted(bags.names[rarest]) if self.quote else bags.names[rarest]
            where = " of its kind" if self.among_peers else ""
            return f"{self.what} {name} stands in {int(found[rarest])} lines{where}"

        if self.among_peers:
            return Look(by_peers(corpus, score), seen)
        return Look(of_lines(corpus, score(None)), seen)


def _surprise(bags: Bags, counts: Counts) -> Scores:
    """How surprising each feature is: minus the logarithm of the share of lines that hold it."""
    surprise: Scores = np.log(max(1, int(counts.lines.sum()))) - np.log(bags.lines_with(counts))
    return surprise


@dataclass(frozen=True)
class RareTokens:
    """Ranks lines by how rare their tokens are on average."""

    name: str = "rare tokens"
    does: str = "Ranks lines by how rare their words, numbers and marks are on average."
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        bags = corpus.material.tokens
        counts = corpus.counts()
        scores = bags.mean(_surprise(bags, counts))
        found = bags.lines_with(counts)

        def seen(line: int) -> str:
            features = bags.of_line(int(corpus.lines[line]))
            rare = sorted(features, key=lambda one: found[one])[:3]
            return "its rarest tokens are " + ", ".join(quoted(bags.names[one]) for one in rare)

        return Look(of_lines(corpus, scores), seen)


@dataclass(frozen=True)
class Length:
    """Ranks lines by how far their length is from that of their peers."""

    name: str = "line length"
    does: str = "Ranks lines by how far their length is from the median of their kind of file."
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        lengths = np.array([len(text) for text in corpus.material.texts], dtype=float)

        def score(group: int | None) -> Scores:
            return np.abs(lengths - _median(lengths, corpus.counts(group).kept))

        def seen(line: int) -> str:
            return f"it is {int(lengths[corpus.lines[line]])} characters long"

        return Look(by_peers(corpus, score), seen)


def _median(values: Scores, counts: Indices) -> float:
    """The median of values that occur `counts` times; those of blank lines are 0 and left out."""
    held = (counts > 0) & (values > 0)
    repeated = np.repeat(values[held], counts[held])
    return float(np.median(repeated)) if len(repeated) else 0.0


@dataclass(frozen=True)
class Indentation:
    """Ranks lines by how rare their indentation is among their peers."""

    name: str = "indentation"
    does: str = (
        "Ranks lines by how few lines of their kind of file begin with the same white space."
    )
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        leads = [text[: len(text) - len(text.lstrip())] for text in corpus.material.texts]
        numbers = {lead: index for index, lead in enumerate(dict.fromkeys(leads))}
        lead_of = np.array([numbers[lead] for lead in leads], dtype=np.int64)
        filled = np.array([bool(text) for text in corpus.material.texts], dtype=bool)

        def lines(group: int | None) -> Scores:
            texts = np.flatnonzero(filled)
            found = corpus.counts(group).of(lead_of[texts], texts, len(numbers))
            return np.maximum(found, 1.0)

        def score(group: int | None) -> Scores:
            found = lines(group)
            surprise: Scores = np.log(found.sum()) - np.log(found)
            return surprise[lead_of]

        def seen(line: int) -> str:
            found = lines(int(corpus.line_group[line]))
            text = int(corpus.lines[line])
            return (
                f"{int(found[lead_of[text]])} lines of its kind begin with the white space "
                f"{quoted(leads[text])}"
            )

        return Look(by_peers(corpus, score), seen)
