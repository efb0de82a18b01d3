from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from pydantic import JsonValue, ValidationError

from generators.detectors.rules.values_rule import ValuesParameters, ValuesRule
from generators.planters.set_value import SetValue, SetValueParameters
from tests.generators.planters.conftest import plant

FORM = """\
subject: "S-0042"
visits:
  - visit: baseline
    weight_kg: 71.40
  - visit: week 4
    note: was not weighed
  - visit: week 8
    weight_kg: 157.4
  - nothing
"""
REPORT = """\
{
  "lines" : [{"what": "taxi", "net": 14.50}, {"what": "hotel", "net": 2400},
    {"what": "meal, \\u20ac",
     "net": 91}]
}
"""
TABLE = """\
Card statement, March
date,category,amount
2025-03-01,"meal",14.50
2025-03-02,hotel,240.00
2025-03-03,meal,"1,200.00"
2025-03-04,meal,none
"""
FILES = {"f.yaml": FORM, "r.json": REPORT, "t.csv": TABLE}


def shown(path: str, text: str, given: dict[str, JsonValue]) -> list[tuple[int, int]]:
    detector = ValuesRule(ValuesParameters.model_validate(given))
    where = PurePosixPath(path)
    found = detector.decide({where: detector.extract(where, text)})
    return [(one.first, one.last) for one in found]


CASES: dict[str, tuple[str, dict[str, JsonValue], list[tuple[int, int]]]] = {
    "each item that has it": (
        "f.yaml", {"path": "visits[*].weight_kg", "more_than": 70}, [(4, 4), (8, 8)],
    ),
    "one item": ("f.yaml", {"path": "visits[0].weight_kg", "less_than": "71.41"}, [(4, 4)]),
    "not less but the same": ("f.yaml", {"path": "visits[0].weight_kg", "less_than": 71.4}, []),
    "the last but one": ("f.yaml", {"path": "visits[-2].visit", "equals": "week 8"}, [(7, 7)]),
    "an item by its key": (
        "f.yaml", {"path": "visits[visit=week 8].weight_kg", "more_than": 100}, [(8, 8)],
    ),
    "none of these": ("f.yaml", {"path": "subject", "not_in": ["S-0041", "s-0042"]}, [(1, 1)]),
    "no such key": ("f.yaml", {"path": "subjects", "matches": ".*"}, []),
    "no single value": ("f.yaml", {"path": "visits", "matches": ".*"}, []),
    "below a single value": ("f.yaml", {"path": "subject.id", "matches": ".*"}, []),
    "a list asked for a key": ("f.yaml", {"path": "visits.visit", "matches": ".*"}, []),
    "a mapping asked for an item": ("r.json", {"path": "[0]", "matches": ".*"}, []),
    "JSON": ("r.json", {"path": "lines[*].net", "more_than": 90}, [(2, 2), (4, 4)]),
    "JSON with an escape": ("r.json", {"path": "lines[2].what", "matches": ".*\u20ac"}, [(3, 3)]),
    "a column": ("t.csv", {"column": "amount", "more_than": 200}, [(4, 4), (5, 5)]),
    "a column where": (
        "t.csv", {"column": "amount", "row": {"category": "meal"}, "more_than": 75}, [(5, 5)],
    ),
    "no such row": (
        "t.csv", {"column": "amount", "row": {"category": "taxi"}, "matches": ".*"}, [],
    ),
    "no such column": ("t.csv", {"column": "sum", "matches": ".*"}, []),
}  # fmt: skip


@pytest.mark.parametrize(("path", "given", "lines"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CR LF"])
def test_the_evidence_is_the_line_of_the_value(
    path: str, given: dict[str, JsonValue], lines: list[tuple[int, int]], end: str
) -> None:
    assert shown(path, FILES[path].replace("\n", end), given) == lines
    assert shown(path, FILES[path], {**given, "files": ["other/*"]}) == []


UNREADABLE = {
    "no YAML": ("f.yaml", "a: [1\n"),
    "several documents": ("f.yaml", "a: 1\n---\na: 2\n"),
    "no JSON": ("r.json", "{"),
    "JSON too deep": ("r.json", "[" * 100_000),
    "a loop": ("f.yaml", "&a [*a]\n"),
    "empty": ("f.yaml", ""),
}


@pytest.mark.parametrize(("path", "text"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_read_has_no_such_defect(path: str, text: str) -> None:
    assert shown(path, text, {"path": "a", "matches": ".*"}) == []


PLANTED: dict[str, tuple[str, dict[str, JsonValue], dict[str, JsonValue], list[tuple[int, int]]]]
PLANTED = {
    "YAML": (
        "f.yaml", {"path": "visits[0].weight_kg", "times": "2.2046"},
        {"path": "visits[*].weight_kg", "more_than": 157.4}, [(4, 4)],
    ),
    "JSON": (
        "r.json", {"path": "lines[0].net", "value": "9000"},
        {"path": "lines[what=taxi].net", "more_than": 100}, [(2, 2)],
    ),
    "CSV": (
        "t.csv", {"column": "amount", "row": {"date": "2025-03-01"}, "value": "99.00"},
        {"column": "amount", "row": {"category": "meal"}, "equals": "99"}, [(3, 3)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("path", "planted", "given", "lines"), PLANTED.values(), ids=PLANTED)
def test_a_value_that_was_set_is_found_as_it_is_registered(
    path: str,
    planted: dict[str, JsonValue],
    given: dict[str, JsonValue],
    lines: list[tuple[int, int]],
) -> None:
    planter = SetValue(SetValueParameters.model_validate(planted))
    outcome = plant(planter, FILES[path], path=path)
    assert shown(path, outcome.text, given) == outcome.shown == lines
    assert shown(path, FILES[path], given) == []


WRONG: dict[str, tuple[dict[str, JsonValue], str]] = {
    "neither": ({"equals": "a"}, "give either path"),
    "both": ({"path": "a", "column": "b", "equals": "a"}, "give either path"),
    "nothing compared": ({"path": "a"}, "give what is compared"),
    "no path": ({"path": "a[", "equals": "a"}, "is not a path"),
}


@pytest.mark.parametrize(("given", "message"), WRONG.values(), ids=WRONG)
def test_a_rule_that_says_nothing_is_refused(given: dict[str, JsonValue], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        shown("f.yaml", FORM, given)
