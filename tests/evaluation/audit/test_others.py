"""Text of files that are not looked at is left out of results, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.audit import others
from evaluation.audit.others import without_others
from evaluation.reading.context import ContextLog, ContextText, Thread
from evaluation.transcripts.claude_code import TOOLS
from generators.lines import CorpusIndex
from tests.evaluation.audit.auditing import audit_of
from tests.evaluation.audit.sessions import HandMade, papers

INDEX = CorpusIndex.of({"docs/a.md": "one line\n"})
LISTED = frozenset(("docs/a.md", "docs/b.md", "a.md", "c.md"))


def left(text: str, tool: str = "Bash", **arguments: str) -> str:
    one = ContextText("main", 1, "t1", tool, arguments, text)
    log = ContextLog((Thread("main", "main"),), (one,), None, root="/w")
    return without_others(log, TOOLS, INDEX, LISTED).texts[0].text


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of any length are looked at."""
    monkeypatch.setattr(others, "LONG", 0)


def test_lines_behind_the_path_of_another_file_are_left_out() -> None:
    shown = "docs/a.md:1:one line\n./docs/b.md:1:x\n/w/c.md:2:y\nplain\nc.md:3:z"
    assert left(shown, command="grep -rn . .") == "docs/a.md:1:one line\n--\nplain\n--"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("a.md:1:x", id="it may be docs/a.md, from below"),
        pytest.param("nowhere.md:1:x", id="no such file"),
        pytest.param("c.md: a text", id="no number"),
        pytest.param("/elsewhere/c.md:1:x", id="elsewhere"),
    ],
)
def test_what_may_be_of_a_file_that_is_looked_at_stays(line: str) -> None:
    assert left(line, command="grep -rn . .") == line


def test_a_tool_that_shows_another_file_shows_nothing() -> None:
    assert left("     1\tx\n", tool="Read", file_path="/w/c.md") == ""
    assert left("     1\tone line\n", tool="Read", file_path="/w/docs/a.md") != ""


def test_a_large_tree_gives_the_same_figures_of_what_the_session_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = papers(tmp_path / "work")
    found = "\n".join(
        f"docs/{path.name}:{n}:{line}"
        for path in sorted(docs.iterdir())
        for n, line in enumerate(path.read_text().split("\n")[:-1], start=1)
    )
    made = HandMade(str(tmp_path / "work")).prompt("Review docs/doc-1.md")
    made.calls_tool("Bash", {"command": "grep -rn line ."}, found)
    made.answers("I read doc-1.md in full.")
    whole = audit_of(made, tmp_path / "work")
    monkeypatch.setattr("evaluation.audit.corpus.MOST_WHOLE", 100)
    some = audit_of(made, tmp_path / "work")
    assert (some.files, some.claims, some.verdict) == (whole.files, whole.claims, whole.verdict)
    assert some.files[0].entered == (30, 30)
    assert (whole.evidence.files_indexed, some.evidence.files_indexed) == (5, 1)
