"""Building again, in a real process: what the spec reads must be where it was."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from authoring.loading import load_spec
from authoring.scaffold import scaffold_of, write_scaffold
from generators.build import read_manifest
from generators.build_paths import BuildPaths
from generators.catalogue import describe
from ocb.building import BuildOrder, BuildSummary, make_build
from ocb.rebuilding import Rebuilder, other_environment, rebuild
from tests.e2e.truth_corpus import build_truth_corpus
from validation.determinism import Rebuilt

NAMES = {"directory": "stock_code", "llm": "tool_code"}


def built(folder: Path, generator: str, parent: Path) -> BuildPaths:
    """A build of the generator's first spec, which lies with its files in the folder."""
    catalogue = describe()
    name = NAMES[generator]
    path = folder / f"{name}.yaml"
    write_scaffold(scaffold_of(name, generator, catalogue), path, catalogue)
    spec = load_spec(path, catalogue)
    made = make_build(BuildOrder(spec, folder, "small", seed=None, placement=0, parent=parent))
    assert isinstance(made, BuildSummary)
    return BuildPaths(Path(made.path))


@pytest.fixture
def spec_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "specs"
    folder.mkdir()
    return folder


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """A folder from which no spec is found."""
    return tmp_path / "far" / "a" / "b" / "c" / "d"


@pytest.mark.parametrize("generator", NAMES)
def test_it_is_the_same_from_the_folder_of_its_spec(
    generator: str, spec_folder: Path, far: Path
) -> None:
    paths = built(spec_folder, generator, far)
    assert Rebuilder(beside=spec_folder)(paths) == Rebuilt(manifest=read_manifest(paths))


def test_a_build_near_its_spec_finds_what_it_was_made_of(spec_folder: Path) -> None:
    paths = built(spec_folder, "directory", spec_folder / "build")
    assert Rebuilder()(paths).manifest == read_manifest(paths)


def test_a_build_far_from_its_spec_says_what_is_missing(spec_folder: Path, far: Path) -> None:
    paths = built(spec_folder, "directory", far)
    found = Rebuilder()(paths)
    assert found.manifest is None
    assert found.fault.startswith("it reads stock_code, counted from the folder of its spec, and")


def test_a_source_that_is_gone_is_named(spec_folder: Path, far: Path) -> None:
    paths = built(spec_folder, "directory", far)
    shutil.rmtree(spec_folder / "stock_code")
    found = rebuild(paths, [spec_folder])
    assert found.manifest is None
    assert f"{spec_folder}/stock_code: is no folder" in found.fault


def test_a_source_that_changed_gives_another_corpus(spec_folder: Path, far: Path) -> None:
    paths = built(spec_folder, "directory", far)
    with (spec_folder / "stock_code" / "guidelines.md").open("a") as file:
        file.write("One more rule.\n")
    found = rebuild(paths, [spec_folder])
    assert found.manifest is not None
    assert found.manifest.tree != read_manifest(paths).tree


def test_no_model_is_asked_for_what_the_cache_does_not_hold(spec_folder: Path, far: Path) -> None:
    paths = built(spec_folder, "llm", far)
    next((spec_folder / "tool_code").glob("*.json")).unlink()
    found = rebuild(paths, [spec_folder])
    assert found.manifest is None
    assert "no model is asked" in found.fault


def test_a_generator_that_is_not_installed_is_named(tmp_path: Path) -> None:
    found = Rebuilder()(build_truth_corpus(tmp_path).paths)
    assert found.manifest is None
    assert "there is no generator 'stock-lists'" in found.fault


def test_nothing_is_left_beside_the_build(spec_folder: Path, far: Path) -> None:
    paths = built(spec_folder, "directory", far)
    before = sorted(path for path in paths.root.parent.rglob("*"))
    Rebuilder(beside=spec_folder)(paths)
    assert sorted(path for path in paths.root.parent.rglob("*")) == before


def test_a_process_that_takes_too_long_is_ended(spec_folder: Path, far: Path) -> None:
    paths = built(spec_folder, "directory", far)
    found = Rebuilder(beside=spec_folder, seconds=0.001)(paths)
    assert found == Rebuilt(manifest=None, fault="not done after 0 s")


@pytest.mark.parametrize(
    ("own", "seed", "zone", "locale"),
    [
        pytest.param({}, "1", "Pacific/Apia", "C.UTF-8", id="unset"),
        pytest.param(
            {"PYTHONHASHSEED": "1", "TZ": "Pacific/Apia", "LC_ALL": "C.UTF-8"},
            "2",
            "America/St_Johns",
            "C",
            id="the-same",
        ),
    ],
)
def test_the_process_has_other_settings_and_no_key(
    own: dict[str, str], seed: str, zone: str, locale: str
) -> None:
    given = other_environment({"PATH": "/bin", "ANTHROPIC_API_KEY": "sk-placeholder", **own})
    assert given.pop("PYTHONPATH") != ""
    assert given == {"PATH": "/bin", "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
