"""What measuring tells of how far it has come."""

from __future__ import annotations

import pytest

from evaluation.reading.context import MAIN, ContextLog, ContextText, Thread, ToolOutput
from evaluation.reading.engine import measure
from evaluation.reading.progress import Progress
from generators.lines import CorpusIndex

INDEX = CorpusIndex.of({"a.md": "one line\nanother line\n"})


def log(results: int) -> ContextLog:
    texts = (ContextText(MAIN, 1, str(n), "Shell", {}, "one line\n") for n in range(results))
    return ContextLog((Thread(MAIN, "main"),), tuple(texts), None)


@pytest.mark.parametrize("results", [1, 99, 100, 101, 1234])
def test_measuring_tells_how_far_it_has_come_and_when_it_is_done(results: int) -> None:
    told: list[Progress] = []
    measure(log(results), {"Shell": ToolOutput()}, INDEX, tell=told.append)
    done = [one.done for one in told]
    assert done == sorted(set(done))
    assert done[-1] == results
    assert len(done) <= 100
    assert {(one.doing, one.total) for one in told} == {("measuring", results)}


def test_measuring_nothing_tells_nothing() -> None:
    told: list[Progress] = []
    measure(log(0), {}, INDEX, tell=told.append)
    assert not told
