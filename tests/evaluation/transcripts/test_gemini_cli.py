"""Gemini CLI's sessions: what was written first, of each message and of each result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.reading.context import ATTACHED, MAIN, ContextLog, ContextText
from evaluation.reading.lines.paths import PathResolver
from evaluation.reading.lines.shown import shown_lines
from evaluation.transcripts import gemini_attached
from evaluation.transcripts.context import context_log
from evaluation.transcripts.gemini_cli import read_gemini, read_gemini_session
from evaluation.transcripts.gemini_tools import TOOLS
from evaluation.transcripts.trajectory import Evidence, TrajectoryExtra
from generators.lines import CorpusIndex

Row = dict[str, Any]
SUB = "0412ce08-ea22-4ebb-b4cb-79966dbe2b8b"
HEAD: Row = {"sessionId": "main-1", "projectHash": "x", "kind": "main"}


def user(id_: str, *texts: str) -> Row:
    return {"id": id_, "type": "user", "content": [{"text": text} for text in texts]}


def answer(id_: str, text: str = "", *calls: Row, at: int = 0, **more: object) -> Row:
    called = {"toolCalls": list(calls)} if calls else {}
    time = f"2026-11-30T11:00:{at:02}.000Z"
    row = {"id": id_, "type": "gemini", "timestamp": time, "content": text, "model": "m-1"}
    return {**row, **called, **more}


def call(id_: str, output: str | None = None, name: str = "read_file", **more: object) -> Row:
    row: Row = {"id": f"{name}__{id_}", "name": name, "args": {"file_path": "a.md"}, **more}
    if output is not None:
        row["result"] = [responded(row["id"], output)]
        row["status"] = "success"
    return row


def responded(id_: str, output: str) -> Row:
    return {"functionResponse": {"id": id_, "name": "x", "response": {"output": output}}}


def journal(folder: Path, *rows: Row | str, name: str = "session-1.jsonl") -> Path:
    path = folder / "tmp" / "review" / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines))
    return folder


def read(folder: Path) -> ContextLog:
    return context_log(read_gemini_session(folder))


def shown(log: ContextLog, thread: str = MAIN) -> list[tuple[str, str]]:
    return [(one.result_id, one.text) for one in log.texts if one.thread == thread]


def test_text_comes_from_the_response_and_never_from_the_display(tmp_path: Path) -> None:
    made = call("c1", "what it was given", resultDisplay="what the user saw")
    log = read(
        journal(tmp_path, HEAD, user("u1", "go"), answer("g1", "", made), answer("g2", "ok")),
    )
    assert shown(log) == [("read_file__c1", "what it was given")]


def test_a_message_that_is_written_again_is_one_message(tmp_path: Path) -> None:
    rows = [
        HEAD,
        user("u1", "go"),
        answer("g1", "Reading.", tokens={"input": 9, "output": 2, "thoughts": 3}),
        {"$set": {"lastUpdated": "x"}},
        answer("g1", "Reading.", call("c1")),
        answer("g1", "Reading.", call("c1", "line")),
        answer("g2", "Done."),
    ]
    trajectory = read_gemini_session(journal(tmp_path, *rows))
    steps = [(step.source, step.message) for step in trajectory.steps]
    assert steps == [("user", "go"), ("agent", "Reading."), ("agent", "Done.")]
    metrics = trajectory.steps[1].metrics
    assert metrics is not None
    assert (metrics.prompt_tokens, metrics.completion_tokens) == (9, 5)
    assert shown(context_log(trajectory)) == [("read_file__c1", "line")]


def test_a_history_written_anew_takes_nothing_back_and_adds_no_answer(tmp_path: Path) -> None:
    """Old results are masked: each message comes again, under another id and without a model."""
    masked = "<tool_output_masked>\nli\n</tool_output_masked>"
    again = [
        user("v1", "<session_context>\n</session_context>", "go"),
        {"id": "h1", "type": "gemini", "content": [{"functionCall": {"id": "read_file__c1"}}]},
        {"id": "v2", "type": "user", "content": [responded("read_file__c1", masked)]},
    ]
    whole = {**answer("g1", "", call("c1", masked)), "content": [{"text": "Reading."}]}
    rows = [
        HEAD,
        user("u0", "<session_context>\n</session_context>"),
        user("u1", "go"),
        answer("g1", "Reading.", call("c1", "line")),
        *again,
        {"$set": {"messages": [*again, whole]}},
        answer("g2", "Done."),
    ]
    log = read(journal(tmp_path, *rows))
    assert shown(log) == [("read_file__c1", "line")]
    assert log.models == {"m-1": 2}
    assert log.missing == ()
    assert log.threads[0].prompt == "go"
    assert log.final is not None
    assert (log.final.text, log.final.call) == ("Done.", 2)


def test_results_that_a_rewritten_history_mixes_up_go_to_their_own_calls(tmp_path: Path) -> None:
    both = [responded("read_file__c1", "one"), responded("read_file__c2", "two")]
    calls = [{**call("c1"), "result": both}, {**call("c2"), "result": both}]
    log = read(journal(tmp_path, HEAD, answer("g1", "", *calls), answer("g2", "ok")))
    assert shown(log) == [("read_file__c1", "one"), ("read_file__c2", "two")]


def test_what_was_taken_back_did_enter_but_is_no_answer(tmp_path: Path) -> None:
    rows = [
        HEAD,
        user("u1", "go"),
        answer("g1", "", call("c1", "line")),
        answer("g2", "First."),
        {"$rewindTo": "g2"},
    ]
    log = read(journal(tmp_path, *rows))
    assert shown(log) == [("read_file__c1", "line")]
    assert log.final is None or log.final.text != "First."


@pytest.mark.parametrize(
    ("to", "texts"),
    [
        pytest.param("g2", ["go", "First.", "", "Again."], id="a message"),
        pytest.param("u1", ["", "", "", "Again."], id="the first one"),
        pytest.param("gone", ["", "", "", "Again."], id="one that nobody has"),
    ],
)
def test_what_is_said_after_going_back_stands(to: str, texts: list[str], tmp_path: Path) -> None:
    spoken = [answer("g1", "First."), answer("g2", "Second."), answer("g3", "Third.")]
    rows = [HEAD, user("u1", "go"), *spoken, {"$rewindTo": to}, answer("g3", "Again.")]
    trajectory = read_gemini_session(journal(tmp_path, *rows))
    said = {step.message for step in trajectory.steps}
    assert said == set(texts)


def test_a_result_that_no_answer_follows_was_never_shown(tmp_path: Path) -> None:
    log = read(journal(tmp_path, HEAD, user("u1", "go"), answer("g1", "", call("c1", "line"))))
    assert shown(log) == []


def order(id_: str, prompt: str, agent: str | None = SUB) -> Row:
    made = call(id_, "Subagent finished.", "invoke_agent", **({"agentId": agent} if agent else {}))
    return {**made, "args": {"agent_name": "generalist", "prompt": prompt}}


def completed(report: Row) -> Row:
    """How a sub-agent ends."""
    return call("f", "Task completed.", "complete_task", args=report)


def with_subagents(
    folder: Path, *orders: Row, sessions: int = 1, report: Row | None = None
) -> Path:
    for number in range(sessions):
        agent = SUB if number == 0 else f"agent-{number}"
        journal(
            folder,
            {"sessionId": agent, "projectHash": "x", "kind": "subagent"},
            user("u1", f"Read part {number}."),
            answer("g1", "", call(f"{agent}#0-0", f"part {number}"), at=2),
            answer("g2", "I am done.", completed(report or {}), at=3),
            name=f"main-1/{agent}.jsonl",
        )
    later = [answer(f"o{n}", "", one, at=1 + n) for n, one in enumerate(orders)]
    return journal(folder, HEAD, user("u1", "go"), *later, answer("g9", "All read.", at=9))


def test_a_subagent_is_a_thread_named_by_the_call_that_ordered_it(tmp_path: Path) -> None:
    trajectory = read_gemini_session(with_subagents(tmp_path, order("fc_1", "Read part 0.")))
    log = context_log(trajectory)
    assert [(t.id, t.kind, t.parent, t.prompt) for t in log.threads] == [
        (MAIN, "main", None, "go"),
        ("fc_1", "subagent", MAIN, "Read part 0."),
    ]
    assert shown(log, "fc_1") == [(f"read_file__{SUB}#0-0", "part 0")]
    assert log.reports == {"fc_1": "I am done."}
    observed = trajectory.steps[1].observation
    assert observed is not None
    assert observed.results[0].subagent_trajectory_ref is not None
    assert observed.results[0].subagent_trajectory_ref[0].trajectory_id == "fc_1"
    assert TOOLS["invoke_agent"].credit == "none"


@pytest.mark.parametrize(
    ("ids", "threads"),
    [
        pytest.param(["fc_1", "fc_2"], ["fc_1", "fc_2"], id="ids of the model"),
        pytest.param(
            ["invoke_agent_1796038930199_0", "invoke_agent_1796038930300_0"],
            ["sub-1", "sub-2"],
            id="ids that the CLI made up, which the wire never had",
        ),
        pytest.param(["fc_1", "fc_1"], ["fc_1", "sub-2"], id="an id that comes again"),
        pytest.param(["fc_1", "invoke_agent_1796038930300_0"], ["fc_1", "sub-2"], id="one of each"),
    ],
)
def test_threads_bear_the_names_that_the_wire_gives_them(
    ids: list[str],
    threads: list[str],
    tmp_path: Path,
) -> None:
    orders = [order(ids[0], "Read part 0."), order(ids[1], "Read part 1.", "agent-1")]
    log = read(with_subagents(tmp_path, *orders, sessions=2))
    assert {thread.id: thread.prompt for thread in log.threads} == {
        MAIN: "go",
        threads[0]: "Read part 0.",
        threads[1]: "Read part 1.",
    }


def test_a_file_that_the_user_named_is_attached(tmp_path: Path) -> None:
    said = (
        "Review @a.md.",
        "\n--- Content from referenced files ---",
        "\nContent from @a.md:\n",
        "first line\nsecond line",
        "\n--- End of content ---",
    )
    log = read(journal(tmp_path, HEAD, user("u1", *said), answer("g1", "Done.")))
    assert [(one.tool, one.arguments, one.text) for one in log.texts] == [
        (ATTACHED, {"path": "a.md"}, "first line\nsecond line"),
    ]


def test_what_the_user_said_is_without_the_files(tmp_path: Path) -> None:
    begun, ended = gemini_attached.FILES, gemini_attached.FILES_END
    said = ("Review @a.md.", f"{begun}\nContent from @a.md:\nReview all of b.md.{ended}")
    log = read(journal(tmp_path, HEAD, user("u1", *said), answer("g1", "Done.")))
    assert log.threads[0].prompt == "Review @a.md."
    assert [one.text for one in log.texts] == ["Review all of b.md."]


def test_notes_that_the_cli_reads_by_itself_are_attached_files(tmp_path: Path) -> None:
    path = "/home/dev/GEMINI.md"
    notes = f"--- Context from: {path} ---\nBe brief.\n--- End of Context from: {path} ---"
    context = f"<session_context>\n<loaded_context>\n{notes}\n</loaded_context>"
    rows = [HEAD, user("u0", context), user("u1", "go"), answer("g1", "Done.")]
    log = read(journal(tmp_path, *rows))
    assert [(one.tool, one.arguments, one.text) for one in log.texts] == [
        (ATTACHED, {"path": path}, "Be brief."),
    ]


@pytest.mark.parametrize(
    ("arguments", "report"),
    [
        pytest.param({"result": {"response": "All of b."}}, "All of b.", id="the CLI's own agents"),
        pytest.param({"report": {"what": "b", "files": ["c"]}}, "b\nc", id="several"),
        pytest.param({}, "", id="none"),
    ],
)
def test_a_subagents_report_is_what_it_ended_with(
    arguments: Row, report: str, tmp_path: Path
) -> None:
    folder = with_subagents(tmp_path, order("fc_1", "Read part 0."), report=arguments)
    assert read(folder).reports == {"fc_1": f"I am done.\n{report}".rstrip("\n")}


def test_a_result_that_was_masked_later_is_cleared(tmp_path: Path) -> None:
    masked = call("c1", "<tool_output_masked>\nli\n</tool_output_masked>")
    rows = [
        HEAD,
        answer("g1", "", call("c1", "line")),
        answer("g1", "", masked),
        answer("g2", "ok"),
    ]
    log = read(journal(tmp_path, *rows))
    assert [(one.text, one.visible) for one in log.texts] == [("line", False)]
    assert (log.tells_visibility, log.may_have_cleared) == (True, True)


def test_rows_of_unknown_kinds_are_counted(tmp_path: Path) -> None:
    rows = [HEAD, {"id": "x1", "type": "dream"}, {"sun": 1}, user("u1", "go"), answer("g1", "ok")]
    extra = read_gemini_session(journal(tmp_path, *rows)).extra
    assert extra is not None
    assert extra.evidence is not None
    assert extra.evidence.unknown == {"dream": 1, "(none)": 1}


def test_a_session_alone_finds_its_subagents_beside_it(tmp_path: Path) -> None:
    with_subagents(tmp_path, order("fc_1", "Read part 0."))
    journal(tmp_path, {**HEAD, "sessionId": "main-2"}, user("u1", "go"), name="session-2.jsonl")
    log = context_log(read_gemini(next(tmp_path.rglob("session-1.jsonl"))))
    assert [thread.id for thread in log.threads] == [MAIN, "fc_1"]


def test_lost_evidence_is_told(tmp_path: Path) -> None:
    masked = call("c1", "<tool_output_masked>\nli\n</tool_output_masked>")
    asked = answer("g1", "", masked, order("fc_1", "Read."))
    folder = journal(tmp_path, HEAD, user("u1", "go"), asked, "{torn", answer("g2", "Done."))
    extra = read_gemini_session(folder).extra
    assert extra == TrajectoryExtra(
        evidence=Evidence(
            rows=5,
            unreadable=1,
            missing=(
                f"session of sub-agent {SUB}",
                "text of 1 tool results that the CLI took out of its history",
            ),
        ),
        tells_visibility=True,
        may_have_cleared=True,
    )


def test_a_session_of_before_the_journal_is_read(tmp_path: Path) -> None:
    whole = {
        "sessionId": "old-1",
        "projectHash": "x",
        "messages": [
            {"id": "1", "type": "user", "content": "go"},
            answer("2", "", call("c1", "line", resultDisplay="")),
            {"id": "3", "type": "info", "content": "Update available."},
            answer("4", "Done."),
        ],
    }
    folder = tmp_path / "chats"
    folder.mkdir()
    (folder / "session-1.json").write_text(json.dumps(whole))
    (folder / "logs.json").write_text("[]")
    (folder / "stdout.jsonl").write_text("{}")
    log = read(tmp_path)
    assert shown(log) == [("read_file__c1", "line")]
    assert log.final is not None
    assert (log.threads[0].prompt, log.final.text) == ("go", "Done.")


@pytest.mark.parametrize("sessions", [0, 2])
def test_a_folder_holds_one_session(sessions: int, tmp_path: Path) -> None:
    for number in range(sessions):
        head = {**HEAD, "sessionId": f"s{number}"}
        journal(tmp_path, head, user("u1", "go"), name=f"session-{number}.jsonl")
    with pytest.raises(UserError, match=f"holds {sessions} Gemini CLI sessions"):
        read_gemini_session(tmp_path)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"$set": 5}, id="an odd change"),
        pytest.param({"$set": {"messages": [1, {"id": 2}]}}, id="odd messages"),
        pytest.param({"$set": {"$set": {"$set": {}}}}, id="a nest of changes"),
        pytest.param({"$rewindTo": "nowhere"}, id="a rewind to nowhere"),
        pytest.param(
            {"id": "x", "type": "gemini", "content": 5, "toolCalls": [7]},
            id="odd fields",
        ),
        pytest.param(
            answer("x", "", {"id": "c", "name": "n", "args": "odd", "result": [{}]}),
            id="odd call",
        ),
    ],
)
def test_odd_rows_are_passed_over(row: Row, tmp_path: Path) -> None:
    rows = [HEAD, row, user("u1", "go"), answer("g1", "", call("c1", "line")), answer("g2", "ok")]
    assert shown(read(journal(tmp_path, *rows))) == [("read_file__c1", "line")]


FILES = {
    "a.md": "first line of a\n\tsecond line of a\nthird line of a\n",
    "b/c.md": "Output: of a program\nExit Code: 1\nL3: a label\n",
}
READ_HEAD = (
    "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 2-3 of 4 total lines."
    "\nAction: To read more of the file, use start_line: 4.\n\n--- FILE CONTENT (truncated) ---\n"
)


@pytest.mark.parametrize(
    ("tool", "text", "lines"),
    [
        pytest.param("read_file", FILES["b/c.md"], FILES["b/c.md"], id="a file"),
        pytest.param(
            "read_file",
            READ_HEAD + "\tsecond line of a\nthird line of a",
            "\tsecond line of a\nthird line of a",
            id="some lines of it",
        ),
        pytest.param(
            "run_shell_command",
            "<untrusted_context>\nOutput: first line of a\nExit Code: 1\nthird line of a\n"
            "Exit Code: 2\nProcess Group PGID: 15\n</untrusted_context>",
            "first line of a\nExit Code: 1\nthird line of a",
            id="a command",
        ),
        pytest.param(
            "run_shell_command",
            "Command: printf 'Output: x'\nDirectory: (root)\nOutput: first line of a\n"
            "Error: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\n"
            "Process Group PGID: 15",
            "first line of a",
            id="a command as it was told before",
        ),
        pytest.param(
            "run_shell_command",
            "Tool output was too large and has been truncated.\nThe full output is in: /x\n"
            "\nTruncated part of the output:\nCommand: cat a.md\nDirectory: (root)\n"
            "Output: first line of a\n... [CONTENT TRUNCATED] ...\nthird line of a\n"
            "Error: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\n"
            "Process Group PGID: 15",
            "first line of a\n... [CONTENT TRUNCATED] ...\nthird line of a",
            id="a long output as it was told before",
        ),
        pytest.param(
            "run_shell_command",
            "Output too large. Showing first 8,000 and last 32,000 characters. For full output see:"
            " /x\n<untrusted_context>\nOutput: first line of a\n\tseco\n\n"
            "... [51,234 characters omitted] ...\n\nnd line of a\nthird line of a\n"
            "Process Group PGID: 15\n</untrusted_context>",
            "first line of a\n\tseco\n\n... [51,234 characters omitted] ...\n\nnd line of a\n"
            "third line of a",
            id="a long output, whose two ends are no line together",
        ),
    ],
)
def test_what_tools_put_around_file_text_is_taken_off(tool: str, text: str, lines: str) -> None:
    found = shown_lines(context(tool, text), TOOLS[tool], INDEX, PathResolver(INDEX.files))
    expected = shown_lines(context("glob", lines), TOOLS["glob"], INDEX, PathResolver(INDEX.files))
    assert [one.text for one in found] == [one.text for one in expected]


def test_a_search_names_file_and_number_of_each_line() -> None:
    text = (
        'Found 2 matches for pattern "l" in path ".":\n---\nFile: a.md\nL1: first line of a\n'
        "L2- \tsecond line of a\n---\nFile: b/c.md\nL3: L3: a label\n---"
    )
    found = shown_lines(
        context("grep_search", text),
        TOOLS["grep_search"],
        INDEX,
        PathResolver(INDEX.files),
    )
    assert [(one.path, one.number, one.text) for one in found if one.number] == [
        ("a.md", 1, "first line of a"),
        ("a.md", 2, "        second line of a"),
        ("b/c.md", 3, "L3: a label"),
    ]


INDEX = CorpusIndex({path: tuple(text.expandtabs().splitlines()) for path, text in FILES.items()})


def context(tool: str, text: str) -> ContextText:
    return ContextText(thread=MAIN, call=1, result_id="c1", tool=tool, arguments={}, text=text)


@pytest.mark.parametrize(
    ("said", "beside", "folder"),
    [
        pytest.param("/home/dev/a b", "", {"cwd": "/home/dev/a b"}, id="the CLI told its model"),
        pytest.param("", "/home/dev/c\n", {"cwd": "/home/dev/c"}, id="a file beside its sessions"),
        pytest.param("", "", None, id="nobody"),
    ],
)
def test_where_a_session_was_held(
    said: str, beside: str, folder: Row | None, tmp_path: Path
) -> None:
    context = f"<session_context>\n- **Workspace Directories:**\n  - {said}\n- **More**\n"
    rows = [user("u0", context)] if said else []
    journal(tmp_path, HEAD, *rows, user("u1", "go"), answer("g1", "ok"))
    path = tmp_path / "tmp" / "review" / "chats" / "session-1.jsonl"
    if beside:
        path.parent.with_name(".project_root").write_text(beside)
    assert read_gemini(path).agent.extra == folder
