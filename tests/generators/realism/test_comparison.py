from __future__ import annotations

import importlib.metadata
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.artefacts import sha256
from authoring.spec import ScenarioSpec
from generators.build import Build, build_scenario, load_build
from generators.catalogue import Registrations
from generators.realism.comparison import Bar, compare, figures
from generators.realism.counterparts import (
    CounterpartList,
    find,
    on_this_machine,
    read_lists,
)

REAL = {"one.txt": "A real text that stands for itself.\n" * 9, "two.txt": "Another one.\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    real = tmp_path / "real"
    real.mkdir()
    for name, text in REAL.items():
        (real / name).write_text(text)
    return real


@pytest.fixture
def listed() -> CounterpartList:
    return CounterpartList(
        name="real text",
        distribution="real",
        version="1.0",
        kinds=("letter",),
        files={name: (sha256(text.encode()),) for name, text in REAL.items()},
    )


@pytest.fixture
def build(spec: ScenarioSpec, registrations: Registrations, tmp_path: Path) -> Build:
    paths = build_scenario(
        spec,
        size="standard",
        parent=tmp_path / "out",
        ocb_version="1.0",
        registrations=registrations,
    )
    return load_build(paths.root)


def test_only_the_listed_bytes_count_and_no_links(folder: Path, listed: CounterpartList) -> None:
    assert find(listed, lambda _n, _v: folder).texts == REAL
    (folder / "two.txt").write_text("Changed.\n")
    assert set(find(listed, lambda _n, _v: folder).texts) == {"one.txt"}
    (folder / "moved.txt").write_text(REAL["one.txt"])
    (folder / "one.txt").unlink()
    (folder / "one.txt").symlink_to("moved.txt")
    assert find(listed, lambda _n, _v: folder).texts == {}
    assert find(listed, lambda _n, _v: None).texts == {}


def test_a_counterpart_by_ending_stands_beside_all_such_files_as_a_whole(
    build: Build, listed: CounterpartList, folder: Path
) -> None:
    by_ending = listed.model_copy(update={"kinds": (), "suffixes": (".md", ".py")})
    *kinds, whole = compare(build, [by_ending], lambda _n, _v: folder)
    assert [kind.kind for kind in kinds] == ["letter", "note", "rules"]
    assert [kind.counterpart for kind in kinds] == [None, None, None]
    assert whole.kind == "*.md"
    assert whole.corpus.files == 13
    assert whole.corpus.sharing is None
    assert [bar.code for bar in whole.bars] == ["gzip-ratio"]


@pytest.mark.parametrize("listed", read_lists(), ids=lambda listed: listed.name)
def test_the_listed_files_are_on_a_machine_of_a_developer(listed: CounterpartList) -> None:
    found = find(listed, on_this_machine)
    if listed.distribution:
        assert set(found.texts) == set(listed.files)
    assert len(found.texts) >= 5


def test_another_version_of_a_package_is_none() -> None:
    version = importlib.metadata.version("click")
    assert on_this_machine("click", version) is not None
    assert on_this_machine("click", f"{version}.1") is None
    assert on_this_machine("no-such-package-is-there", "1") is None


def test_letters_of_one_template_break_both_bars_of_sharing(
    build: Build, listed: CounterpartList, folder: Path
) -> None:
    letters, notes, rules = compare(build, [listed], lambda _n, _v: folder)
    assert [letters.kind, notes.kind, rules.kind] == ["letter", "note", "rules"]
    assert letters.corpus.files == 9
    assert {bar.code for bar in letters.broken} >= {"shared-upper", "shared-most"}
    assert letters.beside == "real text (real==1.0)"
    assert letters.counterpart is not None
    assert letters.counterpart.files == 2
    assert {bar.code for bar in letters.bars} == {"gzip-ratio", "shared-upper", "shared-most"}
    assert (notes.beside, notes.counterpart) == ("", None)
    # A rule book alone has no pair, and no counterpart: nothing to break.
    assert rules.bars == ()


def test_without_its_files_a_counterpart_has_no_bar(build: Build, listed: CounterpartList) -> None:
    letters, *_ = compare(build, [listed], lambda _n, _v: None)
    assert letters.beside == "real text (real==1.0)"
    assert letters.counterpart is None
    assert {bar.code for bar in letters.bars} == {"shared-upper", "shared-most"}


def test_the_gzip_ratio_may_be_off_by_a_third_of_the_counterparts(
    build: Build, listed: CounterpartList, folder: Path
) -> None:
    letters, *_ = compare(build, [listed], lambda _n, _v: folder)
    assert letters.counterpart is not None
    bar = next(bar for bar in letters.bars if bar.code == "gzip-ratio")
    ratio = letters.counterpart.gzip_ratio
    assert (bar.least, bar.most) == pytest.approx((ratio * 2 / 3, ratio * 4 / 3))
    assert bar.value == letters.corpus.gzip_ratio
    inside = Bar("gzip-ratio", 0.3, 0.2, 0.4)
    assert inside.kept
    assert not replace(inside, value=0.41).kept
    assert not replace(inside, value=0.19).kept


def test_figures_of_a_part_are_over_less_text() -> None:
    texts = {"a": "x y z w\n" * 50, "b": "one two three four\n" * 50}
    whole, part = figures(texts, 1350), figures(texts, 27)
    assert whole.size == part.size == 1350
    assert whole.repeated_lines == 1
    assert part.repeated_lines == 0
