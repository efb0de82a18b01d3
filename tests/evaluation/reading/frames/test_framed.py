"""Lines with something around them that a tool or a script put there stand whole all the same."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import pytest

from evaluation.reading.context import (
    MAIN,
    ContextLog,
    ContextText,
    FinalResponse,
    Thread,
    ToolOutput,
)
from evaluation.reading.engine import FileReading, measure
from evaluation.scoring.coverage import FileScope, covered
from evaluation.scoring.score import RULES
from generators.lines import CorpusIndex
from tests.evaluation.reading.commands import read_both_ways

STORE = (
    "import sys\n\n\ndef load(path):\n\twith open(path) as file:\n        return file.read()\n\n\n"
    "class Store:\n    def get(self, key):\n        return {\n            key: 1\n        }\n"
)
LINES = STORE.split("\n")[:-1]
ALL = set(range(1, len(LINES) + 1))
TEXTS = {"store.py": STORE, "d/other.md": "Another title here\n\nshared words here\n}\n"}
INDEX = CorpusIndex.of(TEXTS)


def read(
    shown: str,
    command: str = "python3 show.py",
    *,
    index: CorpusIndex = INDEX,
    tool: ToolOutput = ToolOutput(),  # noqa: B008 - a frozen value
) -> Mapping[str, FileReading]:
    return read_both_ways(command, shown, index, tool).files


def sure(found: Mapping[str, FileReading]) -> dict[str, set[int]]:
    return {path: set(one.sure) for path, one in found.items() if one.sure}


def most(found: Mapping[str, FileReading]) -> dict[str, set[int]]:
    return {path: set(one.most) for path, one in found.items() if one.most}


def lined(form: str, lines: Sequence[str] = LINES, first: int = 1) -> str:
    return "".join(form.format(n=n, line=line) + "\n" for n, line in enumerate(lines, first))


def diff(*lines: str, head: str = "@@ -0,0 +1,13 @@", path: str = "store.py") -> str:
    header = f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
    return header + "\n".join((head, *lines)) + "\n"


ADDED = [f"+{line}" for line in LINES]
CARETS = [line.replace("\t", "^I") for line in LINES]


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(diff(*ADDED), id="a diff"),
        pytest.param(f"commit abc\n\n    A message\n\n{diff(*ADDED)}", id="git show"),
        pytest.param("\x1b[32m" + diff(*ADDED), id="a diff in colour"),
        pytest.param(
            "--- /tmp/old.py\t2026-01-01\n+++ store.py\t2026-01-01\n@@ -0,0 +1,13 @@\n"
            + "".join(f"{line}\n" for line in ADDED),
            id="diff -u",
        ),
        pytest.param(
            diff(*(f"{mark}{line}" for mark, line in zip(("  ", "++") * 7, LINES, strict=False)))
            .replace("diff --git a/", "diff --cc ")
            .replace("@@ -0,0 +1,13 @@", "@@@ -1,7 -1,7 +1,13 @@@"),
            id="a merge",
        ),
        pytest.param(lined("{n} {line}"), id="print(n, line)"),
        pytest.param(lined("{n}: {line}"), id="awk NR"),
        pytest.param(lined("{n:>3}: {line}"), id="nl -s': '"),
        pytest.param(lined("{n:>3}:{line}"), id="nl -s:"),
        pytest.param(lined("{n:<4} {line}"), id="filled up on the right"),
        pytest.param(lined("[{n}] {line}"), id="in brackets"),
        pytest.param(lined("L{n}: {line}"), id="with a letter"),
        pytest.param(lined("{n:4d} | {line}"), id="with a bar"),
        pytest.param(lined("store.py:{n}: {line}"), id="a script's path and number"),
        pytest.param("store.py\n" + lined("{n}:{line}"), id="rg --heading"),
        pytest.param(lined("{line}$", CARETS), id="cat -A"),
        pytest.param(lined("{n:>6}\t{line}$", CARETS).replace("\t", "^I"), id="cat -An, tabs too"),
        pytest.param(lined("{n:>6}\t{line}$", CARETS), id="cat -An"),
        pytest.param(
            lined("^a1b2c3d (Bob van E 2024-01-01 00:00:00 +0000 {n:2}) {line}"), id="blame"
        ),
        pytest.param(lined("a1b2c3de {n:2}) {line}"), id="blame -s"),
        pytest.param(lined("| {line}"), id="one text before each"),
        pytest.param(lined("| {line}").replace("| \n", "|\n"), id="without the space at its end"),
        pytest.param(lined("+{line}"), id="added lines of a diff without its head"),
        pytest.param(json.dumps(STORE), id="jq -Rs"),
        pytest.param(json.dumps({"result": STORE, "n": 1}), id="a field"),
        pytest.param(json.dumps([{"a": {"b": STORE}}], indent=2), id="deep within"),
    ],
)
def test_a_file_shown_whole_is_read_whole(shown: str) -> None:
    found = read(shown, "git blame store.py")
    assert sure(found) == {"store.py": ALL}
    assert most(found) == {"store.py": ALL}


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(lined("{n}: {line}", first=0), id="counted from 0"),
        pytest.param(lined("{n}: {line}", first=70), id="counted otherwise"),
        pytest.param(lined("    {line}"), id="by white space alone"),
        pytest.param(lined("-{line}"), id="taken out by some diff"),
    ],
)
def test_a_file_that_may_have_been_shown_whole_is_never_decided_unread(shown: str) -> None:
    found = read(shown)
    assert most(found)["store.py"] >= {n for n in ALL if LINES[n - 1].strip()}


def test_it_counts_at_the_upper_end_where_numbers_are_others() -> None:
    shown = lined("{n}: {line}", ["Another title here", "", "shared words here", "}"], first=0)
    text = ContextText(MAIN, 1, "t1", "Shell", {}, shown)
    log = ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1))
    thread = measure(log, {"Shell": ToolOutput()}, INDEX).union
    for rule in RULES:
        assert covered(thread, FileScope(("d/other.md",), ()), INDEX, rule).files == (0, 1)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param(
            diff(
                " def load(path):",
                "-\told(path)",
                "+\twith open(path) as file:",
                head="@@ -4,2 +4,2 @@",
            ),
            {"store.py": {4, 5}},
            id="one line changed",
        ),
        pytest.param(
            diff(*(f"-{line}" for line in LINES), head="@@ -1,13 +0,0 @@"), {}, id="all taken out"
        ),
        pytest.param(
            diff("-Another title here", " shared words here", head="@@ -1,2 +1 @@"),
            {},
            id="another file's lines under a path",
        ),
        pytest.param(
            diff(" ", " ", " def load(path):", head="@@ -2,3 +2,3 @@"),
            {"store.py": {2, 3, 4}},
            id="blank lines between",
        ),
        pytest.param(
            diff("", "", " def load(path):", head="@@ -2,3 +2,3 @@"),
            {"store.py": {2, 3, 4}},
            id="blank lines without their mark",
        ),
        pytest.param(
            diff(" def load(path):", head="@@ -14 +14 @@"), {"store.py": {4}}, id="an older number"
        ),
        pytest.param(
            diff("+def load(path):", path="gone.py", head="@@ -0,0 +1 @@"),
            {},
            id="of a file that is none of these",
        ),
        pytest.param(
            "--- store.py\t1\n+++ d/other.md\t2\n@@ -4,1 +1,1 @@\n-def load(path):\n"
            "+Another title here\n",
            {"store.py": {4}, "d/other.md": {1}},
            id="two files of the corpus",
        ),
    ],
)
def test_a_diff_shows_the_lines_of_the_new_text(shown: str, expected: dict[str, set[int]]) -> None:
    assert sure(read(shown, "git diff")) == expected


def test_what_a_diff_says_that_a_place_is_in_may_be_that_line() -> None:
    shown = diff(" class Store:", head="@@ -9 +9 @@ def load(path):")
    found = read(shown, "git diff")
    assert sure(found) == {"store.py": {9}}
    assert most(found) == {"store.py": {4, 9}}


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param("4: def load(path):\n", id="one number"),
        pytest.param("4: def load(path):\n6:         return file.read()\n", id="two numbers"),
        pytest.param("| def load(path):\n| class Store:\n| import sys\n", id="no neighbours"),
        pytest.param("- import sys\n", id="an item of a list"),
    ],
)
def test_few_lines_may_be_equal_by_chance(shown: str) -> None:
    found = read(shown)
    assert sure(found) == {}
    assert "store.py" in most(found)


def test_numbers_that_fit_by_chance_decide_nothing() -> None:
    shown = lined("{n}: {line}", ["import sys", "shared words here", "}", "def load(path):"])
    assert sure(read(shown)) == {}


def test_a_file_s_own_json_is_no_other_file_s_text() -> None:
    """The same passage stands in a file, and escaped in the JSON that was shown."""
    texts = {
        "a.md": "one line here\ntwo lines here\n",
        "b.json": json.dumps({"t": "one line here\ntwo lines here\n"}),
    }
    index = CorpusIndex.of(texts)
    shown = json.dumps(json.loads(texts["b.json"]), indent=2)
    assert "a.md" not in sure(read(shown, "jq . b.json", index=index))


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param("     1\t{line}\n", id="nl -ba"),
        pytest.param("1:{line}\n", id="grep -n"),
        pytest.param("{line}\n", id="cat"),
        pytest.param("…9 tokens truncated…, {line}\n", id="cut before it"),
    ],
)
def test_json_that_a_file_holds_is_no_wrapper_of_output(shown: str) -> None:
    record = '"output": "Hello to everybody here"'
    texts = {"r.jsonl": f"{record}\n", "answers.txt": "Hello to everybody here\nno more\n"}
    tool = ToolOutput(escaped=re.compile(r'"output"\s*:\s*"(?P<text>(?:[^"\\]|\\.)*)'))
    found = read(
        shown.format(line=record), "nl -ba r.jsonl", index=CorpusIndex.of(texts), tool=tool
    )
    assert "answers.txt" not in sure(found)


def test_short_lines_that_lost_their_neighbours_may_be_the_named_files() -> None:
    """Others were left out, so that they follow each other as nowhere in their file."""
    text = "a first line\n}\nleft out here\n\nleft out too\n}\nleft out last\n]\nthe last line\n"
    index = CorpusIndex.of({"a.txt": text})
    found = read("a first line\n}\n\n}\n]\nthe last line\n", "sed /left/d a.txt", index=index)
    assert sure(found)["a.txt"] >= {1, 9}
    assert most(found) == {"a.txt": {1, 2, 4, 6, 8, 9}}
