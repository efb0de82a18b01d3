"""Runs a sweep: bounded concurrency, each run whole or not there, resumable by run key."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from authoring.artefacts import read_artefact
from authoring.errors import UserError
from evaluation.run import VOID, RunKey, RunPaths, RunRecord
from evaluation.sweep.making import Workshop, make_run
from evaluation.sweep.plan import SweepPaths


@dataclass(frozen=True)
class Progress:
    """One run is over."""

    record: RunRecord
    finished: int
    planned: int
    resumed: bool
    """It was there already."""


Report = Callable[[Progress], None]


async def run_sweep(
    shop: Workshop,
    planned: Iterable[RunKey],
    paths: SweepPaths,
    *,
    concurrency: int,
    report: Report,
) -> tuple[RunRecord, ...]:
    """Make every run that is not there yet. A void run is made again, a finished one never.

    Runs end in any order; the records come in the order of the plan. A fault of our own in one run
    ends the sweep; runs that were whole by then are kept.
    """
    runs = tuple(planned)
    gate = asyncio.Semaphore(concurrency)
    done = 0

    async def one(run: RunKey) -> RunRecord:
        nonlocal done
        found = _finished(paths.run(run))
        if found is None:
            async with gate:
                record = await _make(shop, run, paths)
        else:
            record = found
        done += 1
        report(Progress(record, done, len(runs), resumed=found is not None))
        return record

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(run)) for run in runs]
    return tuple(task.result() for task in tasks)


def _finished(paths: RunPaths) -> RunRecord | None:
    """The record of a run that need not be made again."""
    try:
        record = read_artefact(paths.record, RunRecord)
    except UserError:
        return None
    return None if record.outcome.kind in VOID else record


async def _make(shop: Workshop, run: RunKey, paths: SweepPaths) -> RunRecord:
    """In a folder of its own, which then takes the run's name: a killed run leaves no half."""
    making, final = paths.unfinished(run), paths.run(run)
    shutil.rmtree(making.root, ignore_errors=True)
    record = await make_run(shop, run, making)
    shutil.rmtree(final.root, ignore_errors=True)
    making.root.rename(final.root)
    return record
