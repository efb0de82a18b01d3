"""The tutorial and its result: what the page says is what ships, and it works as it says."""

from __future__ import annotations

import io
import re
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import ocb
from authoring.loading import load_spec
from generators.build import build_scenario, load_build
from generators.build_paths import BuildPaths
from generators.catalogue import GENERATORS, KINDS, PLANTERS, Registrations
from generators.realism.comparison import compare
from generators.realism.counterparts import on_this_machine, read_lists
from generators.registered import merge
from ocb.cli.validation_table import print_report
from tests.validating import validated

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLE = DOCS / "examples" / "bakery_labels"
PAGE = DOCS / "authoring.md"
FILE = re.compile(r"^`([^`\n]+)`:\n\n(`{3,})\w+\n(.*?)^\2$", re.DOTALL | re.MULTILINE)
"""A file, as the page shows it: its path, and a block."""
PRINTED = re.compile(r"^```text\n(bakery_labels-.*?)^```$", re.DOTALL | re.MULTILINE)
"""What the page says that `ocb validate` prints, from the head to the last row."""
BUILD_ID = re.compile(r"(?<=bakery_labels-)[0-9a-f]{12}")
"""It follows from the version of ocb too."""


@pytest.fixture
def registrations(monkeypatch: pytest.MonkeyPatch) -> Registrations:
    """What ocb brings, and what the example's package names as entry points."""
    monkeypatch.syspath_prepend(EXAMPLE)
    before = set(sys.modules)
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]

    def points(group: str) -> list[EntryPoint]:
        named = project["entry-points"][group]
        return [EntryPoint(name, value, group) for name, value in named.items()]

    found = Registrations(
        merge("generator", GENERATORS, points("ocb.generators")),
        PLANTERS,
        merge("kind of defect", KINDS, points("ocb.kinds")),
    )
    for name in set(sys.modules) - before:
        if name.startswith("bakery_labels"):
            monkeypatch.delitem(sys.modules, name)
    return found


def built(
    registrations: Registrations, parent: Path, seed: int | None = None, placement: int = 0
) -> BuildPaths:
    """The example, as its spec says."""
    return build_scenario(
        load_spec(EXAMPLE / "bakery_labels.yaml", registrations.catalogue()),
        size="small",
        seed=seed,
        placement=placement,
        parent=parent,
        ocb_version="1.0",
        registrations=registrations,
    )


def test_the_page_shows_every_file_of_the_example_as_it_is() -> None:
    shown = {match[1]: match[3] for match in FILE.finditer(PAGE.read_text())}
    shipped = {
        path.relative_to(EXAMPLE).as_posix(): path.read_text()
        for path in EXAMPLE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert shown == shipped


def lines(text: str) -> list[str]:
    """The lines of a text, without blanks at their ends; whatever build they speak of."""
    return [line.rstrip() for line in BUILD_ID.sub("", text).splitlines()]


def test_the_page_shows_what_validate_prints(
    registrations: Registrations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    printed = io.StringIO()
    print_report(validated(built(registrations, tmp_path), registrations), printed, kept=True)
    (shown,) = PRINTED.findall(PAGE.read_text())
    assert lines(printed.getvalue().partition("  noted: ")[0]) == lines(shown)


@pytest.mark.parametrize("placement", [0, 1, 2])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_the_example_is_built_sealed_and_natural_enough(
    registrations: Registrations, tmp_path: Path, placement: int, seed: int | None
) -> None:
    paths = built(registrations, tmp_path, seed, placement)
    build = load_build(paths.root)
    assert validated(paths, registrations).failures == ()
    kinds = compare(build, read_lists(), on_this_machine)
    assert not [bar for kind in kinds for bar in kind.broken]


def test_every_public_name_can_be_imported() -> None:
    assert {name for name in ocb.__all__ if getattr(ocb, name).__name__ != name} == set()
    with pytest.raises(AttributeError, match="no attribute 'Needle'"):
        ocb.Needle  # noqa: B018 - looking it up is the point
