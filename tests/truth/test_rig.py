"""The rig itself: it tells what was shown, finds what is wrong, and names all that may be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.reading.context import MAIN
from evaluation.reading.engine import FileReading
from tests.truth.accounts import NO_LINES, Account, ThreadTruth, Truth
from tests.truth.cases import Case, Route, Turn
from tests.truth.catalogue import DRIVERS, check_cases, drivings
from tests.truth.comparison import Kind, compare
from tests.truth.corpus import corpus
from tests.truth.differences import DIFFERENCES, Row, judge
from tests.truth.shown_lines import shown_lines

FILES = {"a.txt": "tk-00000001 one 10000000-kt\n  tk-00000002 two 20000000-kt\n"}
DOCS = Path(__file__).parent.parent.parent / "docs" / "sessions.md"


def test_the_plain_search_is_short_and_knows_nothing_of_ours() -> None:
    text = Path(__file__).with_name("shown_lines.py").read_text()
    assert len(text.splitlines()) <= 40
    own = {path.name for path in DOCS.parent.parent.iterdir() if path.is_dir()}
    imported = re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)
    assert imported
    assert own.isdisjoint(imported)


@pytest.mark.parametrize(
    ("text", "whole", "both"),
    [
        pytest.param("1\ttk-00000001 one 10000000-kt\n", {1}, {1}, id="with a number"),
        pytest.param("tk-00000001 one", set(), set(), id="cut at its end"),
        pytest.param("00000001 one 10000000-kt", set(), set(), id="cut at its beginning"),
        pytest.param("tk-00000001 | one | 10000000-kt", set(), {1}, id="reshaped"),
        pytest.param("tk-00000002 two 20000000-kt", set(), {2}, id="without its indentation"),
        pytest.param(
            json.dumps({"name": "a", "content": FILES["a.txt"]}), {1, 2}, {1, 2}, id="within JSON"
        ),
        pytest.param("tk-00000001 on\ntk-00000001 one 10000000-kt", {1}, {1}, id="cut, then whole"),
    ],
)
def test_a_plain_search_tells_what_was_shown(text: str, whole: set[int], both: set[int]) -> None:
    request = json.dumps({"messages": [{"content": [{"text": text}]}]}).encode()
    shown = shown_lines(request, FILES)
    assert {line for _, line in shown.whole} == whole
    assert {line for _, line in shown.both} == both


def test_no_two_lines_of_the_corpus_are_alike() -> None:
    lines = [line for text in corpus().values() for line in text.split("\n") if line]
    assert len(set(lines)) == len(lines)
    request = json.dumps("\n".join(corpus().values())).encode()
    assert len(shown_lines(request, corpus()).whole) == len(lines)


CASE = Case("c", ("Go: m.",), {"m": (Turn("Done."),)}, (Route("r", ("a.txt",)),))
RESHAPED = Case("c", ("Go: m.",), {"m": (Turn("Done."),)}, (Route("r", ("a.txt",), reshaped=True),))
LINES = frozenset((("a.txt", 1), ("a.txt", 2)))


def kinds(case: Case, one: ThreadTruth, reading: FileReading) -> set[Kind]:
    """What is wrong with a route, by kind."""
    account = Account(
        {MAIN: {"a.txt": reading}}, final="Done.", tells_visibility=True, visible_exact=True
    )
    route, threads, _ = compare(case, Truth({MAIN: one}, NO_LINES, "Done."), {"wire": account})
    assert threads.findings["wire"].faults == ()
    return set(route.findings["wire"].kinds)


@pytest.mark.parametrize(
    ("reading", "wrong"),
    [
        pytest.param(FileReading(sure=frozenset((1, 2))), set(), id="the truth"),
        pytest.param(FileReading(sure=frozenset((1,))), {"less"}, id="a line is not said"),
        pytest.param(FileReading(sure=frozenset((1, 2, 3))), {"more"}, id="a line too many"),
        pytest.param(
            FileReading(sure=frozenset((1,)), possible=frozenset((2,))),
            {"upper end"},
            id="an interval",
        ),
        pytest.param(
            FileReading(sure=frozenset((1, 2)), inherited=frozenset((3,))),
            {"inherited"},
            id="another's",
        ),
    ],
)
def test_what_is_wrong_is_found(reading: FileReading, wrong: set[Kind]) -> None:
    assert kinds(CASE, ThreadTruth(LINES, LINES), reading) == wrong


@pytest.mark.parametrize(
    ("reading", "wrong"),
    [
        pytest.param(FileReading(reformatted=frozenset((1, 2))), set(), id="at the upper end"),
        pytest.param(FileReading(reformatted=frozenset((1,))), {"less"}, id="not even there"),
        pytest.param(FileReading(sure=frozenset((1, 2))), {"more"}, id="surely read"),
    ],
)
def test_what_is_reshaped_counts_at_the_upper_end_alone(
    reading: FileReading, wrong: set[Kind]
) -> None:
    assert kinds(RESHAPED, ThreadTruth(NO_LINES, LINES), reading) == wrong


def test_a_difference_that_is_gone_is_a_fault() -> None:
    """Else the table would grow into an excuse for anything."""
    one = next(one for one in DIFFERENCES if one.is_special and one.channel == "session")
    case = Case(one.case, ("Go: m.",), {"m": (Turn("Done."),)}, (Route(one.route, ("a.txt",)),))
    account = Account({MAIN: {"a.txt": FileReading(sure=frozenset((1, 2)))}}, final="Done.")
    truth = Truth({MAIN: ThreadTruth(LINES, LINES)}, NO_LINES, "Done.")
    result = compare(case, truth, {"session": account})[0]
    (judged,) = judge(Row(one.cli, one.since, one.case, result))
    assert (judged.explained, judged.told) == (False, f"no longer so: {one.why}")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        pytest.param("claud", "there is no CLI 'claud' to drive", id="no such CLI"),
        pytest.param("codex@", "'' is no version of codex", id="no version"),
        pytest.param("codex@../x", "'../x' is no version of codex", id="a folder"),
        pytest.param("codex@latest", "'latest' is no version of codex", id="a tag"),
    ],
)
def test_what_cannot_be_driven_is_said(name: str, told: str) -> None:
    with pytest.raises(UserError, match=re.escape(told)):
        drivings([name])


def test_what_is_driven_is_what_was_named() -> None:
    named = drivings(["codex@0.118.0", "gemini-cli@9.9.9-nightly.1"])
    assert [one.name for one in named] == ["codex@0.118.0", "gemini-cli@9.9.9-nightly.1"]
    assert {one.driver.name for one in drivings([])} == set(DRIVERS)


def test_a_case_that_nobody_has_is_said() -> None:
    """Else nothing would be driven, and nothing would differ."""
    wanted = drivings(["gemini-cli", "codex@0.118.0"])
    check_cases(["agents", "polled"], wanted)
    with pytest.raises(UserError, match="there is no case 'agent'"):
        check_cases(["agent"], wanted)


def test_every_difference_is_of_a_case_that_is_driven() -> None:
    driven = {
        (driver.name, case.name)
        for driver in DRIVERS.values()
        for version in driver.versions
        for case in driver.cases(version, "")
    }
    named = {(one.cli, one.case) for one in DIFFERENCES if one.case}
    assert named <= driven


def test_every_difference_is_explained_to_users() -> None:
    said = " ".join(DOCS.read_text().split())
    assert [one.why for one in DIFFERENCES if one.why not in said] == []


def test_the_versions_that_are_driven_are_those_that_users_are_told() -> None:
    said = DOCS.read_text()
    assert [
        f"{driver.name} {version}"
        for driver in DRIVERS.values()
        for version in driver.versions
        if version not in said
    ] == []
