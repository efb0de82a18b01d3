from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import orjson
import pytest

from evaluation.agents.cli import Left, Start
from evaluation.agents.codex.events import FinishedWatch
from evaluation.agents.codex.harness import Codex, fault_of, start
from evaluation.agents.codex.install import PROGRAM
from evaluation.agents.codex.profile import PROFILE
from evaluation.gateway.messages import RequestBody
from evaluation.gateway.naming import Name, Naming
from evaluation.sandboxes.unconfined import Unconfined
from tests.evaluation.agents.desk import job_in
from tests.evaluation.gateway.conftest import Json

TOOLS = Path(__file__).parents[3] / ".tools"

STARTED = {"type": "turn.started"}
COMPLETED = {"type": "turn.completed", "usage": {"input_tokens": 10}}
FAILED = {"type": "turn.failed", "error": {"message": "exceeded retry limit, last status: 429"}}
AGAIN = {"type": "error", "message": "Reconnecting... 1/5 (stream disconnected)"}
SETTING = {"type": "item.completed", "item": {"type": "error", "message": "model not known"}}
ANSWER = {"type": "item.completed", "item": {"type": "agent_message", "text": "All is read."}}
FILTERED = {
    "type": "turn.failed",
    "error": {
        "message": "stream disconnected before completion: "
        "Incomplete response returned, reason: content_filter"
    },
}


def left(folder: Path, *events: object, code: int = 0, stderr: str = "") -> Left:
    stdout = folder / "stdout"
    stdout.write_bytes(b"".join(orjson.dumps(event) + b"\n" for event in events))
    (folder / "stderr").write_text(stderr)
    return Left(code, stdout, folder / "stderr")


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([STARTED, ANSWER, COMPLETED], id="a plain answer"),
        pytest.param([STARTED, SETTING, AGAIN, ANSWER, COMPLETED], id="notes on the way"),
        pytest.param([STARTED, FAILED, STARTED, ANSWER, COMPLETED], id="the last turn counts"),
        pytest.param([STARTED, FILTERED], id="a refusal is no fault: the wire tells"),
    ],
)
def test_a_run_that_ended_well_has_no_fault(events: list[object], tmp_path: Path) -> None:
    assert fault_of(left(tmp_path, *events)) == ""


@pytest.mark.parametrize(
    ("events", "code", "stderr", "fault"),
    [
        pytest.param(
            [STARTED, AGAIN, FAILED],
            1,
            "",
            "the turn failed: exceeded retry limit, last status: 429",
            id="a server that answers with errors",
        ),
        pytest.param(
            [STARTED, FAILED],
            0,
            "",
            "the turn failed: exceeded retry limit, last status: 429",
            id="the same with exit 0",
        ),
        pytest.param(
            [STARTED, AGAIN, {"type": "turn.failed"}],
            1,
            "",
            "the turn failed: Reconnecting... 1/5 (stream disconnected)",
            id="a failure that says nothing",
        ),
        pytest.param([STARTED], 101, "panicked", "exit code 101: panicked", id="a crash"),
        pytest.param([STARTED, COMPLETED], 137, "", "signal 9", id="answer, then killed"),
        pytest.param([], 0, "", "no turn was completed", id="nothing printed"),
        pytest.param(
            [STARTED, COMPLETED, STARTED, AGAIN],
            0,
            "",
            "no turn was completed: Reconnecting... 1/5 (stream disconnected)",
            id="a turn that goes on",
        ),
        pytest.param([[1], "turn.completed", 5], 0, "", "no turn was completed", id="odd rows"),
    ],
)
def test_a_failed_run_is_a_fault(
    events: list[object], code: int, stderr: str, fault: str, tmp_path: Path
) -> None:
    assert fault_of(left(tmp_path, *events, code=code, stderr=stderr)) == fault


def test_the_end_of_a_turn_is_the_end_until_another_begins(tmp_path: Path) -> None:
    stdout = tmp_path / "stdout"
    watch = FinishedWatch()
    line = orjson.dumps(COMPLETED) + b"\n"
    with stdout.open("ab", buffering=0) as file:
        for part, finished in (
            (b"", False),
            (orjson.dumps(STARTED) + b"\nno JSON {\n" + b"[" * 100_000 + b"\n", False),
            (line[:15], False),
            (line[15:], True),
            (orjson.dumps(STARTED) + b"\n", False),
            (orjson.dumps(FAILED) + b"\n", True),
        ):
            file.write(part)
            assert watch(stdout) is finished


def started(folder: Path, **changes: Any) -> Start:
    for name in ("corpus", "home"):
        (folder / name).mkdir()
    job = job_in(folder, prompt="--help; $(touch x)\n-", model="some-model", **changes)
    sandbox = Unconfined.for_run(job.home, job.corpus)
    try:
        return start(job, sandbox)
    finally:
        sandbox.close()


def settings(made: Start) -> Json:
    return tomllib.loads(made.files[".codex/config.toml"])


def test_the_cli_gets_its_arguments_environment_and_settings_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", "of the operator")
    made = started(tmp_path)
    assert made.argv[-4:] == ("--model", "some-model", "--", "--help; $(touch x)\n-")
    assert made.environment["OPENAI_API_KEY"] == "run-token"
    assert list(made.files) == [".codex/config.toml"]
    told = settings(made)
    provider = told["model_providers"][told["model_provider"]]
    assert provider["base_url"].startswith("http://127.0.0.1:")
    assert provider["base_url"].endswith("/v1")
    assert (provider["env_key"], provider["wire_api"]) == ("OPENAI_API_KEY", "responses")
    text = f"{made}".lower()
    words = ("ocb", "overclaim", "needle", "sim/", "of the operator")
    assert [word for word in words if word in text.replace(str(tmp_path).lower(), "")] == []


def test_a_server_that_breaks_off_is_asked_a_few_times(tmp_path: Path) -> None:
    """Both numbers count, one times the other: the CLI's own make it 30."""
    provider = settings(started(tmp_path))["model_providers"]["gateway"]
    assert (provider["request_max_retries"] + 1) * (provider["stream_max_retries"] + 1) == 6


def test_the_effort_is_a_setting(tmp_path: Path) -> None:
    told = settings(started(tmp_path, settings={"effort": 'hi"gh'}))
    assert told["model_reasoning_effort"] == 'hi"gh'


def test_subagents_are_taken_away_where_they_are_not_wanted(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert "agents" not in settings(started(tmp_path / "a", condition="delegated"))
    told = settings(started(tmp_path / "b", condition="no_delegation"))
    assert told["agents"] == {"enabled": False}


def headers(thread: str, kind: str = "turn", parent: str = "") -> dict[str, str]:
    """As the CLI sends them, less those that say nothing of the thread."""
    told = {"thread_id": thread, "request_kind": kind, "history_initialization": "new"}
    sent = {
        "session-id": "t-main",
        "thread-id": thread,
        "x-codex-turn-metadata": orjson.dumps(told).decode(),
    }
    return sent | ({"x-codex-parent-thread-id": parent} if parent else {})


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        pytest.param(headers("t-main"), Name("main", None, "main", "header"), id="main"),
        pytest.param(
            headers("t-sub", parent="t-main"),
            Name("t-sub", "main", "subagent", "header"),
            id="a sub-agent",
        ),
        pytest.param(
            headers("t-deep", parent="t-sub"),
            Name("t-deep", "t-sub", "subagent", "header"),
            id="a sub-agent's own",
        ),
        pytest.param(
            headers("t-main", kind="compaction"),
            Name("main", None, "background", "header"),
            id="a summary of the history, with the tools on offer",
        ),
        pytest.param(
            headers("t-sub", kind="compaction", parent="t-main"),
            Name("t-sub", "main", "background", "header"),
            id="the same of a sub-agent",
        ),
    ],
)
def test_calls_are_told_apart_by_the_clis_own_headers(sent: dict[str, str], expected: Name) -> None:
    naming = Naming(PROFILE.threads)
    request = RequestBody("m", (), ("exec",), stream=True)
    naming.name(1, headers("t-main"), request, generation=True)
    assert naming.name(2, sent, request, generation=True) == expected


@pytest.mark.parametrize(
    ("answered", "accepted"),
    [
        ("gpt-5.5", True),
        ("gpt-5.5-2026-04-23", True),
        ("gpt-5.5-mini", False),
        ("gpt-5", False),
        ("", False),
    ],
)
def test_a_dated_name_is_the_model_asked_for(answered: str, accepted: bool) -> None:
    assert PROFILE.models.accepts("gpt-5.5", answered) is accepted


def test_the_installed_cli_tells_the_pinned_version() -> None:
    assert PROGRAM.folder(TOOLS).is_dir(), "run ./dev test, or: ocb doctor --install codex"
    assert Codex(TOOLS).installed_version() == "0.171.0"
