from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from authoring.loading import load_spec
from authoring.spec import POSITIONS, ScenarioSpec, Size
from generators.build import build_scenario, load_build
from generators.build_folder import Build
from generators.catalogue import describe
from generators.depth import third_of
from generators.lines import split_lines
from generators.registry import RegisteredNeedle

SPECS = Path(__file__).parents[2] / "scenario_specs"
BUILDS: tuple[tuple[str, Size], ...] = (
    ("incident_logs", "standard"),
    ("incident_logs", "long"),
    ("trial_records", "standard"),
    ("trial_records", "long"),
)


@cache
def spec(name: str) -> ScenarioSpec:
    return load_spec(SPECS / f"{name}.yaml", describe())


@pytest.fixture(name="builds", scope="module", params=BUILDS, ids="-".join)
def builds_fixture(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Build, ...]:
    """One of each placement."""
    name, size = request.param
    parent = tmp_path_factory.mktemp(name)
    made = (
        build_scenario(spec(name), size=size, placement=placement, parent=parent, ocb_version="0")
        for placement in range(3)
    )
    return tuple(load_build(paths.root) for paths in made)


def review(build: Build) -> list[str]:
    paths = [file.path for file in build.manifest.files if file.role == "review"]
    return sorted(paths, key=str.encode)


def target(build: Build, needle: RegisteredNeedle) -> str:
    """The file of the kind that the spec names; that of the edit, where both files are of it."""
    wanted = {one.id: one.plant.into.document for one in spec(build.manifest.scenario).needles}
    kinds = {file.path: file.kind for file in build.manifest.files}
    shown = [edit.path for edit in needle.edits] + [span.path for span in needle.evidence]
    return next(path for path in shown if kinds[path] == wanted[needle.id])


def third(index: int, count: int) -> str:
    """Of which third the thing with an index, from 0, is."""
    return next(position for position in POSITIONS if index in third_of(count, position))


def test_over_the_three_placements_each_needle_stands_in_all_three_thirds_of_the_files(
    builds: tuple[Build, ...],
) -> None:
    seen: dict[str, set[str]] = defaultdict(set)
    for build in builds:
        paths = review(build)
        for needle in build.registry.needles:
            seen[needle.id].add(third(paths.index(target(build, needle)), len(paths)))
    needles = spec(builds[0].manifest.scenario).needles
    assert seen == {needle.id: set(POSITIONS) for needle in needles}


def test_over_the_three_placements_each_needle_stands_in_all_three_thirds_of_its_file(
    builds: tuple[Build, ...],
) -> None:
    seen: dict[str, list[set[str]]] = defaultdict(list)
    for build in builds:
        for needle in build.registry.needles:
            path = target(build, needle)
            count = len(split_lines(build.texts[path]))
            middles = [
                (span.first + span.last) // 2 for span in needle.evidence if span.path == path
            ]
            seen[needle.id].append({third(line - 1, count) for line in middles})
    for name, places in seen.items():
        # All lines that show it stand in one third, each time in another.
        assert sorted(map(sorted, places)) == [["early"], ["late"], ["middle"]], name


def test_at_most_a_third_of_the_files_shows_a_needle(builds: tuple[Build, ...]) -> None:
    for build in builds:
        shown = {span.path for needle in build.registry.needles for span in needle.evidence}
        assert 3 * len(shown) <= len(review(build))
