from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.agents.gemini_cli.events import FinishedWatch
from evaluation.agents.gemini_cli.harness import GeminiCli
from evaluation.agents.gemini_cli.install import NODE, PROGRAM
from evaluation.agents.gemini_cli.profile import PROFILE
from evaluation.transcripts.gemini_tools import DELEGATE
from tests.evaluation.agents.desk import Desk, desk_of, prints

TOOLS = Path(__file__).parents[3] / ".tools"

INIT = {"type": "init", "model": "m-1"}
DONE = {"type": "result", "status": "success", "stats": {}}
FAILED = {
    "type": "result",
    "status": "error",
    "error": {"type": "unknown", "message": "[API Error: \x1b[31mno luck]"},
}
SAID = "the CLI ended with an error as its result: "


@pytest.fixture
def desk() -> Iterator[Desk]:
    with desk_of(GeminiCli, PROGRAM) as desk:
        yield desk


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        pytest.param(prints(INIT, DONE), "", id="an answer"),
        pytest.param(prints(INIT, DONE, then="sleep 3600"), "", id="an answer, and no exit"),
        pytest.param(prints(INIT, FAILED), SAID + "[API Error: [31mno luck]", id="exit 0"),
        pytest.param(
            prints(INIT, FAILED, then="exit 145"),
            SAID + "[API Error: [31mno luck]",
            id="an HTTP status as the exit code",
        ),
        pytest.param(
            prints({"type": "result"}), SAID + "status unknown", id="a result without a status"
        ),
        pytest.param(prints(INIT), "no result event", id="no result"),
        pytest.param(
            "#!/bin/sh\necho 'Invalid auth method.' >&2\nexit 41\n",
            "exit code 41: Invalid auth method.",
            id="a crash",
        ),
        pytest.param(
            prints(INIT, DONE, then="exit 2"), "exit code 2", id="an answer, then a crash"
        ),
        pytest.param(prints([1], "result", {"result": 5}), "no result event", id="odd rows"),
    ],
)
def test_how_it_ended_is_what_its_last_event_says(script: str, fault: str, desk: Desk) -> None:
    ended = desk.run(script)
    assert (ended.ok, ended.fault, ended.limit) == (not fault, fault, "")


def test_half_a_result_is_no_end(tmp_path: Path) -> None:
    stdout, watch = tmp_path / "stdout", FinishedWatch()
    line = json.dumps(DONE)
    stdout.write_text(json.dumps(INIT) + "\n" + line[:20])
    assert watch(stdout) is False
    stdout.write_text(json.dumps(INIT) + "\n" + line + "\n")
    assert watch(stdout) is True
    assert watch(stdout) is True


def test_the_cli_gets_its_arguments_and_environment_and_no_more(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_SYSTEM_MD", "of the operator")
    script = (
        "#!/bin/sh\nprintf '%s\\0' \"$@\" > $HOME/arguments\ncat /proc/self/environ > $HOME/env\n"
    )
    desk.run(script, prompt="--help; $(touch x)\n-")
    arguments = (desk.job.home / "arguments").read_text().split("\0")[:-1]
    assert arguments[-3:] == ["--model", "some/model", "--prompt=--help; $(touch x)\n-"]
    environment = dict(
        entry.split("=", 1) for entry in (desk.job.home / "env").read_text().split("\0") if entry
    )
    assert environment["GEMINI_API_KEY"] == "run-token"
    assert environment["GOOGLE_GEMINI_BASE_URL"].startswith("http://127.0.0.1:")
    assert environment["PATH"].startswith(f"{PROGRAM.folder(desk.tools)}/{NODE}:")
    assert "operator" not in str(environment)
    text = str(environment | {"HOME": "", "PATH": ""}).lower()
    assert [word for word in ("ocb", "overclaim", "needle", "sim/") if word in text] == []


@pytest.mark.parametrize(
    ("condition", "agents"), [("direct", True), ("delegated", True), ("no_delegation", False)]
)
def test_the_settings_take_the_subagents_away_where_they_must(
    condition: str, agents: bool, desk: Desk
) -> None:
    desk.run(prints(DONE), condition=condition)
    settings = json.loads((desk.job.home / ".gemini/settings.json").read_text())
    assert settings["security"]["auth"]["selectedType"] == "gemini-api-key"
    assert settings["experimental"]["enableAgents"] is agents
    assert (DELEGATE in settings["tools"]["exclude"]) is not agents
    assert (desk.job.home / ".gemini/.env").read_text() == ""


def test_a_prompt_that_the_cli_would_change_is_refused(desk: Desk) -> None:
    with pytest.raises(UserError, match="a file to attach"):
        desk.run(prints(DONE), prompt="Write to anna@example.com.")
    assert desk.run(prints(DONE), prompt="Review 3 lists @ 5 pieces.").ok


def test_the_session_is_copied_and_read(desk: Desk) -> None:
    rows = [
        {"sessionId": "s1", "projectHash": "x", "kind": "main"},
        {"id": "u1", "type": "user", "content": [{"text": "go"}]},
        {"id": "g1", "type": "gemini", "content": "All is read.", "model": "m-1"},
    ]
    written = "\n".join(map(json.dumps, rows))
    folder = "$HOME/.gemini/tmp/review/chats"
    script = f"mkdir -p {folder}\ncat > {folder}/session-1.jsonl <<'END'\n{written}\nEND"
    assert desk.run(prints(DONE, then=script)).ok
    session = GeminiCli(desk.tools).read_session(desk.job.native)
    assert [step.message for step in session.steps] == ["go", "All is read."]


def test_a_missing_node_is_told_with_what_to_do(desk: Desk) -> None:
    harness = GeminiCli(desk.tools)
    with pytest.raises(UserError, match="ocb doctor --install gemini-cli"):
        harness.installed_version()
    desk.install("#!/bin/sh\n")
    with pytest.raises(UserError, match=f"{NODE}/node is missing, which runs gemini-cli"):
        harness.installed_version()


def test_a_node_that_cannot_run_it_is_told(desk: Desk) -> None:
    desk.install("#!/bin/sh\n")
    node = PROGRAM.folder(desk.tools) / NODE / "node"
    node.parent.mkdir(parents=True)
    node.write_text("#!/bin/sh\necho 'SyntaxError: Unexpected token' >&2\nexit 1\n")
    node.chmod(0o755)
    with pytest.raises(UserError, match="does not tell its version"):
        GeminiCli(desk.tools).installed_version()


def test_the_installed_cli_tells_the_pinned_version() -> None:
    assert PROGRAM.folder(TOOLS).is_dir(), "run ./dev test, or: ocb doctor --install gemini-cli"
    assert GeminiCli(TOOLS).installed_version() == PROGRAM.version


def test_of_node_only_the_program_is_kept() -> None:
    """Each run links every file of it anew."""
    node = PROGRAM.folder(TOOLS) / "node"
    assert {path.name for path in node.rglob("*")} == {"bin", "node", "LICENSE"}


@pytest.mark.parametrize(
    ("asked", "answered", "accepted"),
    [
        ("gemini-3.1-pro-preview", "gemini-3.1-pro-preview", True),
        ("gemini-3-pro-preview", "gemini-3.1-pro-preview", True),
        ("gemini-3-pro-preview", "gemini-3.1-pro-preview-customtools", True),
        ("flash", "gemini-3.8-flash", True),
        ("gemini-2.5-flash", "gemini-2.5-flash-001", True),
        ("gemini-2.5-flash", "gemini-2.5-flash-lite", False),
        ("gemini-3.1-pro-preview", "gemini-3.8-flash", False),
        ("auto", "gemini-3.1-pro-preview", False),
    ],
)
def test_a_renamed_model_is_the_one_asked_for_and_another_is_not(
    asked: str, answered: str, accepted: bool
) -> None:
    assert PROFILE.models.accepts(asked, answered) is accepted
