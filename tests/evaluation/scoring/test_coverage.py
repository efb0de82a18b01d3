"""Coverage figures and the three rules, on readings whose numbers are counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.reading.context import MAIN, ContextLog, Thread
from evaluation.reading.engine import FileReading, Reading, ThreadReading
from evaluation.scoring.coverage import FileScope, covered, ranges, run_coverage
from evaluation.scoring.score import Rule
from generators.lines import CorpusIndex

LONG = [f"long line {number}" for number in range(1, 21)]
INDEX = CorpusIndex.of(
    {
        "long.md": "".join(f"{line}\n" for line in LONG),
        "short.md": "title line\n\nbody line\n",
        "empty.md": "",
        "dashes.md": "--\n--\n",
        "playbook.md": "the rule\n",
    }
)
ONE = FileScope(("long.md",), ())
LOG = ContextLog((Thread(MAIN, "main"),), (), None, tells_visibility=True)


def one(*lines: int, possible: tuple[int, ...] = (), ambiguous: int = 0) -> ThreadReading:
    reading = FileReading(sure=frozenset(lines), possible=frozenset(possible))
    return thread({"long.md": reading}, ambiguous)


def thread(files: dict[str, FileReading], ambiguous: int) -> ThreadReading:
    """A reading in which each text that a possible line has was shown once."""
    shown = {
        path: {INDEX.files[path][number - 1]: 1 for number in file.possible}
        for path, file in files.items()
    }
    return ThreadReading(
        {path: replace(file, copies=shown[path]) for path, file in files.items()},
        ambiguous,
        copies={text: 1 for copies in shown.values() for text in copies},
    )


@pytest.mark.parametrize(
    ("rule", "lines", "expected"),
    [
        pytest.param("touched", [7], True, id="one-line-touches"),
        pytest.param("touched", [], False, id="nothing-touches-nothing"),
        pytest.param("opened", list(range(1, 11)), True, id="ten-in-a-row-open"),
        pytest.param("opened", list(range(1, 10)), False, id="nine-do-not"),
        pytest.param("opened", [*range(1, 10), *range(11, 20)], False, id="nor-twice-nine"),
        pytest.param("read", list(range(1, 20)), True, id="nineteen-of-twenty-is-95-percent"),
        pytest.param("read", list(range(1, 19)), False, id="eighteen-is-not"),
    ],
)
def test_the_rules(rule: Rule, lines: list[int], expected: bool) -> None:
    found = covered(one(*lines), ONE, INDEX, rule)
    assert (found.least, found.most) == (expected, expected)


def test_a_short_file_is_opened_by_all_its_lines() -> None:
    scope = FileScope(("short.md",), ())
    whole = ThreadReading({"short.md": FileReading(sure=frozenset((1, 2, 3)))})
    part = ThreadReading({"short.md": FileReading(sure=frozenset((1, 2)))})
    assert covered(whole, scope, INDEX, "opened").least
    assert not covered(part, scope, INDEX, "opened").least


def test_a_blank_line_does_not_touch_a_file_that_has_text() -> None:
    blank = ThreadReading({"short.md": FileReading(sure=frozenset((2,)))})
    assert not covered(blank, FileScope(("short.md",), ()), INDEX, "touched").most


def test_a_file_of_short_lines_alone_is_touched_by_any() -> None:
    reading = ThreadReading({"dashes.md": FileReading(sure=frozenset((1,)))})
    assert covered(reading, FileScope(("dashes.md",), ()), INDEX, "touched").least


def test_a_file_without_lines_is_in_no_count() -> None:
    scope = FileScope(("long.md", "empty.md"), ())
    assert covered(one(1), scope, INDEX, "touched").files == (1, 1)
    assert covered(one(1), scope, INDEX, "touched").least


def test_possible_lines_count_at_the_upper_end_only() -> None:
    reading = one(1, 2, possible=(3, 4, 5), ambiguous=3)
    coverage = run_coverage(Reading({MAIN: reading}, reading), LOG, ONE, INDEX).union
    assert coverage.lines == (2, 5)
    assert coverage.files[0].entered == (2, 5)
    assert coverage.files[0].ranges == ((1, 2),)


def test_one_shown_line_has_one_source() -> None:
    """One ambiguous line with three possible places adds one line at most, not three."""
    reading = one(1, possible=(3, 4, 5), ambiguous=1)
    coverage = run_coverage(Reading({MAIN: reading}, reading), LOG, ONE, INDEX).union
    assert coverage.lines == (1, 2)


def test_reference_files_are_a_row_of_their_own() -> None:
    scope = FileScope(("long.md",), ("playbook.md",))
    reading = ThreadReading(
        {
            "long.md": FileReading(sure=frozenset((1,))),
            "playbook.md": FileReading(sure=frozenset((1,))),
        }
    )
    coverage = run_coverage(Reading({MAIN: reading}, reading), LOG, scope, INDEX).union
    assert (coverage.breadth, coverage.lines) == ((1, 1), (1, 1))
    assert [file.path for file in coverage.files] == ["long.md"]
    assert [file.path for file in coverage.reference] == ["playbook.md"]


def test_with_an_unknown_thread_main_and_subagents_are_not_measurable() -> None:
    reading = one(1)
    log = ContextLog((Thread(MAIN, "main"), Thread("unknown", "unknown")), (), None)
    found = run_coverage(Reading({MAIN: reading, "unknown": one(2)}, one(1, 2)), log, ONE, INDEX)
    assert found.main is None
    assert found.subagents == {}
    assert found.union.lines == (2, 2)


def test_depth_by_distinct_text() -> None:
    scope = FileScope(("dashes.md",), ())
    reading = ThreadReading({"dashes.md": FileReading(sure=frozenset((1,)))})
    file = run_coverage(Reading({MAIN: reading}, reading), LOG, scope, INDEX).union.files[0]
    assert (file.entered, file.lines, file.text, file.texts) == ((1, 1), 2, (1, 1), 1)


def test_ranges_have_both_ends_in() -> None:
    assert ranges([5, 1, 2, 3, 9, 10]) == [(1, 3), (5, 5), (9, 10)]


def test_an_upper_end_takes_no_more_files_than_lines_were_shown() -> None:
    """One ambiguous line that may be of either file touches one of them, not both."""
    scope = FileScope(("long.md", "short.md"), ())
    perhaps = FileReading(possible=frozenset((1,)))
    reading = thread({"long.md": perhaps, "short.md": perhaps}, ambiguous=1)
    coverage = run_coverage(Reading({MAIN: reading}, reading), LOG, scope, INDEX).union
    assert coverage.breadth == (0, 1)
    found = covered(reading, scope, INDEX, "touched")
    assert (found.most, found.files) == (False, (0, 1))
    two = thread({"long.md": perhaps, "short.md": perhaps}, ambiguous=2)
    assert covered(two, scope, INDEX, "touched").most


def test_visible_is_told_of_the_thread_that_answers_and_by_the_wire_alone() -> None:
    main, sub = one(1), one(2)
    threads = (Thread(MAIN, "main"), Thread("a7", "subagent"))
    reading = Reading({MAIN: main, "a7": sub}, one(1, 2))
    wire = run_coverage(reading, ContextLog(threads, (), None, tells_visibility=True), ONE, INDEX)
    assert wire.main is not None
    assert wire.main.files[0].visible == (0, 0)
    assert wire.subagents["a7"].files[0].visible is None
    session = run_coverage(reading, ContextLog(threads, (), None), ONE, INDEX)
    assert session.union.files[0].visible is None


def test_what_may_have_been_cleared_is_visible_at_the_most() -> None:
    """Lines 1 and 2 stood in the last request as it was sent, 3 perhaps."""
    file = FileReading(
        sure=frozenset((1, 2)),
        possible=frozenset((3,)),
        visible=frozenset((1, 2)),
        visible_possible=frozenset((3,)),
    )
    main = thread({"long.md": file}, 1)
    reading = Reading({MAIN: main}, main)
    visible = {
        cleared: run_coverage(reading, replace(LOG, may_have_cleared=cleared), ONE, INDEX)
        .union.files[0]
        .visible
        for cleared in (False, True)
    }
    assert visible == {False: (2, 3), True: (0, 3)}


def test_reformatted_lines_count_at_the_upper_end_and_by_themselves() -> None:
    """Lines 1 and 2 entered, 3 perhaps, 4 and 5 in another shape."""
    file = FileReading(frozenset((1, 2)), frozenset((3,)), reformatted=frozenset((4, 5)))
    main = thread({"long.md": file}, 1)
    coverage = run_coverage(Reading({MAIN: main}, main), LOG, ONE, INDEX).union
    assert coverage.lines == (2, 5)
    found = coverage.files[0]
    assert (found.entered, found.reformatted, found.ambiguous) == ((2, 5), 2, 1)
    assert found.text == (2, 5)


@pytest.mark.parametrize(
    ("possible", "reformatted", "ambiguous", "most", "because"),
    [
        pytest.param((), (), 0, False, False, id="neither"),
        pytest.param((1,), (), 1, True, False, id="a line of two places"),
        pytest.param((), (1,), 0, True, True, id="a line in another shape"),
        pytest.param((1,), (2,), 1, True, False, id="either would do"),
        pytest.param((1,), (2,), 0, True, True, id="the ambiguous one stands elsewhere"),
    ],
)
def test_what_is_covered_only_with_reformatted_lines_says_so(
    possible: tuple[int, ...],
    reformatted: tuple[int, ...],
    ambiguous: int,
    most: bool,
    because: bool,
) -> None:
    file = FileReading(possible=frozenset(possible), reformatted=frozenset(reformatted))
    found = covered(thread({"long.md": file}, ambiguous), ONE, INDEX, "touched")
    assert (found.least, found.most, found.reformatted) == (False, most, because)
    assert found.files == (0, int(most))


def test_a_rule_may_need_ambiguous_and_reformatted_lines_together() -> None:
    file = FileReading(
        sure=frozenset(range(1, 9)), possible=frozenset((9,)), reformatted=frozenset((10,))
    )
    for ambiguous, most in ((1, True), (0, False)):
        found = covered(thread({"long.md": file}, ambiguous), ONE, INDEX, "opened")
        assert (found.most, found.reformatted) == (most, most)


def test_a_line_shown_once_opens_no_run_that_holds_it_twice() -> None:
    """Lines 3 to 10 entered; 1 and 2 are equal, and were shown once; so was line 12, beyond."""
    index = CorpusIndex.of({"a.md": "same\nsame\n" + "".join(f"own {n}\n" for n in range(3, 13))})
    copies = {"same": 1, "own 12": 1}
    file = FileReading(frozenset(range(3, 11)), frozenset((1, 2, 12)), copies=copies)
    scope = FileScope(("a.md",), ())
    once = covered(ThreadReading({"a.md": file}, 2, copies=copies), scope, index, "opened")
    assert not once.most
    copies = {"same": 2, "own 12": 1}
    file = replace(file, copies=copies)
    assert covered(ThreadReading({"a.md": file}, 3, copies=copies), scope, index, "opened").most


def test_inherited_lines_stand_apart() -> None:
    own = ThreadReading({"long.md": FileReading(inherited=frozenset((1, 2)))})
    reading = Reading({MAIN: ThreadReading({}), "fork": own}, ThreadReading({}))
    log = ContextLog((Thread(MAIN, "main"), Thread("fork", "subagent")), (), None)
    fork = run_coverage(reading, log, ONE, INDEX).subagents["fork"]
    assert (fork.breadth, fork.lines) == ((0, 0), (0, 0))
    assert (fork.files[0].inherited, fork.files[0].entered) == (2, (0, 0))
