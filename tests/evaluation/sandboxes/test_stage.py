"""A home comes to its stage and goes back, whatever an agent did to it and whoever is cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.sandboxes.scratch import NOBODY
from evaluation.sandboxes.stage import Stage, in_thread


@contextlib.contextmanager
def ordinary_user() -> Iterator[None]:
    """As one who is not root."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY.uid)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def folder() -> Iterator[Path]:
    """One in which an ordinary user may write."""
    with tempfile.TemporaryDirectory() as name, ordinary_user_owns(Path(name)):
        yield Path(name)


@contextlib.contextmanager
def ordinary_user_owns(folder: Path) -> Iterator[None]:
    folder.chmod(0o777)
    yield
    folder.chmod(0o700)


def test_a_home_that_its_agent_closed_is_given_back(folder: Path) -> None:
    with ordinary_user():
        home, stage = folder / "home", Stage(folder / "stage", None)
        for path in (home, stage.root):
            path.mkdir()
        (home / "report.md").write_text("all is read")
        with stage.home_from(home):
            assert not home.exists()
            stage.home.chmod(0)
        assert (home / "report.md").read_text() == "all is read"


class Door:
    """A context that is entered slowly, and tells when it is left."""

    def __init__(self) -> None:
        self.entering = threading.Event()
        self.may_enter = threading.Event()
        self.left: list[str] = []

    def __enter__(self) -> str:
        self.entering.set()
        assert self.may_enter.wait(60)
        return "inside"

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.left.append(kind.__name__ if kind else "well")


def test_what_is_entered_in_a_thread_is_left_with_what_went_wrong() -> None:
    door = Door()
    door.may_enter.set()

    async def go(error: Exception | None) -> None:
        async with in_thread(door) as where:
            assert where == "inside"
            if error is not None:
                raise error

    asyncio.run(go(None))
    with pytest.raises(OSError, match="the disk"):
        asyncio.run(go(OSError("the disk")))
    assert door.left == ["well", "OSError"]


def test_who_is_cancelled_while_entering_has_left_again() -> None:
    door = Door()
    inside: list[str] = []

    async def go() -> None:
        async with in_thread(door) as where:
            inside.append(where)

    async def cancel() -> None:
        task = asyncio.create_task(go())
        await asyncio.to_thread(door.entering.wait)
        task.cancel()
        asyncio.get_running_loop().call_soon(door.may_enter.set)
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert (inside, door.left) == ([], ["well"])
