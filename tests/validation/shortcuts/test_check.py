"""The bar: needles like everything around them pass, a needle that is the odd one out fails."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.validation.made_builds import made_build
from tests.validation.shortcuts.harbour import (
    NOUNS,
    Change,
    Replace,
    form_of,
    ordinary,
    papers,
    places,
    planted,
    replaced,
)
from validation.check import Check, Checked
from validation.shortcuts.check import CODES, check_shortcuts
from validation.shortcuts.figures import SearchFigures, ShortcutFigures
from validation.subject import Subject

SEEDS = range(100)
BAR = 95
"""Of a hundred builds, those that must pass."""


def failures(checked: Checked) -> list[Check]:
    return [check for check in checked.checks if not check.passed]


def figures(checked: Checked) -> dict[str, SearchFigures]:
    assert isinstance(checked.figures, ShortcutFigures)
    return {search.name: search for search in checked.figures.searches}


def copied(rng: random.Random) -> Subject:
    """Each needle is a copy of a line that stands somewhere else."""
    clean = papers(rng)
    lines = [line for file in clean.values() for line in file]
    return planted(
        clean,
        [place._replace(planted=(rng.choice(lines),)) for place in places(rng, clean, 8)],
    )


def redrawn(rng: random.Random) -> Subject:
    """Each needle is a line of the same form with other words and numbers."""
    return replaced(rng, lambda rng, line: ordinary(rng, form_of(line)))


def removed(rng: random.Random) -> Subject:
    """Each needle is a line that is missing."""
    clean = papers(rng)
    return planted(clean, places(rng, clean, 8))


@pytest.mark.parametrize("build", [copied, redrawn, removed])
def test_needles_like_all_other_lines_pass(build: Callable[[random.Random], Subject]) -> None:
    passed = [not failures(check_shortcuts(build(random.Random(seed)))) for seed in SEEDS]
    assert sum(passed) >= BAR


def misspelt(rng: random.Random) -> str:
    """A word of the harbour with one letter twice."""
    word = rng.choice([noun for noun in NOUNS if len(noun) > 4])
    at = rng.randrange(1, len(word) - 1)
    return word[:at] + word[at] + word[at:]


ODD: dict[str, tuple[str, Replace]] = {
    "tab": ("white space", lambda _, line: f"{line}\tagain"),
    "space at the end": ("white space", lambda _, line: f"{line}  "),
    "word of the list": ("suspicious words", lambda _, line: f"{line} TODO"),
    "odd shape": (
        "odd shape",
        lambda rng, _: f"<<{rng.choice('abc')}>> ~~ {{{rng.randint(1, 9)}}} ?? !! //",
    ),
    "long line": ("line length", lambda rng, line: line + " " + ordinary(rng, 5) * 4),
    "misspelt word": ("spelling", lambda rng, line: f"{line} {misspelt(rng)}"),
    "indentation": ("indentation", lambda _, line: " " * 11 + line),
    "character": ("rare characters", lambda _, line: line + " § 4"),
}


@pytest.mark.parametrize(("search", "replace"), ODD.values(), ids=list(ODD))
def test_needles_that_are_the_odd_ones_out_always_fail(search: str, replace: Replace) -> None:
    for seed in range(5):
        failed = failures(check_shortcuts(replaced(random.Random(seed), replace)))
        assert any(check.code == "shortcut-search" and search in check.reason for check in failed)


SINGLE = ["tab", "space at the end", "word of the list", "odd shape", "long line"]


@pytest.mark.parametrize("name", SINGLE)
def test_one_odd_needle_among_ordinary_ones_fails_and_they_do_not(name: str) -> None:
    _, replace = ODD[name]
    others = 0
    for seed in range(5):
        checked = check_shortcuts(replaced(random.Random(seed), replace, odd=1))
        alone = {check.needle for check in failures(checked) if check.evidence}
        assert "needle-0" in alone
        others += len(alone) - 1
    assert others <= 1


def test_the_needle_of_a_file_that_became_the_largest_fails() -> None:
    rng = random.Random(4)
    clean = papers(rng)
    smallest = min(clean, key=lambda path: len(clean[path]))
    change = Change(smallest, 5, tuple(ordinary(rng) for _ in range(90)))
    failed = failures(check_shortcuts(planted(clean, [change])))
    (check,) = [check for check in failed if check.needle == "needle-0"]
    assert check.reason.startswith(f"size ranks {smallest} first of 12 files (it has ")


def test_a_needle_that_is_odd_in_the_clean_twin_too_passes() -> None:
    rng = random.Random(1)
    clean = papers(rng)
    clean["berth-03.txt"][10] += "\t12"
    change = Change("berth-03.txt", 10, (clean["berth-03.txt"][10].replace("12", "13"),))
    checked = check_shortcuts(planted(clean, [change]))
    assert not failures(checked)
    white = figures(checked)["white space"]
    assert (white.found_planted, white.found_twin) == (1, 1)


def test_a_reason_names_the_search_the_rank_what_was_seen_and_the_twin() -> None:
    rng = random.Random(2)
    clean = papers(rng)
    place = Change("berth-04.txt", 7, ("\t" + clean["berth-04.txt"][7],))
    (check,) = [c for c in failures(check_shortcuts(planted(clean, [place]))) if c.needle]
    assert "white space ranks berth-04.txt:8 first of " in check.reason
    assert " lines (oddity a tab stands in 1 lines); its clean twin is " in check.reason
    assert [(span.path, span.first) for span in check.evidence] == [("berth-04.txt", 8)]


SHARED: dict[str, Replace] = {
    "capitals": lambda rng, line: ordinary(rng, 5).replace("with the", "WITH the"),
    "misspelt": lambda rng, line: f"{ordinary(rng, 5)[:-1]} of harbuor.",
    "number": lambda rng, line: f"- {rng.choice(NOUNS)}: heavy, 99999 units",
}


@pytest.mark.parametrize("odd", SHARED)
def test_an_oddity_that_needles_share_is_as_odd_as_that_of_one(odd: str) -> None:
    # Twelve of some four hundred lines: no longer rare, were they counted.
    checked = check_shortcuts(replaced(random.Random(8), SHARED[odd], count=12))
    assert "shortcut-search" in {check.code for check in failures(checked)}


def test_what_a_reason_quotes_does_not_act_on_a_terminal() -> None:
    rng = random.Random(2)
    clean = papers(rng)
    place = Change("berth-04.txt", 7, (clean["berth-04.txt"][7] + "\x1b[31m",))
    failed = failures(check_shortcuts(planted(clean, [place])))
    assert any("\\x1b" in check.reason for check in failed)
    assert all(check.reason.isprintable() for check in failed)


def test_needles_of_one_word_with_many_hits_are_no_shortcut() -> None:
    rng = random.Random(3)
    clean = papers(rng)
    for path in clean:
        clean[path][::12] = [f"{line} TODO" for line in clean[path][::12]]
    changes = [
        Change(place.path, place.line, (clean[place.path][place.line] + " TODO",))
        for place in places(rng, clean, 4)
    ]
    checked = check_shortcuts(planted(clean, changes))
    assert isinstance(checked.figures, ShortcutFigures)
    assert checked.figures.words_with_too_many_hits == ("TODO",)
    assert "word TODO" not in figures(checked)
    assert not failures(checked)


def test_a_first_rank_that_may_be_luck_is_noted_and_fails_nothing() -> None:
    rng = random.Random(3)
    clean = papers(rng)
    clean["berth-02.txt"][4] = "| gift | 12 | 20.00 |"
    change = Change("berth-07.txt", 9, ("| gift | 14 | 21.00 |",))
    others = [place for place in places(rng, clean, 9) if place.path != "berth-07.txt"]
    checked = check_shortcuts(planted(clean, [change, *others[:7]]))
    assert not failures(checked)
    check = next(check for check in checked.checks if check.needle == "needle-0")
    assert "word gift ranks berth-07.txt:10 2nd of " in check.note
    assert check.note.endswith(" (may be luck)")


def test_files_that_were_changed_later_are_seen_on_disk(tmp_path: Path) -> None:
    rng = random.Random(6)
    clean = papers(rng)
    subject = planted(
        clean, [place._replace(planted=("Any pump and hull.",)) for place in places(rng, clean, 1)]
    )
    build = made_build(subject.planted, *subject.needles, root=tmp_path)
    build.paths.corpus.mkdir()
    for path, text in build.texts.items():
        build.paths.file(path).write_text(text, encoding="utf-8")
        os.utime(build.paths.file(path), (1_000_000, 1_000_000))
    later = Subject(build, subject.detections)
    assert figures(check_shortcuts(later))["time"].found_planted == 0
    (touched,) = {edit.path for needle in subject.needles for edit in needle.edits}
    os.utime(build.paths.file(touched), (1_000_009, 1_000_009))
    checked = check_shortcuts(Subject(build, subject.detections))
    assert figures(checked)["time"].needles[0].planted == 1
    assert any("time ranks" in check.reason for check in failures(checked))


def test_every_needle_has_a_check_and_a_rank_in_every_search() -> None:
    subject = redrawn(random.Random(0))
    checked = check_shortcuts(subject)
    ids = [needle.id for needle in subject.needles]
    assert {check.code for check in checked.checks} == set(CODES)
    assert [check.needle for check in checked.checks if check.code == "shortcut-needle"] == ids
    searches = figures(checked)
    assert len(searches) >= 12
    for search in searches.values():
        assert [row.needle for row in search.needles] == ids
        assert all(1 <= row.planted <= search.ranked for row in search.needles)


def test_a_build_without_needles_passes() -> None:
    checked = check_shortcuts(planted(papers(random.Random(0)), []))
    assert [check.code for check in checked.checks] == ["shortcut-search"]
    assert not failures(checked)
