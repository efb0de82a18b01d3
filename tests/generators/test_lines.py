from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from generators.lines import CorpusIndex, LinePlace, is_weighty, normal_form, split_lines

TEXTS = {
    "nothing": ("", []),
    "one line": ("a\n", ["a"]),
    "no final LF": ("a\nb", ["a", "b"]),
    "blank lines": ("\n\n", ["", ""]),
    "CRLF": ("a\r\nb\r\n", ["a\r", "b\r"]),
    "lone CR": ("a\rb\n", ["a\rb"]),
    "line separator U+2028": ("a\u2028b\n", ["a\u2028b"]),
    "paragraph separator U+2029": ("a\u2029b\n", ["a\u2029b"]),
    "next line U+0085": ("a\u0085b\n", ["a\u0085b"]),
    "form feed": ("a\x0cb\n", ["a\x0cb"]),
    "vertical tab": ("a\x0bb\n", ["a\x0bb"]),
    "file and group separators": ("a\x1cb\x1dc\n", ["a\x1cb\x1dc"]),
}


@pytest.mark.parametrize(("text", "lines"), TEXTS.values(), ids=TEXTS)
def test_only_a_line_feed_ends_a_line(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize("text", [text for text, _ in TEXTS.values()], ids=TEXTS)
def test_lines_are_counted_as_wc_counts_them(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(text.encode())
    counted = int(
        subprocess.run(["wc", "-l", path], capture_output=True, check=True).stdout.split()[0]
    )
    unended = bool(text) and not text.endswith("\n")
    assert len(split_lines(text)) == counted + unended


NORMAL_FORMS = {
    "plain": ("  a b", "  a b"),
    "trailing space": ("a \t ", "a"),
    "CR of CRLF": ("a\r", "a"),
    "tab": ("a\tb", "a       b"),
    "tab at a stop": ("12345678\tb", "12345678        b"),
    "BOM": ("\ufeffa", "a"),
    "colour": ("\x1b[31mred\x1b[0m", "red"),
    "colour at the end": ("a \x1b[0m", "a"),
    "title": ("\x1b]0;title\x07a", "a"),
    "link": ("\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\", "a"),
    "blank": (" \t\r", ""),
}


@pytest.mark.parametrize(("line", "normal"), NORMAL_FORMS.values(), ids=NORMAL_FORMS)
def test_lines_that_look_alike_are_equal(line: str, normal: str) -> None:
    assert normal_form(line) == normal


@pytest.mark.parametrize(
    ("line", "weighty"),
    [("abcd", True), ("a-b-c-1", True), ("abc", False), ("----- ----", False), ("é ü ß 4", True)],
)
def test_four_letters_or_digits_can_touch_a_file(line: str, weighty: bool) -> None:
    assert is_weighty(line) is weighty


def test_the_index_knows_every_place_of_a_line() -> None:
    index = CorpusIndex.of({"b": "same\nlone line\n", "a": "x\nsame \r\n"})
    assert index.places["same"] == (LinePlace("a", 2), LinePlace("b", 1))
    assert index.is_unique("lone line")
    assert not index.is_unique("same")
    assert not index.is_unique("x")
    assert index.line("a", 2) == "same"
    assert index.line("a", 3) is None
    assert index.line("a", 0) is None


def test_the_index_knows_the_places_of_a_line_in_one_file() -> None:
    index = CorpusIndex.of({"b": "same\nother\nsame\n", "a": "same\n", "c": "same\n"})
    assert index.lines_in("b", "same") == [1, 3]
    assert index.lines_in("b", "none") == []
    assert index.lines_in("d", "same") == []


def test_what_is_derived_from_an_index_is_made_once() -> None:
    made: list[int] = []

    def count(index: CorpusIndex) -> int:
        made.append(len(index.files))
        return made[-1]

    index = CorpusIndex.of({"a": "x\n"})
    assert [index.kept(count), index.kept(count)] == [1, 1]
    assert made == [1]


def test_an_index_of_normal_forms_alone_has_texts_too() -> None:
    assert CorpusIndex({"a": ("one", "two")}).text("a") == "one\ntwo\n"
    assert CorpusIndex.of({"a": "one\r\ntwo"}).text("a") == "one\r\ntwo"
