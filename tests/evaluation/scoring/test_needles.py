"""Whether a needle was read: by one thread, by several, in part, or not at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from evaluation.reading.engine import FileReading, Reading, ThreadReading
from evaluation.scoring.needles import needle_reading
from generators.lines import CorpusIndex
from generators.registry import Span

INDEX = CorpusIndex.of({"a": "first\nsame\nthird\n", "b": "same\n"})
EVIDENCE = (Span(path="a", first=2, last=3), Span(path="b", first=1, last=1))


def thread(
    a: tuple[int, ...] = (), b: tuple[int, ...] = (), *, perhaps: bool = False
) -> ThreadReading:
    def file(path: str, lines: tuple[int, ...]) -> FileReading:
        if not perhaps:
            return FileReading(frozenset(lines))
        copies = Counter(INDEX.files[path][line - 1] for line in lines)
        shown.update(copies)
        return FileReading(possible=frozenset(lines), copies=copies)

    shown: Counter[str] = Counter()
    files = {"a": file("a", a), "b": file("b", b)}
    return ThreadReading(files, ambiguous=shown.total(), copies=shown)


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
    assert needle_reading(EVIDENCE, reading, INDEX) == expected


def test_a_needle_in_another_shape_may_have_been_read() -> None:
    shown = FileReading(frozenset((2,)), reformatted=frozenset((3,)))
    one = ThreadReading({"a": shown, "b": FileReading(frozenset((1,)))})
    assert needle_reading(EVIDENCE, Reading({"main": one}, one), INDEX) == "undecided"


def test_lines_of_one_text_are_not_all_read_by_one_shown_line() -> None:
    """Line 2 of `a` and line 1 of `b` are equal, and the text was shown once beside line 3."""
    perhaps = {
        path: FileReading(sure, possible=frozenset((line,)), copies={"same": 1})
        for path, sure, line in (("a", frozenset((3,)), 2), ("b", frozenset[int](), 1))
    }
    once = ThreadReading(perhaps, ambiguous=5, copies={"same": 1, "of no evidence": 4})
    assert needle_reading(EVIDENCE, Reading({"main": once}, once), INDEX) == "part_read"
    twice = ThreadReading(
        {path: replace(file, copies={"same": 2}) for path, file in perhaps.items()},
        ambiguous=2,
        copies={"same": 2},
    )
    assert needle_reading(EVIDENCE, Reading({"main": twice}, twice), INDEX) == "undecided"
