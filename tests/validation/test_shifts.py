"""Lines in several variants of a corpus, against the plantings that were merged into it."""

from __future__ import annotations

from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st

from generators.detectors.detector import Evidence
from generators.merging import Merged, merge_plantings
from generators.planting import Planted
from generators.registry import RegisteredNeedle, Span
from tests.validation.made_builds import made_needle
from tests.validation.tiny import Plant
from validation.shifts import after, clean_changes, without

BLOCK = 6
"""Every needle has six lines to itself, of which it changes some and shows some."""


@st.composite
def plants(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, Planted]]:
    """A clean file of numbered lines and needles in it, each planted alone."""
    count = draw(st.integers(1, 5))
    clean = {"a.md": "\n".join(f"line {n}" for n in range(1, BLOCK * count + 1)) + "\n"}
    planted: dict[str, Planted] = {}
    for number in range(count):
        first = BLOCK * number + draw(st.integers(1, 3))
        taken, put = draw(st.integers(0, 2)), draw(st.integers(0, 3))
        if not taken and not put:
            put = 1
        # The lines that show it: from the edit to one or two lines below, at least one.
        last = max(first + put - 1 + draw(st.integers(0, 2)), first)
        lines = tuple(f"put {number} {n}" for n in range(put))
        plant = Plant(
            f"n{number}", "any", (("a.md", first, taken, lines),), (("a.md", first, last),)
        )
        planted[plant.name] = plant.on(clean)
    return clean, planted


def registered(merged: Merged) -> list[RegisteredNeedle]:
    return [
        made_needle("a.md", 1, id=name, evidence=one.evidence, edits=one.edits)
        for name, one in merged.needles.items()
    ]


@given(plants())
def test_with_all_others_taken_out_a_needle_stands_where_it_was_planted_alone(
    made: tuple[dict[str, str], dict[str, Planted]],
) -> None:
    clean, planted = made
    needles = registered(merge_plantings(clean, planted))
    for needle in needles:
        others = [other for other in needles if other.id != needle.id]
        there = tuple(without(span, others) for span in needle.evidence)
        assert there == planted[needle.id].evidence


@given(plants())
def test_every_clean_line_that_is_kept_is_followed_into_the_planted_file(
    made: tuple[dict[str, str], dict[str, Planted]],
) -> None:
    clean, planted = made
    merged = merge_plantings(clean, planted)
    changes = [c for own in clean_changes(registered(merged)).values() for c in own]
    lines = merged.texts["a.md"].split("\n")
    for number in range(1, len(clean["a.md"].split("\n"))):
        there = after(Evidence(PurePosixPath("a.md"), number, number), changes)
        kept = f"line {number}" in lines
        assert (there is not None) == kept
        if there is not None:
            assert lines[there.first - 1] == f"line {number}"


def test_lines_that_an_edit_changes_are_nowhere_without_it() -> None:
    plant = Plant("one", "any", (("a.md", 3, 1, ("x", "y")),), (("a.md", 3, 3),))
    clean = {"a.md": "1\n2\n3\n4\n5\n6\n"}
    (needle,) = registered(merge_plantings(clean, {"one": plant.on(clean)}))
    inside = {
        span: without(Span(path="a.md", first=span[0], last=span[1]), [needle])
        for span in ((1, 2), (2, 3), (3, 4), (4, 5), (2, 5), (5, 6))
    }
    assert {span: there and (there.first, there.last) for span, there in inside.items()} == {
        (1, 2): (1, 2),
        (2, 3): None,
        (3, 4): None,
        (4, 5): None,
        (2, 5): None,
        (5, 6): (4, 5),
    }
