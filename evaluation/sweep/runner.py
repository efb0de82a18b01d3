"""Runs a sweep: bounded concurrency, each run whole or not there, resumable by run key."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from authoring.artefacts import read_artefact
from authoring.errors import Place, UserError
from evaluation.run import VOID, RunKey, RunPaths, RunRecord
from evaluation.sandboxes.trees import remove_tree
from evaluation.scoring.score import Score
from evaluation.sweep.making import Workshop, make_run, score_again
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


@contextmanager
def at_work(paths: SweepPaths) -> Iterator[None]:
    """Be the only process at work in a sweep; the system lets go of the lock when it ends.

    Prevents two makers of one run, of which each deletes what the other wrote, and scores the rest.
    """
    paths.root.mkdir(parents=True, exist_ok=True)
    with paths.lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                "another process is at work in this sweep",
                place=Place(str(paths.root)),
                remedy="wait for it; the same command then goes on where it stopped",
            ) from error
        yield


@dataclass(frozen=True)
class Order:
    """One run to make, and what it is made with."""

    key: RunKey
    shop: Workshop


async def run_sweep(
    orders: Iterable[Order],
    paths: SweepPaths,
    *,
    concurrency: int,
    report: Report,
) -> tuple[RunRecord, ...]:
    """Make every run that is not there yet. A void run is made again, a finished one never.

    Runs end in any order; the records come in the order of the plan. A fault of our own in one run
    ends the sweep; runs that were whole by then are kept.
    """
    runs = tuple({order.key.digest(): order for order in orders}.values())
    gate = asyncio.Semaphore(concurrency)
    done = 0

    async def one(order: Order) -> RunRecord:
        nonlocal done
        found = _finished(order.shop, order.key, paths.run(order.key))
        if found is None:
            async with gate:
                record = await _make(order.shop, order.key, paths)
        else:
            record = found
        done += 1
        report(Progress(record, done, len(runs), resumed=found is not None))
        return record

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(run)) for run in runs]
    return tuple(task.result() for task in tasks)


def _finished(shop: Workshop, key: RunKey, paths: RunPaths) -> RunRecord | None:
    """The record of a run that need not be made again; scored anew where its score is lost."""
    try:
        record = read_artefact(paths.record, RunRecord)
    except UserError:
        return None
    if record.key != key or record.outcome.kind in VOID:
        return None
    try:
        if read_artefact(paths.score, Score).outcome == record.outcome:
            return record
    except UserError:
        pass  # it is lost, like one of another outcome
    return score_again(shop.scorer, shop.build, record, paths)


async def _make(shop: Workshop, run: RunKey, paths: SweepPaths) -> RunRecord:
    """In a folder of its own, which then takes the run's name: a killed run leaves no half."""
    making, final = paths.unfinished(run), paths.run(run)
    remove_tree(making.root)
    record = await make_run(shop, run, making)
    remove_tree(final.root)
    making.root.rename(final.root)
    return record
