from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from evaluation.agents.fixed.tools import MOST_CHARACTERS, CorpusTools, ToolError


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus beside a secret, with links that lead out of it and to things that are no files."""
    (tmp_path / "secret.txt").write_text("secret\n")
    root = tmp_path / "corpus"
    (root / "sub").mkdir(parents=True)
    (root / "a.md").write_text("# Title\n\nThe first\u2028line\fis one.\r\nLast, without an end")
    (root / "sub" / "b.md").write_text("alpha\nThe BETA\n")
    (root / "empty.md").write_text("")
    (root / "long.md").write_text("".join(f"line {n}\n" for n in range(1, 2502)))
    (root / "wide.md").write_text("x" * (MOST_CHARACTERS + 5) + "\nnext\n")
    (root / "utf16.md").write_bytes("text\n".encode("utf-16"))
    (root / "out.md").symlink_to(tmp_path / "secret.txt")
    (root / "up").symlink_to(tmp_path)
    (root / "inner.md").symlink_to("sub/b.md")
    os.mkfifo(root / "fifo.md")
    return root


def call(corpus: Path, name: str, **arguments: object) -> str:
    return CorpusTools(corpus).call(name, json.dumps(arguments))


def test_every_regular_file_is_listed_once_in_order(corpus: Path) -> None:
    assert call(corpus, "list_files") == "\n".join(
        ("a.md", "empty.md", "long.md", "sub/b.md", "utf16.md", "wide.md")
    )
    assert call(corpus, "list_files", path="sub") == "sub/b.md"


def test_a_line_ends_with_lf_alone_and_comes_with_its_number(corpus: Path) -> None:
    assert call(corpus, "read_file", path="a.md") == (
        "1\t# Title\n2\t\n3\tThe first\u2028line\fis one.\r\n4\tLast, without an end"
    )


@pytest.mark.parametrize(
    ("arguments", "first", "last", "note"),
    [
        ({}, 1, 2000, "[lines 1 to 2000 of 2501; more follow from offset 2001]"),
        ({"offset": 2001}, 2001, 2501, ""),
        ({"offset": 7, "limit": 2}, 7, 8, "[lines 7 to 8 of 2501; more follow from offset 9]"),
        ({"limit": 9999}, 1, 2000, "[lines 1 to 2000 of 2501; more follow from offset 2001]"),
        ({"offset": "2500", "limit": "5"}, 2500, 2501, ""),
    ],
)
def test_a_read_gives_the_lines_asked_for_and_says_when_more_follow(
    arguments: dict[str, object], first: int, last: int, note: str, corpus: Path
) -> None:
    expected = [f"{n}\tline {n}" for n in range(first, last + 1)]
    shown = call(corpus, "read_file", path="long.md", **arguments).split("\n")
    assert shown == expected + ([note] if note else [])


def test_a_line_too_long_for_a_result_is_cut_and_said_to_be(corpus: Path) -> None:
    first, note = call(corpus, "read_file", path="wide.md").split("\n")
    assert first.endswith("x [the line is cut here]")
    assert note == "[lines 1 to 1 of 2; more follow from offset 2]"


def test_a_file_without_lines_and_an_offset_beyond_the_end_are_told(corpus: Path) -> None:
    assert call(corpus, "read_file", path="empty.md") == "[the file is empty]"
    assert call(corpus, "read_file", path="a.md", offset=5) == "[the file has 4 lines]"


def test_a_search_is_literal_and_gives_path_line_and_text(corpus: Path) -> None:
    assert call(corpus, "search", pattern="the") == (
        "a.md:3:The first\u2028line\fis one.\r\nsub/b.md:2:The BETA"
    )
    assert call(corpus, "search", pattern="beta", path="sub") == "sub/b.md:2:The BETA"
    assert call(corpus, "search", pattern="(a+)+$") == "[no line matches]"


def test_a_search_with_many_hits_says_that_there_are_more(corpus: Path) -> None:
    shown = call(corpus, "search", pattern="line", path="long.md").split("\n")
    assert len(shown) == 201
    assert shown[-1] == "[more lines match; the first 200 are shown]"


@pytest.mark.parametrize("name", ["read_file", "list_files", "search"])
@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "..",
        "sub/../../secret.txt",
        "sub/../a.md",
        "/etc/passwd",
        "//etc/passwd",
        "/home/dev/review/../secret.txt",
        "/home/dev/reviewer",
        "out.md",
        "up",
        "up/secret.txt",
        "fifo.md",
        "/proc/self/environ",
        "a.md\0",
        "no such file",
        "a.md/x",
        "~/x",
        "x" * 5000,
    ],
)
def test_no_path_leads_out_of_the_corpus(path: str, name: str, corpus: Path) -> None:
    extra = {"pattern": "secret"} if name == "search" else {}
    with pytest.raises(ToolError):
        call(corpus, name, path=path, **extra)


@pytest.mark.parametrize("path", ["a.md", "./a.md", "/home/dev/review/a.md"])
def test_a_path_may_be_written_in_more_than_one_way(path: str, corpus: Path) -> None:
    assert call(corpus, "read_file", path=path, limit=1).startswith("1\t# Title\n")


def test_a_link_that_stays_inside_can_be_read(corpus: Path) -> None:
    assert call(corpus, "read_file", path="inner.md") == "1\talpha\n2\tThe BETA"


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        pytest.param("read_file", "{", "not valid JSON", id="torn"),
        pytest.param("read_file", "", "path: Field required", id="none"),
        pytest.param("read_file", "[]", "arguments: Input should be", id="a list"),
        pytest.param("read_file", "null", "arguments: Input should be", id="null"),
        pytest.param("read_file", '{"path": 5}', "path: Input should be", id="wrong type"),
        pytest.param("read_file", '{"file": "a.md"}', "path: Field required", id="wrong name"),
        pytest.param(
            "read_file", '{"path": "a.md", "x": 1}', "x: Extra inputs", id="unknown argument"
        ),
        pytest.param("read_file", '{"path": "a.md", "offset": 0}', "offset: ", id="offset 0"),
        pytest.param("read_file", '{"path": "a.md", "offset": -1}', "offset: ", id="negative"),
        pytest.param("read_file", '{"path": "a.md", "limit": 1.5}', "limit: ", id="fraction"),
        pytest.param("read_file", '{"path":' + "[" * 30000, "not valid JSON", id="deep"),
        pytest.param("read_file", '{"path": "' + "x" * 70000, "too long", id="huge"),
        pytest.param("read_file", '{"path": "\ud800"}', "not valid JSON", id="half a character"),
        pytest.param("read_file", '{"path": "sub"}', "a folder, not a file", id="a folder"),
        pytest.param("read_file", '{"path": "utf16.md"}', "cannot be read", id="no text"),
        pytest.param("list_files", '{"path": "a.md"}', "a file, not a folder", id="a file"),
        pytest.param("search", '{"pattern": ""}', "pattern: String should", id="empty pattern"),
        pytest.param("bash", "{}", "there is no tool 'bash'", id="another tool"),
        pytest.param("", "{}", "there is no tool ''", id="no tool"),
        pytest.param("_read_file", "{}", "there is no tool", id="an attribute"),
    ],
)
def test_a_wrong_call_tells_the_model_what_is_wrong(
    name: str, arguments: str, message: str, corpus: Path
) -> None:
    with pytest.raises(ToolError, match=message):
        CorpusTools(corpus).call(name, arguments)
