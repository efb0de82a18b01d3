"""Sessions that were damaged at random: read, or refused in one message, and never for long."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from authoring.errors import UserError
from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.catalogue import FORMATS, read_session
from evaluation.transcripts.context import context_log
from tests.evaluation.transcripts.test_catalogue import FOLDER

LONGEST = 120
"""Characters of a text that a seed keeps: what is fuzzed is the form."""
SEEDS = (
    "codex/0.118.0/rollout.jsonl",
    "codex/0.142.0/exec.jsonl",
    "codex/0.144.6/rollout.jsonl",
    "gemini/0.24.0/session",
    "gemini/0.41.0/session",
    "gemini/0.41.0/stream.jsonl",
    "opencode/1.2.20/export.json",
    "opencode/1.2.20/run.jsonl",
)
JUNK = (
    b"",
    b"\0",
    b"\xff\xfe",
    b"\\ud83d",
    b"NaN",
    b"null",
    b"{}",
    b"[]",
    b'"',
    b"\n",
    b"}{",
    b"1e999",
)
ODD = (
    "null",
    "true",
    "-1",
    str(1 << 70),
    '""',
    '"main"',
    "[]",
    "{}",
    "[[]]",
    "[null]",
    '{"type": {}}',
)

fuzz = settings(
    max_examples=60,
    deadline=5_000,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
every_seed = pytest.mark.parametrize("name", SEEDS)


def shortened(value: Any) -> Any:
    if isinstance(value, str):
        return value[:LONGEST]
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    return value


def documents(name: str) -> list[Any]:
    text = (FOLDER / name).read_text()
    try:
        return [shortened(json.loads(text))]
    except json.JSONDecodeError:
        return [shortened(json.loads(line)) for line in text.split("\n") if line]


def written(values: list[Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def read_all(path: Path) -> None:
    """By the format that it passes for, and by every other: none may break."""
    for one in FORMATS:
        assert one.sniff(path) in (True, False)
        try:
            trajectory = one.read(path)
        except UserError:
            continue
        context_log(trajectory)
        to_atif(trajectory)


@every_seed
@fuzz
@given(data=st.data())
def test_damaged_bytes_are_read_or_refused(name: str, tmp_path: Path, data: st.DataObject) -> None:
    content = written(documents(name))
    for _ in range(data.draw(st.integers(1, 4))):
        first = data.draw(st.integers(0, len(content)))
        last = data.draw(st.integers(first, min(len(content), first + 200)))
        content = content[:first] + data.draw(st.sampled_from(JUNK)) + content[last:]
    path = tmp_path / "session"
    path.write_bytes(content)
    read_all(path)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        keys = one.keys() if isinstance(one, dict) else range(len(one))
        for key in list(keys):
            found.append((one, key))
            if isinstance(one[key], dict | list):
                waiting.append(one[key])
    return found


@every_seed
@fuzz
@given(data=st.data())
def test_odd_values_are_read_or_refused(name: str, tmp_path: Path, data: st.DataObject) -> None:
    values = documents(name)
    for _ in range(data.draw(st.integers(1, 6))):
        container, key = data.draw(st.sampled_from(places(values)))
        container[key] = json.loads(data.draw(st.sampled_from(ODD)))
    path = tmp_path / "session"
    path.write_bytes(written(values))
    read_all(path)


def test_a_session_that_is_cut_anywhere_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "session"
    for name in SEEDS:
        content = written(documents(name))
        for end in range(0, len(content), max(1, len(content) // 10)):
            path.write_bytes(content[:end])
            try:
                context_log(read_session(path).trajectory)
            except UserError:
                continue
