"""Runs one search over a corpus and its clean twin, and counts the needles that it finds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generators.registry import Span
from validation.shortcuts.corpus import Corpus, Twins
from validation.shortcuts.decision import MANY, budget, gives_away, mcnemar, missed_after
from validation.shortcuts.figures import NeedleRank, SearchFigures
from validation.shortcuts.places import Place
from validation.shortcuts.ranking import Best, Ranking
from validation.shortcuts.search import Look, Search
from validation.shortcuts.words import OneWord


class Searched(NamedTuple):
    """One search, made."""

    figures: SearchFigures
    look: Look
    """At the planted corpus."""
    best: tuple[Best, ...]
    """Of each needle, there."""


@dataclass(frozen=True)
class Ground:
    """What all searches are made on."""

    pair: Twins
    places: tuple[Place, ...]
    searches: tuple[Search, ...]

    def searched(self) -> Iterator[Searched]:
        """Every search, one after the other, so that only one holds its scores at a time."""
        draws = len(self.places) * sum(_draws_lines(search) for search in self.searches)
        pair = Twins(
            self.pair.planted.with_needles(_lines(place.planted for place in self.places)),
            self.pair.clean.with_needles(_lines(place.twin for place in self.places)),
        )
        for search in self.searches:
            luck = draws / max(1, len(self.pair.planted.lines))
            yield self._search(search, pair, luck if _draws_lines(search) else math.inf)

    def _search(self, search: Search, pair: Twins, luck: float) -> Searched:
        look = search.look(pair.planted)
        best = self._best(search, look, planted=True)
        twins = self._best(search, search.look(pair.clean), planted=False)
        ranked = len(look.scores)
        last, missed = budget(search.unit, ranked), missed_after(search.unit, ranked)
        rows = tuple(
            NeedleRank(
                needle=place.needle,
                planted=one.rank,
                twin=twin.rank,
                **_where(search, self.pair.planted, one)._asdict(),
                stands_clear=one.stands_clear,
                only_planted=one.rank <= last and twin.rank > missed,
                given_away=gives_away(search.unit, one, twin, luck),
            )
            for place, one, twin in zip(self.places, best, twins, strict=True)
        )
        only_planted = sum(row.only_planted for row in rows)
        only_twin = sum(row.twin <= last and row.planted > missed for row in rows)
        figures = SearchFigures(
            name=search.name,
            does=search.does,
            unit=search.unit,
            ranked=ranked,
            budget=last,
            found_planted=sum(row.planted <= last for row in rows),
            found_twin=sum(row.twin <= last for row in rows),
            found_only_planted=only_planted,
            found_only_twin=only_twin,
            p=mcnemar(only_planted, only_twin) if len(rows) >= MANY else None,
            needles=rows,
        )
        return Searched(figures, look, best)

    def _best(self, search: Search, look: Look, *, planted: bool) -> tuple[Best, ...]:
        """The first place of each needle in the planted corpus, or in its twin."""
        if search.unit == "files":
            files = Ranking.of_files(look.scores)
            return tuple(files.best(place.files) for place in self.places)
        own: Sequence[Sequence[int]] = [
            place.planted if planted else place.twin for place in self.places
        ]
        ranking = Ranking.of_lines(look.scores, _lines(own))
        return tuple(map(ranking.best, own))


def _lines(own: Iterable[Sequence[int]]) -> set[int]:
    return {line for lines in own for line in lines}


def _draws_lines(search: Search) -> bool:
    """Whether a needle at a random place has a chance at every rank: in most files no word of the
    list stands, so that there is nothing to be drawn.
    """
    return search.unit == "lines" and not isinstance(search, OneWord)


class _Where(NamedTuple):
    path: str | None
    line: int | None


def _where(search: Search, corpus: Corpus, best: Best) -> _Where:
    if best.item is None:
        return _Where(None, None)
    if search.unit == "files":
        return _Where(corpus.paths[best.item], None)
    span = span_of(corpus, best.item)
    return _Where(span.path, span.first)


def span_of(corpus: Corpus, line: int) -> Span:
    """A line as the registry names it."""
    file = int(corpus.file_of[line])
    number = line - int(corpus.starts[file]) + 1
    return Span(path=corpus.paths[file], first=number, last=number)
