"""Whose lines were printed, where the call says which files it is about."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest
from pydantic import JsonValue

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

ROOT = "/home/dev/review"
TOOLS = {
    "Read": ToolOutput(path_argument="path", number=re.compile(r" *(?P<n>\d+)\t")),
    "Bare": ToolOutput(path_argument="path"),
    "Shell": ToolOutput(),
    "Search": ToolOutput(
        heading=re.compile(r"File: (?P<path>.+)"), number=re.compile(r"L(?P<n>\d+): ")
    ),
}
Corpus = Mapping[str, str]


def read(
    corpus: Corpus, shown: str, tool: str = "Shell", root: str = ROOT, **arguments: JsonValue
) -> ThreadReading:
    """The same by blocks and line by line."""
    text = ContextText(MAIN, 1, "t1", tool, arguments, shown)
    log = ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1), root=root)
    index = CorpusIndex.of(corpus)
    by_blocks, by_lines = (
        measure(log, TOOLS, index, by_blocks=one).threads[MAIN] for one in (True, False)
    )
    assert by_blocks == by_lines
    return by_blocks


def sure(reading: ThreadReading) -> dict[str, list[int]]:
    return {path: sorted(file.sure) for path, file in reading.files.items() if file.sure}


def most(reading: ThreadReading) -> dict[str, list[int]]:
    return {path: sorted(file.most) for path, file in reading.files.items() if file.most}


TWINS = {
    "README.md": "the same first line\nthe same second line\nof the root alone\n",
    "pkg/README.md": "the same first line\nthe same second line\nof the package alone\n",
}
HEAD = "the same first line\nthe same second line\n"


@pytest.mark.parametrize(
    "command",
    [
        "head -2 */README.md",
        "cd pkg && head -2 README.md",
        "git show HEAD:pkg/README.md | head -2",
        f"head -2 {ROOT}/pkg/README.md",
    ],
)
def test_shared_lines_are_those_of_the_file_that_was_named(command: str) -> None:
    assert sure(read(TWINS, HEAD, command=command)) == {"pkg/README.md": [1, 2]}


@pytest.mark.parametrize(
    "command", ["head -2 $d/README.md", "head -2 vendor/README.md", "head -2 ../x/README.md"]
)
def test_a_path_that_leads_elsewhere_names_no_file_of_the_corpus(command: str) -> None:
    assert sure(read(TWINS, HEAD, command=command)) == {}


WHOLE = TWINS["README.md"]


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param("cd ../x && cat README.md", WHOLE, id="outside of the corpus"),
        pytest.param("(cd ../x; cat README.md); date", f"{WHOLE}Monday\n", id="in a subshell"),
        pytest.param("cd vendor; head -3 README.md", WHOLE, id="where the corpus has none"),
        pytest.param(
            "cd ../x && grep -rn . .",
            "".join(f"./README.md:{n}:{line}\n" for n, line in enumerate(WHOLE.splitlines(), 1)),
            id="with paths and numbers",
        ),
        pytest.param(
            "cd ../x && grep -n . README.md b.md",
            "".join(f"README.md:{n}:{line}\n" for n, line in enumerate(WHOLE.splitlines(), 1)),
            id="with a name and numbers",
        ),
        pytest.param(
            "grep -r . ../x",
            "".join(f"../x/README.md:{line}\n" for line in WHOLE.splitlines()),
            id="with paths",
        ),
    ],
)
def test_a_file_of_the_same_name_elsewhere_is_none_of_the_corpus(command: str, shown: str) -> None:
    found = read(TWINS, shown, command=command)
    assert sure(found) == {}
    assert 3 in found.of("README.md").most, "a copy of it counts at the upper end"


def test_a_variable_that_is_used_in_another_folder_is_of_that_one() -> None:
    for command in ("F=README.md; cd pkg; cat $F", "for f in README.md; do (cd pkg; cat $f); done"):
        assert sure(read(TWINS, HEAD, command=command)) == {"pkg/README.md": [1, 2]}


def test_each_file_below_a_variable_folder_is_named() -> None:
    command = 'for d in . pkg; do cat "$d/README.md"; done'
    shown = "".join(TWINS.values())
    numbers = [1, 2, 3]
    assert sure(read(TWINS, shown, command=command)) == {
        "README.md": numbers,
        "pkg/README.md": numbers,
    }


def test_a_file_called_by_a_number_has_its_own_lines() -> None:
    head = "# Copyright 2024 Acme\n# Licensed as it is\n"
    corpus = {"2023": f"{head}x = 1\n", "conf.yml": f"{head}key: one\n"}
    shown = f"key: one\nMonday\n{head}"
    found = read(corpus, shown, command="sed -n 3p conf.yml; date; head -2 2023")
    assert sure(found) == {"conf.yml": [3]}
    assert found.of("2023").most == {1, 2}


def test_lines_behind_a_folder_that_need_not_have_been_entered_may_be_of_either() -> None:
    found = read(TWINS, HEAD, command="test -f x || cd pkg; head -2 README.md")
    assert sure(found) == {}
    assert most(found) == {"README.md": [1, 2], "pkg/README.md": [1, 2]}


@pytest.mark.parametrize("path", ["/opt/x/README.md", "vendor/README.md", f"{ROOT}/x/README.md"])
def test_a_reader_of_a_file_elsewhere_reads_none_of_the_corpus(path: str) -> None:
    shown = "1\tthe same first line\n2\tthe same second line\n3\tof the root alone\n"
    assert sure(read(TWINS, shown, "Read", path=path)) == {}


def test_a_printed_path_is_whole() -> None:
    """It goes from where the command stood, and the end of it is not enough."""
    line = "README.md:3:of the root alone\n"
    assert sure(read(TWINS, line, command="grep -rn root .")) == {"README.md": [3]}
    assert sure(read(TWINS, f"vendor/{line}", command="grep -rn root .")) == {}
    assert sure(read(TWINS, f"/opt/{line}", command="grep -rn root . /opt")) == {}
    assert sure(read(TWINS, f"{ROOT}/{line}", command="grep -rn root .")) == {"README.md": [3]}
    own = "README.md:3:of the package alone\n"
    assert sure(read(TWINS, own, command="cd pkg; grep -n package *.md")) == {"pkg/README.md": [3]}


def test_a_heading_goes_from_where_the_call_began() -> None:
    shown = "File: README.md\nL1: the same first line\n"
    assert sure(read(TWINS, shown, "Search", dir_path="pkg")) == {"pkg/README.md": [1]}
    assert sure(read(TWINS, shown.replace("README", "x/README"), "Search")) == {}


def test_lines_below_a_banner_of_a_file_elsewhere_are_not_the_corpus_ones() -> None:
    shown = f"==> vendor/README.md <==\n{HEAD}of the root alone\n"
    assert sure(read(TWINS, shown, command="head -3 vendor/*")) == {}


def test_a_reader_gives_back_its_file_alone() -> None:
    """The first lines were moved to a.py after b.py was read."""
    corpus = {"a.py": "def moved():\n    return 17\n", "b.py": "print(moved())\n"}
    shown = "1\tdef moved():\n2\t    return 17\n3\tprint(moved())\n"
    assert most(read(corpus, shown, "Read", path="b.py")) == {"b.py": [1]}


ORDER = {"order": "alpha seven", "status": "pending review", "total": 4711}
SHAPES = {
    "orders.jsonl": f"{json.dumps(ORDER)}\n",
    "sample.json": json.dumps({**ORDER, "order": "other", "total": 1}, indent=2) + "\n",
    "deep.py": "if ready:\n    call_alpha()\n    call_beta()\n",
    "flat.py": "call_alpha()\n",
    "table.csv": "alder,17\nbirch,18\n",
    "names.txt": "birch\n",
    "long.txt": "a line that goes on and on\n",
    "short.txt": "a line that goes\n",
}


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param("jq . orders.jsonl", json.dumps(ORDER, indent=2) + "\n", id="jq"),
        pytest.param("sed 's/^ *//' deep.py", "call_alpha()\n", id="indentation"),
        pytest.param("cut -d, -f1 table.csv", "alder\nbirch\n", id="cut"),
        pytest.param("cut -c1-16 long.txt", "a line that goes\n", id="the beginnings of lines"),
        pytest.param("fold -w 16 long.txt", "a line that goes\n on and on\n", id="fold"),
    ],
)
def test_a_file_in_another_shape_is_no_other_file(command: str, shown: str) -> None:
    assert sure(read(SHAPES, shown, command=command)) == {}


def test_lines_in_another_shape_are_reformatted_even_where_another_file_has_them() -> None:
    found = read(SHAPES, json.dumps(ORDER, indent=2) + "\n", command="jq . orders.jsonl")
    assert found.of("orders.jsonl").reformatted == {1}


@pytest.mark.parametrize(
    "command", ["python3 deep.py", "xargs -a table.csv cat", "cat $(cat table.csv)", "./run.sh"]
)
def test_a_file_that_nothing_names_is_known_by_lines_that_no_named_one_can_give(
    command: str,
) -> None:
    whole = SHAPES["sample.json"]
    count = whole.count("\n")
    assert sure(read(SHAPES, whole, command=command)) == {"sample.json": [*range(1, count + 1)]}


@pytest.mark.parametrize(("count", "lines"), [(1, []), (2, [2, 3])])
def test_one_line_is_too_little_evidence_of_a_file_that_nothing_names(
    count: int, lines: list[int]
) -> None:
    corpus = {"run.py": "run()\n", "notes.md": "head\nfirst of the notes\nsecond of them\nend\n"}
    shown = "first of the notes\nsecond of them\n".splitlines(keepends=True)[:count]
    found = read(corpus, "".join(shown), command="python3 run.py")
    assert sure(found).get("notes.md", []) == lines
    assert found.of("notes.md").most, "it may have been"


def test_a_file_told_by_the_end_of_its_path_alone_has_to_agree() -> None:
    shown = "1\tthe same first line\n2\tthe same second line\n3\tof another file\n"
    found = read(TWINS, shown, "Read", root="", path="/x/y/README.md")
    assert sure(found) == {}
    assert found.of("README.md").possible == {1, 2}


def test_every_file_that_a_command_names_is_its_own_evidence() -> None:
    shown = "a line that goes on and on\nbirch\n"
    assert sure(read(SHAPES, shown, command="head -1 long.txt names.txt")) == {
        "long.txt": [1],
        "names.txt": [1],
    }


CUT = {
    "a.md": "alpha of a\nsecond of a\nFee: 100 EUR per month\n\nafter that\n",
    "b.md": "Fee: 100 EUR\n\nother text\n",
}


@pytest.mark.parametrize(
    "mark", ["\n... [12 lines truncated] ...", "\n\n... [12 lines truncated] ..."]
)
def test_half_a_line_before_a_mark_is_no_line_of_another_file(mark: str) -> None:
    found = read(CUT, f"alpha of a\nsecond of a\nFee: 100 EUR{mark}", command="cat a.md")
    assert sure(found) == {"a.md": [1, 2]}
    assert found.of("a.md").partial == {3}


def test_half_a_line_after_a_shared_head_is_no_line_of_another_file() -> None:
    corpus = {"a.md": f"{HEAD}Fee: 100 EUR per month\n", "b.md": f"{HEAD}Fee: 100 EUR\nmore\n"}
    found = read(corpus, f"{HEAD}Fee: 100 EUR", command="head -c 54 a.md")
    assert sure(found) == {"a.md": [1, 2]}
    assert found.of("a.md").partial == {3}


def test_the_only_line_of_an_output_may_be_a_part() -> None:
    corpus = {"big.json": '{"a": "' + "x y z alpha " * 400 + '"}\n'}
    found = read(corpus, corpus["big.json"][:500], command="head -c 500 big.json")
    assert found.of("big.json").partial == {1}


SORTED = {"a.md": "\ndays of notice\nonly once\ndays of notice\n"}


def test_neighbours_in_a_sorted_output_are_no_neighbours() -> None:
    found = read(SORTED, "\ndays of notice\ndays of notice\nonly once\n", command="sort a.md")
    assert {2, 4} <= found.of("a.md").most
    assert 1 not in found.of("a.md").sure


def test_a_line_at_the_edge_of_a_run_may_be_another_commands() -> None:
    corpus = {"a.md": "same terms\nof a\n", "b.md": "head of b\nsame terms\nof b\nmore of b\n"}
    found = read(corpus, "same terms\nof b\nmore of b\n", command="sed 1q a.md; sed -n 3,4p b.md")
    assert most(found)["a.md"] == [1]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(
            "shall rate\nlong line\nlaw\n\n",
            "... [12 lines truncated] ...\n   4\t\n    ",
            id="after",
        ),
        pytest.param(
            "shall\npayment\n\n\n\nlast\n", "\n  5\t\n... [12 lines truncated] ...", id="before"
        ),
    ],
)
def test_a_numbered_blank_line_beside_a_mark_is_no_blank_of_the_mark(text: str, shown: str) -> None:
    found = read({"a.md": text}, shown, "Read", path="a.md")
    assert found.of("a.md").most, "its number says where it stands"


def test_short_lines_without_a_place_are_counted() -> None:
    corpus = {"a.md": "only of a\n}\nmore of a\n", "b.md": "}\nonly of b\n"}
    found = read(corpus, "}\n== noise ==\nonly of a\n", command="sed 2p x; echo; sed 1p y")
    assert (found.short, sure(found)) == (1, {"a.md": [1]})


def test_a_whole_line_glued_to_a_mark_may_have_been_longer() -> None:
    corpus = {"a.md": "the first line\nand the second\nthe third line\n"}
    shown = "1\tthe first line…9 tokens truncated…econd\n3\tthe third line\n"
    found = read(corpus, shown, "Read", path="a.md")
    assert found.of("a.md").sure == {3}
    assert found.of("a.md").possible == {1}
