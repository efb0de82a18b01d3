"""Sessions that real CLIs of older versions wrote: what is read of them is what the model was sent.

The sessions and the truth beside them are made by `make_cli_fixtures.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.reading.context import MAIN
from evaluation.reading.engine import Reading, measure
from evaluation.transcripts.catalogue import read_session
from evaluation.transcripts.context import context_log
from generators.lines import CorpusIndex, split_lines
from tests.evaluation.transcripts.make_cli_fixtures import REPORT, corpus

FOLDER = Path(__file__).parent
CORPUS = corpus(notes=True)
INDEX = CorpusIndex.of(CORPUS)
EXACT = (
    "codex/0.118.0/rollout.jsonl",
    "codex/0.142.0/rollout.jsonl",
    "codex/0.144.6/rollout.jsonl",
    "gemini/0.24.0/session",
    "gemini/0.41.0/session",
    "opencode/1.0.98/storage",
    "opencode/1.1.65/storage",
    "opencode/1.2.20/opencode.db",
)
SAME = ("opencode/1.2.20/export.json", "opencode/1.2.20/run.jsonl")
"""Other forms of a session whose store is among the exact ones."""


def read(name: str) -> Reading:
    session = read_session(FOLDER / name)
    log = context_log(session.trajectory)
    assert log.missing == ()
    assert log.final is not None
    assert log.final.text == REPORT
    return measure(log, session.tools, INDEX)


def lines(reading: Reading) -> dict[str, set[int]]:
    """Sure lines that are not blank: of blank ones the truth says nothing."""
    return {
        path: {n for n in file.sure if split_lines(CORPUS[path])[n - 1].strip()}
        for path, file in reading.threads[MAIN].files.items()
        if file.sure
    }


def truth(name: str) -> dict[str, set[int]]:
    found = json.loads((FOLDER / name).parent.joinpath("truth.json").read_text())
    return {
        path: {line for first, last in ranges for line in range(first, last + 1)}
        for path, ranges in found.items()
        if ranges
    }


@pytest.mark.parametrize("name", EXACT)
def test_what_is_read_of_a_session_is_what_the_model_was_sent(name: str) -> None:
    reading = read(name)
    assert lines(reading) == truth(name)
    assert all(not file.possible for file in reading.union.files.values())


@pytest.mark.parametrize("name", SAME)
def test_other_forms_of_a_session_say_the_same(name: str) -> None:
    assert lines(read(name)) == truth(name)


def test_what_codex_prints_counts_at_the_upper_end_only() -> None:
    files = read("codex/0.142.0/exec.jsonl").union.files
    sent = truth("codex/0.142.0/exec.jsonl")
    assert all(not file.sure for file in files.values())
    assert files["long.txt"].possible >= sent["long.txt"]


@pytest.mark.parametrize("version", ["0.24.0", "0.41.0"])
def test_what_gemini_prints_is_not_measurable(version: str) -> None:
    session = read_session(FOLDER / f"gemini/{version}/stream.jsonl")
    log = context_log(session.trajectory)
    assert log.final is not None
    assert log.final.text == REPORT
    assert "what 5 calls of read_file gave the model: the stream does not hold it" in log.missing
