"""Lines that a command printed in another shape."""

from __future__ import annotations

import json
import subprocess

import pytest

from evaluation.reading.context import (
    MAIN,
    ContextLog,
    ContextText,
    FinalResponse,
    Thread,
    ToolOutput,
)
from evaluation.reading.engine import FileReading, measure
from evaluation.reading.reformatted import MOST
from generators.lines import CorpusIndex

RECORD = '{"name": "Dunmore", "amount": 4711, "paid": true}'
TEXTS = {
    "records.jsonl": f'{RECORD}\n{{"name": "Ashby", "amount": 4711, "paid": true}}\n',
    "table.csv": "number,vendor,total\n17,Quillan Freight,310.25\n18,Osric Paper,99.10\n",
    "more.md": "amount paid name true\n" * 4,
}
INDEX = CorpusIndex.of(TEXTS)


def read(shown: str, path: str) -> FileReading:
    text = ContextText(MAIN, 1, "t1", "Shell", {"command": "x"}, shown, visible=True)
    log = ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1))
    return measure(log, {"Shell": ToolOutput()}, INDEX).union.of(path)


@pytest.mark.parametrize(
    ("shown", "path", "lines"),
    [
        pytest.param(json.dumps(json.loads(RECORD), indent=2), "records.jsonl", {1}, id="jq"),
        pytest.param(
            "17  Quillan Freight  310.25\n18  Osric Paper      99.10\n",
            "table.csv",
            {2, 3},
            id="columns",
        ),
        pytest.param("0  17  Quillan Freight  310.25\n", "table.csv", {2}, id="a row's index"),
        pytest.param("Quillan Freight 17 310.25", "table.csv", set(), id="another order"),
        pytest.param("17 a b c d e Quillan Freight 310.25", "table.csv", set(), id="far apart"),
        pytest.param("17 Quillan Freight", "table.csv", set(), id="a part"),
        pytest.param("amount paid, name: true", "more.md", set(), id="no rare word"),
        pytest.param("number; vendor", "table.csv", set(), id="two words"),
    ],
)
def test_words_in_order_and_close_together_are_a_line_in_another_shape(
    shown: str, path: str, lines: set[int]
) -> None:
    found = read(shown, path)
    assert found.reformatted == lines
    assert found.visible_possible == lines
    assert not found.sure | found.possible


def test_column_prints_what_is_looked_for() -> None:
    done = subprocess.run(
        ["column", "-t", "-s,"],
        input=TEXTS["table.csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert read(done.stdout, "table.csv").reformatted == {1, 2, 3}


def test_a_line_that_was_shown_whole_is_not_reformatted() -> None:
    found = read(f"{RECORD}\n\n{json.dumps(json.loads(RECORD), indent=2)}\n", "records.jsonl")
    assert found.sure == {1}
    assert not found.reformatted


@pytest.mark.parametrize("before", [100, MOST // 2 - 4, MOST // 2 + 3, MOST])
def test_a_long_output_is_looked_through_in_parts_that_overlap(before: int) -> None:
    shown = f"{'x ' * before}17;Quillan;Freight;310.25{' x' * MOST}"
    assert read(shown, "table.csv").reformatted == {2}
