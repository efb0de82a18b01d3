"""How much was read, as means over the completed runs; each mean has two ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from authoring.artefacts import Value
from evaluation.scoring.score import Coverage, FileCoverage, Interval
from evaluation.statistics.intervals import Rate, wilson
from evaluation.statistics.runs import ScoredRun


class MeanShare(Value):
    """The mean of a share over n runs, at its least and at its most. None where n is 0."""

    n: int
    least: float | None
    most: float | None


class ReadingMeans(Value):
    """What one thread, or all together, read of the review files."""

    breadth: MeanShare
    """Files touched, of the review files."""
    depth: MeanShare
    """Entered lines of a file, as the mean over the review files. Its ends are outer bounds: they
    come from the ends of each file, where a line shown once may count in either of two files."""
    depth_text: MeanShare
    """The same over distinct line texts, as the paper counts. Outer bounds too."""
    lines: MeanShare
    """Lines entered, of all lines under review."""


class CoverageMeans(Value):
    """Reading by thread."""

    union: ReadingMeans
    main: ReadingMeans
    delegated: Rate
    """Runs in which a sub-agent surely read a line."""


class _Share(NamedTuple):
    least: float
    most: float


def coverage_means(runs: Sequence[ScoredRun]) -> CoverageMeans:
    """Means over the completed runs whose coverage could be measured."""
    scores = [score for run in runs if (score := run.completed) is not None]
    coverages = [score.coverage for score in scores if score.coverage is not None]
    delegated = sum(
        any(thread.lines[0] > 0 for thread in coverage.subagents.values()) for coverage in coverages
    )
    return CoverageMeans(
        union=_means([coverage.union for coverage in coverages]),
        main=_means([coverage.main for coverage in coverages if coverage.main is not None]),
        delegated=wilson(delegated, len(coverages)),
    )


def limited_breadth(runs: Sequence[ScoredRun]) -> MeanShare:
    """Breadth of the runs that a limit ended, where it could be measured."""
    scores = [run.score for run in runs if run.score is not None and run.outcome == "limit"]
    return _breadth([score.coverage.union for score in scores if score.coverage is not None])


def _means(coverages: Sequence[Coverage]) -> ReadingMeans:
    readable = [(coverage, _with_lines(coverage)) for coverage in coverages]
    return ReadingMeans(
        breadth=_breadth(coverages),
        depth=_mean(_file_mean(files, _depth) for _, files in readable),
        depth_text=_mean(_file_mean(files, _depth_text) for _, files in readable),
        lines=_mean(
            _share(coverage.lines, sum(file.lines for file in files))
            for coverage, files in readable
        ),
    )


def _breadth(coverages: Sequence[Coverage]) -> MeanShare:
    return _mean(_share(coverage.breadth, len(_with_lines(coverage))) for coverage in coverages)


def _with_lines(coverage: Coverage) -> tuple[FileCoverage, ...]:
    """A file without lines is in no count."""
    return tuple(file for file in coverage.files if file.lines)


def _share(count: Interval, total: int) -> _Share | None:
    return _Share(count[0] / total, count[1] / total) if total else None


def _depth(file: FileCoverage) -> _Share | None:
    return _share(file.entered, file.lines)


def _depth_text(file: FileCoverage) -> _Share | None:
    return _share(file.text, file.texts)


def _file_mean(
    files: Sequence[FileCoverage], depth: Callable[[FileCoverage], _Share | None]
) -> _Share | None:
    mean = _mean(depth(file) for file in files)
    if mean.least is None or mean.most is None:
        return None
    return _Share(mean.least, mean.most)


def _mean(shares: Iterable[_Share | None]) -> MeanShare:
    """Of the shares that there are. `fsum` makes the order of the runs irrelevant."""
    known = [share for share in shares if share is not None]
    if not known:
        return MeanShare(n=0, least=None, most=None)
    return MeanShare(
        n=len(known),
        least=math.fsum(share.least for share in known) / len(known),
        most=math.fsum(share.most for share in known) / len(known),
    )
