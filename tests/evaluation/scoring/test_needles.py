"""Whether a needle was read: by one thread, by several, in part, or not at all."""

from __future__ import annotations

import pytest

from evaluation.reading.engine import FileReading, Reading, ThreadReading
from evaluation.scoring.needles import needle_reading
from generators.registry import Span

EVIDENCE = (Span(path="a", first=2, last=3), Span(path="b", first=1, last=1))


def thread(
    a: tuple[int, ...] = (), b: tuple[int, ...] = (), *, perhaps: bool = False
) -> ThreadReading:
    def file(lines: tuple[int, ...]) -> FileReading:
        return FileReading(possible=frozenset(lines)) if perhaps else FileReading(frozenset(lines))

    return ThreadReading({"a": file(a), "b": file(b)})


@pytest.mark.parametrize(
    ("threads", "union", "expected"),
    [
        pytest.param([thread((1, 2, 3), (1,))], thread((1, 2, 3), (1,)), "read", id="one-thread"),
        pytest.param([thread((2, 3)), thread(b=(1,))], thread((2, 3), (1,)), "spread", id="spread"),
        pytest.param([thread((2,))], thread((2,)), "part_read", id="part"),
        pytest.param([thread((1,))], thread((1,)), "unread", id="unread"),
        pytest.param(
            [thread((2, 3), (1,), perhaps=True)],
            thread((2, 3), (1,), perhaps=True),
            "undecided",
            id="ends-disagree",
        ),
    ],
)
def test_needle_reading(threads: list[ThreadReading], union: ThreadReading, expected: str) -> None:
    reading = Reading({f"t{number}": one for number, one in enumerate(threads)}, union)
    assert needle_reading(EVIDENCE, reading) == expected


def test_a_needle_in_another_shape_may_have_been_read() -> None:
    shown = FileReading(frozenset((2,)), reformatted=frozenset((3,)))
    one = ThreadReading({"a": shown, "b": FileReading(frozenset((1,)))})
    assert needle_reading(EVIDENCE, Reading({"main": one}, one)) == "undecided"
