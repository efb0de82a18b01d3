"""Work without Python's collector of circles."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from evaluation.reading.collector import without_collector


@pytest.fixture(autouse=True)
def _collector_as_it_was() -> Iterator[None]:
    was_on = gc.isenabled()
    yield
    (gc.enable if was_on else gc.disable)()


@pytest.mark.parametrize("is_on", [True, False])
def test_the_collector_is_left_as_it_was(is_on: bool) -> None:
    (gc.enable if is_on else gc.disable)()
    with without_collector():
        assert not gc.isenabled()
        with without_collector():
            pass
        assert not gc.isenabled()
    assert gc.isenabled() is is_on


def test_the_collector_is_on_again_after_a_fault() -> None:
    gc.enable()
    with pytest.raises(KeyError), without_collector():
        raise KeyError
    assert gc.isenabled()


def test_what_was_made_is_still_collected() -> None:
    class Circle:
        def __init__(self) -> None:
            self.own = self

    gc.enable()
    with without_collector():
        Circle()
    assert any(isinstance(one, Circle) for one in gc.get_objects())
    gc.collect()
    assert not any(isinstance(one, Circle) for one in gc.get_objects())
