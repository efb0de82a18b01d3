from __future__ import annotations

import random
from collections.abc import Iterator

from generators.incidents.night import Night


def ticking(night: Night, seen: list[tuple[int, str]], name: str, *waits: int) -> Iterator[int]:
    seen.append((night.now, name))
    for wait in waits:
        yield wait
        seen.append((night.now, name))


def test_processes_act_in_one_order_of_time() -> None:
    night, seen = Night(), list[tuple[int, str]]()
    night.start(ticking(night, seen, "a", 10, 20))
    night.start(ticking(night, seen, "b", 1), after=12)
    night.run()
    assert seen == [(0, "a"), (10, "a"), (12, "b"), (13, "b"), (30, "a")]


def test_of_two_things_at_one_moment_the_one_asked_for_first_comes_first() -> None:
    night, seen = Night(), list[tuple[int, str]]()
    for name in "cab":
        night.start(ticking(night, seen, name, 5))
    night.run()
    assert [name for _, name in seen] == ["c", "a", "b", "c", "a", "b"]


def test_a_process_may_start_another() -> None:
    night, seen = Night(), list[tuple[int, str]]()

    def parent() -> Iterator[int]:
        yield 4
        night.start(ticking(night, seen, "child"), after=3)

    night.start(parent())
    night.run()
    assert seen == [(7, "child")]


def test_moments_are_as_many_as_asked_for_and_inside_of_their_bounds() -> None:
    night, moments = Night(), list[int]()

    def visits() -> Iterator[int]:
        for wait in night.at_each(random.Random(1), 50, last=60_000):
            yield wait
            moments.append(night.now)

    night.start(visits())
    night.run()
    assert len(moments) == 50
    assert moments == sorted(moments)
    assert 1000 <= moments[0] < moments[-1] < 60_000


def test_of_equal_parts_of_the_night_each_has_one_moment() -> None:
    night, moments = Night(), list[int]()

    def visits() -> Iterator[int]:
        for wait in night.one_in_each(random.Random(2), 6, last=60_000):
            yield wait
            moments.append(night.now)

    night.start(visits())
    night.run()
    assert [moment // 10_000 for moment in moments] == [0, 1, 2, 3, 4, 5]
