"""Sub-agents in every layout: who read what, who started whom, and which are lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.reading.context import MAIN, ContextLog
from evaluation.transcripts.claude_code import is_claude_session, read_claude_session
from evaluation.transcripts.context import context_log
from tests.evaluation.transcripts.claude_writing import (
    Row,
    answer,
    boundary,
    evidence,
    of_agent,
    read,
    result,
    session,
    shown,
    task,
    text,
    use,
    user,
)

A, B, C = "a1111111", "a2222222", "a3333333"
FOLDER = "main/subagents"


def child(agent: str, prompt: str, *middle: Row) -> list[Row]:
    return of_agent(agent, user(prompt), *middle, answer(f"end-{agent}", text("fine")))


def reading(call: str, words: str) -> list[Row]:
    return [answer(f"m-{call}", use(call)), result(call, words)]


def meta(folder: Path, agent: str, **fields: Any) -> None:
    path = folder / "projects" / FOLDER / f"agent-{agent}.meta.json"
    path.write_text(json.dumps(fields))


def family(log: ContextLog) -> dict[str, str | None]:
    return {thread.id: thread.parent for thread in log.threads}


def started(call: str, agent: str) -> Row:
    return result(call, "fine", toolUseResult={"agentId": agent, "status": "completed"})


def named(call: str, agent: str) -> Row:
    """As sub-agents have it: in the text alone."""
    return result(call, [text("fine"), text(f"agentId: {agent} (use SendMessage to go on)")])


def three_deep(folder: Path, *, lost_meta: str = "") -> Path:
    """A main agent that reads nothing, two children, and a grandchild that read everything."""
    session(
        folder,
        [
            user("go"),
            answer("m1", task("t1", "read a"), task("t2", "read b")),
            started("t1", A),
            started("t2", B),
            answer("m9", text("done")),
        ],
    )
    inner = [answer("m2", task("t3", "read c")), named("t3", C)]
    session(folder, child(A, "read a", *reading("r1", "of a")), f"{FOLDER}/agent-{A}.jsonl")
    session(folder, child(B, "read b", *reading("r2", "of b"), *inner), f"{FOLDER}/agent-{B}.jsonl")
    session(folder, child(C, "read c", *reading("r3", "of c")), f"{FOLDER}/agent-{C}.jsonl")
    for agent, call in ((A, "t1"), (B, "t2"), (C, "t3")):
        if agent != lost_meta:
            meta(folder, agent, agentType="general-purpose", toolUseId=call)
    return folder


def test_each_agent_has_what_it_read(tmp_path: Path) -> None:
    log = read(three_deep(tmp_path))
    assert {thread: shown(log, thread) for thread in (A, B, C)} == {
        A: [("r1", "of a")],
        B: [("r2", "of b"), ("t3", f"fine\nagentId: {C} (use SendMessage to go on)")],
        C: [("r3", "of c")],
    }
    assert family(log) == {MAIN: None, A: MAIN, B: MAIN, C: B}
    assert log.missing == ()


def test_a_missing_meta_file_is_named_and_others_tell_the_parent(tmp_path: Path) -> None:
    folder = three_deep(tmp_path, lost_meta=C)
    assert family(read(folder))[C] == B
    inferred = evidence(read_claude_session(folder)).inferred
    assert any(C in words and "meta file" in words for words in inferred)


def test_a_parent_named_by_its_meta_file_is_believed(tmp_path: Path) -> None:
    folder = three_deep(tmp_path)
    meta(folder, C, parentAgentId=A)
    assert family(read(folder))[C] == A


def test_a_missing_grandchild_is_named(tmp_path: Path) -> None:
    folder = three_deep(tmp_path)
    (folder / "projects" / FOLDER / f"agent-{C}.jsonl").unlink()
    assert read(folder).missing == (f"session of sub-agent {C}",)


def test_a_file_says_the_same_as_its_folder(tmp_path: Path) -> None:
    folder = three_deep(tmp_path)
    by_file = context_log(read_claude_session(folder / "projects" / "main.jsonl"))
    assert by_file == read(folder)


def test_the_old_layout_has_them_beside_the_session(tmp_path: Path) -> None:
    rows = [user("go"), answer("m1", task("t1", "read a")), started("t1", A), answer("m9")]
    session(tmp_path, rows)
    session(tmp_path, child(A, "read a", *reading("r1", "of a")), f"agent-{A}.jsonl")
    session(tmp_path, child(B, "Warmup"), f"agent-{B}.jsonl")
    for where in (tmp_path, tmp_path / "projects" / "main.jsonl"):
        log = read(where)
        assert family(log) == {MAIN: None, A: MAIN}
        assert shown(log, A) == [("r1", "of a")]
        assert log.missing == ()


def progress(agent: str, call: str, row: Row) -> Row:
    data = {"type": "agent_progress", "agentId": agent, "message": row}
    return {"type": "progress", "parentToolUseID": call, "data": data}


def test_rows_of_agents_in_the_session_itself_are_theirs(tmp_path: Path) -> None:
    rows = [
        user("go"),
        answer("m1", task("t1", "read a")),
        progress(A, "t1", user("read a")),
        *[progress(A, "t1", row) for row in reading("r1", "of a")],
        {"type": "progress", "data": {"type": "bash_progress", "output": "of b"}},
        progress(A, "t1", answer("m3", text("fine"))),
        started("t1", A),
        answer("m9", text("done")),
    ]
    log = read(session(tmp_path, rows))
    assert shown(log, A) == [("r1", "of a")]
    assert shown(log) == [("t1", "fine")]
    assert family(log) == {MAIN: None, A: MAIN}
    assert log.missing == ()


def test_a_file_of_its_own_wins_over_rows_in_the_session(tmp_path: Path) -> None:
    rows = [
        user("go"),
        answer("m1", task("t1", "read a")),
        *[progress(A, "t1", row) for row in reading("r1", "of a")],
        started("t1", A),
        answer("m9", text("done")),
    ]
    session(tmp_path, rows)
    session(tmp_path, child(A, "read a", *reading("r1", "of a")), f"{FOLDER}/agent-{A}.jsonl")
    assert shown(read(tmp_path), A) == [("r1", "of a")]


def test_branches_without_a_name_are_agents_of_their_own(tmp_path: Path) -> None:
    side = {"isSidechain": True}
    rows = [
        user("go", uuid="p1"),
        answer("m1", task("t1", "read a"), uuid="a1"),
        {**user("read a", uuid="s1", parentUuid=None), **side},
        {**answer("m2", use("r1"), uuid="s2", parentUuid="s1"), **side},
        {**result("r1", "of a", uuid="s3", parentUuid="s2"), **side},
        {**answer("m3", text("fine"), uuid="s4", parentUuid="s3"), **side},
        result("t1", "fine", uuid="r9"),
        answer("m9", text("done"), uuid="a9"),
    ]
    log = read(session(tmp_path, rows))
    assert shown(log, "sidechain-1") == [("r1", "of a")]
    assert family(log) == {MAIN: None, "sidechain-1": MAIN}
    assert log.missing == ()


def test_an_agent_in_the_background_is_an_agent(tmp_path: Path) -> None:
    launched = result(
        "t1",
        f"Async agent launched successfully.\nagentId: {A} (internal ID)",
        toolUseResult={"isAsync": True, "status": "async_launched", "agentId": A},
    )
    rows = [user("go"), answer("m1", task("t1", "read a")), launched, answer("m9", text("done"))]
    assert read(session(tmp_path, rows)).missing == (f"session of sub-agent {A}",)


def test_an_agent_that_nothing_is_known_of_is_missing(tmp_path: Path) -> None:
    """A team's member, or one that runs elsewhere: its session lies nowhere near."""
    rows = [
        user("go"),
        answer("m1", task("t1", "read a"), task("t2", "read b")),
        result("t1", "Spawned successfully."),
        result("t2", "no such agent type", is_error=True),
        answer("m9", text("done")),
    ]
    assert read(session(tmp_path, rows)).missing == (
        "session of the sub-agent that call t1 started",
    )


def workflow(folder: Path, *, with_files: bool) -> Path:
    run = {"runId": "wf_1", "transcriptDir": "/x/wf_1"}
    rows = [
        user("go"),
        answer("m1", use("t1", tool="Workflow")),
        result("t1", "started", toolUseResult=run),
        answer("m9", text("done")),
    ]
    session(folder, rows)
    if with_files:
        below = f"{FOLDER}/workflows/wf_1"
        session(folder, child(A, "read a", *reading("r1", "of a")), f"{below}/agent-{A}.jsonl")
        journal = [{"type": "started", "key": "k", "agentId": agent} for agent in (A, B)]
        path = folder / "projects" / below / "journal.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in journal))
    return folder


def test_agents_of_a_workflow_are_agents(tmp_path: Path) -> None:
    folder = workflow(tmp_path, with_files=True)
    for where in (folder, folder / "projects" / "main.jsonl"):
        log = read(where)
        assert shown(log, A) == [("r1", "of a")]
        assert family(log) == {MAIN: None, A: MAIN}
        assert log.missing == (f"session of sub-agent {B}",)


def test_a_workflow_without_files_is_missing(tmp_path: Path) -> None:
    log = read(workflow(tmp_path, with_files=False))
    assert log.missing == ("sub-agents of workflow wf_1",)


def test_a_subagents_file_alone_is_no_session(tmp_path: Path) -> None:
    session(tmp_path, child(A, "read a"), f"agent-{A}.jsonl")
    file = tmp_path / "projects" / f"agent-{A}.jsonl"
    assert is_claude_session(file)
    with pytest.raises(UserError, match="sub-agent's part"):
        read_claude_session(file)


def test_a_session_that_goes_on_with_another_holds_it(tmp_path: Path) -> None:
    first = [user("go", uuid="p1"), *reading("t1", "one"), answer("m2", text("done"))]
    more = [user("and b"), *reading("t2", "two"), answer("m4", text("done too"))]
    session(tmp_path, first, "first.jsonl")
    session(tmp_path, [{**row, "sessionId": "s2"} for row in first + more], "second.jsonl")
    log = read(tmp_path)
    assert shown(log) == [("t1", "one"), ("t2", "two")]


def test_two_sessions_are_not_one(tmp_path: Path) -> None:
    for name in ("one", "two"):
        rows = [user("go"), answer(f"m-{name}", text("done"))]
        session(tmp_path, rows, f"{name}.jsonl")
    with pytest.raises(UserError, match="holds 2 Claude Code sessions"):
        read(tmp_path)


def test_an_agent_that_a_forked_session_had_started_before_is_found(tmp_path: Path) -> None:
    """Its file stays in the folder of the session that was forked."""
    three_deep(tmp_path)
    main = tmp_path / "projects" / "main.jsonl"
    session(tmp_path, [*map(json.loads, main.read_text().splitlines())], "fork.jsonl")
    log = context_log(read_claude_session(main.with_name("fork.jsonl")))
    assert family(log) == {MAIN: None, A: MAIN, B: MAIN, C: B}
    assert log.missing == ()


@pytest.mark.parametrize("agent", ["../main", "a/b", "a*", "\0", ".", "x" * 300])
def test_an_agent_that_can_have_no_file_is_missing(agent: str, tmp_path: Path) -> None:
    rows = [user("go"), answer("m1", task("t1", "read a")), started("t1", agent)]
    session(tmp_path, [*rows, answer("m9", text("done"))])
    log = context_log(read_claude_session(tmp_path / "projects" / "main.jsonl"))
    assert log.missing == (f"session of sub-agent {agent}",)


def test_a_fork_begins_with_what_stood_in_its_parents_context(tmp_path: Path) -> None:
    """Since its last compaction: what was cleared before never entered the fork."""
    rows = [
        user("go", uuid="u1"),
        answer("m1", use("r1"), uuid="u2", parentUuid="u1"),
        result("r1", "lost", uuid="u3", parentUuid="u2"),
        answer("m2", text("On."), uuid="u4", parentUuid="u3"),
        {**boundary(), "uuid": "u5"},
        answer("m3", use("r2"), uuid="u6", parentUuid="u5"),
        result("r2", "had", uuid="u7", parentUuid="u6"),
        answer("m4", task("t1", "read b"), uuid="u8", parentUuid="u7"),
        {**started("t1", A), "uuid": "u9"},
        answer("m5", text("done"), uuid="u10"),
    ]
    session(tmp_path, rows)
    copied = [answer("m4", task("t1", "read b")), result("t1", "Fork started.")]
    head: Row = {"type": "fork-context-ref", "agentId": A, "parentLastUuid": "u7"}
    own = [user("read b"), *reading("r3", "of b"), answer("end", text("fine"))]
    session(tmp_path, [head, *of_agent(A, *copied, *own)], f"{FOLDER}/agent-{A}.jsonl")
    meta(tmp_path, A, toolUseId="t1")
    log = read(tmp_path)
    texts = [one for one in log.texts if one.thread == A]
    assert [(one.result_id, one.text, one.inherited) for one in texts] == [
        ("r2", "had", True),
        ("t1", "Fork started.", True),
        ("r3", "of b", False),
    ]
    assert (family(log), log.missing) == ({MAIN: None, A: MAIN}, ())
