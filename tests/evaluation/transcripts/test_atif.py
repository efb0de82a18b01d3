"""ATIF in and out: the same context comes back, and what others wrote is read as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.reading.context import MAIN, ContextLog
from evaluation.reading.engine import measure
from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.atif_in import is_atif, read_atif
from evaluation.transcripts.atif_tools import tools_of
from evaluation.transcripts.catalogue import read_session
from evaluation.transcripts.context import context_log
from evaluation.transcripts.trajectory import Agent
from generators.lines import CorpusIndex
from tests.evaluation.transcripts.test_catalogue import FOLDER, SESSIONS

CLAUDE = sorted(FOLDER.glob("claude/*/*"))
OURS = [FOLDER / name for name in SESSIONS] + [path for path in CLAUDE if path.is_dir()]

Json = dict[str, Any]


def log_of(path: Path) -> ContextLog:
    return context_log(read_atif(path))


def lay(folder: Path, document: Json, name: str = "trajectory.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document))
    return path


def document(*steps: Json, version: str = "1.5", agent: str = "opencode", **more: Any) -> Json:
    numbered = [{"step_id": n, **step} for n, step in enumerate(steps, start=1)]
    acted = {"name": agent, "version": "1.0", "model_name": "m-1"}
    head = {"schema_version": f"ATIF-v{version}", "session_id": "s-1", "agent": acted}
    return {**head, "steps": numbered, **more}


def user(text: Any = "Review the folder.", **more: Any) -> Json:
    return {"source": "user", "message": text, **more}


def call(identity: str, name: str = "read", **arguments: Any) -> Json:
    return {"tool_call_id": identity, "function_name": name, "arguments": arguments}


def answer(*calls: Json, results: list[Json] | None = None, text: Any = "", **more: Any) -> Json:
    step: Json = {"source": "agent", "message": text, **more}
    if calls:
        step["tool_calls"] = list(calls)
    if results is not None:
        step["observation"] = {"results": results}
    return step


def gave(identity: str | None, content: Any, **more: Any) -> Json:
    named = {} if identity is None else {"source_call_id": identity}
    return {**named, "content": content, **more}


END = answer(text="All is read.")


def shown(log: ContextLog, thread: str = MAIN) -> list[tuple[str, str, str]]:
    return [(one.result_id, one.tool, one.text) for one in log.texts if one.thread == thread]


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(FOLDER)))
def test_what_was_written_is_read_again(path: Path, tmp_path: Path) -> None:
    trajectory = read_session(path).trajectory
    given = tmp_path / "trajectory.json"
    given.write_bytes(to_atif(trajectory))
    again = read_session(given)
    assert again.format.name == "atif"
    assert context_log(again.trajectory) == context_log(trajectory)
    assert again.tools == tools_of(trajectory.agent)


@pytest.mark.parametrize("version", [f"1.{minor}" for minor in range(9)])
def test_every_version_is_read(version: str, tmp_path: Path) -> None:
    steps = (user(), answer(call("c1"), results=[gave("c1", "one")]), END)
    path = lay(tmp_path, document(*steps, version=version))
    log = log_of(path)
    assert is_atif(path)
    assert shown(log) == [("c1", "read", "one")]
    assert (log.threads[0].prompt, log.models) == ("Review the folder.", {})
    assert log.final is not None
    assert log.final.text == "All is read."


def test_texts_may_come_in_parts(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "Review"}, {"type": "image", "source": {"path": "x.png"}}]
    steps = (user(parts), answer(call("c1"), results=[gave("c1", parts)]), END)
    log = log_of(lay(tmp_path, document(*steps, version="1.6")))
    assert log.threads[0].prompt == "Review"
    assert shown(log) == [("c1", "read", "Review")]


def test_a_step_that_was_copied_counts_once(tmp_path: Path) -> None:
    first = answer(call("c1"), results=[gave("c1", "one")])
    lay(
        tmp_path,
        document(user(), first, continued_trajectory_ref="trajectory.cont-1.json"),
    )
    copied = [{**step, "is_copied_context": True} for step in (user(), first)]
    own = answer(call("c2"), results=[gave("c2", "two")])
    lay(tmp_path, document(*copied, own, END), "trajectory.cont-1.json")
    log = log_of(tmp_path)
    assert shown(log) == [("c1", "read", "one"), ("c2", "read", "two")]
    assert log.missing == ()


def test_steps_copied_from_a_part_that_is_not_there_are_said_to_miss_it(tmp_path: Path) -> None:
    first = answer(call("c1"), results=[gave("c1", "one")], is_copied_context=True)
    log = log_of(lay(tmp_path, document(user(), first, END)))
    assert log.missing == ("the part of the run that the first steps were copied from",)
    assert [(one.result_id, one.inherited) for one in log.texts] == [("c1", True)]


@pytest.mark.parametrize("name", ["gone.json", "/etc/hostname", "../trajectory.json", "a\0b"])
def test_a_part_that_is_not_there_is_missing(name: str, tmp_path: Path) -> None:
    """One outside of the document's own folder is not followed, even where it is there."""
    lay(tmp_path, document(user(), END))
    folder = tmp_path / "run"
    folder.mkdir()
    path = lay(folder, document(user(), END, continued_trajectory_ref=name))
    assert log_of(path).missing == (f"the part of the run that goes on in {name}",)


def test_a_run_that_goes_on_in_itself_ends(tmp_path: Path) -> None:
    name = "trajectory.json"
    path = lay(tmp_path, document(user(), END, continued_trajectory_ref=name))
    assert [step.message for step in read_atif(path).steps] == [
        "Review the folder.",
        "All is read.",
    ]


def test_a_result_without_a_name_is_that_of_the_only_call(tmp_path: Path) -> None:
    step = answer(call("c1"), results=[gave(None, "one")])
    assert shown(log_of(lay(tmp_path, document(user(), step, END)))) == [("c1", "read", "one")]


def test_a_result_that_may_be_any_calls_counts_at_the_upper_end(tmp_path: Path) -> None:
    text = "first of a\nsecond of a"
    calls = (call("c1", filePath="a.txt"), call("c2", filePath="b.txt"))
    path = lay(tmp_path, document(user(), answer(*calls, results=[gave(None, text)]), END))
    session = read_session(path)
    log = context_log(session.trajectory)
    index = CorpusIndex.of({"a.txt": "first of a\nsecond of a\n"})
    read = measure(log, session.tools, index).union.of("a.txt")
    assert shown(log) == [("", "", text)]
    assert (sorted(read.sure), sorted(read.possible)) == ([], [1, 2])
    extra = session.trajectory.extra
    assert extra is not None
    assert extra.evidence is not None
    assert extra.evidence.inferred == (
        "that 1 results that name no call are of files: upper end only",
    )


def subagent(name: str = "t-2", **more: Any) -> Json:
    steps = (user("Read b."), answer(call("s1"), results=[gave("s1", "b")]), answer(text="Fine."))
    return {**document(*steps, **more), "trajectory_id": name, "session_id": name}


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param([{"trajectory_id": "t-2"}], id="by its id"),
        pytest.param([{"session_id": "t-2"}], id="by its session"),
        pytest.param({"session_id": "t-2"}, id="one alone"),
    ],
)
def test_subagents_that_are_embedded_are_threads(reference: Any, tmp_path: Path) -> None:
    started = gave("c1", "fine", subagent_trajectory_ref=reference)
    whole = document(user(), answer(call("c1", "task"), results=[started]), END, version="1.7")
    log = log_of(lay(tmp_path, {**whole, "subagent_trajectories": [subagent()]}))
    assert [(t.id, t.parent, t.prompt) for t in log.threads[1:]] == [("t-2", MAIN, "Read b.")]
    assert shown(log, "t-2") == [("s1", "read", "b")]
    assert log.final is not None
    assert all(text.call <= log.final.call for text in log.texts)


def test_subagents_in_files_of_their_own_are_threads(tmp_path: Path) -> None:
    reference = [{"session_id": "t-2", "trajectory_path": "sub/trajectory.json"}]
    started = gave("c1", "fine", subagent_trajectory_ref=reference)
    root = document(user(), answer(call("c1", "task"), results=[started]), END)
    (tmp_path / "sub").mkdir()
    lay(tmp_path / "sub", subagent())
    lay(tmp_path, root)
    log = log_of(tmp_path)
    assert (shown(log, "t-2"), log.missing) == ([("s1", "read", "b")], ())


def test_a_subagent_whose_steps_nobody_has_is_missing(tmp_path: Path) -> None:
    reference = [{"session_id": "t-2", "trajectory_path": "../../trajectory.json"}]
    started = gave("c1", "fine", subagent_trajectory_ref=reference)
    path = lay(tmp_path, document(user(), answer(call("c1", "task"), results=[started]), END))
    assert log_of(path).missing == ("session of sub-agent t-2",)


def test_a_summary_of_the_history_is_no_reading(tmp_path: Path) -> None:
    summary = gave(None, "1: first of a", subagent_trajectory_ref=[{"session_id": "t-2"}])
    steps = (user(), {"source": "system", "message": "", "observation": {"results": [summary]}})
    log = log_of(lay(tmp_path, document(*steps, END)))
    assert (log.texts, log.missing) == ((), ())


def test_a_nested_subagent_has_its_own_parent(tmp_path: Path) -> None:
    whole = document(user(), END, version="1.7")
    inner = {**subagent("t-2"), "subagent_trajectories": [subagent("t-3"), subagent("main")]}
    log = log_of(lay(tmp_path, {**whole, "subagent_trajectories": [inner]}))
    assert [(thread.id, thread.parent) for thread in log.threads] == [
        (MAIN, None),
        ("t-2", MAIN),
        ("t-3", "t-2"),
        ("trajectory main", "t-2"),
    ]


@pytest.mark.parametrize(
    ("name", "tool", "credit"),
    [
        ("claude-code", "Read", "sure"),
        ("codex", "exec_command", "sure"),
        ("gemini-cli", "read_file", "sure"),
        ("opencode", "task", "none"),
        ("Terminus_2", "bash_command", "sure"),
        ("openhands", "think", "none"),
    ],
)
def test_tools_are_those_of_the_agents_own_cli(name: str, tool: str, credit: str) -> None:
    assert tools_of(Agent(name=name, version="1"))[tool].credit == credit


def test_of_an_unknown_agent_every_tool_counts_at_the_upper_end(tmp_path: Path) -> None:
    steps = (user(), answer(call("c1"), results=[gave("c1", "first of a")]), END)
    session = read_session(lay(tmp_path, document(*steps, agent="another")))
    index = CorpusIndex.of({"a.txt": "first of a\n"})
    read = measure(context_log(session.trajectory), session.tools, index).union.of("a.txt")
    assert (sorted(read.sure), sorted(read.possible)) == ([], [1])


def test_odd_steps_are_counted(tmp_path: Path) -> None:
    whole = document(user(), END)
    whole["steps"] += [5, {"source": "tool", "message": "x"}]
    extra = read_atif(lay(tmp_path, whole)).extra
    assert extra is not None
    assert extra.evidence is not None
    assert (extra.evidence.rows, extra.evidence.unreadable) == (4, 1)
    assert extra.evidence.unknown == {"step of tool": 1}


def test_two_documents_are_not_guessed_between(tmp_path: Path) -> None:
    lay(tmp_path, document(user(), END), "a.json")
    lay(tmp_path, document(user(), END), "b.json")
    with pytest.raises(UserError, match="holds 2 ATIF documents"):
        read_atif(tmp_path)
