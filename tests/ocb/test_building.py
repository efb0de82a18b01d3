from __future__ import annotations

import os
import pty
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.catalogue import Catalogue
from authoring.loading import load_spec
from authoring.scaffold import scaffold_of, write_scaffold
from generators.catalogue import describe
from ocb.building import (
    BuildFailure,
    BuildOrder,
    BuildProgress,
    BuildSummary,
    make_builds,
)
from ocb.cli.main import run


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return describe()


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> list[BuildOrder]:
    """Three small builds; the second of them is outside of its budget."""
    folder = tmp_path_factory.mktemp("specs")
    made = []
    for name in ("first", "second", "third"):
        path = folder / f"{name}.yaml"
        write_scaffold(scaffold_of(name, "contracts", catalogue), path, catalogue)
        if name == "second":
            path.write_text(path.read_text().replace("most: 6000", "most: 400"))
        spec = load_spec(path, catalogue)
        made.append(BuildOrder(spec, folder, "small", seed=None, placement=0, parent=folder))
    return made


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_one_or_two_processes_write_the_same_bytes(
    orders: list[BuildOrder], tmp_path: Path
) -> None:
    told: list[dict[str, bytes]] = []
    for jobs in (1, 2):
        parent = tmp_path / str(jobs)
        first, second, third = make_builds(
            [replace(order, parent=parent) for order in orders], jobs, lambda _: None
        )
        assert isinstance(first, BuildSummary)
        assert isinstance(third, BuildSummary)
        assert (first.scenario, third.scenario) == ("first", "third")
        assert isinstance(second, BuildFailure)
        assert second.scenario == "second"
        assert "is outside of its budget" in second.message
        assert second.exit_code == 2
        told.append(bytes_of(parent))
    assert told[0] == told[1]
    assert len({Path(path).parts[0] for path in told[0]}) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_at_the_beginning_and_after_each_build(
    orders: list[BuildOrder], tmp_path: Path, jobs: int
) -> None:
    steps: list[BuildProgress] = []
    make_builds([replace(order, parent=tmp_path) for order in orders], jobs, steps.append)
    assert [(step.finished, step.planned) for step in steps] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert steps[0].waiting == ("first", "second")[:jobs]
    assert steps[0].outcome is None
    assert {step.outcome.scenario for step in steps[1:] if step.outcome} == {
        "first",
        "second",
        "third",
    }
    assert steps[-1].waiting == ()


def specs_of(orders: Iterable[BuildOrder]) -> list[str]:
    return [str(order.folder / f"{order.spec.id}.yaml") for order in orders]


def test_folders_come_in_the_order_of_the_specs_and_failures_last(
    orders: list[BuildOrder], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["author", "build", *specs_of(orders), "--size", "small", "-o", str(tmp_path)]
    assert run(command) == 2
    out, err = capfd.readouterr()
    assert [Path(line).name.partition("-")[0] for line in out.splitlines()] == ["first", "third"]
    lines = err.splitlines()
    assert {line.split(": ")[0] for line in lines[:2]} <= {
        f"[{number}/3] {name}" for number in (1, 2, 3) for name in ("first", "third")
    }
    assert lines[2].startswith("ocb: second: second, size small, is outside of its budget:")
    assert "\x1b" not in err


def test_a_terminal_shows_what_is_being_built(
    orders: list[BuildOrder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, monkeypatch.context() as patch:
        patch.setattr("sys.stderr", terminal)
        specs = specs_of(orders[::2])
        run(["author", "build", *specs, "--jobs", "1", "--size", "small", "-o", str(tmp_path)])
        shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    lines = [line.strip() for line in shown.replace("\x1b[K", "\n").splitlines() if line.strip()]
    assert [line.split(":")[0] for line in lines] == [
        "[0/2] building first",
        "[1/2] first",
        "[1/2] building third",
        "[2/2] third",
    ]
