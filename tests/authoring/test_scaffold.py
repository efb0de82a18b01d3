from __future__ import annotations

import itertools
from pathlib import Path, PurePosixPath

import pytest

from authoring.catalogue import Catalogue, Kind
from authoring.errors import UserError
from authoring.loading import load_spec
from authoring.scaffold import PLACEHOLDER, Scaffold, scaffold_of, write_scaffold
from generators.build_paths import BuildPaths
from generators.catalogue import GENERATORS, NoParameters, describe
from ocb.building import BuildOrder, BuildSummary, make_build
from tests.validating import validated


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return describe()


@pytest.mark.parametrize("generator", sorted(GENERATORS))
def test_a_new_spec_is_built_and_sealed_as_it_is_in_every_size(
    catalogue: Catalogue, tmp_path: Path, generator: str
) -> None:
    path = tmp_path / "fresh-one.yaml"
    written = write_scaffold(scaffold_of("fresh-one", generator, catalogue), path, catalogue)
    assert written[0] == path
    assert PLACEHOLDER not in path.read_text()
    spec = load_spec(path, catalogue)
    assert spec.id == "fresh-one"
    assert len(spec.needles) == 1
    for size, placement in itertools.product(spec.corpus.sizes, range(3)):
        order = BuildOrder(
            spec, path.parent, size, seed=None, placement=placement, parent=tmp_path / "out"
        )
        made = make_build(order)
        assert isinstance(made, BuildSummary), made
        report = validated(BuildPaths(Path(made.path)), beside=path.parent)
        assert report.failures == ()


def test_a_new_spec_names_the_schema_that_lies_beside_it(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "a.yaml"
    write_scaffold(scaffold_of("a", "contracts", catalogue), path, catalogue)
    assert path.read_text().startswith("# yaml-language-server: $schema=schema.json\n")
    schema = tmp_path / "deep" / "schema.json"
    assert schema.read_text().startswith("{")
    schema.write_text("mine")
    write_scaffold(scaffold_of("b", "contracts", catalogue), tmp_path / "deep/b.yaml", catalogue)
    assert schema.read_text() == "mine"


@pytest.mark.parametrize("taken", ["new.yaml", "new"], ids=["the spec", "the folder"])
def test_nothing_is_written_over(catalogue: Catalogue, tmp_path: Path, taken: str) -> None:
    scaffold = Scaffold("new", "id: new\n", {PurePosixPath("a/b.txt"): b"text\n"})
    (tmp_path / taken).symlink_to("nowhere")
    with pytest.raises(UserError, match=f"{taken}: is there already"):
        write_scaffold(scaffold, tmp_path / "new.yaml", catalogue)
    assert [path.name for path in tmp_path.iterdir()] == [taken]


def test_files_of_a_scaffold_lie_in_a_folder_of_its_name(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    scaffold = Scaffold("new", "id: new\n", {PurePosixPath("a/b.txt"): b"text\r\n"})
    write_scaffold(scaffold, tmp_path / "other.yaml", catalogue)
    assert (tmp_path / "new" / "a" / "b.txt").read_bytes() == b"text\r\n"


def test_what_an_installer_adds_is_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tmp_path / "a_package" / "scaffold" / "files"
    (files / "deep" / "__pycache__").mkdir(parents=True)
    (files / "deep" / "one.py").write_text("x = 1\n")
    (files / "deep" / "__pycache__" / "one.pyc").write_bytes(b"\0")
    (files.parent / "spec.yaml").write_text("id: new_scenario\n")
    (tmp_path / "a_package" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    kind = Kind("own", "", NoParameters, scaffold="a_package")
    found = scaffold_of("a", "own", Catalogue(generators={"own": kind}, planters={}, kinds={}))
    assert found.files == {PurePosixPath("deep/one.py"): b"x = 1\n"}
    assert found.spec.splitlines()[1] == "id: a"


@pytest.mark.parametrize("name", ["Upper", "", "../x", "1st", "a" * 64])
def test_a_name_that_no_scenario_may_have_is_refused(catalogue: Catalogue, name: str) -> None:
    with pytest.raises(UserError, match="is no name of a scenario"):
        scaffold_of(name, "contracts", catalogue)


def test_a_generator_that_is_unknown_or_brings_no_spec_is_told(catalogue: Catalogue) -> None:
    with pytest.raises(UserError, match="no generator 'contract'\n  did you mean 'contracts'"):
        scaffold_of("a", "contract", catalogue)
    bare = Catalogue(generators={"bare": Kind("bare", "", NoParameters)}, planters={}, kinds={})
    with pytest.raises(UserError, match="'bare' brings no first spec"):
        scaffold_of("a", "bare", bare)
