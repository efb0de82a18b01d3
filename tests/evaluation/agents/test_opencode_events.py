"""The stream says how the CLI ended, and whether it has nothing more to do."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from evaluation.agents.opencode.events import FinishedWatch, Last, last_of

START = {"type": "step_start", "part": {"type": "step-start"}}
TEXT = {"type": "text", "part": {"type": "text", "text": "All is read."}}
USE = {"type": "tool_use", "part": {"type": "tool", "tool": "read"}}
ERROR = {
    "type": "error",
    "error": {"name": "APIError", "data": {"message": "no way", "statusCode": 401}},
}


def ends(reason: str) -> dict[str, object]:
    return {"type": "step_finish", "part": {"type": "step-finish", "reason": reason}}


def written(events: list[object], tmp_path: Path) -> Path:
    stdout = tmp_path / "stdout"
    stdout.write_bytes(b"".join(orjson.dumps(event) + b"\n" for event in events))
    return stdout


@pytest.mark.parametrize(
    ("events", "last"),
    [
        pytest.param([], Last(), id="nothing"),
        pytest.param([START, USE, ends("tool-calls")], Last(), id="more steps follow"),
        pytest.param([START, TEXT, ends("unknown")], Last(), id="an answer without its end"),
        pytest.param([START, TEXT, ends("stop")], Last(answered=True), id="an answer"),
        pytest.param([START, TEXT, ends("length")], Last(answered=True), id="a cut answer"),
        pytest.param([START, ends("stop"), START], Last(), id="another step begins"),
        pytest.param([ERROR], Last(error="APIError 401: no way", erred=True), id="an error"),
        pytest.param(
            [START, ends("stop"), ERROR],
            Last(error="APIError 401: no way", erred=True),
            id="an error after it",
        ),
        pytest.param(
            [ERROR, START, ends("stop")], Last(answered=True, erred=True), id="it went on"
        ),
        pytest.param(
            [{"type": "error", "error": "odd"}], Last(error="error", erred=True), id="odd error"
        ),
        pytest.param(
            [{"type": "error", "error": {"name": "X", "data": {"message": "no"}}}],
            Last(error="X: no", erred=True),
            id="an error without a status",
        ),
        pytest.param([[1], "step_finish", 5, None], Last(), id="odd rows"),
    ],
)
def test_the_last_word_of_the_stream_counts(
    events: list[object], last: Last, tmp_path: Path
) -> None:
    stdout = written(events, tmp_path)
    assert last_of(stdout) == last
    assert FinishedWatch()(stdout) is last.answered


def test_a_stream_is_read_on_where_it_ended(tmp_path: Path) -> None:
    stdout = tmp_path / "stdout"
    line = orjson.dumps(ends("stop")) + b"\n"
    watch = FinishedWatch()
    with stdout.open("ab", buffering=0) as file:
        for part, finished in (
            (b"no JSON {\n" + b"[" * 100_000 + b"\n", False),
            (line[:20], False),
            (line[20:], True),
            (orjson.dumps(START) + b"\n", False),
            (line[:-1], False),
            (b"\n", True),
        ):
            file.write(part)
            assert watch(stdout) is finished
