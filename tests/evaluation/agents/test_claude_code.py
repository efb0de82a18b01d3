from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.agents.claude_code.harness import ClaudeCode
from evaluation.agents.claude_code.install import PROGRAM
from evaluation.agents.claude_code.profile import PROFILE
from evaluation.sandboxes.trees import remove_tree
from tests.evaluation.agents.desk import Desk, desk_of, prints

TOOLS = Path(__file__).parents[3] / ".tools"

INIT = {"type": "system", "subtype": "init"}
ANSWER = {"type": "result", "subtype": "success", "is_error": False, "result": "All is read."}
API_ERROR = {
    "type": "result",
    "subtype": "success",
    "is_error": True,
    "result": "API Error: 529 \x1b[31mOverloaded",
}
EXHAUSTED = {"type": "result", "subtype": "error_during_execution", "is_error": False}
HONEST = {**ANSWER, "result": "API Error handling is missing; the rate limit is not enforced."}


def task_running(*tasks: str) -> object:
    """What the CLI says whenever its background tasks change."""
    return {
        "type": "system",
        "subtype": "background_tasks_changed",
        "tasks": [{"task_id": task, "task_type": "local_bash"} for task in tasks],
    }


@pytest.fixture
def desk() -> Iterator[Desk]:
    with desk_of(ClaudeCode, PROGRAM) as desk:
        yield desk


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(prints(INIT, ANSWER), id="a plain answer"),
        pytest.param(prints(INIT, HONEST), id="an answer that speaks of errors"),
        pytest.param(prints(INIT, API_ERROR, ANSWER), id="the last result counts"),
        pytest.param(prints(INIT, ANSWER, then="echo 'no JSON {'"), id="noise after it"),
        pytest.param("#!/bin/sh\ncat >&2\n" + prints(ANSWER), id="it waits for the end of stdin"),
    ],
)
def test_a_run_that_ended_well_has_no_fault(script: str, desk: Desk) -> None:
    ended = desk.run(script)
    assert (ended.ok, ended.fault, ended.limit) == (True, "", "")


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        pytest.param(
            prints(INIT, API_ERROR),
            "the CLI ended with an error as its result: API Error: 529 [31mOverloaded",
            id="exit 0 with an API error as the answer",
        ),
        pytest.param(
            prints(INIT, API_ERROR, then="exit 1"),
            "the CLI ended with an error as its result: API Error: 529 [31mOverloaded",
            id="exit 1 with an API error",
        ),
        pytest.param(
            prints(INIT, EXHAUSTED),
            "the CLI ended with an error as its result: error_during_execution",
            id="a subtype that is no success",
        ),
        pytest.param(
            prints(INIT, {"type": "result", "subtype": "success"}),
            "the CLI ended with an error as its result: success",
            id="a result without its flag",
        ),
        pytest.param(
            "#!/bin/sh\necho 'out of memory' >&2\nexit 3\n",
            "exit code 3: out of memory",
            id="a crash",
        ),
        pytest.param("#!/bin/sh\nkill -9 $$\n", "signal 9", id="killed"),
        pytest.param(prints(INIT, ANSWER, then="exit 2"), "exit code 2", id="answer, then crash"),
        pytest.param("#!/bin/sh\n:\n", "no result event", id="nothing printed"),
        pytest.param(prints(INIT), "no result event", id="no result"),
        pytest.param(
            "#!/bin/sh\necho 'You have reached your usage limit.'\n",
            "no result event",
            id="a banner in plain text",
        ),
        pytest.param(prints([1], "result", 5), "no result event", id="odd rows"),
        pytest.param(
            '#!/bin/sh\npython3 -c \'print("["*100000 + chr(34)+"result"+chr(34))\'\n',
            "no result event",
            id="deep nesting",
        ),
    ],
)
def test_a_failed_run_is_a_fault_and_never_an_answer(script: str, fault: str, desk: Desk) -> None:
    ended = desk.run(script)
    assert (ended.ok, ended.fault, ended.limit) == (False, fault, "")


def test_time_that_is_up_is_a_limit(desk: Desk) -> None:
    ended = desk.run("#!/bin/sh\nsleep 3600\n", seconds=0.5)
    assert (ended.ok, ended.fault, ended.limit) == (False, "", "0.5 s")


@pytest.mark.parametrize(
    ("event", "ok", "fault"),
    [
        pytest.param(ANSWER, True, "", id="an answer"),
        pytest.param(
            API_ERROR,
            False,
            "the CLI ended with an error as its result: API Error: 529 [31mOverloaded",
            id="an error",
        ),
    ],
)
def test_a_cli_that_does_not_exit_after_its_result_keeps_what_that_says(
    event: object, ok: bool, fault: str, desk: Desk
) -> None:
    script = prints(INIT, event, then="(setsid sleep 3600 &)\nsleep 3600")
    ended = desk.run(script, grace=0.0)
    assert (ended.ok, ended.fault, ended.limit) == (ok, fault, "")


def test_a_cli_that_waits_for_its_background_tasks_after_a_result_is_not_ended(desk: Desk) -> None:
    script = prints(INIT, task_running("t1"), ANSWER, then="sleep 3600")
    ended = desk.run(script, grace=0.0, seconds=1.5)
    assert (ended.ok, ended.fault, ended.limit) == (False, "", "1.5 s")


def test_time_in_which_the_run_was_held_is_taken_off(desk: Desk) -> None:
    """It is held all the time, until it sees that it may end."""
    looks = itertools.count()
    started = time.monotonic()

    def held() -> float:
        if next(looks) == 3:
            (desk.job.home / "go").touch()
        return time.monotonic() - started

    script = prints(INIT, ANSWER).replace(
        "#!/bin/sh", "#!/bin/sh\nwhile ! [ -e $HOME/go ]; do sleep 0.02; done"
    )
    ended = desk.run(script, seconds=0.2, held=held)
    assert (ended.ok, ended.fault, ended.limit) == (True, "", "")


def test_the_cli_gets_its_arguments_and_environment_and_no_more(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "of the operator")
    script = (
        "#!/bin/sh\nprintf '%s\\0' \"$@\" > $HOME/arguments\ncat /proc/self/environ > $HOME/env\n"
    )
    desk.run(script, prompt="--help; $(touch x)\n-")
    arguments = (desk.job.home / "arguments").read_text().split("\0")[:-1]
    assert arguments[-4:] == ["--model", "some/model", "--", "--help; $(touch x)\n-"]
    assert "--print" in arguments
    environment = dict(
        entry.split("=", 1) for entry in (desk.job.home / "env").read_text().split("\0") if entry
    )
    assert environment["ANTHROPIC_API_KEY"] == "run-token"
    assert environment["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")
    assert environment["HOME"] == str(desk.job.home)
    assert "operator" not in str(environment)
    text = str(environment | {"HOME": ""}).lower()
    assert [word for word in ("ocb", "overclaim", "needle", "sim/") if word in text] == []


def test_the_session_is_copied_with_its_folders_and_no_link_is_followed(desk: Desk) -> None:
    secret = desk.tools.parent / "secret.jsonl"
    secret.write_text("{}")
    ended = desk.run(
        prints(ANSWER)
        + f"""
p=$HOME/.claude/projects/-review
mkdir -p $p/abc/subagents
echo '{{"a":1}}' > $p/abc.jsonl
echo '{{"b":2}}' > $p/abc/subagents/agent-1.jsonl
ln -s {secret} $p/linked.jsonl
ln -s {secret.parent} $p/folder
mkfifo $p/fifo.jsonl
"""
    )
    assert ended.ok
    native = desk.job.native
    found = {str(p.relative_to(native)): p.read_text() for p in native.rglob("*") if p.is_file()}
    found.pop("stdout.jsonl")
    assert found == {
        "projects/-review/abc.jsonl": '{"a":1}\n',
        "projects/-review/abc/subagents/agent-1.jsonl": '{"b":2}\n',
        "stderr.txt": "",
    }


def test_a_session_folder_of_any_depth_is_copied_within_bounds(desk: Desk) -> None:
    build = """
import os
os.makedirs(os.environ["HOME"] + "/.claude/projects/p")
os.chdir(os.environ["HOME"] + "/.claude/projects/p")
open("a.jsonl", "w").write("{}")
for _ in range(1500):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
open("b.jsonl", "w").write("{}")
"""
    try:
        ended = desk.run(prints(ANSWER) + f"/usr/bin/python3 -c '{build}'\n")
        assert ended.ok
        found = [p.name for p in desk.job.native.rglob("*.jsonl")]
        assert sorted(found) == ["a.jsonl", "stdout.jsonl"]
    finally:
        remove_tree(desk.job.home)


def test_a_settings_folder_that_is_a_link_is_not_followed(desk: Desk) -> None:
    outside = desk.tools.parent / "outside" / "projects"
    outside.mkdir(parents=True)
    (outside / "other.jsonl").write_text("{}")
    desk.run(prints(ANSWER) + f"ln -s {outside.parent} $HOME/.claude\n")
    assert sorted(p.name for p in desk.job.native.rglob("*")) == ["stderr.txt", "stdout.jsonl"]


@pytest.mark.parametrize("prompt", ["a\0b", "x" * (128 * 1024), "é" * (64 * 1024)])
def test_a_prompt_that_cannot_be_passed_on_is_refused(prompt: str, desk: Desk) -> None:
    with pytest.raises(UserError, match="the task prompt"):
        desk.run(prints(ANSWER), prompt=prompt)


def test_it_does_not_run_without_a_sandbox(desk: Desk) -> None:
    desk.install(prints(ANSWER))
    with pytest.raises(UserError, match="needs a sandbox"):
        asyncio.run(ClaudeCode(desk.tools).run(desk.job, None))


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo '2.1.999 (Claude Code)'", "is version 2.1.999, not 2.1.332"),
        ("echo oops; exit 1", "does not tell its version"),
        ("echo 'Claude Code'", "does not tell its version"),
    ],
)
def test_a_version_that_is_not_the_pinned_one_is_refused(
    script: str, message: str, desk: Desk
) -> None:
    desk.install(f"#!/bin/sh\n{script}\n")
    with pytest.raises(UserError, match=message) as caught:
        ClaudeCode(desk.tools).installed_version()
    again = f"run: ocb doctor --install claude-code --tools {desk.tools}"
    assert caught.value.remedy == again


def test_a_cli_that_is_missing_names_the_command_that_installs_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="ocb doctor --install claude-code"):
        ClaudeCode(tmp_path).installed_version()


def test_the_installed_cli_tells_the_pinned_version() -> None:
    assert PROGRAM.folder(TOOLS).is_dir(), "run ./dev test, or: ocb doctor --install claude-code"
    assert ClaudeCode(TOOLS).installed_version() == "2.1.332"


@pytest.mark.parametrize(
    ("asked", "answered", "accepted"),
    [
        ("claude-sonnet-5-5", "claude-sonnet-5-5", True),
        ("sonnet", "claude-sonnet-5-5", True),
        ("claude-sonnet-5-5", "claude-sonnet-5-5-20260901", True),
        ("sonnet", "claude-sonnet-5-5-20260901", True),
        ("claude-sonnet-5", "claude-sonnet-5-5", False),
        ("claude-sonnet-5-5", "claude-haiku-5-5", False),
        ("opus", "claude-sonnet-5-5", False),
        ("my-model", "my-model-large", False),
        ("my-model", "", False),
    ],
)
def test_an_alias_and_a_dated_name_are_the_model_asked_for(
    asked: str, answered: str, accepted: bool
) -> None:
    assert PROFILE.models.accepts(asked, answered) is accepted
