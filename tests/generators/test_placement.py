from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import pytest

from authoring.errors import UserError
from authoring.spec import (
    POSITIONS,
    SIZES,
    NeedleSpec,
    Planting,
    Position,
    Report,
    Size,
    Target,
)
from generators.depth import distance, rotated
from generators.placement import Site, copies_of, plant_all, third
from generators.planting import Aim, Ground, Planted, Planter
from generators.registry import Edit, Span


def paths(count: int) -> list[PurePosixPath]:
    return [PurePosixPath(f"{number:02}.md") for number in range(count)]


def kept(count: int, of_kind: Sequence[PurePosixPath]) -> list[list[PurePosixPath]]:
    return [list(third(paths(count), of_kind, position)) for position in POSITIONS]


@pytest.mark.parametrize("count", range(3, 20))
def test_the_thirds_hold_every_file_once_in_order(count: int) -> None:
    parts = kept(count, paths(count))
    assert [path for part in parts for path in part] == paths(count)
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_a_third_is_one_of_all_files_and_holds_those_of_the_kind() -> None:
    first, second, fifth, eighth = (paths(9)[at] for at in (0, 1, 4, 7))
    assert kept(9, [first, second, fifth, eighth]) == [[first, second], [fifth], [eighth]]


def test_where_a_third_holds_none_of_a_kind_the_third_of_those_of_the_kind_stands_for_it() -> None:
    early = paths(9)[:3]
    assert kept(9, early) == [early, [early[1]], [early[2]]]


def test_one_or_two_files_still_have_a_place_for_each_position() -> None:
    assert kept(1, paths(1)) == [paths(1)] * 3
    two = paths(2)
    assert kept(2, two) == [[two[0]], [two[0]], [two[1]]]


def test_a_placement_moves_early_to_middle_to_late_and_round() -> None:
    assert [rotated(position, 1) for position in POSITIONS] == ["middle", "late", "early"]
    assert [rotated(position, 2) for position in POSITIONS] == ["late", "early", "middle"]
    assert [rotated(position, 0) for position in POSITIONS] == list(POSITIONS)


class MarksLine:
    """Replaces one line, in files whose name is allowed: the wanted depth if it may."""

    def __init__(self, *refused: PurePosixPath, line: int = 1) -> None:
        self._refused = refused
        self._line = line

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        if aim.target in self._refused:
            raise UserError(f"{aim.target}: no anchor")
        line = self._line or ground.texts[aim.target].split("\n").index("anchor") + 1
        clean = ground.texts[aim.target].split("\n")[line - 1]
        path = str(aim.target)
        edit = Edit(path=path, first=line, last=line, planted=("X",), clean=(clean,))
        return Planted((edit,), (Span(path=path, first=line, last=line),))


def needle(
    name: str,
    position: Position = "early",
    document: str = "letter",
    depth: Position | None = None,
    **copies: int,
) -> NeedleSpec:
    return NeedleSpec(
        id=name,
        kind="lost",
        severity="minor",
        plant=Planting(
            into=Target(document=document, position=position, depth=depth), planter="marks"
        ),
        report=Report(statement="Lost.", terms=(("lost",),)),
        copies={size: copies[size] for size in SIZES if size in copies},
    )


def site(
    texts: Sequence[str] = ("a\nb\nc\n",) * 9,
    *,
    size: Size = "small",
    placement: int = 0,
    seed: int = 1,
) -> Site:
    # Handed in backwards: the order of the generator decides nothing.
    files = dict(reversed(list(zip(paths(len(texts)), texts, strict=True))))
    ground = Ground(files, dict.fromkeys(files, "letter"))
    return Site(ground, frozenset(files), size, seed, placement)


def numbers(planted: Mapping[str, Planted]) -> list[int]:
    """The number of the file that each needle went into."""
    return [int(PurePosixPath(one.edits[0].path).stem) for one in planted.values()]


def plant(where: Site, *needles: NeedleSpec, planter: Planter | None = None) -> list[int]:
    copies = copies_of(needles, where.size)
    return numbers(plant_all(copies, lambda _needle: planter or MarksLine(), where))


def planted(
    name: str, *refused: int, position: Position = "early", placement: int = 0, seed: int = 1
) -> int:
    """The number of the file, of nine, that one needle went into."""
    planter = MarksLine(*(PurePosixPath(f"{number:02}.md") for number in refused))
    where = site(placement=placement, seed=seed)
    return plant(where, needle(name, position), planter=planter)[0]


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
    def at(spec: NeedleSpec) -> Planter:
        return MarksLine(line=1 if spec.id in "abc" else 3)

    needles = [needle(name) for name in "abcd"]
    found = numbers(plant_all(copies_of(needles, "small"), at, site()))
    assert sorted(found[:3]) == [0, 1, 2]
    assert found[3] in {0, 1, 2}


def test_needles_that_touch_go_into_different_files_or_nowhere() -> None:
    assert sorted(plant(site(), *(needle(name) for name in "abc"))) == [0, 1, 2]
    with pytest.raises(UserError, match=r"0\d\.md: needles [abc] and d touch, at line 1"):
        plant(site(), *(needle(name) for name in "abcd"))


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
        plant(site(), needle("a", document="lettr"))


# Depth


def anchored(line: int) -> str:
    return "".join("anchor\n" if number == line else "text\n" for number in range(1, 31))


DEEP = [anchored(line) for line in (3, 15, 28) * 3]
"""In each third of nine files one with its anchor early, one middle, one late."""


@pytest.mark.parametrize(
    ("depth", "placement", "file"),
    [
        ("early", 0, 0),
        ("middle", 0, 1),
        ("late", 0, 2),
        ("early", 1, 4),
        ("late", 1, 3),
        ("middle", 2, 6),
    ],
)
def test_the_file_whose_evidence_has_the_wanted_depth_is_taken(
    depth: Position, placement: int, file: int
) -> None:
    where = site(DEEP, placement=placement)
    assert plant(where, needle("a", depth=depth), planter=MarksLine(line=0)) == [file]


def test_where_no_file_has_the_wanted_depth_the_nearest_is_taken() -> None:
    texts = [anchored(line) for line in (2, 19, 3)]
    where = site(texts * 3)
    assert plant(where, needle("a", depth="late"), planter=MarksLine(line=0)) == [1]


def test_where_the_file_of_the_wanted_depth_has_no_room_the_nearest_is_taken() -> None:
    first, second = needle("a", depth="late"), needle("b", depth="late")
    found = plant(site(DEEP), first, second, planter=MarksLine(line=0))
    assert found == [2, 1]


class MarksAnchor:
    """Replaces the first line `anchor` of a third, else the first there is."""

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = ground.texts[aim.target].split("\n")
        numbers = [number for number, line in enumerate(lines, start=1) if line == "anchor"]
        depth = aim.depth or "early"
        line = min(numbers, key=lambda number: distance(number, len(lines) - 1, depth))
        edit = Edit(path=str(aim.target), first=line, last=line, planted=("X",), clean=("anchor",))
        return Planted((edit,), (Span(path=str(aim.target), first=line, last=line),))


def test_where_another_needle_is_in_the_way_the_nearest_depth_of_the_file_is_taken() -> None:
    text = "".join("anchor\n" if n in {3, 15, 28} else "text\n" for n in range(1, 31))
    needles = [needle(name, depth="late") for name in "abc"]
    planted = plant_all(
        copies_of(needles, "small"), lambda _needle: MarksAnchor(), site([text] * 3)
    )
    assert [one.edits[0].first for one in planted.values()] == [28, 15, 3]
    assert set(numbers(planted)) == {0}
    with pytest.raises(UserError, match=r"00\.md: needles a and d touch, at line 28"):
        plant_all(
            copies_of([*needles, needle("d", depth="late")], "small"),
            lambda _needle: MarksAnchor(),
            site([text] * 3),
        )


class MarksOwnAnchor:
    """Replaces one of the lines `anchor`: each needle another, while there are enough."""

    def __init__(self, spec: NeedleSpec) -> None:
        self._turn = "abcd".index(spec.id)

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = ground.texts[aim.target].split("\n")
        numbers = [number for number, line in enumerate(lines, start=1) if line == "anchor"]
        return MarksLine(line=numbers[self._turn % len(numbers)]).plant(ground, aim)


FLAT = anchored(5)
ROOMY = "".join("anchor\n" if n in {22, 24, 26, 28} else "text\n" for n in range(1, 31))


def taken_by_late_needles(names: str, *texts: str) -> list[int]:
    needles = [needle(name, depth="late") for name in names]
    return numbers(plant_all(copies_of(needles, "small"), MarksOwnAnchor, site(texts * 3)))


def test_a_file_is_taken_for_the_wanted_depth_until_it_holds_three_needles_more() -> None:
    assert taken_by_late_needles("abc", ROOMY, FLAT, FLAT) == [0, 0, 0]
    *three, fourth = taken_by_late_needles("abcd", ROOMY, FLAT, FLAT)
    assert three == [0, 0, 0]
    assert fourth in {1, 2}


def test_with_the_wanted_depth_in_each_file_needles_keep_to_files_of_their_own() -> None:
    assert sorted(taken_by_late_needles("abc", ROOMY, ROOMY, ROOMY)) == [0, 1, 2]


def test_no_other_file_is_changed_for_the_wanted_depth_where_a_third_of_them_is() -> None:
    needles = [needle("a"), needle("b", "middle"), needle("c", "late"), needle("d", depth="late")]

    def planter(spec: NeedleSpec) -> Planter:
        return MarksOwnAnchor(spec) if spec.id == "d" else MarksLine()

    firsts = set()
    for seed in range(8):
        where = site([FLAT, ROOMY, ROOMY] * 3, size="standard", seed=seed)
        found = numbers(plant_all(copies_of(needles, "standard"), planter, where))
        assert found[3] == found[0]
        firsts.add(found[0])
    assert 0 in firsts


# Copies


def test_copies_have_ids_of_their_own_and_files_of_their_own() -> None:
    copies = copies_of([needle("a", small=3, large=9), needle("b"), needle("c", small=0)], "small")
    assert [copy.needle.id for copy in copies] == ["a", "a-2", "a-3", "b"]
    assert len(copies_of([needle("a", small=3, large=9)], "large")) == 9
    assert len(copies_of([needle("a", small=3, large=9)], "long")) == 1
    assert sorted(plant(site(), needle("a", small=9))) == list(range(9))


def test_each_copy_stands_a_third_further_on() -> None:
    found = plant(site(), needle("a", "middle", small=4))
    assert [number // 3 for number in found] == [1, 2, 0, 1]


def test_more_copies_than_files_are_refused() -> None:
    with pytest.raises(UserError, match="needle a-10: no early letter takes it:\n  each of them"):
        plant(site(), needle("a", small=10))


# How many files may hold a needle


def line_of(spec: NeedleSpec) -> Planter:
    return MarksLine(line=2 * "abcdef".index(spec.id[0]) + 1)


LONG = ("a\n" * 20,) * 9


def test_from_standard_up_needles_share_files_before_more_than_a_third_hold_one() -> None:
    needles = [needle("a"), needle("b"), needle("c", "middle"), needle("d"), needle("e", "late")]
    standard = numbers(
        plant_all(copies_of(needles, "standard"), line_of, site(LONG, size="standard"))
    )
    assert len(set(standard)) == 3
    assert [number // 3 for number in standard] == [0, 0, 1, 0, 2]
    small = numbers(plant_all(copies_of(needles, "small"), line_of, site(LONG)))
    assert len(set(small)) == 5


def test_with_room_for_it_a_file_of_its_own_comes_first() -> None:
    needles = [needle("a"), needle("b"), needle("c", "middle")]
    found = numbers(plant_all(copies_of(needles, "standard"), line_of, site(LONG, size="standard")))
    assert len(set(found)) == 3


def test_more_than_a_third_of_the_files_is_refused() -> None:
    with pytest.raises(
        UserError,
        match="4 of the 9 files under review would hold a defect; at most a third, 3, may",
    ):
        plant(site(LONG, size="long"), needle("a", long=4))
