"""The stream says whether the CLI has nothing more to do."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from evaluation.agents.claude_code.events import FinishedWatch

INIT = {"type": "system", "subtype": "init"}
RESULT = {"type": "result", "subtype": "success", "is_error": False, "result": "Read."}
ASSISTANT = {"type": "assistant", "message": {"content": [{"type": "text", "text": "Hm."}]}}
USER = {"type": "user", "message": {"content": [{"type": "tool_result"}]}}
NOTE = {"type": "system", "subtype": "task_notification", "status": "completed"}


def tasks(*names: str) -> dict[str, object]:
    listed = [{"task_id": name} for name in names]
    return {"type": "system", "subtype": "background_tasks_changed", "tasks": listed}


def uses(name: str) -> dict[str, object]:
    content = [{"type": "tool_use", "id": "t1", "name": name, "input": {}}]
    return {"type": "assistant", "message": {"content": content}}


@pytest.mark.parametrize(
    ("events", "finished"),
    [
        pytest.param([], False, id="nothing"),
        pytest.param([INIT, ASSISTANT], False, id="at work"),
        pytest.param([INIT, ASSISTANT, RESULT], True, id="a result"),
        pytest.param([INIT, tasks("b1"), USER, RESULT], False, id="a task in the background"),
        pytest.param([tasks("b1"), RESULT, NOTE, tasks()], True, id="the task has ended"),
        pytest.param([tasks("b1"), RESULT, tasks(), INIT], False, id="another turn begins"),
        pytest.param([tasks("b1"), RESULT, tasks(), INIT, ASSISTANT, RESULT], True, id="and ends"),
        pytest.param([RESULT, USER], False, id="a message after it"),
        pytest.param([uses("Read"), RESULT], True, id="a tool that only reads"),
        pytest.param([uses("ScheduleWakeup"), RESULT], False, id="it may wake up by itself"),
        pytest.param([RESULT, RESULT], True, id="two results"),
        pytest.param([{"type": "result"}], True, id="a result that says nothing"),
        pytest.param([[1], "result", 5, None], False, id="odd rows"),
    ],
)
def test_it_is_finished_when_its_last_word_is_a_result_and_nothing_runs(
    events: list[object], finished: bool, tmp_path: Path
) -> None:
    stdout = tmp_path / "stdout"
    stdout.write_bytes(b"".join(orjson.dumps(event) + b"\n" for event in events))
    assert FinishedWatch()(stdout) is finished


def test_a_stream_is_read_on_where_it_ended(tmp_path: Path) -> None:
    stdout = tmp_path / "stdout"
    line = orjson.dumps(RESULT) + b"\n"
    watch = FinishedWatch()
    with stdout.open("ab", buffering=0) as file:
        for part, finished in (
            (b"no JSON {\n" + b"[" * 100_000 + b"\n", False),
            (line[:20], False),
            (line[20:], True),
            (orjson.dumps(ASSISTANT) + b"\n", False),
            (line[:-1], False),
            (b"\n", True),
        ):
            file.write(part)
            assert watch(stdout) is finished
