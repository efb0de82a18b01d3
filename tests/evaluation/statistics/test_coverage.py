"""Means of what was read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluation.scoring.score import Coverage, FileCoverage, RunCoverage
from evaluation.statistics.coverage import coverage_means, limited_breadth
from evaluation.statistics.runs import ScoredRun

MakeRun = Callable[..., ScoredRun]


def coverage(breadth: tuple[int, int], lines: tuple[int, int]) -> Coverage:
    """Two files of 10 lines with 8 texts each; the first was read by half, or whole at most."""
    first = {
        "path": "a.md",
        "lines": 10,
        "entered": (5, 10),
        "visible": None,
        "ranges": (),
        "partial": 0,
        "reformatted": None,
        "ambiguous": 0,
        "text": (4, 8),
        "texts": 8,
    }
    second = {**first, "path": "b.md", "entered": (0, 0), "text": (0, 0)}
    files = (FileCoverage.model_validate(first), FileCoverage.model_validate(second))
    return Coverage(breadth=breadth, lines=lines, files=files)


def whole(main: Coverage | None, union: Coverage, *subagents: Coverage) -> RunCoverage:
    named = {f"sub-{number}": one for number, one in enumerate(subagents, start=1)}
    return RunCoverage(main=main, subagents=named, union=union)


def test_means_keep_their_two_ends(make_run: MakeRun) -> None:
    half = coverage((1, 1), (5, 8))
    none = coverage((0, 0), (0, 0))
    means = coverage_means(
        [make_run(coverage=whole(half, half)), make_run(coverage=whole(none, half, half))]
    )
    union = means.union
    assert (union.breadth.least, union.breadth.most) == (0.5, 0.5)
    assert (union.lines.least, union.lines.most) == (5 / 20, 8 / 20)
    assert (union.depth.least, union.depth.most) == (0.25, 0.5)
    assert (union.depth_text.least, union.depth_text.most) == (0.25, 0.5)
    assert (means.main.breadth.least, means.main.breadth.n) == (0.25, 2)
    assert (means.delegated.successes, means.delegated.n) == (1, 2)


def test_a_subagent_that_read_nothing_is_no_delegated_reading(make_run: MakeRun) -> None:
    idle = coverage((0, 0), (0, 0))
    perhaps = coverage((0, 1), (0, 5))
    run = make_run(coverage=whole(idle, idle, idle, perhaps))
    assert coverage_means([run]).delegated.successes == 0


def test_a_file_without_lines_is_in_no_mean(make_run: MakeRun) -> None:
    """The made-up run: 2 of 3 files that have lines; depths 1, 0.5 and 0; 30 of 100 lines."""
    means = coverage_means([make_run()]).union
    assert means.breadth.least == pytest.approx(2 / 3)
    assert means.depth.least == pytest.approx(0.5)
    assert means.lines.least == pytest.approx(0.3)


def test_a_main_thread_that_cannot_be_told_is_not_measured(make_run: MakeRun) -> None:
    union = coverage((1, 1), (5, 5))
    means = coverage_means([make_run(coverage=whole(None, union))])
    assert means.main.lines.n == 0
    assert means.main.lines.least is None
    assert means.union.lines.n == 1


def test_only_completed_runs_are_in_the_means(make_run: MakeRun) -> None:
    runs = [make_run("limit"), make_run("infrastructure", scored=False)]
    assert coverage_means(runs).union.breadth.n == 0
    assert limited_breadth(runs).n == 1
