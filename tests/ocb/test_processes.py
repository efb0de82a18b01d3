from __future__ import annotations

import os
import signal

import pytest

from authoring.errors import InfrastructureError
from ocb.processes import each, usable_cores


def squared(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def refused(number: int) -> int:
    raise ValueError(number)


def test_there_is_a_core() -> None:
    assert usable_cores() >= 1


@pytest.mark.parametrize(("jobs", "here"), [(1, True), (2, False)], ids=["one", "two"])
def test_each_order_is_done_once_in_processes_of_its_own(jobs: int, here: bool) -> None:
    done = {one.at: one.outcome for one in each(squared, (3, 5, 7), jobs)}
    assert {at: square for at, (square, _) in done.items()} == {0: 9, 1: 25, 2: 49}
    assert {process == os.getpid() for _, process in done.values()} == {here}


def killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_process_that_is_ended_from_outside_is_told_as_such() -> None:
    with pytest.raises(InfrastructureError, match="memory may be short"):
        list(each(killed, (1, 2), 2))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_goes_wrong_in_a_process_goes_wrong_here(jobs: int) -> None:
    with pytest.raises(ValueError, match="4"):
        list(each(refused, (4, 4), jobs))
