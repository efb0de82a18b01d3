"""When is a build too easy? The rules, and how they keep clear of false alarms.

**A search** fails the build when it finds more than a quarter of the needles, and at least 4, that
it does not find at the same places of the clean twin. From 30 needles on it also fails by an exact
one-sided McNemar test, after Holm over the searches that tell planted from clean at all. It finds
what it ranks in the first 2 % of the lines, or among the first 2 files. The needles of one file are
found together, and a changed byte can move a file by a rank or two: the twin of a file is only
missed when it is not among the first 4 either.

**A needle** fails alone when a search ranks it among the first 3 lines and its clean twin not, or
when its file is the first one and its twin not. By itself that would fail a third of the builds
whose needles stand at random: 18 needles in 14 searches are 252 draws, and three of some thousand
lines are always the first ones. So the search must be sure as well. Either the needle stands clear:
its score leads by more than what spreads the scores next to it (`ranking`). Or it is no luck: over
all needles and searches, that a line like any other gets so far is to be expected less than 0.08
times. Searches look at much the same things, so that builds fail by chance less often than that: 1
to 4 of 100 with needles at random places. The hits of a single word must stand clear, since a word
with one hit always ranks first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from validation.shortcuts.figures import SearchFigures
from validation.shortcuts.ranking import Best
from validation.shortcuts.search import Unit

SHARE = 0.02
"""Of the lines, those that someone in a hurry looks at."""
FILES = 2
"""Files that they look at."""
QUARTER = 0.25
LEAST = 4
"""Needles found, below which a search that finds them may be lucky."""
MANY = 30
"""Needles from which on a test has the power to tell."""
ALPHA = 0.05
FIRST_LINES = 3
"""The last rank of a line that everybody sees."""
LUCK = 0.08
"""Needles expected to get so far by chance, over all needles and searches."""


def budget(unit: Unit, items: int) -> float:
    """The last rank that counts as found."""
    return FILES if unit == "files" else max(1.0, SHARE * items)


def missed_after(unit: Unit, items: int) -> float:
    """The last rank at which a twin is not yet missed."""
    return FILES * 2 if unit == "files" else budget(unit, items)


def shown_first(unit: Unit, planted: float, twin: float) -> bool:
    """Whether a search ranks a needle where everybody looks, and its twin not."""
    last = 1 if unit == "files" else FIRST_LINES
    return planted <= last < twin


def gives_away(unit: Unit, planted: Best, twin: Best, luck: float) -> bool:
    """Whether a search surely shows one needle by itself.

    `luck`: how many needles at random places all searches of lines together put at each rank; of
    no weight for files.
    """
    sure = planted.stands_clear or (unit == "lines" and luck * planted.rank <= LUCK)
    return sure and shown_first(unit, planted.rank, twin.rank)


def mcnemar(only_planted: int, only_twin: int) -> float:
    """The chance of so many needles found in the planted corpus alone, were both alike."""
    pairs = only_planted + only_twin
    cases = sum(math.comb(pairs, found) for found in range(only_planted, pairs + 1))
    return float(cases / 2**pairs)


def holm(values: Mapping[str, float]) -> frozenset[str]:
    """The names that are still significant after Holm."""
    kept: set[str] = set()
    ordered = sorted(values.items(), key=lambda row: (row[1], row[0]))
    for index, (name, p) in enumerate(ordered):
        if p > ALPHA / (len(ordered) - index):
            break
        kept.add(name)
    return frozenset(kept)


def searches_that_fail(searches: Sequence[SearchFigures]) -> tuple[SearchFigures, ...]:
    """The searches that find too many needles."""
    tested = {
        one.name: one.p
        for one in searches
        if one.p is not None and one.found_only_planted + one.found_only_twin
    }
    significant = holm(tested)
    return tuple(one for one in searches if _too_many(one) or one.name in significant)


def _too_many(search: SearchFigures) -> bool:
    found = search.found_only_planted
    return found >= LEAST and found > QUARTER * len(search.needles)
