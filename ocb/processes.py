"""The same work on many things, in processes of its own, each told of when it is done."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from authoring.errors import InfrastructureError

Order = TypeVar("Order")
Outcome = TypeVar("Outcome")


class Done(NamedTuple, Generic[Outcome]):
    """One of them, done."""

    at: int
    """Of the order it answers."""
    outcome: Outcome


def usable_cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def each(
    work: Callable[[Order], Outcome], orders: Sequence[Order], jobs: int
) -> Iterator[Done[Outcome]]:
    """Do the work of every order, with at most `jobs` processes, as they come to an end.

    With one job it is done in this process. `work` and what it takes and gives must pickle. Raises
    InfrastructureError where a process ends by itself.
    """
    if min(jobs, len(orders)) <= 1:
        for index, order in enumerate(orders):
            yield Done(index, work(order))
    else:
        yield from _in_processes(_InWorker(work), orders, min(jobs, len(orders)))


def _in_processes(
    work: Callable[[Order], Outcome], orders: Sequence[Order], jobs: int
) -> Iterator[Done[Outcome]]:
    # Spawned, not forked: a copy of a process that has threads may hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
    try:
        with _interrupts_later():
            indexes: dict[Future[Outcome], int] = {
                pool.submit(work, order): index for index, order in enumerate(orders)
            }
        waiting = set(indexes)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=indexes.__getitem__):
                yield Done(indexes[future], future.result())
    except BrokenProcessPool as error:
        raise InfrastructureError(
            "a process was ended from outside; memory may be short: try with --jobs 1"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Ctrl-C while processes start is told to this one alone, once they have.

    They start with it held back, and let it through when they ignore it.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@dataclass(frozen=True)
class _InWorker(Generic[Order, Outcome]):
    """Work that Ctrl-C ends, so that it takes away what it has half written."""

    work: Callable[[Order], Outcome]

    def __call__(self, order: Order) -> Outcome:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return self.work(order)
        finally:
            _leave_interrupts()


def _leave_interrupts() -> None:
    """A worker that waits does not answer Ctrl-C; its parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
