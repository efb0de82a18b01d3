"""What a search finds in the planted corpus and at the same places of the clean one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest

from generators.registry import Edit, RegisteredNeedle
from tests.validation.made_builds import made_needle
from validation.shortcuts.corpus import Corpus, twins
from validation.shortcuts.figures import SearchFigures
from validation.shortcuts.places import places
from validation.shortcuts.search import Look, Search, Unit
from validation.shortcuts.searching import Ground
from validation.shortcuts.words import OneWord, hits_of

FILES, LINES = 40, 5


@dataclass(frozen=True)
class Marked:
    """Gives the lines, or files, that hold a mark the score of that mark."""

    marks: Mapping[str, float]
    unit: Unit
    name: str = "marked"
    does: str = "Ranks by marks."

    def look(self, corpus: Corpus) -> Look:
        lines = [corpus.text(line) for line in range(len(corpus.lines))]
        texts = corpus.texts if self.unit == "files" else lines
        scores = [max((s for m, s in self.marks.items() if m in text), default=0) for text in texts]
        return Look(np.array(scores, dtype=float), lambda item: f"item {item}")


def ground(planted: Mapping[int, str], clean: Mapping[int, str]) -> Ground:
    """With a needle in the third line of some files, by the number of the file."""
    texts: list[dict[str, str]] = []
    for put in (planted, clean):
        rows = {
            f"f{file:02}.txt": [f"line {file} {row}" for row in range(LINES)]
            for file in range(FILES)
        }
        for file, line in put.items():
            rows[f"f{file:02}.txt"][2] = line
        texts.append({path: "\n".join(lines) for path, lines in rows.items()})
    pair = twins(texts[0], texts[1], dict.fromkeys(texts[0], "paper"), {})
    needles = [needle(file, line, clean.get(file, "")) for file, line in planted.items()]
    return Ground(pair, places(needles, pair), ())


def searched(search: Search, ground: Ground) -> SearchFigures:
    (one,) = replace(ground, searches=(search,)).searched()
    return one.figures


def needle(file: int, planted: str, clean: str) -> RegisteredNeedle:
    clean = clean or f"line {file} 2"
    edit = Edit(path=f"f{file:02}.txt", first=3, last=3, planted=(planted,), clean=(clean,))
    return made_needle(edit.path, 3, id=f"needle-{file}", edits=(edit,))


def test_a_search_finds_what_it_ranks_in_the_first_two_hundredths_of_the_lines() -> None:
    # 200 lines: the last rank is 4. Beside it stand 3 and 4 ordinary lines with a higher score.
    for others, found in ((3, 1), (4, 0)):
        marks = {"new": 1.0} | {f"line {file} 4": 2.0 for file in range(others)}
        figures = searched(Marked(marks, "lines"), ground({9: "new"}, {}))
        assert (figures.budget, figures.found_planted, figures.found_twin) == (4, found, 0)
        assert figures.needles[0].planted == others + 1
        assert (figures.needles[0].path, figures.needles[0].line) == ("f09.txt", 3)


def test_what_is_found_in_the_twin_too_does_not_count() -> None:
    marks = {"new": 2.0, "old": 2.0, "newest": 3.0}
    figures = searched(
        Marked(marks, "lines"), ground({9: "new", 3: "newest"}, {9: "old", 3: "plain"})
    )
    assert (figures.found_planted, figures.found_twin, figures.found_only_planted) == (2, 1, 1)
    assert [row.only_planted for row in figures.needles] == [False, True]


def test_what_only_the_twin_shows_is_counted_the_other_way() -> None:
    figures = searched(Marked({"old": 2.0}, "lines"), ground({9: "new"}, {9: "old"}))
    assert (figures.found_only_planted, figures.found_only_twin) == (0, 1)


@pytest.mark.parametrize(
    ("rank", "missed"), [(3, 0), (4, 0), (5, 1)], ids=["third", "fourth", "fifth"]
)
def test_the_twin_of_a_file_is_missed_beyond_the_fourth(rank: int, missed: int) -> None:
    marks = {"new": 30.0, "old": 5.0} | {f"line {file} 4": 10.0 + file for file in range(rank - 1)}
    figures = searched(Marked(marks, "files"), ground({12: "new"}, {12: "old"}))
    assert figures.needles[0].twin == rank
    assert (figures.found_planted, figures.found_twin) == (1, 0)
    assert figures.found_only_planted == missed


@pytest.mark.parametrize(("elsewhere", "rank", "fails"), [("a gift", 1.5, False), ("x", 1, True)])
def test_a_word_that_stands_elsewhere_too_gives_no_needle_away(
    elsewhere: str, rank: float, fails: bool
) -> None:
    # One needle and 200 lines: by luck alone a second rank would be seen once in 100 times.
    planted = ground({9: "the gift", 3: elsewhere}, {3: elsewhere})
    made = replace(planted, places=planted.places[:1])
    texts = made.pair.planted.material.texts
    (row,) = searched(OneWord("gift", hits_of(texts, ["gift"])["gift"]), made).needles
    assert (row.planted, row.given_away) == (rank, fails)


@pytest.mark.parametrize(("needles", "p"), [(29, None), (30, 2**-30)])
def test_mcnemar_is_made_from_thirty_needles_on(needles: int, p: float | None) -> None:
    made = ground(dict.fromkeys(range(needles), "new"), {})
    assert searched(Marked({"new": 1.0}, "lines"), made).p == p
