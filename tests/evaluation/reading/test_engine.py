"""What the engine credits, by the rules for lines that entered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from evaluation.reading.context import (
    MAIN,
    ContextLog,
    ContextText,
    FinalResponse,
    Thread,
    ToolOutput,
    ToolTable,
)
from evaluation.reading.engine import Reading, measure
from generators.lines import CorpusIndex

TOOLS: ToolTable = {
    "Read": ToolOutput(path_argument="path", number=re.compile(r" *(?P<n>\d+)[\t→]")),
    "Bare": ToolOutput(path_argument="path"),
    "Agent": ToolOutput(credit="none"),
    "Shell": ToolOutput(),
}

TEXTS = {
    "docs/a.md": "alpha one\n\ncommon line\nalpha four\nalpha five\n",
    "docs/b.md": "beta one\n\ncommon line\nbeta four\nend\n",
    "c.txt": "7\tstarts with a number\n12:looks like grep\nsame\nmiddle\nsame\n",
}
INDEX = CorpusIndex.of(TEXTS)


def text(
    shown: str, tool: str = "Shell", call: int = 2, thread: str = MAIN, **arguments: JsonValue
) -> ContextText:
    return ContextText(thread, call, f"t{call}", tool, arguments, shown, visible=True)


def read(*texts: ContextText, final_call: int = 9) -> Reading:
    names = {MAIN: "main"} | {t.thread: "subagent" for t in texts if t.thread != MAIN}
    threads = tuple(
        Thread(name, "main" if kind == "main" else "subagent") for name, kind in names.items()
    )
    return measure(ContextLog(threads, texts, FinalResponse("done", final_call)), TOOLS, INDEX)


def sure(reading: Reading, thread: str = MAIN) -> dict[str, list[int]]:
    return {
        path: sorted(file.sure) for path, file in reading.threads[thread].files.items() if file.sure
    }


@pytest.mark.parametrize(
    ("shown", "tool", "arguments", "expected"),
    [
        pytest.param(
            "1\talpha one\n2\t\n3\tcommon line\n4\talpha four\n5\talpha five\n6\t",
            "Read",
            {"path": "/home/dev/review/docs/a.md"},
            {"docs/a.md": [1, 2, 3, 4, 5]},
            id="whole-numbered-read-with-phantom-last-line",
        ),
        pytest.param(
            "     3→common line\n     4→beta four",
            "Read",
            {"path": "docs/b.md"},
            {"docs/b.md": [3, 4]},
            id="a-range-with-arrows",
        ),
        pytest.param(
            "3\tcommon line",
            "Read",
            {"path": "docs/b.md"},
            {"docs/b.md": [3]},
            id="a-repeated-line-has-its-place-by-path-and-number",
        ),
        pytest.param(
            "alpha one\n\ncommon line\n",
            "Shell",
            {"command": "head -3 docs/a.md"},
            {"docs/a.md": [1, 2, 3]},
            id="bare-text-by-its-unique-line",
        ),
        pytest.param(
            "alpha one\n\ncommon line\nalpha four\nalpha five\nbeta one\n\ncommon line\n",
            "Shell",
            {"command": "cat docs/*"},
            {"docs/a.md": [1, 2, 3, 4, 5], "docs/b.md": [1, 2, 3]},
            id="two-files-in-one-output",
        ),
        pytest.param(
            "alpha one\r\n\x1b[31mbeta one\x1b[0m\r\n",
            "Shell",
            {},
            {"docs/a.md": [1], "docs/b.md": [1]},
            id="carriage-returns-and-colour",
        ),
        pytest.param(
            "docs/b.md:4:beta four\ndocs/b.md-5-end",
            "Shell",
            {"command": "grep"},
            {"docs/b.md": [4, 5]},
            id="grep-with-path-and-number",
        ),
        pytest.param(
            "     4\talpha four",
            "Shell",
            {"command": "cat -n docs/a.md"},
            {"docs/a.md": [4]},
            id="cat-n-through-a-shell",
        ),
        pytest.param(
            "7\tstarts with a number\n12:looks like grep",
            "Shell",
            {},
            {"c.txt": [1, 2]},
            id="text-that-looks-numbered-is-itself",
        ),
        pytest.param(
            "7\tstarts with a number",
            "Bare",
            {"path": "c.txt"},
            {"c.txt": [1]},
            id="bare-tool-adds-nothing",
        ),
        pytest.param(
            "common line",
            "Bare",
            {"path": "docs/b.md"},
            {"docs/b.md": [3]},
            id="repeated-line-by-the-named-file",
        ),
        pytest.param(
            "4\talpha fou", "Read", {"path": "docs/a.md"}, {}, id="a-clipped-line-is-not-entered"
        ),
        pytest.param("File does not exist.", "Read", {"path": "docs/a.md"}, {}, id="an-error"),
        pytest.param(
            "alpha one\n", "Agent", {"prompt": "read docs/a.md"}, {}, id="text-that-a-model-wrote"
        ),
        pytest.param(
            "docs/a.md\ndocs/b.md\n",
            "Shell",
            {"command": "ls docs"},
            {},
            id="a-mention-is-no-reading",
        ),
        pytest.param("alpha four and more\n", "Shell", {}, {}, id="a-longer-line-is-another"),
    ],
)
def test_credit(
    shown: str, tool: str, arguments: Mapping[str, JsonValue], expected: dict[str, list[int]]
) -> None:
    one = ContextText(MAIN, 2, "t", tool, arguments, shown, visible=True)
    assert sure(read(one)) == expected


def test_a_blank_line_with_a_number_of_another_count_has_no_place() -> None:
    """`tail -n 3 docs/a.md | cat -n`: 2 counts the output, and line 2 happens to be blank."""
    shown = "     1\talpha four\n     2\t\n     3\talpha five"
    assert sure(read(text(shown, command="tail docs/a.md | cat -n"))) == {"docs/a.md": [4, 5]}


def test_a_blank_line_beside_lines_that_fit_their_numbers_has_its_place() -> None:
    shown = "     1\talpha one\n     2\t\n     3\tcommon line"
    assert sure(read(text(shown, command="cat -n docs/a.md"))) == {"docs/a.md": [1, 2, 3]}


def test_a_blank_line_read_alone_by_its_number_entered() -> None:
    assert sure(read(text("2\t", "Read", path="docs/a.md"))) == {"docs/a.md": [2]}


def test_a_line_that_may_be_of_two_files_counts_at_the_upper_end_only() -> None:
    reading = read(text("common line"))
    main = reading.threads[MAIN]
    assert sure(reading) == {}
    assert main.of("docs/a.md").possible == {3}
    assert main.of("docs/b.md").possible == {3}
    assert main.ambiguous == 1


def test_a_line_that_stands_twice_in_the_named_file_is_ambiguous_within_it() -> None:
    main = read(text("same", "Bare", path="c.txt")).threads[MAIN]
    assert main.of("c.txt").sure == frozenset()
    assert main.of("c.txt").possible == {3, 5}
    assert main.ambiguous == 1


def test_a_line_between_two_runs_that_fits_both_is_ambiguous() -> None:
    index = CorpusIndex.of(
        {"a": "first of a\nshared rule\nrest of a\n", "b": "shared rule\nsecond of b\n"}
    )
    log = ContextLog(
        (Thread(MAIN, "main"),),
        (text("first of a\nshared rule\nsecond of b"),),
        FinalResponse("done", 9),
    )
    main = measure(log, TOOLS, index).threads[MAIN]
    assert main.of("a").sure == {1}
    assert main.of("b").sure == {2}
    assert main.of("a").possible == {2}
    assert main.of("b").possible == {1}
    assert main.ambiguous == 1


def test_a_clipped_line_is_partial() -> None:
    main = read(text("4\talpha fou", "Read", path="docs/a.md")).threads[MAIN]
    assert main.of("docs/a.md").partial == {4}


def test_an_empty_last_line_with_a_number_is_no_blank_line_of_the_file() -> None:
    assert sure(read(text("6\t", "Read", path="docs/a.md"))) == {}


def test_blank_lines_alone_touch_nothing() -> None:
    assert read(text("\n\n")).threads[MAIN].files == {}


def test_reading_after_the_answer_does_not_count() -> None:
    assert sure(read(text("alpha one", call=5), final_call=4)) == {}


def test_each_thread_has_its_own_reading_and_the_union_all() -> None:
    reading = read(text("alpha one"), text("beta one", thread="sub"))
    assert sure(reading) == {"docs/a.md": [1]}
    assert sure(reading, "sub") == {"docs/b.md": [1]}
    assert sorted(reading.union.files) == ["docs/a.md", "docs/b.md"]


def test_what_left_the_context_entered_but_is_not_visible() -> None:
    gone = ContextText(MAIN, 2, "t", "Shell", {}, "alpha one", visible=False)
    file = read(gone, text("alpha four")).threads[MAIN].of("docs/a.md")
    assert file.sure == {1, 4}
    assert file.visible == {4}


WORDS = st.sampled_from(["", "  ", "}", "shared clause", "another shared clause"])


@given(data=st.data())
def test_the_interval_contains_the_truth_for_any_ranges_of_any_corpus(data: st.DataObject) -> None:
    """Whole corpora of shared and unique lines; ranges shown bare, one file a call."""
    files = data.draw(st.integers(1, 3))
    texts: dict[str, str] = {}
    for file in range(files):
        shared = data.draw(st.lists(WORDS, min_size=1, max_size=12))
        lines = [
            word if data.draw(st.booleans()) else f"unique {file} {number}"
            for number, word in enumerate(shared)
        ]
        texts[f"f{file}.txt"] = "".join(f"{line}\n" for line in lines)
    index = CorpusIndex.of(texts)
    truth: dict[str, set[int]] = {path: set() for path in texts}
    shown: list[ContextText] = []
    all_decided = True
    for call in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(sorted(texts)))
        count = len(index.files[path])
        first = data.draw(st.integers(1, count))
        last = data.draw(st.integers(first, count))
        part = index.files[path][first - 1 : last]
        truth[path] |= set(range(first, last + 1))
        all_decided &= any(index.is_unique(line) for line in part)
        named = data.draw(st.booleans())
        arguments: dict[str, JsonValue] = {"path": path} if named else {}
        tool = "Bare" if named else "Shell"
        shown.append(text("".join(f"{line}\n" for line in part), tool, call + 1, MAIN, **arguments))
    log = ContextLog((Thread(MAIN, "main"),), tuple(shown), FinalResponse("done", 99))
    main = measure(log, TOOLS, index).threads[MAIN]
    for path, entered in truth.items():
        found = main.of(path)
        weighty = {n for n in entered if index.files[path][n - 1].strip("} ")}
        assert found.sure <= entered
        assert weighty <= found.sure | found.possible
        if all_decided:
            assert found.sure == entered


def test_what_stood_in_a_doubtful_input_counts_at_the_upper_end_only() -> None:
    reading = read(replace(text("alpha one"), doubtful=True), text("beta one"))
    doubted, sure_file = reading.union.of("docs/a.md"), reading.union.of("docs/b.md")
    assert not doubted.sure | doubted.visible
    assert doubted.possible == doubted.visible_possible == {1}
    assert sure_file.sure == {1}


def test_what_a_fork_copied_from_its_parent_is_no_reading_of_its_own() -> None:
    copied = replace(text("alpha one\nbeta one", thread="fork"), inherited=True)
    reading = read(text("alpha one"), copied, text("beta one", thread="fork"))
    fork = reading.threads["fork"]
    assert sure(reading, "fork") == {"docs/b.md": [1]}
    assert fork.of("docs/a.md").inherited == {1}
    assert not fork.of("docs/b.md").inherited, "it read that itself"
    assert not any(file.inherited for file in reading.union.files.values())


def test_what_was_inherited_alone_adds_nothing_to_the_union() -> None:
    reading = read(replace(text("alpha one", thread="fork"), inherited=True))
    assert reading.threads["fork"].of("docs/a.md").inherited == {1}
    assert reading.union.files == {}


def test_a_line_of_two_places_is_possible_at_both_and_counted_once() -> None:
    main = read(text("common line"), text("alpha one")).threads[MAIN]
    assert main.of("docs/a.md").most == {1, 3}
    assert main.of("docs/b.md").most == {3}
    assert main.ambiguous == 1
