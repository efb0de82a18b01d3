"""Sessions that real versions of Claude Code wrote, against what a plain search found in requests.

`claude/README.md` says how they were made, and `docs/sessions.md` names every difference below.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from evaluation.reading.context import MAIN, ContextLog
from evaluation.reading.engine import FileReading, Reading, measure
from evaluation.transcripts.claude_code import is_claude_session, read_claude_session
from evaluation.transcripts.claude_stream import is_claude_stream, read_claude_stream
from evaluation.transcripts.claude_tools import TOOLS
from evaluation.transcripts.context import context_log
from evaluation.transcripts.trajectory import Trajectory
from generators.lines import CorpusIndex
from tests.evaluation.transcripts.claude_cases import CASES, corpus

FOLDER = Path(__file__).parent / "claude"
FIXTURES = [f"{case.name}-{version}" for case in CASES for version in case.versions]
STREAMS = [name for name in FIXTURES if (FOLDER / name / "stream.jsonl").exists()]
Lines = set[tuple[str, int]]

MANY = {("lists/many.txt", number) for number in range(1001, 1301)}
D = {("lists/d.txt", number) for number in range(1, 13)}
C = {("lists/c.txt", number) for number in range(1, 13)}


@dataclass(frozen=True)
class Gap:
    """What a session does not say exactly."""

    unsaid: Lines = field(default_factory=set)
    """Entered, and not in the session."""
    doubtful: Lines = field(default_factory=set)
    """May have entered, as far as the session says."""


EXACT = Gap()
GAPS = {
    # Files that were attached are not in sessions of that version; it is said.
    "mention-2.0.76": Gap(unsaid=D),
    # What was read last before a compaction may have been put back after it.
    "compacted-2.0.76": Gap(doubtful=MANY),
}
STREAM_GAPS = {
    "compacted-2.0.76": Gap(doubtful=MANY),
    # Put back as an attached file, which a stream does not show.
    "compacted-2.1.332": Gap(unsaid=C, doubtful=C),
}
NO_VISIBILITY = frozenset(("compacted-2.0.76",))


@pytest.fixture(scope="module")
def index() -> CorpusIndex:
    return CorpusIndex.of(corpus())


def main_file(name: str) -> Path:
    """The file of the main agent: the one with the last prompt, where a session was resumed."""
    files = (FOLDER / name / "projects" / "-home-dev-review").glob("*.jsonl")
    mains = [file for file in files if '"isSidechain": false' in file.read_text()]
    return max(mains, key=lambda file: file.read_text().count('"tool_result"'))


def lines(files: Mapping[str, FileReading], kind: str) -> Lines:
    return {(path, line) for path, one in files.items() for line in getattr(one, kind)}


def expected(truth: Any) -> dict[str, Lines]:
    """By the mark in a thread's prompt."""
    return {
        mark: {(path, line) for path, found in files.items() for line in found}
        for mark, files in truth["entered"].items()
    }


def check(log: ContextLog, reading: Reading, name: str, gap: Gap) -> None:
    truth = expected(json.loads((FOLDER / name / "truth.json").read_text()))
    case = next(case for case in CASES if f"{case.name}-" in name)
    own = [mark for mark in truth if any(f": {mark}." in prompt for prompt in case.prompts)]
    wanted = {MAIN: set[tuple[str, int]]().union(*(truth.pop(mark) for mark in own))}
    for thread in log.threads:
        if thread.id != MAIN:
            (mark,) = (mark for mark in truth if f": {mark}." in thread.prompt)
            wanted[thread.id] = truth.pop(mark)
    found = {name: lines(one.files, "sure") for name, one in reading.threads.items()}
    doubtful = {name: lines(one.files, "possible") for name, one in reading.threads.items()}
    wanted[MAIN] -= gap.unsaid
    assert found == wanted
    assert doubtful == {thread: gap.doubtful if thread == MAIN else set() for thread in wanted}


@pytest.mark.parametrize("name", FIXTURES)
def test_what_entered_is_what_requests_held(index: CorpusIndex, name: str) -> None:
    trajectory = read_claude_session(FOLDER / name / "projects")
    log = context_log(trajectory)
    check(log, measure(log, TOOLS, index), name, GAPS.get(name, EXACT))
    is_said = any("mentions" in words for words in log.missing)
    assert is_said == (name == "mention-2.0.76")
    assert len(log.missing) == is_said
    assert evidence(trajectory).unreadable == 0
    assert evidence(trajectory).unknown == {}


def evidence(trajectory: Trajectory) -> Any:
    assert trajectory.extra is not None
    return trajectory.extra.evidence


@pytest.mark.parametrize("name", FIXTURES)
def test_visible_is_what_the_last_request_held(index: CorpusIndex, name: str) -> None:
    truth = json.loads((FOLDER / name / "truth.json").read_text())
    wanted = {(path, line) for path, found in truth["visible"].items() for line in found}
    log = context_log(read_claude_session(FOLDER / name / "projects"))
    found = lines(measure(log, TOOLS, index).threads[MAIN].files, "visible")
    assert log.tells_visibility == (name not in NO_VISIBILITY)
    assert log.may_have_cleared == ("2.1.332" not in name)
    if log.tells_visibility and name not in GAPS:
        assert found == wanted


@pytest.mark.parametrize("name", FIXTURES)
def test_a_session_is_the_same_by_file_and_by_folder(name: str) -> None:
    assert is_claude_session(main_file(name))
    by_file = read_claude_session(main_file(name))
    by_folder = read_claude_session(FOLDER / name / "projects")
    assert by_file.steps == by_folder.steps
    assert by_file.subagent_trajectories == by_folder.subagent_trajectories


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_says_the_same_or_that_it_does_not(index: CorpusIndex, name: str) -> None:
    stream = FOLDER / name / "stream.jsonl"
    assert is_claude_stream(stream)
    assert not is_claude_session(stream)
    log = context_log(read_claude_stream(stream))
    reading = measure(log, TOOLS, index)
    check(log, reading, name, STREAM_GAPS.get(name, EXACT))
    is_nested = name in ("agents-2.1.197", "agents-2.1.332")
    assert len(log.missing) == is_nested


def test_parents_are_those_that_started_them() -> None:
    for version in ("2.1.197", "2.1.332"):
        log = context_log(read_claude_session(FOLDER / f"agents-{version}" / "projects"))
        prompts = {thread.id: thread.prompt for thread in log.threads}
        inner = next(one for one in log.threads if ": inner." in one.prompt)
        assert inner.parent is not None
        assert ": outer." in prompts[inner.parent]
