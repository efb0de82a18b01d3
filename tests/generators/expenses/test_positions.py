from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from authoring.loading import load_spec
from authoring.spec import POSITIONS, Position, Size
from generators.build import generate
from generators.catalogue import describe, installed
from generators.depth import third_of
from generators.lines import split_lines
from generators.merging import merge_plantings
from generators.placement import Site, copies_of, plant_all
from generators.resolved import BuildParameters, resolve

SPEC = load_spec(Path(__file__).parents[3] / "scenario_specs" / "expense_audit.yaml", describe())
PLACEMENTS = range(3)
SEEDS = (SPEC.seed, *range(4))
HEADER = {"approved-after-payment"}
"""What shows these is a header of a mail: it stands in the first lines, whatever the placement."""


class Stand(NamedTuple):
    """Where a needle stands in a build."""

    needle: str
    file: Position
    """Which third of all files under review."""
    depth: Position
    """Which third of the lines of its file."""


def third(index: int, count: int) -> Position:
    return next(position for position in POSITIONS if index in third_of(count, position))


@cache
def stands(size: Size, seed: int) -> tuple[Stand, ...]:
    """Of every needle in every placement."""
    known = installed()
    build = BuildParameters(size=size, seed=seed, placement=0)
    documents = tuple(generate(resolve(SPEC, build, known), known))
    clean = {str(document.path): document.text for document in documents}
    reviewed = sorted((path for path in clean if "/" in path), key=str.encode)

    def of(placement: int) -> Iterator[Stand]:
        site = Site.of(documents, reviewed, size=size, seed=seed, placement=placement)
        planted = plant_all(
            copies_of(SPEC.needles, size),
            lambda needle: known.planter(needle.plant.planter, needle.plant.parameters),
            site,
        )
        merged = merge_plantings(clean, planted)
        for name, one in merged.needles.items():
            shown = one.evidence[0]
            middle = (shown.first + shown.last) // 2
            yield Stand(
                name,
                third(reviewed.index(shown.path), len(reviewed)),
                third(middle - 1, len(split_lines(merged.texts[shown.path]))),
            )

    return tuple(stand for placement in PLACEMENTS for stand in of(placement))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("needle", [needle.id for needle in SPEC.needles])
def test_over_the_three_placements_each_needle_stands_in_all_three_thirds(
    needle: str, seed: int
) -> None:
    own = [stand for stand in stands("standard", seed) if stand.needle == needle]
    assert len(own) == len(PLACEMENTS)
    assert {stand.file for stand in own} == set(POSITIONS)
    if needle not in HEADER:
        assert {stand.depth for stand in own} == set(POSITIONS)


def test_every_needle_but_those_in_a_header_names_a_depth() -> None:
    without = {needle.id for needle in SPEC.needles if needle.plant.into.depth is None}
    assert without == HEADER
