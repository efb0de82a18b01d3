from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from pydantic import JsonValue, ValidationError

from authoring.errors import UserError
from generators.detectors.rules.regex_rule import RegexParameters, RegexRule
from generators.planters import patterns
from generators.planters.edit_line import EditLine, EditLineParameters
from generators.planters.replace_text import ReplaceText, ReplaceTextParameters
from tests.generators.planters.conftest import plant

PATH = PurePosixPath("letters/1.md")
TEXT = """\
# Letter

## 1. Deadline

An answer is due within 90 days, by
agreement. Another is due within 61
days. The last is due within 60 days.

## 2. Costs

| item | EUR      |
| hire | 1,250.00 |
| fuel | 88.5     |
| ride | free     |

due within 400 days
"""


def shown(given: dict[str, JsonValue], text: str = TEXT) -> list[tuple[int, int]]:
    detector = RegexRule(RegexParameters.model_validate(given))
    found = detector.decide({PATH: detector.extract(PATH, text)})
    assert all(one.path == PATH for one in found)
    return [(one.first, one.last) for one in found]


CASES: dict[str, tuple[dict[str, JsonValue], list[tuple[int, int]]]] = {
    "lines": ({"pattern": "due within"}, [(5, 5), (6, 6), (7, 7), (16, 16)]),
    "lines without another pattern": (
        {"pattern": "due within", "unless": "^An|last"}, [(6, 6), (16, 16)],
    ),
    "sentences": (
        {"over": "sentence", "pattern": r"due within (\d+) days", "group": 1, "more_than": 60},
        [(5, 6), (6, 7), (16, 16)],
    ),
    "sentences without another pattern": (
        {"over": "sentence", "pattern": "due within", "unless": "by agreement"},
        [(6, 7), (7, 7), (16, 16)],
    ),
    "text across lines": ({"over": "text", "pattern": r"by\s+agreement"}, [(5, 6)]),
    "text to a line's end": ({"over": "text", "pattern": r"days\. The.*\n"}, [(7, 7)]),
    "text without another pattern": (
        {"over": "text", "pattern": r"within \d+\s+days", "unless": "An answer"},
        [(6, 7), (7, 7), (16, 16)],
    ),
    "text under a heading": (
        {"over": "text", "heading": "costs", "pattern": "^due|^An"}, [(16, 16)],
    ),
    "under a heading": (
        {"heading": "deadline", "pattern": r"(?P<n>\d+)", "group": "n", "more_than": "60"},
        [(5, 5), (6, 6)],
    ),
    "under several": (
        {"heading": ["Price", "Costs"], "over": "sentence", "pattern": "due"}, [(16, 16)],
    ),
    "numbers with commas": (
        {"pattern": r"\| ([\d.,]+) +\|", "group": 1, "more_than": 88.5}, [(12, 12)],
    ),
    "numbers between": (
        {"pattern": r"\| ([\d.,a-z]+) +\|$", "group": 1, "more_than": 88, "less_than": 100},
        [(13, 13)],
    ),
    "none of these": (
        {"pattern": r"\| (\w+) +\| \S+ +\|$", "group": 1, "not_in": ["hire", "item", "fuel"]},
        [(14, 14)],
    ),
    "the same number": (
        {"pattern": r"\| ([\d.]+) +\|", "group": 1, "equals": "88.50"}, [(13, 13)],
    ),
    "a value as a whole": (
        {"pattern": r"\| ([^|]+) \|$", "group": 1, "matches": "[a-z]+"}, [(14, 14)],
    ),
    "other files": ({"files": ["notes/**", "*.md"], "pattern": "due"}, []),
    "these files": ({"files": ["letters/*"], "pattern": "Costs"}, [(9, 9)]),
    "a group that took no part": (
        {"pattern": "(fuel)|(ride)", "group": 2, "matches": "ride"}, [(14, 14)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("given", "lines"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CR LF"])
def test_the_evidence_is_what_matches_and_is_out_of_bounds(
    given: dict[str, JsonValue], lines: list[tuple[int, int]], end: str
) -> None:
    assert shown(given, TEXT.replace("\n", end)) == lines


def test_an_edited_line_is_found_as_it_is_registered() -> None:
    planter = EditLine(EditLineParameters(pattern=r"\| fuel .*", replacement="| fuel | 980.5    |"))
    outcome = plant(planter, TEXT)
    given: dict[str, JsonValue] = {"pattern": r"\| fuel \| ([\d.]+)", "group": 1, "more_than": 900}
    assert shown(given, outcome.text) == outcome.shown == [(13, 13)]
    assert shown(given) == []


def test_a_changed_sentence_is_found_as_it_is_registered() -> None:
    planter = ReplaceText(
        ReplaceTextParameters(
            pattern="The last is due within 60 days",
            replacement="The last of all these answers that are expected is due within 600 days",
        )
    )
    outcome = plant(planter, TEXT)
    given: dict[str, JsonValue] = {
        "over": "sentence",
        "pattern": r"due within (\d+)",
        "group": 1,
        "more_than": 500,
    }
    assert shown(given, outcome.text) == outcome.shown == [(7, 9)]
    assert shown(given) == []


WRONG: dict[str, tuple[dict[str, JsonValue], str]] = {
    "no pattern": ({}, "pattern"),
    "no regular expression": ({"pattern": "("}, "is not a regular expression"),
    "a group that is not there": ({"pattern": "a", "group": "days"}, "has no group 'days'"),
    "a number too high": ({"pattern": "(a)", "group": 2}, "has no group 2"),
    "no glob": ({"pattern": "a", "files": ["[z-a]"]}, "is no glob"),
    "an unknown key": ({"pattern": "a", "colour": "red"}, "colour"),
}


@pytest.mark.parametrize(("given", "message"), WRONG.values(), ids=WRONG)
def test_parameters_that_say_nothing_are_refused(given: dict[str, JsonValue], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        RegexParameters.model_validate(given)


@pytest.mark.parametrize("key", ["pattern", "unless", "matches"])
def test_the_pattern_that_never_ends_is_told(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.05)
    with pytest.raises(UserError, match=r"the pattern '\^\(a\|aa\)\+\$' takes longer than"):
        shown({"pattern": "^.*", key: "^(a|aa)+$"}, "a" * 60 + "b\n")
