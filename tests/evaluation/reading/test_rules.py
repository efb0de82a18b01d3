"""Where a line stands, where it could stand in several ways: each rule by an example."""

from __future__ import annotations

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
from evaluation.reading.results import place_text
from generators.lines import CorpusIndex

TOOLS = {
    "Read": ToolOutput(path_argument="path", number=re.compile(r" *(?P<n>\d+)[\t→]")),
    "Bare": ToolOutput(path_argument="path"),
    "Shell": ToolOutput(),
    "Json": ToolOutput(escaped=re.compile(r'"output"\s*:\s*"(?P<text>(?:[^"\\]|\\.)*)')),
}
TEXTS = {
    "a.md": "first of a\nshared rule\nthird of a is long\nshared rule\nfifth of a\n\nsixth of a\n",
    "b.md": "shared rule\nsecond of b\nthird of a\n",
    "c.md": "12:shared rule\nsecond of c\n4:shared rule\n",
    "dump.md": "a.md:2:shared rule\na.md:4:shared rule\n",
}
INDEX = CorpusIndex.of(TEXTS)
Lines = Mapping[str, list[int]]


def read(
    shown: str, tool: str = "Shell", index: CorpusIndex = INDEX, **arguments: JsonValue
) -> ThreadReading:
    """The same by blocks and line by line."""
    text = ContextText(MAIN, 1, "t1", tool, arguments, shown)
    log = ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1))
    readings = [
        measure(log, TOOLS, index, by_blocks=by_blocks).threads[MAIN] for by_blocks in (True, False)
    ]
    assert readings[0] == readings[1]
    return readings[0]


def sure(reading: ThreadReading) -> Lines:
    return {path: sorted(file.sure) for path, file in reading.files.items() if file.sure}


def possible(reading: ThreadReading) -> Lines:
    return {path: sorted(file.possible) for path, file in reading.files.items() if file.possible}


def partial(reading: ThreadReading) -> Lines:
    return {path: sorted(file.partial) for path, file in reading.files.items() if file.partial}


def test_the_last_line_of_an_output_may_be_the_start_of_a_longer_line() -> None:
    """`head -c 33 a.md`: the third line of b is how the third line of a begins."""
    found = read("first of a\nshared rule\nthird of a", command="head -c 33 x")
    assert sure(found) == {"a.md": [1, 2]}
    assert possible(found) == {"b.md": [3]}
    assert partial(found) == {"a.md": [3]}


def test_the_first_line_of_an_output_may_be_the_end_of_a_longer_line() -> None:
    texts = {"a": "and the end\nthe line after\n", "b": "the end\n"}
    index = CorpusIndex.of(texts)
    found = read("the end\nthe line after\n", index=index)
    assert sure(found) == {"a": [2]}
    assert possible(found) == {"b": [1]}
    assert partial(found) == {"a": [1]}


@pytest.mark.parametrize(
    "mark",
    [
        pytest.param("…12 tokens truncated…", id="inside of a line"),
        pytest.param("\n[... omitted 3 lines ...]\n", id="on a line of its own"),
        pytest.param("\n\n... [1,234 characters omitted] ...\n\n", id="between blank lines"),
    ],
)
def test_what_was_left_out_of_the_middle_is_not_entered(mark: str) -> None:
    found = read(f"first of a\nshared rule\nthird of{mark}h of a\n\nsixth of a\n")
    assert sure(found) == {"a.md": [1, 2, 7]}
    assert possible(found)["a.md"] == [6], "a blank line at the edge may be the tool's"
    assert partial(found)["a.md"][0] == 3


def test_a_line_glued_to_a_mark_is_whole_only_where_its_neighbour_says_so() -> None:
    found = read("first of a\nshared rule…9 tokens truncated…shared rule\nsecond of c\n")
    assert sure(found) == {"a.md": [1, 2], "c.md": [2]}
    assert possible(found) == {"a.md": [4], "b.md": [1]}


def test_a_part_of_a_line_never_stands_for_its_whole_elsewhere() -> None:
    """`second of b` may go on before the mark, so it is no evidence that b was shown."""
    found = read("…9 tokens truncated…second of b\n")
    assert sure(found) == {}
    assert possible(found) == {"b.md": [2]}


def test_a_part_of_a_line_is_no_line_of_the_file_that_the_call_named() -> None:
    found = read("…9 tokens truncated…second of b\n", command="cat b.md")
    assert sure(found) == {}
    assert possible(found) == {"b.md": [2]}


def test_a_line_that_looks_numbered_beside_its_own_neighbours_is_itself() -> None:
    assert sure(read("12:shared rule\nsecond of c\n", command="cat c.md")) == {"c.md": [1, 2]}


def test_a_line_that_can_be_read_in_two_ways_is_ambiguous() -> None:
    """The third line of c, or the fourth of a with its number."""
    found = read("4:shared rule\n", command="grep -n rule a.md")
    assert sure(found) == {}
    assert possible(found) == {"a.md": [2, 4], "b.md": [1], "c.md": [3]}
    assert found.ambiguous == 1


def test_a_line_that_can_be_read_in_two_ways_is_read_as_its_neighbours_are() -> None:
    found = read("3:third of a is long\n4:shared rule\n", command="grep -n . a.md")
    assert sure(found) == {"a.md": [3, 4]}


def test_a_path_in_a_line_is_no_path_where_the_call_named_another_file() -> None:
    found = read("a.md:2:shared rule\na.md:4:shared rule\n", command="cat dump.md")
    assert sure(found) == {"dump.md": [1, 2]}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("cat -n a.md", [2], id="the file's own count"),
        pytest.param("cat -n a.md | sed -n 2p", [2], id="through sed"),
        pytest.param("tail -n 4 a.md | cat -n", [], id="the output's count"),
        pytest.param("cat -n <(tail a.md)", [], id="of a part of the file"),
        pytest.param("nl a.md", [], id="without blank lines"),
    ],
)
def test_a_number_decides_where_it_can_only_be_the_files(command: str, expected: list[int]) -> None:
    found = read("     2\tshared rule\n", command=command)
    assert sure(found).get("a.md", []) == expected
    assert possible(found).get("a.md", []) == ([] if expected else [2, 4])


def test_numbers_of_an_output_stand_or_fall_together() -> None:
    """`tail -n 5 a.md | nl`: the second line happens to fit its number, the first does not."""
    found = read("     1\tthird of a is long\n     2\tshared rule\n", command="x a.md")
    assert sure(found) == {"a.md": [3, 4]}


def test_short_lines_alone_do_not_hold_their_numbers() -> None:
    found = read("     6\t\n", command="cat -n a.md")
    assert sure(found) == {}
    assert possible(found) == {"a.md": [6]}


def test_a_short_line_is_not_held_by_numbers_of_another_command() -> None:
    found = read("6-\n3:third of a is long\n", command="grep -n x a.md; grep -n y a.md")
    assert sure(found) == {"a.md": [3]}
    assert possible(found) == {"a.md": [6]}


def test_there_is_no_line_0() -> None:
    index = CorpusIndex.of({"a.md": "same words\na title\nsame words\n"})
    found = read("a.md:0:same words\n", index=index, command="grep -rn same")
    assert sure(found) == {}
    assert possible(found) == {"a.md": [1, 3]}


def test_the_blank_line_above_a_banner_is_the_commands_own() -> None:
    texts = {"a.md": "one line here\n\ntwo lines here\n", "b.md": "one more here\n"}
    index = CorpusIndex.of(texts)
    output = "==> a.md <==\none line here\n\n==> b.md <==\none more here\n"
    found = read(output, index=index, command="head -n 1 *")
    assert sure(found) == {"a.md": [1], "b.md": [1]}
    assert possible(found) == {}


@pytest.mark.parametrize(
    ("following", "expected", "ambiguous"),
    [
        pytest.param("13\tx thirteen\n", [13], 1, id="the end of 12"),
        pytest.param("3\tx three\n", [2, 3], 0, id="2 itself"),
        pytest.param("14\tx fourteen\n", [2, 14], 0, id="not the end of 13"),
    ],
)
def test_a_number_may_have_lost_its_first_digits(
    following: str, expected: list[int], ambiguous: int
) -> None:
    words = {3: "x three", 13: "x thirteen", 14: "x fourteen"}
    lines = "".join(f"{words.get(number, 'same words')}\n" for number in range(1, 15))
    shown = f"1\tsame words\n[... omitted ...]\n2\tsame words\n{following}"
    found = read(shown, "Read", CorpusIndex.of({"a.md": lines}), path="a.md")
    assert sure(found) == {"a.md": [1, *expected]}
    assert found.ambiguous == ambiguous


@pytest.mark.parametrize(
    ("shown", "expected", "may_be"),
    [
        pytest.param("2\tsame words\n", [1], [2, 12], id="a line of several"),
        pytest.param("3\tx three\n", [1, 3], [], id="one alone has that number and text"),
        pytest.param("4\t\n", [1], [4], id="a blank line"),
        pytest.param("4\t\n5\tsame words\n", [1, 4, 5], [], id="with another after it"),
    ],
)
def test_a_number_alone_after_a_mark_may_have_lost_its_first_digits(
    shown: str, expected: list[int], may_be: list[int]
) -> None:
    words = {3: "x three", 4: ""}
    lines = "".join(f"{words.get(number, 'same words')}\n" for number in range(1, 13))
    index = CorpusIndex.of({"a.md": lines})
    found = read(f"1\tsame words\n[... omitted ...]\n{shown}", "Read", index, path="a.md")
    assert sure(found) == {"a.md": expected}
    assert possible(found) == ({"a.md": may_be} if may_be else {})


def test_blank_lines_around_a_mark_are_the_tools() -> None:
    index = CorpusIndex.of({"a.md": "same words\nsame words\n\nsame words\n"})
    shown = "same words\n\n\n... [9 characters omitted] ...\n\nsame words\n"
    found = read(shown, "Bare", index, path="a.md")
    assert sure(found) == {}
    assert possible(found) == {"a.md": [1, 2, 4]}


def test_a_path_printed_with_a_number_holds_for_a_blank_line_too() -> None:
    assert sure(read("a.md:6:\n", command="grep -rn '^$'")) == {"a.md": [6]}


def test_a_clipped_line_of_a_search_is_partial() -> None:
    assert partial(read("a.md:3:third of a is lo", command="grep -rn th")) == {"a.md": [3]}


@pytest.mark.parametrize("end", ["", "\\", "\\u20", "…3 tokens truncated…"])
def test_text_inside_of_json_is_read_up_to_where_it_was_cut(end: str) -> None:
    found = read('{"output": "first of a\\nshared rule\\nthird o' + end, "Json")
    assert sure(found) == {"a.md": [1, 2]}


def test_a_reader_prints_no_other_commands_forms() -> None:
    """A file that is not in the corpus holds what looks like a search."""
    found = read("a.md:3:third of a is long\n", "Bare", path="/x/other.md")
    assert sure(found) == possible(found) == {}


def test_a_line_of_the_corpus_that_looks_like_a_banner_is_itself() -> None:
    texts = {"a.md": "one line here\n\n==> x <==\n", "b.md": "one more here\n"}
    index = CorpusIndex.of(texts)
    assert sure(read(texts["a.md"], index=index, command="cat a.md")) == {"a.md": [1, 2, 3]}


def test_a_run_of_equal_lines_is_found_wherever_it_stands() -> None:
    text = "same words\n" * 400
    index = CorpusIndex.of({"a.md": text + "the last one\n" + text, "b.md": text})
    found = read("same words\n" * 399, "Bare", index, path="a.md")
    assert found.of("a.md").possible == {*range(1, 401), *range(402, 802)}
    assert (found.of("b.md").possible, found.ambiguous) == (frozenset(), 399)


def test_three_dots_alone_are_no_mark_of_text_left_out() -> None:
    texts = {"a.md": "first of a\n\nsecond of a\nlast of a\n"}
    index = CorpusIndex.of(texts)
    dots = "...\n" * 2000
    found = read(f"{dots}first of a\n\n...\nsecond of a\n{dots}", index=index, command="cat $F")
    assert sure(found) == {"a.md": [1, 3]}
    found = read(f"{dots}first of a\n...[9 lines omitted]...\nlast of a\n{dots}", index=index)
    assert not sure(found)


def test_lines_shown_again_and_again_are_counted_each_time_and_kept_once() -> None:
    """`grep -n` with numbers that do not fit: each may be any line of the file with its text."""
    index = CorpusIndex.of({"a.md": "same rule\nother line of a\n" * 40})
    shown = "".join(f"{90 - n % 9}:same rule\n" for n in range(900))
    text = ContextText(MAIN, 1, "t1", "Shell", {"command": "grep -n rule a.md"}, shown)
    placement = place_text(text, TOOLS["Shell"], index)
    assert placement.ambiguous == 900
    assert len(placement.possible) < 900
    found = read(shown, index=index, command="grep -n rule a.md")
    assert found.ambiguous == found.copies["same rule"] == 900
    assert found.of("a.md").copies == {"same rule": 900}
    assert possible(found) == {"a.md": list(range(1, 80, 2))}
