"""Where needles stand in the planted corpus, and which lines of the clean one are their twins."""

from __future__ import annotations

import pytest

from generators.registry import Edit, Span
from tests.validation.made_builds import made_needle, made_subject
from validation.shortcuts.corpus import Corpus, Twins, twins
from validation.shortcuts.places import places

A = ("a one", "a two", "", "a three", "a four", "a five", "a six", "a seven")
B = ("b one", "b two", "b three")


def edit(first: int, planted: tuple[str, ...], clean: tuple[str, ...], path: str = "b.txt") -> Edit:
    """In planted lines, as the registry has it."""
    last = first + len(planted) - 1
    return Edit(path=path, first=first, last=last, planted=planted, clean=clean)


def texts(corpus: Corpus, lines: tuple[int, ...]) -> list[str]:
    return [corpus.text(line) for line in lines]


def pair_of(planted: dict[str, tuple[str, ...]], clean: dict[str, tuple[str, ...]]) -> Twins:
    joined = [{path: "\n".join(x) + "\n" for path, x in one.items()} for one in (planted, clean)]
    return twins(joined[0], joined[1], dict.fromkeys(planted, "paper"), {})


TABLE = {
    "replaced by as many": (
        (*A[:3], "new", *A[4:]),
        edit(4, ("new",), ("a three",)),
        ["new"],
        ["a three"],
    ),
    "unchanged ends are no part of it": (
        (*A[:3], "new", *A[4:]),
        edit(2, ("a two", "", "new", "a four"), ("a two", "", "a three", "a four")),
        ["new"],
        ["a three"],
    ),
    "replaced by more": (
        (*A[:3], "new", "newer", "newest", *A[4:]),
        edit(4, ("new", "newer", "newest"), ("a three",)),
        ["new", "newer", "newest"],
        ["a two", "a three", "a four"],
    ),
    "replaced by fewer": (
        (*A[:3], "new", *A[6:]),
        edit(4, ("new",), ("a three", "a four", "a five")),
        ["new"],
        ["a three", "a four", "a five"],
    ),
    "inserted": (
        (*A[:4], "new", *A[4:]),
        edit(5, ("new",), ()),
        ["new"],
        ["a three", "a four"],
    ),
    "inserted as the first line": (("new", *A), edit(1, ("new",), ()), ["new"], ["a one", "a two"]),
    "inserted with a blank line": (
        (*A[:4], "", "new", *A[4:]),
        edit(5, ("", "new"), ()),
        ["new"],
        ["a three", "a four"],
    ),
}


@pytest.mark.parametrize(("lines", "one", "planted", "twin"), TABLE.values(), ids=list(TABLE))
def test_a_needle_stands_at_its_planted_lines_and_its_twin_where_these_are_clean(
    lines: tuple[str, ...], one: Edit, planted: list[str], twin: list[str]
) -> None:
    pair = pair_of({"b.txt": lines, "c.txt": B}, {"b.txt": A, "c.txt": B})
    (place,) = places([made_needle("b.txt", 1, edits=(one,))], pair)
    assert texts(pair.planted, place.planted) == planted
    assert texts(pair.clean, place.twin) == twin
    assert place.files == (0,)


def test_an_absence_stands_at_its_evidence_and_its_twin_at_the_same_lines() -> None:
    # An insertion further up moves the evidence by one line in the planted file.
    planted = ("new", "a one", "a two", "", "a five", "a six", "a seven")
    needles = (
        made_needle("b.txt", 1, id="other", edits=(edit(1, ("new",), ()),)),
        made_needle(
            "b.txt",
            1,
            id="absence",
            edits=(edit(5, (), ("a three", "a four")),),
            evidence=(Span(path="b.txt", first=4, last=6),),
        ),
    )
    pair = pair_of({"b.txt": planted}, {"b.txt": A})
    _, absence = places(needles, pair)
    assert texts(pair.planted, absence.planted) == ["a five", "a six"]
    assert texts(pair.clean, absence.twin) == ["a five", "a six"]
    assert absence.twin == (5, 6)


def test_a_needle_of_several_edits_stands_at_all_of_them() -> None:
    planted = {"b.txt": ("x one", *A[1:]), "c.txt": ("b one", "x two", "b three")}
    edits = (
        edit(1, ("x one",), ("a one",)),
        edit(2, ("x two",), ("b two",), "c.txt"),
    )
    pair = pair_of(planted, {"b.txt": A, "c.txt": B})
    (place,) = places([made_needle("b.txt", 1, edits=edits)], pair)
    assert texts(pair.planted, place.planted) == ["x one", "x two"]
    assert texts(pair.clean, place.twin) == ["a one", "b two"]
    assert place.files == (0, 1)


def test_lines_of_reference_files_are_in_no_ranking() -> None:
    edits = (edit(1, ("new",), ("a one",), "rules.txt"), edit(1, ("x",), ("b one",), "c.txt"))
    subject = made_subject(
        {"rules.txt": "new\nrest\n", "c.txt": "x\nb two\n"},
        made_needle("c.txt", 1, edits=edits),
    )
    pair = twins(subject.planted, subject.clean, dict.fromkeys(subject.review, "paper"), {})
    (place,) = places(subject.needles, pair)
    assert texts(pair.planted, place.planted) == ["x"]
