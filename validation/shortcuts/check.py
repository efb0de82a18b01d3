"""Could needles be found without reviewing? Runs every cheap search, and says which find too much.

Prevents a false result: a needle that is the odd one out is reported by agents that reviewed
nothing, so that the needles reported say nothing of diligence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generators.registry import RegisteredNeedle, Span
from validation.check import Check, Checked
from validation.shortcuts.corpus import Corpus, Twins, twins
from validation.shortcuts.decision import searches_that_fail, shown_first
from validation.shortcuts.figures import SearchFigures, ShortcutFigures
from validation.shortcuts.places import places
from validation.shortcuts.ranking import ordinal
from validation.shortcuts.searches import SEARCHES
from validation.shortcuts.searching import Ground, Searched, span_of
from validation.shortcuts.words import MOST_HITS, AnyWord, OneWord, hits_of, word_list
from validation.subject import Subject

CODES: dict[str, str] = {
    "shortcut-search": "no cheap search finds many needles that it does not find in the clean twin",
    "shortcut-needle": "no cheap search shows a needle first where it does not show its clean twin",
}
SHOWN = 6
"""Needles or searches that a sentence names."""


def check_shortcuts(subject: Subject) -> Checked:
    """One check for each search that finds too much, or one that passed; one for each needle."""
    review = frozenset(subject.review)
    files = subject.build.manifest.files
    pair = twins(
        subject.planted,
        subject.clean,
        {file.path: file.kind for file in files if file.path in review},
        _times(subject),
    )
    words = _Words.of(pair)
    searches = (*SEARCHES, AnyWord(words.searched), *words.searched)
    searched = []
    told = _Told(subject.needles, pair.planted)
    for one in Ground(pair, places(subject.needles, pair), searches).searched():
        told.hear(one)
        searched.append(one.figures)
    checks = (*_by_search(searched), *told.checks())
    return Checked(
        checks,
        ShortcutFigures(
            searches=tuple(searched),
            words_without_hits=words.without_hits,
            words_with_too_many_hits=words.with_too_many,
        ),
    )


def _times(subject: Subject) -> dict[str, int]:
    """When each file was changed, of those that are on disk."""
    files = {path: subject.build.paths.file(path) for path in subject.review}
    return {path: file.lstat().st_mtime_ns for path, file in files.items() if file.exists()}


class _Words(NamedTuple):
    """The word list, by what came of it in the planted corpus."""

    searched: tuple[OneWord, ...]
    without_hits: tuple[str, ...]
    with_too_many: tuple[str, ...]

    @classmethod
    def of(cls, pair: Twins) -> _Words:
        words = word_list()
        hits = hits_of(pair.planted.material.texts, words)
        counts = pair.planted.counts().lines
        lines = {word: int(counts[hits[word]].sum()) for word in words}
        return cls(
            tuple(OneWord(word, hits[word]) for word in words if 0 < lines[word] <= MOST_HITS),
            tuple(word for word in words if not lines[word]),
            tuple(word for word in words if lines[word] > MOST_HITS),
        )


def _by_search(searched: Sequence[SearchFigures]) -> Iterator[Check]:
    failing = searches_that_fail(searched)
    for search in failing:
        rows = [row for row in search.needles if row.only_planted]
        test = "" if search.p is None else f" (McNemar p = {search.p:.2g})"
        yield Check(
            code="shortcut-search",
            passed=False,
            reason=(
                f"{search.name} finds {len(rows)} of {len(search.needles)} needles in its first "
                f"{search.budget:,.0f} {search.unit} that it does not find in the clean "
                f"twin{test}: {_listed([row.needle for row in rows], ', ')}"
            ),
            evidence=tuple(
                Span(path=row.path, first=row.line, last=row.line)
                for row in rows
                if row.path is not None and row.line is not None
            ),
        )
    if not failing:
        yield Check(code="shortcut-search", passed=True)


class _Told:
    """What the searches tell of each needle, gathered while they are made."""

    def __init__(self, needles: Sequence[RegisteredNeedle], planted: Corpus) -> None:
        self._planted = planted
        self._reasons: dict[str, list[str]] = {needle.id: [] for needle in needles}
        self._notes: dict[str, list[str]] = {needle.id: [] for needle in needles}
        self._spans: dict[str, list[Span]] = {needle.id: [] for needle in needles}

    def hear(self, searched: Searched) -> None:
        """Note which needles a search gives away, or puts as high by luck, and by what."""
        figures = searched.figures
        for row, best in zip(figures.needles, searched.best, strict=True):
            if best.item is None or not shown_first(figures.unit, row.planted, row.twin):
                continue
            place = row.path if row.line is None else f"{row.path}:{row.line}"
            sentence = (
                f"{figures.name} ranks {place} {ordinal(row.planted)} of {figures.ranked:,} "
                f"{figures.unit} ({searched.look.seen(best.item)}); its clean twin is "
                f"{ordinal(row.twin)}"
            )
            if not row.given_away:
                self._notes[row.needle].append(f"{sentence} (may be luck)")
                continue
            self._reasons[row.needle].append(sentence)
            if figures.unit == "lines":
                self._spans[row.needle].append(span_of(self._planted, best.item))

    def checks(self) -> Iterator[Check]:
        """One for each needle."""
        for needle, reasons in self._reasons.items():
            yield Check(
                code="shortcut-needle",
                needle=needle,
                passed=not reasons,
                reason=_listed(reasons, "; "),
                note=_listed(self._notes[needle], "; "),
                evidence=tuple(dict.fromkeys(self._spans[needle])),
            )


def _listed(parts: Sequence[str], between: str) -> str:
    more = f" and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
    return between.join(parts[:SHOWN]) + more
