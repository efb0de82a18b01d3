"""What every search found, for the page and for machines."""

from __future__ import annotations

from authoring.artefacts import Value
from authoring.spec import Identifier
from generators.corpus_path import CorpusPath
from validation.shortcuts.search import Unit


class NeedleRank(Value):
    """Where one search puts one needle, and the same place in the clean twin."""

    needle: Identifier
    planted: float
    """1 is what the search shows first; ties share the middle of their ranks."""
    twin: float
    path: CorpusPath | None
    """The file of the needle's best place; None where it has none under review."""
    line: int | None
    """The line there, from 1; None for a search over files."""
    stands_clear: bool
    """Whether it leads by more than what spreads those that come next."""
    only_planted: bool
    """Whether the search finds it, and not its twin."""
    given_away: bool
    """Whether the needle fails by this search alone."""


class SearchFigures(Value):
    """One search over the planted corpus and over its clean twin."""

    name: str
    does: str
    unit: Unit
    ranked: int
    """How many lines or files there are in the planted corpus."""
    budget: float
    """The last rank that counts as found: 2 % of the lines, or 2 files."""
    found_planted: int
    found_twin: int
    found_only_planted: int
    """Needles found that are missed at the same place of the twin; the build fails by these."""
    found_only_twin: int
    p: float | None
    """One-sided, exact McNemar; None below 30 needles."""
    needles: tuple[NeedleRank, ...]


class ShortcutFigures(Value):
    """All searches that were made."""

    searches: tuple[SearchFigures, ...]
    words_without_hits: tuple[str, ...]
    words_with_too_many_hits: tuple[str, ...]
    """More than 20 lines hold them, so that nobody looks through these."""
