"""Compactions, clearing, rewound branches, copies of history: what entered, and what was left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluation.reading.context import ATTACHED
from evaluation.transcripts.claude_code import read_claude_session
from evaluation.transcripts.trajectory import Metrics, ResultExtra, ResultStatus
from tests.evaluation.transcripts.claude_writing import (
    Row,
    answer,
    attachment,
    boundary,
    evidence,
    read,
    result,
    results_of,
    session,
    shown,
    text,
    use,
    user,
    visible,
)

NOTE = attachment("date", date="2026-11-30")
"""Any attachment: this version keeps them."""


def reading(call: str, words: Any, **more: Any) -> list[Row]:
    return [answer(f"m-{call}", use(call)), result(call, words, **more)]


def test_a_compaction_clears_and_takes_nothing_away(tmp_path: Path) -> None:
    """Read, stub, compaction, read again: the first reading entered, the last is visible."""
    stub = "File unchanged since last read. The content from the earlier Read is still current."
    rows = [
        user("go"),
        NOTE,
        *reading("t1", "old line"),
        *reading("t2", stub),
        answer("m3", text("going on")),
        boundary(trigger="auto"),
        user("Summary: so far.", isCompactSummary=True),
        *reading("t3", "new line"),
        answer("m9", text("done")),
    ]
    log = read(session(tmp_path, rows))
    assert shown(log) == [("t1", "old line"), ("t2", stub), ("t3", "new line")]
    assert visible(log) == ["new line"]
    assert (log.tells_visibility, log.may_have_cleared) == (True, True)
    assert log.threads[0].prompt == "go"


CONTINUED = "This session is being continued from a previous conversation that ran out of context."


def test_a_session_that_begins_with_a_summary_lacks_what_came_before(tmp_path: Path) -> None:
    rows = [user(f"{CONTINUED} I read a.md."), answer("m1", text("I read a.md in full."))]
    log = read(session(tmp_path, rows))
    assert log.missing == ("what came before the summary that the session begins with",)


def test_a_summary_behind_its_own_rows_lacks_nothing(tmp_path: Path) -> None:
    rows = [
        user("go"),
        NOTE,
        *reading("t1", "shown"),
        boundary(trigger="auto"),
        user(CONTINUED, isCompactSummary=True),
        answer("m9", text("done")),
    ]
    assert read(session(tmp_path, rows)).missing == ()


def test_what_only_the_summariser_was_given_never_entered(tmp_path: Path) -> None:
    rows = [
        user("go"),
        NOTE,
        *reading("t1", "shown"),
        *reading("t2", "not shown"),
        boundary(trigger="auto"),
        user("Summary: so far.", isCompactSummary=True),
        answer("m9", text("done")),
    ]
    assert shown(read(session(tmp_path, rows))) == [("t1", "shown")]


def test_without_attachments_what_came_before_a_compaction_is_doubtful(tmp_path: Path) -> None:
    """The CLI puts files back into the context, and an old session does not say which."""
    rows = [
        user("go"),
        *reading("t1", "shown"),
        *reading("t2", "perhaps"),
        boundary(trigger="auto"),
        user("Summary: so far.", isCompactSummary=True),
        answer("m9", text("done")),
    ]
    log = read(session(tmp_path, rows))
    assert [(one.text, one.doubtful) for one in log.texts] == [("shown", False), ("perhaps", True)]
    assert not log.tells_visibility


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param({"preservedMessages": {"uuids": ["u2"]}}, id="messages"),
        pytest.param({"preservedMessages": {"uuids": [], "allUuids": ["u2"]}}, id="all messages"),
        pytest.param({"preservedSegment": {"headUuid": "a2", "tailUuid": "u2"}}, id="segment"),
    ],
)
def test_what_a_compaction_preserves_stays(tmp_path: Path, metadata: dict[str, Any]) -> None:
    rows = [
        user("go"),
        NOTE,
        answer("m1", use("t1"), uuid="a1"),
        result("t1", "gone", uuid="u1"),
        answer("m2", use("t2"), uuid="a2"),
        result("t2", "kept", uuid="u2"),
        boundary(**metadata),
        user("Summary: so far.", isCompactSummary=True),
        answer("m9", text("done")),
    ]
    log = read(session(tmp_path, rows))
    assert shown(log) == [("t1", "gone"), ("t2", "kept")]
    assert visible(log) == ["kept"]


def test_a_preserved_part_written_again_counts_once(tmp_path: Path) -> None:
    kept = [
        user("and b", timestamp="2026-01-01T00:00:02Z"),
        answer("m2", text("yes"), use("t2"), timestamp="2026-01-01T00:00:03Z"),
        result("t2", "kept", timestamp="2026-01-01T00:00:04Z"),
    ]
    rows = [
        user("go", timestamp="2026-01-01T00:00:00Z"),
        NOTE,
        *[{**row, "uuid": f"old-{n}"} for n, row in enumerate(kept)],
        boundary(trigger="auto", preservedSegment={}),
        *[{**row, "uuid": f"new-{n}"} for n, row in enumerate(kept)],
        answer("m9", text("done")),
    ]
    trajectory = read_claude_session(session(tmp_path, rows))
    assert [step.message for step in trajectory.steps] == ["go", "and b", "yes", "done"]
    assert [len(step.tool_calls or ()) for step in trajectory.steps] == [0, 0, 1, 0]
    log = read(tmp_path)
    assert shown(log) == [("t2", "kept")]
    assert visible(log) == ["kept"]


def test_a_microcompaction_names_what_it_clears(tmp_path: Path) -> None:
    micro = {
        "type": "system",
        "subtype": "microcompact_boundary",
        "microcompactMetadata": {"compactedToolIds": ["t1"], "clearedAttachmentUUIDs": ["x1"]},
    }
    rows = [
        user("go"),
        {**attachment("edited_text_file", filename="c.md", snippet="7\tc"), "uuid": "x1"},
        *reading("t1", "cleared"),
        *reading("t2", "left"),
        micro,
        answer("m9", text("done")),
    ]
    log = read(session(tmp_path, rows))
    assert [one.text for one in log.texts] == ["cleared", "left", "7\tc"]
    assert visible(log) == ["left"]


def test_a_branch_that_was_gone_back_from_entered_and_is_not_visible(tmp_path: Path) -> None:
    rows = [
        user("go", uuid="p1"),
        NOTE,
        answer("m1", text("ready"), uuid="a1", parentUuid="p1"),
        user("read a", uuid="p2", parentUuid="a1"),
        answer("m2", use("t1"), uuid="a2", parentUuid="p2"),
        result("t1", "abandoned", uuid="r1", parentUuid="a2"),
        answer("m3", text("read"), uuid="a3", parentUuid="r1"),
        user("rather b", uuid="p3", parentUuid="a1"),
        answer("m4", use("t2"), uuid="a4", parentUuid="p3"),
        result("t2", "followed", uuid="r2", parentUuid="a4"),
        answer("m5", text("done"), uuid="a5", parentUuid="r2"),
    ]
    log = read(session(tmp_path, rows))
    assert shown(log) == [("t1", "abandoned"), ("t2", "followed")]
    assert visible(log) == ["followed"]


def test_parents_in_a_circle_end(tmp_path: Path) -> None:
    rows = [
        user("go", uuid="p1", parentUuid="a1"),
        user("or else", uuid="p2", parentUuid="a1"),
        answer("m1", text("done"), uuid="a1", parentUuid="p2"),
    ]
    assert read(session(tmp_path, rows)).final is not None


@pytest.mark.parametrize(
    ("content", "is_error", "status"),
    [
        pytest.param("1\ta line", False, "whole", id="whole"),
        pytest.param("<persisted-output>\nOutput too large", False, "preview", id="preview"),
        pytest.param("File unchanged since last read. The…", False, "stub", id="stub"),
        pytest.param("Wasted call — file unchanged", False, "stub", id="later stub"),
        pytest.param("<tool_use_error>File does not exist.", True, "error", id="error"),
        pytest.param("Exit code 1\nlines", True, "error", id="exit code"),
        pytest.param("The user doesn't want to proceed with", True, "rejected", id="rejected"),
        pytest.param("<tool_use_error>Sibling tool call errored", True, "never_ran", id="sibling"),
    ],
)
def test_what_a_result_is(
    tmp_path: Path, content: str, is_error: bool, status: ResultStatus
) -> None:
    rows = [
        user("go"),
        answer("m1", use("t1")),
        result("t1", content, is_error=is_error),
        answer("m2", text("done")),
    ]
    (one,) = results_of(read_claude_session(session(tmp_path, rows)))
    assert (one.extra or ResultExtra()).status == status


def test_a_replaced_result_is_what_the_model_was_given(tmp_path: Path) -> None:
    """The row keeps all of a large output; the model got the beginning of it."""
    preview = "<persisted-output>\nPreview (first 2KB):\nfirst\n...\n</persisted-output>"
    replacement = {"kind": "tool-result", "toolUseId": "t1", "replacement": preview}
    rows = [
        user("go"),
        *reading("t1", "first\nsecond\nthird"),
        {"type": "content-replacement", "replacements": [replacement]},
        answer("m2", text("done")),
    ]
    folder = session(tmp_path, rows)
    assert shown(read(folder)) == [("t1", preview)]
    (one,) = results_of(read_claude_session(folder))
    assert one.extra == ResultExtra(status="preview")


@pytest.mark.parametrize(
    ("row", "path", "content"),
    [
        pytest.param(
            attachment(
                "file",
                filename="/x/a.md",
                content={"type": "text", "file": {"content": "one\ntwo\n", "startLine": 4}},
            ),
            "/x/a.md",
            "4\tone\n5\ttwo",
            id="file",
        ),
        pytest.param(
            {
                **attachment("file", filename="/x/a.md", content={"file": {"content": "more"}}),
                "rendered": [
                    {"content": "<system-reminder>\nCalled the Read tool\n</system-reminder>"},
                    {
                        "content": "<system-reminder>\nResult of calling the Read tool:\n"
                        "1\tone\n</system-reminder>\n"
                    },
                ],
            },
            "/x/a.md",
            "1\tone",
            id="as it was given",
        ),
        pytest.param(
            attachment("edited_text_file", filename="/x/a.md", snippet="7\tseven"),
            "/x/a.md",
            "7\tseven",
            id="changed file",
        ),
        pytest.param(
            {
                **attachment("edited_text_file", filename="/x/a.md", snippet="7\tmore"),
                "rendered": [
                    {
                        "content": "<system-reminder>\nNote: /x/a.md changed on disk. Here are the "
                        "relevant changes (shown with line numbers):\n7\tseven\n</system-reminder>"
                    }
                ],
            },
            "/x/a.md",
            "7\tseven",
            id="changed file, as it was given",
        ),
        pytest.param(
            attachment("instructions", files=[{"path": "/x/CLAUDE.md", "content": "Be brief."}]),
            "/x/CLAUDE.md",
            "Be brief.",
            id="notes that it reads at its start",
        ),
        pytest.param(
            attachment("selected_lines_in_ide", filename="/x/a.md", content="five", lineStart=5),
            "/x/a.md",
            "5\tfive",
            id="selected lines",
        ),
        pytest.param(
            attachment("nested_memory", path="/x/CLAUDE.md", content={"content": "Be brief."}),
            "/x/CLAUDE.md",
            "Be brief.",
            id="notes of a folder",
        ),
    ],
)
def test_an_attached_file_enters_with_the_next_answer(
    tmp_path: Path, row: Row, path: str, content: str
) -> None:
    rows = [
        user("go"),
        answer("m1", text("yes")),
        user("and this"),
        row,
        answer("m2", text("done")),
    ]
    (one,) = read(session(tmp_path, rows)).texts
    assert (one.tool, one.text, dict(one.arguments), one.call) == (
        ATTACHED,
        content,
        {"path": path},
        2,
    )


def test_an_attachment_that_no_answer_follows_was_never_shown(tmp_path: Path) -> None:
    late = attachment("edited_text_file", filename="a.md", snippet="7\tseven")
    rows = [user("go"), answer("m1", text("done")), late]
    assert read(session(tmp_path, rows)).texts == ()


def test_a_mention_without_attachments_is_missing(tmp_path: Path) -> None:
    rows = [user("look at @lists/a.md, will you"), answer("m1", text("done"))]
    (missing,) = read(session(tmp_path, rows)).missing
    assert "mentions" in missing


@pytest.mark.parametrize("prompt", ["write to me@x.org", "ask @alice", "add @cached to it"])
def test_not_every_at_sign_is_a_mention(tmp_path: Path, prompt: str) -> None:
    assert read(session(tmp_path, [user(prompt), answer("m1", text("done"))])).missing == ()


def test_lists_of_blocks_give_their_texts(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "x"}}
    content = [text("one"), image, {"type": "tool_reference", "tool_name": "x"}, text("two")]
    assert shown(read(session(tmp_path, [user("go"), *reading("t1", content), answer("m9")]))) == [
        ("t1", "one\ntwo")
    ]


def test_usage_is_that_of_the_last_row_of_an_answer(tmp_path: Path) -> None:
    rows = [user("go")]
    for tokens, words in ((9, "a"), (9, "b"), (159, "c")):
        row = answer("m1", text(words))
        row["message"]["usage"] = {"input_tokens": 5, "output_tokens": tokens}
        rows.append(row)
    steps = read_claude_session(session(tmp_path, rows)).steps
    assert [step.metrics for step in steps] == [
        None,
        Metrics(prompt_tokens=5, completion_tokens=159),
    ]
    assert steps[1].message == "a\nb\nc"


def test_models_are_told_for_each_answer(tmp_path: Path) -> None:
    other = answer("m2", text("done"))
    other["message"]["model"] = "m-2"
    log = read(session(tmp_path, [user("go"), answer("m1", text("yes")), user("on"), other]))
    assert log.models == {"m-1": 1, "m-2": 1}


def test_notes_under_the_users_name_are_no_prompt(tmp_path: Path) -> None:
    rows = [
        user("Caveat: The messages below were generated by the user", isMeta=True),
        user("<command-name>/clear</command-name>"),
        user("<task-notification>done</task-notification>", origin={"kind": "task-notification"}),
        user("go"),
        answer("m1", text("done")),
    ]
    assert read(session(tmp_path, rows)).threads[0].prompt == "go"


def test_what_is_not_known_is_counted_by_kind(tmp_path: Path) -> None:
    rows = [
        user([{"type": "hologram"}, text("go")]),
        {"type": "from-the-future"},
        {"type": "from-the-future"},
        {"no": "type"},
        attachment("smell"),
        {"type": "system", "subtype": "amnesia_boundary"},
        {"type": "file-history-snapshot", "messageId": "x"},
        answer("m1", text("done")),
    ]
    found = evidence(read_claude_session(session(tmp_path, rows)))
    assert found.unknown == {
        "block hologram": 1,
        "from-the-future": 2,
        "without a type": 1,
        "attachment smell": 1,
        "system amnesia_boundary": 1,
    }
    assert (found.rows, found.unreadable) == (8, 0)
