"""Patterns of a spec end, whatever they are."""

from __future__ import annotations

import re
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import TypeAdapter, ValidationError

from authoring.errors import UserError
from generators.planters.code import Code, CodeParameters
from generators.planters.edit_line import EditLine, EditLineParameters
from generators.planters.insert_line import InsertLine, InsertLineParameters
from generators.planters.patterns import Pattern, fills, within_time
from generators.planters.remove_line import RemoveLine, RemoveLineParameters
from generators.planters.replace_text import ReplaceText, ReplaceTextParameters
from generators.planting import Planter
from tests.generators.planters.conftest import plant

ENDLESS = r"(?:a|aa)+b"
"""Tries every way to cut a row of a's into ones and twos: a number that grows like 1.6 to the n."""
TEXT = "a" * 200 + "\n"

PLANTERS: dict[str, Planter] = {
    "edit-line": EditLine(EditLineParameters(pattern=ENDLESS, replacement="x")),
    "insert-line": InsertLine(InsertLineParameters(after=ENDLESS, line="x")),
    "remove-line": RemoveLine(RemoveLineParameters(pattern=ENDLESS)),
    "replace-text": ReplaceText(ReplaceTextParameters(pattern=ENDLESS, replacement="x")),
    "code": Code(
        CodeParameters(
            language="python", query="(identifier) @anchor", pattern=ENDLESS, replacement="x"
        )
    ),
    "code, function": Code(
        CodeParameters(
            language="python", query="(identifier) @anchor", function=ENDLESS, replacement="x"
        )
    ),
}


@pytest.mark.parametrize("planter", PLANTERS.values(), ids=PLANTERS)
def test_a_pattern_that_tries_for_ever_is_told_and_hangs_no_build(
    planter: Planter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generators.planters.patterns.SECONDS", 0.1)
    text = f"def {TEXT.strip()}():\n    pass\n" if isinstance(planter, Code) else TEXT
    with pytest.raises(UserError, match=r"the pattern '\(\?:a\|aa\)\+b' takes longer than"):
        plant(planter, text)


def test_a_long_pattern_is_told_by_its_beginning() -> None:
    pattern = ENDLESS + "c" * 100
    with (
        pytest.raises(UserError, match=r"the pattern '\(\?:a\|aa\)\+bc{49}…' takes longer"),
        within_time(pattern, 0.05),
    ):
        re.search(pattern, TEXT)


def test_the_clock_stops_with_the_match_and_leaves_signals_as_they_were() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    with within_time("a", 0.05):
        pass
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert signal.getsignal(signal.SIGVTALRM) == before


@pytest.mark.parametrize("slow", ["outer", "inner"])
def test_of_two_patterns_the_one_that_is_slow_is_told(slow: str) -> None:
    def search() -> None:
        with within_time("outer", 0.05):
            with within_time("inner"):
                re.search(ENDLESS if slow == "inner" else "a", TEXT)
            re.search(ENDLESS, TEXT)

    with pytest.raises(UserError, match=f"the pattern '{slow}' takes longer than 0.05 seconds"):
        search()


def test_a_query_that_takes_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generators.planters.patterns.SECONDS", 0.2)
    query = "(module (_)* @a (_)* @b (_)* @c (expression_statement (call)) @anchor)"
    planter = Code(CodeParameters(language="python", query=query, replacement="x"))
    with pytest.raises(UserError, match=r"the query '\(module .*' takes longer than 0.2 seconds"):
        plant(planter, "b = [1, 2, 3]\n" * 3000)


def test_in_another_thread_patterns_match_too() -> None:
    def search() -> bool:
        with within_time("a"):
            return re.search("a", TEXT) is not None

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(search).result()


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(", "missing )"),
        ("a{2,1}", "min repeat greater than max"),
        ("a{99999999999}", "repetition number is too large"),
        ("(" * 3000 + ")" * 3000, "nested too deep"),
    ],
    ids=["open", "backwards", "too many", "too deep"],
)
def test_what_is_no_pattern_is_refused_when_the_spec_is_read(pattern: str, said: str) -> None:
    with pytest.raises(ValidationError, match=rf"is not a regular expression: .*{re.escape(said)}"):
        TypeAdapter(Pattern).validate_python(pattern)


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        ("(a)", r"\1"),
        ("(?P<b>a)", r"\g<b>\g<0>"),
        ("(?i)(a)", r"\1"),
        ("(?x) (a)  # the first", r"\1"),
        ("(a)|b", r"\1"),
        ("a", "100 % {key} {{x}}"),
        ("^(a)$", r"\1"),
    ],
)
def test_a_replacement_may_name_every_group_of_its_pattern(pattern: str, replacement: str) -> None:
    assert fills(replacement, pattern) == replacement


@pytest.mark.parametrize("replacement", [r"\2", r"\9", r"\g<b>", r"\g<2>", r"\g<", r"\q"])
def test_and_no_other_one(replacement: str) -> None:
    with pytest.raises(ValueError, match="is not valid"):
        fills(replacement, "(a)")
