from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from authoring.errors import UserError
from evaluation.agents.harness import Job
from evaluation.agents.opencode.harness import OpenCode, config_of
from evaluation.agents.opencode.install import PROGRAM
from evaluation.agents.opencode.profile import PROFILE
from tests.evaluation.agents.desk import Desk, desk_of, prints

START = {"type": "step_start", "part": {}}
STOP = {"type": "step_finish", "part": {"reason": "stop"}}
ERROR = {"type": "error", "error": {"name": "APIError", "data": {"message": "\x1b[31mno"}}}


@pytest.fixture
def desk() -> Iterator[Desk]:
    with desk_of(OpenCode, PROGRAM) as desk:
        yield desk


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(prints(START, STOP), id="an answer"),
        pytest.param(prints(ERROR, START, STOP, then="exit 1"), id="it went on after an error"),
        pytest.param(prints(START, STOP, then="echo 'no JSON {'"), id="noise after it"),
        pytest.param(prints(START, STOP, then="sleep 3600"), id="it does not exit"),
        pytest.param("#!/bin/sh\ncat >&2\n" + prints(STOP), id="it waits for the end of stdin"),
    ],
)
def test_a_run_that_ended_well_has_no_fault(script: str, desk: Desk) -> None:
    ended = desk.run(script)
    assert (ended.ok, ended.fault, ended.limit) == (True, "", "")


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        pytest.param(
            prints(START, ERROR),
            "the CLI ended with an error: APIError: [31mno",
            id="an error with exit 0",
        ),
        pytest.param(
            prints(START, STOP, ERROR, then="exit 1"),
            "the CLI ended with an error: APIError: [31mno",
            id="an error after an answer",
        ),
        pytest.param(prints(START, STOP, then="exit 1"), "exit code 1", id="answer, then crash"),
        pytest.param(
            prints(ERROR, START, STOP, then="exit 3"), "exit code 3", id="error, answer, crash"
        ),
        pytest.param(
            "#!/bin/sh\necho 'out of memory' >&2\nexit 3\n",
            "exit code 3: out of memory",
            id="a crash",
        ),
        pytest.param("#!/bin/sh\nkill -9 $$\n", "signal 9", id="killed"),
        pytest.param("#!/bin/sh\n:\n", "no step that ended the work", id="nothing printed"),
        pytest.param(prints(START), "no step that ended the work", id="no end"),
    ],
)
def test_a_failed_run_is_a_fault_and_never_an_answer(script: str, fault: str, desk: Desk) -> None:
    ended = desk.run(script)
    assert (ended.ok, ended.fault, ended.limit) == (False, fault, "")


def test_the_cli_gets_its_arguments_and_environment_and_no_more(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENCODE_CONFIG_CONTENT", '{"model": "of the operator"}')
    script = (
        "#!/bin/sh\nprintf '%s\\0' \"$@\" > $HOME/arguments\ncat /proc/self/environ > $HOME/env\n"
    )
    desk.run(script, prompt="--help; $(touch x)\n-")
    arguments = (desk.job.home / "arguments").read_text().split("\0")[:-1]
    assert arguments[-4:] == ["--model", "provider/some/model", "--", "--help; $(touch x)\n-"]
    environment = dict(
        entry.split("=", 1) for entry in (desk.job.home / "env").read_text().split("\0") if entry
    )
    assert environment["PATH"].startswith(str(PROGRAM.folder(desk.tools) / "ripgrep/bin"))
    assert environment["HOME"] == str(desk.job.home)
    assert "operator" not in str(environment)
    config = orjson.loads((desk.job.home / ".config/opencode/opencode.json").read_bytes())
    options = config["provider"]["provider"]["options"]
    assert options["apiKey"] == "run-token"
    assert options["baseURL"].startswith("http://127.0.0.1:")
    assert options["baseURL"].endswith("/v1")
    text = str({**environment, "HOME": "", "PATH": ""}).lower() + str(config).lower()
    assert [word for word in ("ocb", "overclaim", "needle", "sim/") if word in text] == []


def test_only_the_store_of_sessions_is_copied(desk: Desk) -> None:
    data = "$HOME/.local/share/opencode"
    ended = desk.run(
        prints(STOP)
        + f"""
echo db > {data}/sessions/opencode.db
echo wal > {data}/sessions/opencode.db-wal
ln -s /etc/passwd {data}/sessions/linked
mkdir -p {data}/tool-output
echo long > {data}/tool-output/tool_1
"""
    )
    assert ended.ok
    native = desk.job.native
    found = {str(p.relative_to(native)) for p in native.rglob("*") if p.is_file()}
    kept = {"sessions/.keep", "sessions/opencode.db", "sessions/opencode.db-wal"}
    assert found == {*kept, "stdout.jsonl", "stderr.txt"}
    with pytest.raises(UserError, match="is no OpenCode store"):
        OpenCode(desk.tools).read_session(native)


def test_settings_are_called_as_the_cli_calls_them(desk: Desk) -> None:
    settings = {"temperature": 0.2, "reasoning_effort": "low", "max_tokens": 900}
    job = Job(**{**vars(desk.job), "settings": settings})
    config = config_of(job, "http://127.0.0.1:8080")
    assert orjson.loads(orjson.dumps(config["provider"]))["provider"]["models"] == {
        "some/model": {
            "name": "some/model",
            "options": {"temperature": 0.2, "reasoningEffort": "low"},
            "limit": {"context": 0, "output": 900},
        }
    }
    assert set(settings) <= PROFILE.settings


def test_delegation_is_taken_away_only_where_the_condition_says_so(desk: Desk) -> None:
    for condition, permission in (
        ("direct", None),
        ("delegated", None),
        ("no_delegation", {"task": "deny"}),
    ):
        job = Job(**{**vars(desk.job), "condition": condition})
        assert config_of(job, "").get("permission") == permission


def test_the_installed_cli_tells_the_pinned_version() -> None:
    tools = Path(__file__).parents[3] / ".tools"
    assert PROGRAM.folder(tools).is_dir(), "run ./dev test, or: ocb doctor --install opencode"
    assert OpenCode(tools).installed_version() == "1.18.33"
