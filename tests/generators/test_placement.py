from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from authoring.errors import UserError
from authoring.spec import POSITIONS, NeedleSpec, Planting, Position, Report, Target
from generators.document import Document
from generators.placement import plant_needle, rotated, third
from generators.planting import Planted
from generators.registry import Edit, Span


def paths(count: int) -> list[PurePosixPath]:
    return [PurePosixPath(f"{number:02}.md") for number in range(count)]


@pytest.mark.parametrize("count", range(3, 20))
def test_the_thirds_hold_every_file_once_in_order(count: int) -> None:
    parts = [third(paths(count), position) for position in POSITIONS]
    assert [path for part in parts for path in part] == paths(count)
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_one_or_two_files_still_have_a_place_for_each_position() -> None:
    assert [third(paths(1), position) for position in POSITIONS] == [paths(1)] * 3
    two = paths(2)
    assert [list(third(two, position)) for position in POSITIONS] == [[two[0]], [two[0]], [two[1]]]


def test_a_placement_moves_early_to_middle_to_late_and_round() -> None:
    assert [rotated(position, 1) for position in POSITIONS] == ["middle", "late", "early"]
    assert [rotated(position, 2) for position in POSITIONS] == ["late", "early", "middle"]
    assert [rotated(position, 0) for position in POSITIONS] == list(POSITIONS)


class MarksLine:
    """Replaces line 1, in files whose name is allowed."""

    def __init__(self, *refused: PurePosixPath) -> None:
        self._refused = refused

    def plant(self, files: Mapping[PurePosixPath, str], target: PurePosixPath) -> Planted:
        if target in self._refused:
            raise UserError(f"{target}: no anchor")
        path = str(target)
        edit = Edit(path=path, first=1, last=1, planted=("X",), clean=("a",))
        return Planted((edit,), (Span(path=path, first=1, last=1),))


def needle(name: str, position: Position = "early", document: str = "letter") -> NeedleSpec:
    return NeedleSpec(
        id=name,
        kind="lost",
        severity="minor",
        plant=Planting(into=Target(document=document, position=position), planter="marks"),
        report=Report(statement="Lost.", terms=(("lost",),)),
    )


def documents(count: int) -> list[Document]:
    # Handed in backwards: the order of the generator decides nothing.
    return [Document(path, "letter", "a\n") for path in reversed(paths(count))]


def planted(
    name: str,
    *refused: int,
    position: Position = "early",
    placement: int = 0,
    seed: int = 1,
    used: Mapping[PurePosixPath, int] | None = None,
) -> int:
    """The number of the file, of nine, that the needle went into."""
    one = plant_needle(
        needle(name, position),
        MarksLine(*(PurePosixPath(f"{number:02}.md") for number in refused)),
        documents(9),
        placement=placement,
        seed=seed,
        used=used or {},
    )
    return int(PurePosixPath(one.edits[0].path).stem)


def test_a_needle_goes_into_its_third_moved_by_the_placement() -> None:
    for seed in range(20):
        assert planted("a", seed=seed) in {0, 1, 2}
        assert planted("a", seed=seed, placement=1) in {3, 4, 5}
        assert planted("a", seed=seed, placement=2) in {6, 7, 8}
        assert planted("a", seed=seed, position="late", placement=1) in {0, 1, 2}


def test_seed_and_needle_decide_the_file() -> None:
    assert {planted("a", seed=seed) for seed in range(20)} == {0, 1, 2}
    assert {planted(f"n{number}") for number in range(20)} == {0, 1, 2}
    assert len({planted("a") for _ in range(5)}) == 1


def test_a_file_with_a_needle_is_taken_only_when_all_have_one() -> None:
    first = planted("a")
    used = {PurePosixPath(f"{first:02}.md"): 1}
    second = planted("a", used=used)
    used[PurePosixPath(f"{second:02}.md")] = 1
    third_one = planted("a", used=used)
    assert {first, second, third_one} == {0, 1, 2}
    assert planted("a", used=dict.fromkeys(paths(9), 1)) == first


def test_a_file_without_the_anchor_is_passed_over() -> None:
    assert planted("a", 0, 1) == 2
    assert planted("a", 1, 2) == 0


def test_a_third_without_the_anchor_is_told_with_the_reason_of_each_file() -> None:
    with pytest.raises(UserError) as caught:
        planted("a", 0, 1, 2)
    lines = str(caught.value).splitlines()
    assert lines[0] == "needle a: no early letter takes it:"
    assert sorted(lines[1:]) == ["  00.md: no anchor", "  01.md: no anchor", "  02.md: no anchor"]


def test_a_kind_of_document_that_is_not_there_is_told_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"holds no document 'lettr'\n  did you mean 'letter'\?"):
        plant_needle(
            needle("a", document="lettr"), MarksLine(), documents(3), placement=0, seed=1, used={}
        )
