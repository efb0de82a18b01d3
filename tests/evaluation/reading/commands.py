"""The output of one command, as the engine is given it, and what it makes of it."""

from __future__ import annotations

from evaluation.reading.context import (
    MAIN,
    ContextLog,
    ContextText,
    FinalResponse,
    Thread,
    ToolOutput,
)
from evaluation.reading.engine import ThreadReading, measure
from generators.lines import CorpusIndex

SHELL = "Shell"


def log_of(command: str, shown: str) -> ContextLog:
    """A run of this one command."""
    text = ContextText(MAIN, 1, "t1", SHELL, {"command": command}, shown)
    return ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1))


def read_both_ways(
    command: str,
    shown: str,
    index: CorpusIndex,
    tool: ToolOutput = ToolOutput(),  # noqa: B008 - a frozen value
) -> ThreadReading:
    """What entered, which is the same by blocks and line by line."""
    log = log_of(command, shown)
    found = measure(log, {SHELL: tool}, index)
    assert found == measure(log, {SHELL: tool}, index, by_blocks=False)
    return found.union
