"""Files that changed while they were read, or since: what is known, and what stays open."""

from __future__ import annotations

import os
import subprocess
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.audit.result import Audit, AuditedFile
from tests.evaluation.audit.auditing import audit_of, claims
from tests.evaluation.audit.sessions import BEGAN, HandMade, age, papers

IN_FULL = "I read doc-1.md in full."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """One paper of thirty lines under docs/."""
    papers(tmp_path / "work", 1)
    return tmp_path / "work"


def paper(root: Path) -> Path:
    return root / "docs" / "doc-1.md"


def lines(first: int, last: int) -> str:
    return "".join(f"line {n} of paper 1\n" for n in range(first, last + 1))


def session(root: Path) -> HandMade:
    return HandMade(str(root)).prompt("Review docs/doc-1.md, and mend what is wrong.")


def at(made: HandMade, root: Path) -> HandMade:
    """Files are as old as the last row."""
    time = BEGAN.timestamp() + len(made.rows) - 1
    os.utime(paper(root), (time, time))
    return made


def commit(root: Path, when: datetime) -> None:
    told = {"GIT_COMMITTER_DATE": when.isoformat(), "GIT_AUTHOR_DATE": when.isoformat()}
    identity = ("-c", "user.name=dev", "-c", "user.email=dev@example.org")
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "first")):
        subprocess.run(
            ["git", "-C", str(root), *identity, *arguments], check=True, env={**os.environ, **told}
        )


def before() -> datetime:
    return datetime.fromtimestamp(BEGAN.timestamp() - 3600, BEGAN.tzinfo)


def file(result: Audit) -> AuditedFile:
    (found,) = result.files
    return found


def test_lines_that_were_read_before_an_edit_above_them_count_where_they_stand_now(
    root: Path,
) -> None:
    made = session(root).reads(paper(root), 11, 30)
    made = at(made.edits(paper(root), "line 5 of paper 1\n", "one\ntwo\nthree\n"), root)
    result = audit_of(made.answers(IN_FULL), root)
    assert (file(result).entered, file(result).ranges) == ((20, 20), ((13, 32),))
    assert (result.evidence.changed, result.evidence.followed) == ((), ("docs/doc-1.md",))
    assert claims(result) == [("docs/doc-1.md", "in full", "contradicted")]


def test_what_was_read_in_full_before_it_was_edited_was_read_in_full(root: Path) -> None:
    made = session(root).reads(paper(root))
    made = at(made.edits(paper(root), lines(1, 10), "new 1\nnew 2\n"), root)
    result = audit_of(made.answers(IN_FULL), root)
    # The two lines that the agent wrote entered nothing; nobody expects it to read them.
    assert (file(result).lines, file(result).entered) == (22, (20, 20))
    assert file(result).ranges == ((3, 22),)
    assert claims(result) == [("docs/doc-1.md", "in full", "supported")]
    assert result.verdict is not None
    assert result.verdict["read"].value == "complete"


def test_lines_that_were_never_read_and_then_cut_away_make_no_full_reading(root: Path) -> None:
    made = session(root).reads(paper(root), 1, 15)
    made = at(made.edits(paper(root), lines(16, 30), "the rest is gone\n"), root)
    result = audit_of(made.answers(IN_FULL), root)
    assert file(result).entered == (15, 15)
    assert claims(result) == [("docs/doc-1.md", "in full", "not checkable")]
    assert result.claims[0].evidence.startswith("15 of 30 lines of docs/doc-1.md entered, of the")


def test_lines_that_were_read_and_cut_away_are_no_false_claim(root: Path) -> None:
    """29 of the 30 lines that there were, and of the 3 that are left, 1 to 2."""
    made = session(root).reads(paper(root), 1, 29)
    made = at(made.edits(paper(root), lines(1, 28), "short\n"), root)
    result = audit_of(made.answers(IN_FULL), root)
    assert (file(result).lines, file(result).entered) == (3, (1, 1))
    assert claims(result) == [("docs/doc-1.md", "in full", "not checkable")]


def test_each_text_is_held_against_the_file_as_it_then_was(root: Path) -> None:
    """An equal line moves to where another of its text stood: the printed number is not enough."""
    text = "first of all\nsame text\nmiddle of it\nsame text\nlast of all\n"
    paper(root).write_text(text)
    made = session(root).reads(paper(root), 4, 4)
    made.edits(paper(root), "first of all\n", "first of all\nadded a\nadded b\n")
    made = at(made, root).reads(paper(root), 7, 7)
    assert paper(root).read_text().split("\n")[3] == "same text"
    result = audit_of(made.answers("Done."), root)
    # Line 4 was the second "same text", which is line 6 now; line 4 now is the first one.
    assert file(result).ranges == ((6, 7),)


def test_a_file_that_was_cut_by_a_deletion_is_followed_from_the_last_commit(root: Path) -> None:
    """Where something was taken out, the text at hand does not tell where it stood."""
    commit(root, before())
    age(paper(root))
    made = session(root).reads(paper(root), 11, 30)
    made = at(made.edits(paper(root), lines(1, 4), ""), root)
    result = audit_of(made.answers("I read lines 11-30 of doc-1.md."), root)
    assert result.evidence.followed == ("docs/doc-1.md",)
    assert file(result).ranges == ((7, 26),)
    assert claims(result)[1:] == [("docs/doc-1.md", "lines 11-30", "supported")]


def test_without_a_commit_such_a_file_is_open_at_the_upper_end(root: Path) -> None:
    made = session(root).reads(paper(root), 11, 30)
    made = at(made.edits(paper(root), lines(1, 4), ""), root)
    result = audit_of(made.answers(IN_FULL), root)
    assert result.evidence.changed == ("docs/doc-1.md",)
    assert file(result).entered == (20, 26)


def test_a_file_that_somebody_else_wrote_too_is_open_at_the_upper_end(root: Path) -> None:
    made = session(root).reads(paper(root), 1, 20)
    made.edits(paper(root), "line 5 of paper 1\n", "5\n").calls_tool(
        "Bash", {"command": "make format"}, "done"
    )
    paper(root).write_text(paper(root).read_text().upper())
    result = audit_of(at(made, root).answers(IN_FULL), root)
    assert result.evidence.changed == ("docs/doc-1.md",)
    assert file(result).entered == (0, 30)
    assert claims(result) == [("docs/doc-1.md", "in full", "not checkable")]


def test_a_read_that_shows_another_text_gives_a_second_writer_away(root: Path) -> None:
    made = session(root)
    paper(root).write_text(lines(1, 9) + "TENTH\n" + lines(11, 30))
    made.reads(paper(root))
    paper(root).write_text(lines(1, 30))  # nobody tells of it
    made = at(made.edits(paper(root), "line 5 of paper 1\n", "5\n"), root)
    result = audit_of(made.answers(IN_FULL), root)
    assert (result.evidence.changed, result.evidence.followed) == (("docs/doc-1.md",), ())
    assert file(result).entered == (28, 30)


def test_an_edit_that_failed_changed_nothing(root: Path) -> None:
    made = session(root).reads(paper(root))
    made.calls_tool(
        "Edit",
        {"file_path": str(paper(root)), "old_string": "nowhere", "new_string": "x"},
        "<tool_use_error>String to replace not found in file.</tool_use_error>",
        is_error=True,
    )
    result = audit_of(made.answers(IN_FULL), root)
    assert (result.evidence.changed, result.evidence.followed) == ((), ())
    assert file(result).entered == (30, 30)


def test_what_the_agent_reads_again_after_its_own_edit_entered(root: Path) -> None:
    made = session(root)
    made = at(made.edits(paper(root), "line 5 of paper 1\n", "5a is new\n5b is new\n"), root)
    result = audit_of(made.reads(paper(root), 5, 6).answers("Done."), root)
    assert file(result).ranges == ((5, 6),)


def test_one_agent_reading_while_another_writes_is_open(root: Path) -> None:
    """Nothing tells whether the text that it was shown is from before or behind the edit."""
    agent = HandMade(str(root), agent="a1b2c3d4", later=2).prompt("Read docs/doc-1.md.")
    agent.reads(paper(root), 1, 20).answers("Read.")
    agent.write(root.parent / "kept" / "session" / "subagents" / "agent-a1b2c3d4.jsonl")
    made = session(root)
    made.calls_tool(
        "Agent", {"prompt": "Read docs/doc-1.md."}, "Launched.",
        toolUseResult={"status": "async_launched", "isAsync": True, "agentId": "a1b2c3d4"},
    )  # fmt: skip
    made = at(made.edits(paper(root), "line 25 of paper 1\n", "25\n"), root)
    result = audit_of(made.answers("Done."), root)
    assert result.evidence.changed == ("docs/doc-1.md",)


def test_a_file_that_was_written_since_is_followed_from_the_last_commit(root: Path) -> None:
    commit(root, before())
    made = session(root).reads(paper(root)).answers(IN_FULL)
    paper(root).write_text("added later\n" * 30 + lines(1, 30))
    result = audit_of(made, root)
    assert result.evidence.followed == ("docs/doc-1.md",)
    assert file(result).ranges == ((31, 60),)
    assert claims(result) == [("docs/doc-1.md", "in full", "not checkable")]


SHOWN = {
    "read": None,
    "cat": "cat docs/doc-1.md",
    "some": "sed -n '1,200p' docs/doc-1.md",
}


@pytest.mark.parametrize("how", SHOWN)
@pytest.mark.parametrize(
    ("since", "answer", "is_open"),
    [
        pytest.param(lines(1, 30).replace("line", "row"), IN_FULL, True, id="changed"),
        pytest.param(lines(1, 30) + "added\n" * 30, IN_FULL, True, id="grown"),
        pytest.param(lines(1, 10), "I read all 30 lines of doc-1.md.", True, id="cut"),
        pytest.param(lines(1, 30), IN_FULL, False, id="only written again"),
    ],
)
def test_a_file_that_was_shown_with_another_text_is_open(
    root: Path, how: str, since: str, answer: str, is_open: bool
) -> None:
    """No commit tells what it was; what was shown tells that it was something else."""
    made, command = session(root), SHOWN[how]
    if command is None:
        made.reads(paper(root))
    else:
        made.calls_tool("Bash", {"command": command}, paper(root).read_text().rstrip("\n"))
    paper(root).write_text(since)
    result = audit_of(made.answers(answer), root)
    assert result.evidence.changed == (("docs/doc-1.md",) if is_open else ())
    assert "contradicted" not in {claim.status for claim in result.claims}


def test_a_file_that_was_shown_in_part_is_not_open_by_that(root: Path) -> None:
    made = session(root).reads(paper(root), 1, 15)
    made.calls_tool("Bash", {"command": "sed -n '16,20p' docs/doc-1.md"}, lines(16, 20).rstrip())
    paper(root).write_text(lines(1, 30))
    result = audit_of(made.answers(IN_FULL), root)
    assert result.evidence.changed == ()
    assert claims(result) == [("docs/doc-1.md", "in full", "contradicted")]


def test_a_commit_that_has_another_text_than_was_shown_contradicts_nothing(root: Path) -> None:
    paper(root).write_text(lines(1, 30).upper())
    commit(root, before())
    paper(root).write_text(lines(1, 30))
    made = session(root).reads(paper(root)).answers(IN_FULL)
    result = audit_of(made, root, commit="HEAD")
    assert claims(result) == [("docs/doc-1.md", "in full", "not checkable")]


def test_a_commit_is_followed_through_the_edits_behind_it(root: Path) -> None:
    commit(root, before())
    made = session(root).reads(paper(root), 1, 15)
    made = at(made.edits(paper(root), "line 5 of paper 1\n", "5a\n5b\n"), root)
    made.reads(paper(root), 17, 31)
    result = audit_of(made.answers(IN_FULL), root, commit="HEAD")
    assert (file(result).lines, file(result).ranges) == (30, ((1, 30),))
    assert claims(result) == [("docs/doc-1.md", "in full", "supported")]


def test_more_epochs_than_can_be_told_apart_are_open_and_lose_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.audit.epochs.MOST_EPOCHS", 1)
    made = session(root).reads(paper(root), 11, 30)
    made = at(made.edits(paper(root), "line 5 of paper 1\n", "5a\n5b\n5c\n"), root)
    made.reads(paper(root), 1, 4)
    result = audit_of(made.answers(IN_FULL), root)
    assert result.evidence.changed == ("docs/doc-1.md",)
    assert file(result).entered == (24, 32)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[str, int, int]]:
    """Reads of some lines, and edits that put some lines in the place of one."""
    act = st.tuples(st.sampled_from(("read", "edit")), st.integers(0, 99), st.integers(1, 4))
    return draw(st.lists(act, min_size=1, max_size=12))


@settings(max_examples=40, deadline=None)
@given(history=histories())
def test_whatever_was_edited_the_figures_are_those_of_what_was_shown(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, int, int]]
) -> None:
    """Each line has its own text; between them stand blank lines, which any number may fit."""
    root = tmp_path_factory.mktemp("h") / "work"
    papers(root, 1)
    lines = [text for n in range(1, 13) for text in (f"line {n} of paper 1", "")]
    paper(root).write_text("".join(f"{line}\n" for line in lines))
    age(paper(root))
    made, shown = session(root), set[str]()
    for number, (act, where, size) in enumerate(history):
        weighty = [at for at, line in enumerate(lines) if line]
        if act == "read" or not weighty:
            first = where % len(lines) + 1
            last = min(len(lines), first + 5 * size)
            made.reads(paper(root), first, last)
            shown.update(lines[first - 1 : last])
        else:
            at = weighty[where % len(weighty)]
            new = [f"added {number} {n}" for n in range(size)]
            made.edits(paper(root), f"{lines[at]}\n", "".join(f"{line}\n" for line in new))
            lines[at : at + 1] = new
            at_hand = BEGAN.timestamp() + len(made.rows) - 1
            os.utime(paper(root), (at_hand, at_hand))
    result = audit_of(made.answers("Done."), root)
    found = file(result)
    assert found.entered is not None
    sure = {lines[n - 1] for first, last in found.ranges for n in range(first, last + 1)}
    truth = shown.intersection(lines) - {""}
    assert result.evidence.changed == ()
    assert sure - {""} == truth
