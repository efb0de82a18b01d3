"""Files that share all their lines: what was shown of them never lies above the upper end, and
what the call and the output tell decides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.reading.context import (
    MAIN,
    ContextLog,
    ContextText,
    FinalResponse,
    Thread,
    ToolOutput,
)
from evaluation.reading.engine import ThreadReading, measure
from generators.lines import CorpusIndex

CONFIG = '{\n  "extends": "base",\n  "include": [\n    "sources"\n  ]\n}\n'
LICENCE = "# Copyright of nobody\n#\n# Under these terms\n\n# and under no others\n"
NOTES = "# other\nthe only text of the notes\n"
TEXTS = {
    "a.json": CONFIG,
    "web/a.json": CONFIG,
    "x/__init__.py": LICENCE,
    "y/__init__.py": LICENCE,
    "b.md": NOTES,
}
INDEX = CorpusIndex.of(TEXTS)
C, L, N = (text.split("\n")[:-1] for text in (CONFIG, LICENCE, NOTES))


def read(command: str, shown: str) -> ThreadReading:
    """The same by blocks and line by line."""
    text = ContextText(MAIN, 1, "t1", "Shell", {"command": command}, shown)
    log = ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1))
    by_blocks, by_lines = (
        measure(log, {"Shell": ToolOutput()}, INDEX, by_blocks=one).threads[MAIN]
        for one in (True, False)
    )
    assert by_blocks == by_lines
    return by_blocks


def lined(form: str, lines: Sequence[str], first: int = 1) -> str:
    return "".join(form.format(n=n, line=line) + "\n" for n, line in enumerate(lines, first))


def all_of(path: str) -> set[int]:
    return set(range(1, len(INDEX.files[path]) + 1))


@pytest.mark.parametrize(
    ("command", "shown", "paths"),
    [
        pytest.param(
            "python3 -c \"for i, l in enumerate(open('a.json')): print(i, l, end='')\"",
            lined("{n} {line}", C, 0),
            ["a.json"],
            id="counted from 0",
        ),
        pytest.param(
            "python3 -c \"for i, l in enumerate(open('a.json')): print(i, l)\"",
            lined("{n} {line}\n", C, 0),
            ["a.json"],
            id="and printed with its LF",
        ),
        pytest.param(
            "python3 -c \"for i, l in enumerate(open('x/__init__.py')): print(i, l)\"; cat b.md",
            lined("{n} {line}\n", L, 0) + NOTES,
            ["x/__init__.py", "b.md"],
            id="of two files",
        ),
        pytest.param(
            "awk '{print FNR\": \"$0}' a.json web/a.json",
            lined("{n}: {line}", C) * 2,
            ["a.json", "web/a.json"],
            id="numbers of each",
        ),
        pytest.param(
            "awk '{print FNR\": \"$0}' */__init__.py",
            lined("{n}: {line}", L) * 2,
            ["x/__init__.py", "y/__init__.py"],
            id="by a pattern",
        ),
        pytest.param(
            "awk '{print NR\"\\t\"$0}' x/__init__.py y/__init__.py",
            lined("{n}\t{line}", L + L),
            ["x/__init__.py", "y/__init__.py"],
            id="numbers of both",
        ),
        pytest.param("awk 1 a.json web/a.json", CONFIG * 2, ["a.json", "web/a.json"], id="none"),
        pytest.param(
            "awk '{print FILENAME\": \"$0}' a.json",
            lined("a.json: {line}", C),
            ["a.json"],
            id="behind its path and a space",
        ),
    ],
)
def test_a_file_that_was_shown_whole_is_so_at_the_upper_end(
    command: str, shown: str, paths: list[str]
) -> None:
    found = read(command, shown)
    assert {path: set(found.of(path).most) for path in paths} == {
        path: all_of(path) for path in paths
    }


@pytest.mark.parametrize(
    ("command", "shown", "path"),
    [
        pytest.param(
            "git grep -n '' HEAD", lined("HEAD:a.json:{n}:{line}", C), "a.json", id="HEAD"
        ),
        pytest.param(
            "git grep -n '' main~2 -- web",
            lined("main~2:web/a.json:{n}:{line}", C),
            "web/a.json",
            id="a revision before",
        ),
        pytest.param(
            "cd x && git grep -n '' 1f2e3d4",
            lined("1f2e3d4:__init__.py-{n}-{line}", L),
            "x/__init__.py",
            id="from a folder",
        ),
    ],
)
def test_a_path_behind_a_revision_names_its_file(command: str, shown: str, path: str) -> None:
    found = read(command, shown)
    assert {path: set(one.sure) for path, one in found.files.items()} == {path: all_of(path)}


def test_a_revision_credits_no_text_that_the_file_lacks() -> None:
    found = read("git grep -n only HEAD~9", "HEAD~9:b.md:2:the only text of old notes\n")
    assert not found.of("b.md").most


def test_the_number_of_a_shown_line_is_no_revision() -> None:
    """The line of `list.txt` is that of a search, and `b.md` was not opened."""
    index = CorpusIndex.of({"list.txt": "b.md:2:the only text\n", "b.md": "x\nthe only text\n"})
    text = ContextText(
        MAIN, 1, "t1", "Shell", {"command": "grep -n . list.txt"}, "1:b.md:2:the only text\n"
    )
    log = ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1))
    found = measure(log, {"Shell": ToolOutput()}, index).union
    assert set(found.of("list.txt").sure) == {1}
    assert not found.of("b.md").sure


@pytest.mark.parametrize(
    ("command", "shown", "sure"),
    [
        pytest.param(
            "cat b.md && echo --- && cat a.json",
            f"{NOTES}---\n{CONFIG}",
            {"b.md": {1, 2}, "a.json": {1, 2, 3, 4, 5, 6}},
            id="echo between two cats",
        ),
        pytest.param(
            "cat a.json; echo; cat web/a.json",
            f"{CONFIG}\n{CONFIG}",
            {"a.json": {1, 2, 3, 4, 5, 6}, "web/a.json": {1, 2, 3, 4, 5, 6}},
            id="twins",
        ),
        pytest.param(
            "sed '' b.md; sed '' a.json",
            NOTES + CONFIG,
            {"b.md": {1, 2}, "a.json": {2, 3, 4}},
            id="brackets at the end may be the command's own",
        ),
        pytest.param(
            "sed 5,9d a.json; sed 5,9d web/a.json",
            "\n".join(C[:4] * 2) + "\n",
            {},
            id="twins of which nobody knows which",
        ),
        pytest.param(
            "head -4 a.json; head -2 web/a.json",
            "\n".join([*C[:4], *C[:2]]) + "\n",
            {"a.json": {1, 2, 3, 4}, "web/a.json": {1, 2}},
            id="twins in the order of the command",
        ),
    ],
)
def test_lines_of_one_named_file_alone_are_its(
    command: str, shown: str, sure: dict[str, set[int]]
) -> None:
    found = read(command, shown)
    assert {path: set(one.sure) for path, one in found.files.items() if one.sure} == sure


def test_lines_that_stand_in_named_files_were_printed_from_no_other() -> None:
    shown = "\n".join(C[1:4] * 2) + "\n"
    assert set(read("sed -n 2,4p a.json; sed -n 2,4p a.json", shown).files) == {"a.json"}
    assert set(read("head -4 b.md a.json | tail -8", shown).files) == {"a.json"}
    assert set(
        read("ls; sed -n 2,4p a.json; cat b.md | sed 1,9d; sed -n 2,4p a.json", shown).files
    ) == {"a.json"}


def test_an_echo_that_says_what_a_file_begins_with_is_none_of_it() -> None:
    found = read("cat b.md; echo '{'; tail -n +2 a.json", NOTES + CONFIG)
    assert 1 not in found.of("a.json").sure


def test_a_script_that_was_run_may_have_printed_what_it_shares_with_another_file() -> None:
    found = read("python3 x/__init__.py b.md", LICENCE)
    assert not found.of("x/__init__.py").sure
    assert set(found.of("y/__init__.py").most) == all_of("y/__init__.py")
