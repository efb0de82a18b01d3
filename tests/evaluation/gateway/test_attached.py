"""Files that no tool returned, as each CLI writes them into what it sends: the real shapes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluation.gateway.context import context_log
from evaluation.gateway.wire import WireRow
from evaluation.reading.attachments import Attachments
from evaluation.reading.context import ATTACHED, MAIN, ContextLog
from evaluation.transcripts import (
    claude_attached,
    codex_attached,
    gemini_attached,
    opencode_attached,
)
from tests.evaluation.gateway.test_context import acted, result, row, text

CLAUDE = claude_attached.ATTACHMENTS


def reminder(said: str) -> str:
    return f"<system-reminder>\n{said}\n</system-reminder>"


def called(path: str, tool: str = "Read") -> str:
    inputs = json.dumps({"file_path": path}, separators=(",", ":"))
    return reminder(f"Called the {tool} tool with the following input: {inputs}")


def gave(said: str, tool: str = "Read") -> str:
    return reminder(f"Result of calling the {tool} tool:{said}")


CHANGED = "Note: /x/a.md was modified, either by the user or by a linter. Here are the relevant "
CHANGED += "changes (shown with line numbers):\n7\tseven"
CHANGED_SINCE = "Note: /x/a.md changed on disk since you last read it. That's fine. Here are the "
CHANGED_SINCE += "relevant changes (shown with line numbers):\n7\tseven"
NOTES = "Codebase and user instructions are shown below. Follow them.\n\nContents of /x/CLAUDE.md "
NOTES += "(project instructions, checked into the codebase):\n\nBe brief.\n\nContents of /x/b.md:"
NOTES += "\n\nBe kind."


def found(attachments: Attachments, *texts: str) -> list[tuple[str | None, str]]:
    return [(file.path, file.text) for file in attachments.in_messages(texts)]


@pytest.mark.parametrize(
    ("texts", "files"),
    [
        pytest.param(
            (called("/x/a.md"), gave(' "     1\\u2192one\\n"')),
            [("/x/a.md", "     1→one\n")],
            id="2.0",
        ),
        pytest.param((called("/x/a.md"), gave("\n1\tone")), [("/x/a.md", "1\tone")], id="2.1"),
        pytest.param((gave("\n1\tone"),), [(None, "1\tone")], id="a result alone"),
        pytest.param((called("/x", "Bash"), gave("\na.md", "Bash")), [], id="a folder's names"),
        pytest.param((reminder(CHANGED),), [("/x/a.md", "7\tseven")], id="changed"),
        pytest.param((reminder(CHANGED_SINCE),), [("/x/a.md", "7\tseven")], id="changed, 2.1.3"),
        pytest.param(
            (reminder(NOTES),),
            [("/x/CLAUDE.md", "Be brief."), ("/x/b.md", "Be kind.")],
            id="notes that it reads at its start",
        ),
        pytest.param((reminder("Today is Monday."), "Contents of a.md:\n\none"), [], id="nothing"),
        pytest.param(("Look: " + gave("\n1\tone"),), [], id="what the user said of one"),
    ],
)
def test_claude_code(texts: tuple[str, ...], files: list[tuple[str | None, str]]) -> None:
    assert found(CLAUDE, *texts) == files


def test_claude_code_puts_notes_behind_what_a_tool_gave() -> None:
    """The tool's own text is not looked into: a file may quote a reminder."""
    note = reminder("Contents of /x/sub/CLAUDE.md:\n\nBe kind.\n")
    texts = (f"1\tone\n\n{note}\n\n{reminder('9 tokens left')}", f"{note}\nand more", "plain")
    files = [(file.path, file.text) for file in CLAUDE.in_result(texts)]
    assert files == [("/x/sub/CLAUDE.md", "Be kind.")]


def test_claude_code_puts_files_back_behind_what_a_tool_gave() -> None:
    """After a compaction (2.1.197): two reminders for each file, behind the next result."""
    put_back = (called("/x/a.md"), gave("\n1\tone\n2\ttwo"), reminder("9 tokens left"))
    texts = ("\n\n".join(("1\tthree", *put_back)), "1\tfour")
    files = [(file.path, file.text) for file in CLAUDE.in_result(texts)]
    assert files == [("/x/a.md", "1\tone\n2\ttwo")]


def test_codex() -> None:
    notes = "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nCount.\n\n</INSTRUCTIONS>"
    texts = (notes, "<environment_context>", "Review # AGENTS.md instructions for /x\n\nNo.")
    assert found(codex_attached.ATTACHMENTS, *texts) == [("/x/AGENTS.md", "Count.\n")]


def test_gemini_cli() -> None:
    context = (
        "<session_context>\n<project_context>\n--- Context from: /x/GEMINI.md ---\nBe brief.\n"
    )
    context += "--- End of Context from: /x/GEMINI.md ---\n</project_context>"
    texts = (
        context,
        "Look at @b.md and @a.md.",
        "\n--- Content from referenced files ---",
        "\nContent from @a.md:\n",
        "one\ntwo",
        "\nContent from @b.md:\n",
        "three",
        "\n--- End of content ---",
    )
    files = [("/x/GEMINI.md", "Be brief."), ("a.md", "one\ntwo"), ("b.md", "three")]
    assert found(gemini_attached.ATTACHMENTS, *texts) == files
    assert found(gemini_attached.ATTACHMENTS, *texts[1:]) == files[1:]
    assert found(gemini_attached.ATTACHMENTS, "Look at @b.md and @a.md.") == []


def asked(path: str) -> str:
    return f'Called the Read tool with the following input: {{"filePath":"{path}"}}'


NEWER = "<path>/x/a.md</path>\n<type>file</type>\n<content>\n1: one\n</content>"
OLD = "<file>\n00001| one\n</file>"


@pytest.mark.parametrize(
    ("texts", "files"),
    [
        pytest.param((asked("/x/a.md"), OLD), [("/x/a.md", OLD)], id="one"),
        pytest.param((asked("/x/b.md"), NEWER), [("/x/a.md", NEWER)], id="one that says its path"),
        pytest.param(
            (asked("/x/a.md"), OLD, asked("/x/b.md"), OLD),
            [("/x/a.md", OLD), ("/x/b.md", OLD)],
            id="one by one",
        ),
        pytest.param(
            (asked("/x/a.md"), asked("/x/b.md"), OLD, OLD),
            [(None, OLD), (None, OLD)],
            id="at once: they end in any order",
        ),
        pytest.param(("Review.", OLD), [], id="what the user wrote"),
        pytest.param((asked("/x/a.md"), "Review.", OLD, OLD), [("/x/a.md", OLD)], id="no more"),
    ],
)
def test_opencode(texts: tuple[str, ...], files: list[tuple[str | None, str]]) -> None:
    assert found(opencode_attached.ATTACHMENTS, *texts) == files


ASK: dict[str, Any] = {
    "role": "user",
    "content": [text(called("/x/d.md")), text(gave("\n1\tone")), text("Go.")],
}


def attached(log: ContextLog) -> list[tuple[str, Any, str, int, bool, bool]]:
    return [
        (one.thread, one.arguments.get("path"), one.text, one.call, one.visible, one.inherited)
        for one in log.texts
        if one.tool == ATTACHED
    ]


def test_an_attached_file_enters_with_the_first_call_that_holds_it() -> None:
    rows = [row(1, [ASK], [{"type": "tool_use", "id": "t1", "name": "Read", "input": {}}])]
    rows += [row(2, [ASK, acted("t1"), result("t1", "two")], [text("done")])]
    log = context_log(rows, CLAUDE)
    assert attached(log) == [(MAIN, "/x/d.md", "1\tone", 1, True, False)]
    assert [one.result_id for one in log.texts] == ["", "t1"]
    assert log.threads[0].prompt.endswith("Go.")


def test_a_call_and_its_result_may_stand_in_messages_of_their_own() -> None:
    parts: list[dict[str, Any]] = [{"role": "user", "content": called("/x/d.md")}]
    parts += [{"role": "user", "content": [text(gave("\n1\tone")), text("Go.")]}]
    log = context_log([row(1, parts, [text("done")])], CLAUDE)
    assert attached(log) == [(MAIN, "/x/d.md", "1\tone", 1, True, False)]


def test_an_attached_file_that_gave_way_to_a_summary_is_not_visible() -> None:
    rows = [row(1, [ASK], [text("on")])]
    rows += [row(2, [{"role": "user", "content": "A summary."}], [text("done")])]
    assert attached(context_log(rows, CLAUDE)) == [(MAIN, "/x/d.md", "1\tone", 1, False, False)]


def test_without_the_clis_own_marks_nothing_is_attached() -> None:
    """And text of the system prompt never is."""
    rows = [row(1, [ASK], [text("done")])]
    assert context_log(rows).texts == ()
    system = {"role": "system", "content": ASK["content"]}
    assert (
        context_log([row(1, [system, {"role": "user", "content": "Go."}], [])], CLAUDE).texts == ()
    )


def fork(messages: list[dict[str, Any]]) -> WireRow:
    return row(2, messages, [text("fine")], thread="a1", parent=MAIN, kind="subagent")


def test_what_was_attached_to_a_fork_itself_is_not_inherited() -> None:
    own = {"role": "user", "content": [text(gave("\n2\ttwo")), text("Read it.")]}
    log = context_log([row(1, [ASK], [text("on")]), fork([ASK, acted("t1"), own])], CLAUDE)
    assert attached(log)[1:] == [
        ("a1", "/x/d.md", "1\tone", 2, False, True),
        ("a1", None, "2\ttwo", 2, False, False),
    ]
    fresh = context_log([row(1, [ASK], [text("on")]), fork([ASK])], CLAUDE)
    assert attached(fresh)[1:] == [("a1", "/x/d.md", "1\tone", 2, False, False)]
