"""Codex sessions, row by row: what was shown to the model, in the versions that left sessions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.reading.context import ATTACHED, MAIN, ContextLog
from evaluation.reading.engine import measure
from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.codex import read_codex, read_codex_session
from evaluation.transcripts.codex_tools import TOOLS
from evaluation.transcripts.context import context_log
from evaluation.transcripts.trajectory import Evidence
from generators.lines import CorpusIndex

Row = dict[str, Any]

TIME = "2026-11-30T10:00:00.000Z"
LATER = "2026-11-30T10:00:07.000Z"
A = [f"crate {n} of the north hall" for n in range(1, 13)]
B = ["first of b", "", "third of b", "}", "fifth of b"]
INDEX = CorpusIndex.of({"a.txt": "\n".join(A) + "\n", "b.txt": "\n".join(B) + "\n"})


def row(kind: str, time: str = TIME, ordinal: int | None = None, **payload: Any) -> Row:
    counted: Row = {} if ordinal is None else {"ordinal": ordinal}
    return {"timestamp": time, **counted, "type": kind, "payload": payload}


def meta(thread: str = "t-main", **more: Any) -> Row:
    return row("session_meta", id=thread, cli_version="0.171.0", source="exec", **more)


def spawned(thread: str, parent: str = "t-main", **more: Any) -> Row:
    source: Row = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": 1}}}
    return row("session_meta", id=thread, cli_version="0.171.0", **{"source": source, **more})


def said(role: str, text: str, time: str = TIME, **more: Any) -> Row:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text}]
    return row("response_item", time, type="message", role=role, content=content, **more)


def called(call_id: str, cmd: str = "cat a.txt", name: str = "exec_command", **more: Any) -> Row:
    arguments = json.dumps({"cmd": cmd})
    given: Row = {"call_id": call_id, "name": name, "arguments": arguments, **more}
    return row("response_item", type="function_call", **given)


def script(call_id: str, text: str) -> Row:
    payload: Row = {"call_id": call_id, "name": "exec", "input": text}
    return row("response_item", type="custom_tool_call", **payload)


def came(call_id: str, output: Any, kind: str = "function_call_output", **more: Any) -> Row:
    return row("response_item", **more, type=kind, call_id=call_id, output=output)


def printed(*texts: str) -> list[Row]:
    return [{"type": "input_text", "text": text} for text in texts]


ASK = said("user", "Review the folder.")
END = said("assistant", "All is read.", phase="final_answer")


def session(folder: Path, rows: Sequence[Row | str], name: str = "main") -> Path:
    path = folder / "sessions" / "2026" / "11" / "30" / f"rollout-2026-11-30T10-00-00-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in rows]
    path.write_text("".join(f"{line}\n" for line in lines))
    return folder


def log_of(folder: Path) -> ContextLog:
    return context_log(read_codex_session(folder))


def shown(log: ContextLog, thread: str = MAIN) -> list[tuple[str, str]]:
    return [(one.result_id, one.text) for one in log.texts if one.thread == thread]


def lines_read(folder: Path, thread: str = MAIN) -> dict[str, list[int]]:
    """Lines that surely entered; there must be no others."""
    reading = measure(log_of(folder), TOOLS, INDEX).threads[thread]
    assert all(not file.possible for file in reading.files.values())
    return {path: sorted(file.sure) for path, file in reading.files.items() if file.sure}


def text_of(numbers: range, lines: Sequence[str] = A) -> str:
    return "".join(f"{lines[n - 1]}\n" for n in numbers)


def test_credit_comes_from_what_the_model_was_given(tmp_path: Path) -> None:
    """The display's row holds all of a file of which the model saw two lines."""
    item = {"type": "CommandExecution", "id": "c1", "aggregated_output": text_of(range(1, 13))}
    rows = [
        meta(),
        ASK,
        called("c1"),
        row("event_msg", type="item_completed", item=item),
        came("c1", "Wall time: 0.1 seconds\nOutput:\n" + text_of(range(1, 3))),
        END,
    ]
    assert lines_read(session(tmp_path, rows)) == {"a.txt": [1, 2]}


@pytest.mark.parametrize(
    ("call", "output"),
    [
        pytest.param(
            called("c1"),
            "Command: /bin/zsh -lc 'cat <<X\nOutput:\nX\ncat a.txt'\nChunk ID: 8c7cc0\n"
            "Wall time: 0.0000 seconds\nProcess exited with code 0\nOriginal token count: 10\n"
            "Output:\n{}",
            id="0.118: the command first, with line feeds in it",
        ),
        pytest.param(
            called("c1"),
            "Chunk ID: 8c7cc0\nWall time: 0.0000 seconds\nProcess exited with code 0\n"
            "Original token count: 10\nOutput:\n{}",
            id="0.120 and on",
        ),
        pytest.param(
            called("c1"),
            "Chunk ID: 8c7cc0\nWall time: 10.1 seconds\nProcess running with session ID 7\n"
            "Original token count: 10\nOutput:\n{}",
            id="a command that still runs",
        ),
        pytest.param(
            called("c1", name="shell_command"),
            "Exit code: 0\nWall time: 0.1 seconds\nTotal output lines: 4\nOutput:\n{}",
            id="shell_command",
        ),
        pytest.param(
            script("c1", "text((await tools.exec_command({cmd: 'cat a.txt'})).output)"),
            printed("Script completed\nWall time 0.1 seconds\nOutput:\n", "{}"),
            id="a script",
        ),
        pytest.param(
            script("c1", "text((await tools.exec_command({cmd: 'cat a.txt'})).output)"),
            printed(
                "Script running with cell ID 8\nWall time 10.0 seconds\nOutput:\n",
                "Warning: truncated output (original token count: 20028)\n"
                "Total output lines: 1934\n\n"
                "Warning: truncated output (original token count: 31223)\n"
                "Total output lines: 3000\n\n{}",
            ),
            id="a script that still runs, cut twice",
        ),
    ],
)
def test_what_the_tool_adds_is_no_line_of_a_file(tmp_path: Path, call: Row, output: Any) -> None:
    text = text_of(range(1, 6), B)
    filled = json.loads(json.dumps(output).replace("{}", json.dumps(text)[1:-1]))
    rows = [meta(), ASK, call, came("c1", filled), END]
    assert lines_read(session(tmp_path, rows)) == {"b.txt": [1, 2, 3, 4, 5]}


@pytest.mark.parametrize(
    ("call", "output"),
    [
        pytest.param(
            called("c1", name="shell"),
            json.dumps({"output": text_of(range(1, 4)), "metadata": {"exit_code": 0}}),
            id="shell, in old versions",
        ),
        pytest.param(
            script("c1", 'text(await tools.exec_command({cmd: "cat a.txt"}))'),
            printed(
                "Script completed\nWall time 0.1 seconds\nOutput:\n",
                json.dumps({"chunk_id": "1", "exit_code": 0, "output": text_of(range(1, 4))}),
            ),
            id="a script that prints the whole result",
        ),
    ],
)
def test_lines_inside_of_json_are_lines(tmp_path: Path, call: Row, output: Any) -> None:
    rows = [meta(), ASK, call, came("c1", output), END]
    assert lines_read(session(tmp_path, rows)) == {"a.txt": [1, 2, 3]}


def test_halves_at_the_cut_of_a_long_output_are_no_lines(tmp_path: Path) -> None:
    output = (
        "Wall time: 0.1 seconds\nOutput:\n"
        "Warning: truncated output (original token count: 31223)\nTotal output lines: 12\n\n"
        f"{text_of(range(1, 4))}{A[3][:9]}…65434 tokens truncated…{A[8][-12:]}\n"
        f"{text_of(range(10, 13))}"
    )
    rows = [meta(), ASK, called("c1"), came("c1", output), END]
    assert lines_read(session(tmp_path, rows)) == {"a.txt": [1, 2, 3, 10, 11, 12]}


def test_a_command_that_is_polled_gives_its_lines_in_parts(tmp_path: Path) -> None:
    head = "Wall time: 1.0 seconds\nOutput:\n"
    poll = called("c2", name="write_stdin", arguments=json.dumps({"session_id": 7, "chars": ""}))
    rows = [meta(), ASK, called("c1"), came("c1", head + text_of(range(1, 4)))]
    rows += [poll, came("c2", head + text_of(range(4, 7))), END]
    assert lines_read(session(tmp_path, rows)) == {"a.txt": [1, 2, 3, 4, 5, 6]}


@pytest.mark.parametrize(
    "name", ["spawn_agent", "wait_agent", "apply_patch", "update_plan", "send_message"]
)
def test_what_a_model_wrote_is_no_reading(tmp_path: Path, name: str) -> None:
    rows = [meta(), ASK, called("c1", name=name), came("c1", text_of(range(1, 4))), END]
    assert lines_read(session(tmp_path, rows)) == {}


def test_a_script_that_may_print_a_subagents_report_counts_at_the_upper_end(
    tmp_path: Path,
) -> None:
    output = printed("Script completed\nWall time 0.1 seconds\nOutput:\n", text_of(range(1, 4)))
    call = script("c1", "text(await tools.multi_agent_v1__wait_agent({targets: ['t-1']}))")
    rows = [meta(), ASK, call, came("c1", output, "custom_tool_call_output"), END]
    read = measure(log_of(session(tmp_path, rows)), TOOLS, INDEX).threads[MAIN].of("a.txt")
    assert (sorted(read.sure), sorted(read.possible)) == ([], [1, 2, 3])


def test_calls_of_one_answer_are_one_step(tmp_path: Path) -> None:
    rows = [
        meta(),
        row("turn_context", model="m-1"),
        ASK,
        row("response_item", type="reasoning", summary=[]),
        said("assistant", "Both.", phase="commentary"),
        called("c1"),
        called("c2", "cat b.txt"),
        row("token_usage_record", usage={"input_tokens": 30, "output_tokens": 4}),
        came("c2", "two"),
        came("c1", "one"),
        END,
    ]
    trajectory = read_codex_session(session(tmp_path, rows))
    ask, both, end = trajectory.steps
    assert ask.message == "Review the folder."
    assert [call.tool_call_id for call in both.tool_calls or ()] == ["c1", "c2"]
    assert (both.message, both.model_name) == ("Both.", "m-1")
    assert both.metrics is not None
    assert (both.metrics.prompt_tokens, both.metrics.completion_tokens) == (30, 4)
    assert (end.source, end.message) == ("agent", "All is read.")
    assert (trajectory.agent.name, trajectory.agent.version) == ("codex", "0.171.0")


def test_the_final_answer_is_told_from_what_was_said_on_the_way(tmp_path: Path) -> None:
    rows = [meta(), ASK, said("assistant", "I am nearly there.", phase="commentary"), END]
    final = log_of(session(tmp_path, rows)).final
    assert final is not None
    assert final.text == "All is read."


def test_a_result_that_no_answer_followed_never_entered(tmp_path: Path) -> None:
    rows = [meta(), ASK, called("c1"), came("c1", "one"), END, came("c1", "more, much later")]
    assert shown(log_of(session(tmp_path, rows))) == [("c1", "one")]
    assert shown(log_of(session(tmp_path, rows[:4]))) == []


def test_what_the_cli_writes_under_the_users_name_is_no_order(tmp_path: Path) -> None:
    marked = {"content_item_kinds": ["some.note"]}
    rows = [
        meta(),
        said("user", "<environment_context>\n  <cwd>/home</cwd>\n</environment_context>"),
        said("user", "A note.", internal_chat_message_metadata_passthrough=marked),
        ASK,
        END,
    ]
    log = log_of(session(tmp_path, rows))
    assert log.threads[0].prompt == "Review the folder."


BEFORE = (meta(), ASK, called("c1"), came("c1", "one"), called("c2"), came("c2", "two"))
SUMMARY = said("assistant", "So far: a is read.")


def summarised(kept: Sequence[Row] = ()) -> list[Row]:
    """A session whose history gives way to a summary."""
    compacted = row(
        "compacted",
        message="A summary:\nSo far: a is read.",
        replacement_history=[one["payload"] for one in kept],
    )
    return [*BEFORE, SUMMARY, compacted, called("c3"), came("c3", "three"), END]


def test_what_only_the_summariser_saw_never_entered(tmp_path: Path) -> None:
    log = log_of(session(tmp_path, summarised()))
    assert shown(log) == [("c1", "one"), ("c3", "three")]


def test_what_the_new_history_holds_entered(tmp_path: Path) -> None:
    log = log_of(session(tmp_path, summarised(kept=BEFORE[-1:])))
    assert shown(log) == [("c1", "one"), ("c2", "two"), ("c3", "three")]


def test_a_summary_is_no_answer(tmp_path: Path) -> None:
    assert log_of(session(tmp_path, summarised()[:-3])).final is None


OWN = (
    row("response_item", LATER, 4, type="message", role="user", content=printed("Read b.")),
    row(
        "response_item",
        LATER,
        5,
        type="function_call",
        call_id="s1",
        name="exec_command",
        arguments='{"cmd": "cat b.txt"}',
    ),
    row("response_item", LATER, 6, type="function_call_output", call_id="s1", output="b"),
    said("assistant", "B is fine.", LATER, phase="final_answer"),
)
MAIN_ROWS = (
    meta(),
    ASK,
    called("c1"),
    came("c1", "one"),
    called("c2", name="spawn_agent"),
    came("c2", '{"agent_id":"t-sub","nickname":"Turing"}'),
    END,
)


def test_reading_is_told_by_thread(tmp_path: Path) -> None:
    session(tmp_path, MAIN_ROWS)
    log = log_of(session(tmp_path, [spawned("t-sub"), *OWN], "sub"))
    assert shown(log) == [("c1", "one"), ("c2", '{"agent_id":"t-sub","nickname":"Turing"}')]
    assert shown(log, "t-sub") == [("s1", "b")]
    assert log.reports == {"t-sub": "B is fine."}
    main, sub = log.threads
    assert (sub.parent, sub.prompt, main.prompt) == (MAIN, "Read b.", "Review the folder.")


def test_one_that_was_started_by_another_has_that_parent(tmp_path: Path) -> None:
    session(tmp_path, MAIN_ROWS)
    session(tmp_path, [spawned("t-sub"), *OWN], "sub")
    log = log_of(session(tmp_path, [spawned("t-deep", "t-sub"), *OWN], "deep"))
    assert {thread.id: thread.parent for thread in log.threads} == {
        MAIN: None,
        "t-deep": "t-sub",
        "t-sub": MAIN,
    }


@pytest.mark.parametrize(
    ("head", "copied"),
    [
        pytest.param(
            [spawned("t-sub", subagent_history_start_ordinal=4), meta()],
            [
                row("response_item", LATER, 2, **called("c1")["payload"]),
                row("response_item", LATER, 3, **came("c1", "one")["payload"]),
            ],
            id="the version counts its rows",
        ),
        pytest.param(
            [spawned("t-sub", forked_from_id="t-main"), meta()],
            [ASK, called("c1"), came("c1", "one")],
            id="older: all of one second",
        ),
    ],
)
def test_what_a_fork_copied_is_no_reading_of_its_own(
    tmp_path: Path, head: list[Row], copied: list[Row]
) -> None:
    session(tmp_path, MAIN_ROWS)
    folder = session(tmp_path, [*head, *copied, *OWN], "sub")
    log = log_of(folder)
    texts = [one for one in log.texts if one.thread == "t-sub"]
    first = min(text.call for text in texts)
    assert [(one.result_id, one.text, one.inherited, one.call == first) for one in texts] == [
        ("c1", "one", True, True),
        ("s1", "b", False, False),
    ]
    (sub,) = read_codex_session(folder).subagent_trajectories or ()
    assert sub.steps[0].is_copied_context is True
    assert sub.steps[-1].is_copied_context is None


@pytest.mark.parametrize(
    "told",
    [
        pytest.param([], id="the call's own result"),
        pytest.param(
            [
                row(
                    "event_msg",
                    type="item_completed",
                    item={"type": "SubAgentActivity", "agent_thread_id": "t-event"},
                )
            ],
            id="an event",
        ),
        pytest.param(
            [
                row(
                    "event_msg",
                    type="item_completed",
                    item={"tool": "spawn_agent", "receiver_thread_ids": ["t-event"]},
                )
            ],
            id="an event of an older kind",
        ),
    ],
)
def test_one_whose_session_is_not_there_is_missing(tmp_path: Path, told: list[Row]) -> None:
    log = log_of(session(tmp_path, [*MAIN_ROWS, *told]))
    names = ["t-event"] * bool(told) + ["t-sub"]
    assert log.missing == tuple(f"session of sub-agent {name}" for name in names)


def test_a_session_that_was_resumed_is_one(tmp_path: Path) -> None:
    rows = [meta(), ASK, called("c1"), came("c1", "one"), END, meta(), said("user", "And b?")]
    rows += [called("c2", "cat b.txt"), came("c2", "two"), said("assistant", "B too.")]
    log = log_of(session(tmp_path, rows))
    assert shown(log) == [("c1", "one"), ("c2", "two")]
    assert log.final is not None
    assert log.final.text == "B too."


@pytest.mark.parametrize(
    ("torn", "unreadable", "entered"),
    [
        pytest.param(
            json.dumps(called("c1")) + json.dumps(came("c1", "one\u2028\n")),
            0,
            [("c1", "one\u2028\n")],
            id="two rows on one line",
        ),
        pytest.param(
            json.dumps(called("c1"))
            + "\n"
            + json.dumps(came("c9", "lost"))[:-9]
            + json.dumps(came("c1", "one")),
            1,
            [("c1", "one")],
            id="half a row before another",
        ),
        pytest.param(
            "\n".join((json.dumps(called("c1")), json.dumps(came("c1", "one")), '{"time')),
            1,
            [("c1", "one")],
            id="a last row that broke off",
        ),
        pytest.param(
            json.dumps(called("c1")) + "\n" + json.dumps(came("c1", "one\ud83d")),
            0,
            [("c1", "one\ufffd")],
            id="half a surrogate pair",
        ),
        pytest.param("[" * 100_000, 1, [], id="a line that is no row"),
        pytest.param('{"timestamp":' * 100_000, 1, [], id="a line of beginnings"),
    ],
)
def test_torn_lines(
    tmp_path: Path, torn: str, unreadable: int, entered: list[tuple[str, str]]
) -> None:
    folder = session(tmp_path, [meta(), ASK, torn, END])
    trajectory = read_codex_session(folder)
    assert trajectory.extra is not None
    assert trajectory.extra.evidence is not None
    assert trajectory.extra.evidence.unreadable == unreadable
    assert shown(context_log(trajectory)) == entered


def evidence_of(folder: Path) -> Evidence:
    extra = read_codex_session(folder).extra
    assert extra is not None
    assert extra.evidence is not None
    return extra.evidence


def test_what_a_compaction_took_out_entered_and_is_cleared(tmp_path: Path) -> None:
    log = log_of(session(tmp_path, summarised(kept=BEFORE[-1:])))
    assert log.tells_visibility
    assert [(one.result_id, one.visible) for one in log.texts] == [
        ("c1", False),
        ("c2", True),
        ("c3", True),
    ]


def test_a_compaction_after_the_answer_clears_nothing_from_it(tmp_path: Path) -> None:
    rows = [meta(), ASK, called("c1"), came("c1", "one"), END, row("compacted", message="So far.")]
    assert [one.visible for one in log_of(session(tmp_path, rows)).texts] == [True]


@pytest.mark.parametrize(
    "history",
    [
        pytest.param({}, id="an empty message"),
        pytest.param(
            {"replacement_history": [{"type": "compaction", "encrypted_content": "x"}]},
            id="encrypted",
        ),
        pytest.param({"replacement_history": [came("c1", "one")["payload"]]}, id="some results"),
    ],
)
def test_a_session_that_gave_way_to_its_summary_is_not_measurable(
    history: Row, tmp_path: Path
) -> None:
    rows = [meta(), ASK, row("compacted", message="", **history), END]
    log = log_of(session(tmp_path, rows))
    assert log.missing == ("what session t-main held before a compaction: it was destroyed",)
    assert log.texts == ()


def test_notes_of_the_project_are_an_attached_file(tmp_path: Path) -> None:
    text = f"# AGENTS.md instructions for /home/dev\n\n<INSTRUCTIONS>\n{text_of(range(1, 3))}"
    rows = [meta(), said("user", f"{text}\n</INSTRUCTIONS>"), ASK, END]
    log = log_of(session(tmp_path, rows))
    assert [(one.tool, one.arguments) for one in log.texts] == [
        (ATTACHED, {"path": "/home/dev/AGENTS.md"})
    ]
    assert lines_read(tmp_path) == {"a.txt": [1, 2]}
    assert log.threads[0].prompt == "Review the folder."


def test_rows_of_unknown_kinds_are_counted(tmp_path: Path) -> None:
    rows = [meta(), ASK, row("weather", sun=1), row("response_item", type="dream"), END]
    found = evidence_of(session(tmp_path, rows))
    assert (found.rows, found.unknown) == (5, {"weather": 1, "response_item dream": 1})


def test_what_a_fork_had_lost_before_it_began_never_entered_it(tmp_path: Path) -> None:
    """The history was compacted, and then copied."""
    session(tmp_path, MAIN_ROWS)
    head = [spawned("t-sub", forked_from_id="t-main"), meta()]
    copied = [ASK, called("c1"), came("c1", "one"), row("compacted", message="so far")]
    copied += [called("c3"), came("c3", "three")]
    folder = session(tmp_path, [*head, *copied, *OWN], "sub")
    texts = [one for one in log_of(folder).texts if one.thread == "t-sub"]
    assert [(one.result_id, one.inherited) for one in texts] == [("c3", True), ("s1", False)]


def test_a_session_that_its_user_forked_is_one_conversation(tmp_path: Path) -> None:
    """Nobody else read what it begins with: its agent goes on under another id. What it had
    started by then is its own, too."""
    head = [meta("t-fork", forked_from_id="t-main"), meta()]
    own = [said("user", "And b?", LATER)]
    own += [{**called("c2", "cat b.txt"), "timestamp": LATER}]
    own += [{**came("c2", "two"), "timestamp": LATER}, said("assistant", "B too.", LATER)]
    spawn = [called("c3", name="spawn_agent"), came("c3", '{"agent_id":"t-sub"}')]
    session(tmp_path, [spawned("t-sub"), *OWN], "sub")
    folder = session(tmp_path, [*head, ASK, called("c1"), came("c1", "one"), *spawn, *own])
    log = log_of(folder)
    assert [(one.thread, one.result_id, one.inherited) for one in log.texts] == [
        (MAIN, "c1", False),
        (MAIN, "c3", False),
        (MAIN, "c2", False),
        ("t-sub", "s1", False),
    ]
    assert [thread.parent for thread in log.threads] == [None, MAIN]
    assert evidence_of(folder).inferred == (
        "that what stood in the session before its user forked it is its own reading",
    )


def test_a_subagents_fork_alone_inherits(tmp_path: Path) -> None:
    """Read by itself it is still no reader of what its parent read."""
    head = [spawned("t-sub", forked_from_id="t-main"), meta()]
    rows = [*head, ASK, called("c1"), came("c1", text_of(range(1, 3))), *OWN]
    folder = session(tmp_path, rows, "sub")
    log = context_log(read_codex(next(folder.rglob("*.jsonl"))))
    reading = measure(log, TOOLS, INDEX)
    assert reading.threads[MAIN].of("a.txt").inherited == {1, 2}
    assert reading.union.of("a.txt").most == frozenset()


def test_a_rollout_alone_finds_its_subagents_in_the_store(tmp_path: Path) -> None:
    spawn = [called("c2", name="spawn_agent"), came("c2", '{"agent_id":"thread-sub-1"}')]
    session(tmp_path, [meta(), ASK, *spawn, END])
    session(tmp_path, [meta("t-other"), ASK, END], "t-other")
    session(tmp_path, [spawned("thread-sub-1"), *OWN], "thread-sub-1")
    day = next(tmp_path.rglob("*thread-sub-1.jsonl"))
    moved = day.parent.parent / "29" / day.name
    moved.parent.mkdir()
    day.rename(moved)
    log = context_log(read_codex(next(tmp_path.rglob("*-main.jsonl"))))
    assert [thread.id for thread in log.threads] == [MAIN, "thread-sub-1"]
    assert (shown(log, "thread-sub-1"), log.missing) == ([("s1", "b")], ())


def test_a_subagents_rollout_alone_is_read_as_its_own(tmp_path: Path) -> None:
    folder = session(tmp_path, [spawned("t-sub"), *OWN], "sub")
    assert shown(context_log(read_codex(next(folder.rglob("*.jsonl"))))) == [("s1", "b")]


@pytest.mark.parametrize("name", ["main", ""])
def test_a_subagent_cannot_take_the_main_threads_place(name: str, tmp_path: Path) -> None:
    session(tmp_path, MAIN_ROWS)
    log = log_of(session(tmp_path, [spawned(name, "t-main"), *OWN], "sub"))
    assert [(thread.id, thread.kind) for thread in log.threads] == [
        (MAIN, "main"),
        (f"thread {name}", "subagent"),
    ]


@pytest.mark.parametrize("names", [(), ("main", "other")], ids=["none", "two"])
def test_anything_but_one_session_is_an_error(tmp_path: Path, names: Sequence[str]) -> None:
    for name in names:
        session(tmp_path, [meta(name), ASK, END], name)
    with pytest.raises(UserError, match=f"holds {len(names)} Codex sessions"):
        read_codex_session(tmp_path)


def test_a_trajectory_can_be_written(tmp_path: Path) -> None:
    session(tmp_path, MAIN_ROWS)
    folder = session(tmp_path, [spawned("t-sub"), *OWN], "sub")
    written = json.loads(to_atif(read_codex_session(folder)))
    (sub,) = written["subagent_trajectories"]
    assert (written["schema_version"], sub["extra"]["parent"]) == ("ATIF-v1.8", "main")


@pytest.mark.parametrize("odd", [[], {}, None, 7])
def test_a_result_of_no_call_starts_nobody(odd: Any, tmp_path: Path) -> None:
    rows = [called("c2", name="spawn_agent"), came("c2", "{}")]
    rows[1]["payload"]["call_id"] = odd
    log = log_of(session(tmp_path, [meta(), ASK, *rows, END]))
    assert (log.texts, log.missing) == ((), ())
