"""Ablation: all needles in, all out, one alone; detectors of one word over files of few lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from authoring.errors import UserError
from tests.validation.tiny import (
    Lines,
    Plant,
    Word,
    failed,
    line_plant,
    the_check,
    tiny_detector,
    tiny_subject,
    with_evidence,
)
from validation.ablation import CODES, check_ablation
from validation.subject import Detections, Subject

CLEAN = {
    "a.md": "one\npaid monthly\nthree\nfour\nfive\nsix\n",
    "b.md": "one\npaid monthly\nthree\n",
}
NEVER = line_plant("late-payment", "never", "a.md", 2, "paid never")
LOUD = line_plant("loud", "loud", "a.md", 6, "so loud")


def with_text(subject: Subject, path: str, text: str) -> Subject:
    """The same registry over another planted text."""
    texts = {**subject.planted, path: text}
    return Subject(replace(subject.build, texts=texts), Detections(tiny_detector))


def test_sound_needles_pass_every_check() -> None:
    checked = check_ablation(tiny_subject(CLEAN, NEVER, LOUD))
    assert failed(checked) == {}
    assert {check.code for check in checked.checks} == set(CODES)


def test_a_needle_registered_at_the_wrong_line_fails_with_both_places() -> None:
    wrong = with_evidence(tiny_subject(CLEAN, NEVER), "late-payment", ("a.md", 3, 3))
    assert failed(check_ablation(wrong)) == {
        ("positive", "late-payment"): (
            "the never detector finds nothing at a.md:3-3; it fires at a.md:2-2"
        ),
        ("no-natural-needle", None): "never also found at a.md:2-2",
        ("swap", "late-payment"): (
            "planted alone: the never detector finds nothing at a.md:3-3; never found at a.md:2-2"
        ),
    }


def test_a_defect_that_stands_in_the_clean_corpus_fails_planted_clean_and_alone() -> None:
    texts = CLEAN | {"b.md": "one\nalso never\nthree\n"}
    assert failed(check_ablation(tiny_subject(texts, NEVER))) == {
        ("no-natural-needle", None): "never also found at b.md:2-2",
        ("negative", None): "on the clean corpus the never detector fires at b.md:2-2",
        ("swap", "late-payment"): "planted alone: never found at b.md:2-2",
    }


def test_a_needle_planted_twice_fails() -> None:
    twice = Plant("twice", "never", (("a.md", 2, 1, ("never", "never")),), (("a.md", 2, 2),))
    found = failed(check_ablation(tiny_subject(CLEAN, twice)))
    assert found["no-natural-needle", None] == "never also found at a.md:3-3"
    assert ("negative", None) not in found


def test_needles_that_are_there_only_together_fail_alone() -> None:
    one = line_plant("one", "in-company", "a.md", 2, "a pair")
    other = line_plant("other", "in-company", "b.md", 2, "a pair")
    assert failed(check_ablation(tiny_subject(CLEAN, one, other))) == {
        ("swap", "one"): "planted alone: the in-company detector finds nothing at a.md:2-2",
        ("swap", "other"): "planted alone: the in-company detector finds nothing at b.md:2-2",
    }


def test_a_needle_that_brings_another_kind_of_defect_fails_alone_too() -> None:
    both = line_plant("both", "never", "a.md", 2, "never so loud")
    found = failed(check_ablation(tiny_subject(CLEAN, both, LOUD)))
    assert found["no-natural-needle", None] == "loud also found at a.md:2-2"
    assert found["swap", "both"] == "planted alone: loud found at a.md:2-2"


@pytest.mark.parametrize(
    "above",
    [
        pytest.param((("a.md", 2, 1, ("x", "y", "z")),), id="lines-more"),
        pytest.param((("a.md", 2, 2, ("x",)),), id="lines-fewer"),
        pytest.param((("a.md", 2, 2, ()),), id="lines-removed"),
        pytest.param((("a.md", 2, 0, ("x", "y")),), id="lines-inserted"),
        pytest.param((("a.md", 4, 0, ("x", "y")),), id="inserted-one-line-above"),
        pytest.param((("a.md", 7, 0, ("x", "y")),), id="inserted-below"),
    ],
)
def test_alone_a_needle_stands_where_it_would_without_the_edits_of_others(
    above: tuple[tuple[str, int, int, tuple[str, ...]], ...],
) -> None:
    other = Plant("other", "loud", (("b.md", 2, 1, ("loud",)), *above), (("b.md", 2, 2),))
    needle = Plant("late", "never", (("a.md", 5, 1, ("never",)),), (("a.md", 5, 5),))
    subject = tiny_subject(CLEAN, other, needle)
    assert failed(check_ablation(subject)) == {}
    assert failed(check_ablation(tiny_subject(CLEAN, needle, other))) == {}


def test_evidence_that_another_needle_changes_fails_alone() -> None:
    wide = with_evidence(tiny_subject(CLEAN, NEVER, LOUD), "late-payment", ("a.md", 2, 6))
    assert failed(check_ablation(wide))["swap", "late-payment"] == (
        "planted alone: a.md:2-6 holds lines that another needle changes; never found at a.md:2-2"
    )


def test_planted_lines_that_are_not_there_cannot_be_taken_out() -> None:
    subject = with_text(tiny_subject(CLEAN, NEVER), "a.md", "one\nother text\nthree\n")
    with pytest.raises(UserError, match="lines 2 to 2 are not the planted ones"):
        check_ablation(subject)


REAL = {
    "a.md": "one\nnever paid\nthree\nfour\nfive\nsix\n",
    "b.md": "one\nnever again\nthree\n",
}
BELOW = Plant("late", "never", (("a.md", 1, 1, ("x", "never")),), (("a.md", 2, 2),))


def test_natural_needles_of_real_files_are_listed_and_fail_nothing() -> None:
    checked = check_ablation(tiny_subject(REAL, BELOW, generator="directory"))
    assert failed(checked) == {}
    # The planted line moves the first of them one line down.
    planted = the_check(checked, "no-natural-needle")
    assert planted.note == "natural needles of kind never: a.md:3-3, b.md:2-2"
    assert [(one.path, one.first) for one in planted.evidence] == [("a.md", 3), ("b.md", 2)]
    assert the_check(checked, "negative").note == (
        "natural needles of kind never in the clean corpus: a.md:2-2, b.md:2-2"
    )


def test_natural_needles_of_made_files_fail() -> None:
    found = failed(check_ablation(tiny_subject(REAL, BELOW)))
    assert found["negative", None] == (
        "on the clean corpus the never detector fires at a.md:2-2, b.md:2-2"
    )


def test_a_stray_defect_that_the_real_files_do_not_hold_fails() -> None:
    twice = Plant("late", "never", (("a.md", 1, 1, ("never", "never")),), (("a.md", 1, 1),))
    found = failed(check_ablation(tiny_subject(REAL, twice, generator="directory")))
    assert found == {
        ("no-natural-needle", None): "never also found at a.md:2-2",
        ("swap", "late"): "planted alone: never found at a.md:2-2",
    }


@pytest.mark.parametrize(("natural", "crowd"), [(3, False), (4, True)])
def test_more_than_three_natural_needles_beside_one_planted_fail(natural: int, crowd: bool) -> None:
    texts = {"a.md": "one\ntwo\n", "b.md": "never\n" * natural}
    needle = line_plant("late", "never", "a.md", 2, "never paid")
    found = failed(check_ablation(tiny_subject(texts, needle, generator="directory")))
    assert (("natural-crowd", None) in found) == crowd


class InOne(Word):
    """Looks at `a.md` alone."""

    def extract(self, path: PurePosixPath, text: str) -> Lines:
        return super().extract(path, text) if path.name == "a.md" else ()


def test_a_detector_that_was_told_the_file_of_its_needle_fails() -> None:
    subject = tiny_subject(CLEAN, NEVER)
    told = Subject(subject.build, Detections(lambda _: InOne("never")))
    assert failed(check_ablation(told)) == {
        ("path-blind", "late-payment"): (
            "the never detector does not find the text of a.md under the path of b.md"
        )
    }


def test_a_detector_may_know_the_one_file_of_a_sort() -> None:
    alone = tiny_subject({"a.md": CLEAN["a.md"], "rules.md": "one\n"}, NEVER)
    told = Subject(alone.build, Detections(lambda _: InOne("never")))
    assert failed(check_ablation(told)) == {}


def test_a_needle_in_the_place_of_a_natural_one_fails() -> None:
    same = line_plant("late", "never", "a.md", 2, "never at all")
    found = failed(check_ablation(tiny_subject(REAL, same, generator="directory")))
    assert found == {("negative", None): "the clean corpus holds never where it was planted: late"}
