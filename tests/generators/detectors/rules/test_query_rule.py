from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from pydantic import JsonValue, ValidationError

from authoring.errors import UserError
from generators.detectors.rules.query_rule import QueryParameters, QueryRule
from generators.planters import patterns
from generators.planters.code import Code, CodeParameters
from tests.generators.planters.conftest import plant

CODE = """\
import api

# caf\u00e9
def one():
    return api.fetch("/a", timeout=20)


def two():
    return api.fetch(
        "/b",
        timeout=400,
    )


def three(timeout=9000):
    pass
"""
TIMEOUT = """
(call arguments: (argument_list (keyword_argument
  name: (identifier) @name (#eq? @name "timeout") value: (_) @value) @defect))
"""
CALL = '(call function: (attribute attribute: (identifier) @n) (#eq? @n "fetch")) @defect'


def shown(given: dict[str, JsonValue], text: str = CODE) -> list[tuple[int, int]]:
    parameters = QueryParameters.model_validate({"language": "python", **given})
    detector, where = QueryRule(parameters), PurePosixPath("a.py")
    found = detector.decide({where: detector.extract(where, text)})
    return [(one.first, one.last) for one in found]


CASES: dict[str, tuple[dict[str, JsonValue], list[tuple[int, int]]]] = {
    "all that is captured": ({"query": TIMEOUT}, [(5, 5), (11, 11)]),
    "the value is compared": ({"query": TIMEOUT, "more_than": 30}, [(11, 11)]),
    "the defect is compared": ({"query": TIMEOUT.replace("@value", ""), "more_than": 30}, []),
    "the lines of a node": ({"query": CALL}, [(5, 5), (9, 12)]),
    "not where other code is": ({"query": CALL, "unless": '"/b"'}, [(5, 5)]),
    "a node that ends a line": ({"query": "(comment) @defect"}, [(3, 3)]),
    "a node up to the end": ({"query": "(module) @defect"}, [(1, 16)]),
    "other files": ({"query": CALL, "files": ["**/*.ts"]}, []),
    "the same lines twice": ({"query": "(attribute (identifier) @defect)"}, [(5, 5), (9, 9)]),
}


@pytest.mark.parametrize(("given", "lines"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CR LF"])
def test_the_evidence_is_the_lines_of_what_is_captured(
    given: dict[str, JsonValue], lines: list[tuple[int, int]], end: str
) -> None:
    assert shown(given, CODE.replace("\n", end)) == lines


def test_changed_code_is_found_as_it_is_registered() -> None:
    planter = Code(
        CodeParameters(
            language="python",
            query="(call function: (attribute)) @anchor",
            pattern="timeout=20",
            replacement="timeout=None",
        )
    )
    outcome = plant(planter, CODE, path="a.py")
    given: dict[str, JsonValue] = {"query": TIMEOUT, "matches": "None"}
    assert shown(given, outcome.text) == outcome.shown == [(5, 5)]
    assert shown(given) == []


def test_code_that_does_not_parse_is_looked_at_all_the_same() -> None:
    assert shown({"query": TIMEOUT}, "def (:\n" + CODE) == [(6, 6), (12, 12)]


ENDLESS = "(?:a|aa)+b"
SLOW: dict[str, tuple[dict[str, JsonValue], str]] = {
    "a query": (
        {"query": "(module (_)* @a (_)* @b (_)* @c (expression_statement (call)) @defect)"},
        r"the query '\(module .*…' takes longer than 0.2 seconds",
    ),
    "a predicate": (
        {"query": f'((identifier) @defect (#match? @defect "^{ENDLESS}"))'},
        r"the query '\(\(identifier.* takes longer",
    ),
    "unless": (
        {"query": "(identifier) @defect", "unless": ENDLESS},
        r"the pattern '\(\?:a\|aa\)\+b' takes longer",
    ),
    "matches": (
        {"query": "(identifier) @defect", "matches": ENDLESS},
        r"the pattern '\(\?:a\|aa\)\+b' takes longer",
    ),
}


@pytest.mark.parametrize(("given", "said"), SLOW.values(), ids=SLOW)
def test_what_takes_too_long_is_told_as_what_it_is(
    given: dict[str, JsonValue], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.2)
    with pytest.raises(UserError, match=said):
        shown(given, "a" * 200 + "\n" + "b = [1, 2, 3]\n" * 3000)


WRONG: dict[str, tuple[dict[str, JsonValue], str]] = {
    "no query": ({"query": "(call"}, "is no query for python"),
    "no defect": ({"query": "(call) @anchor"}, "captures no @defect"),
    "a name alone": ({"query": '(string) @a (#eq? @a "@defect")'}, "captures no @defect"),
    "a wrong pattern": (
        {"query": '((identifier) @defect (#match? @defect "("))'}, "is no query for python",
    ),
    "no language": ({"language": "cobol", "query": "(call) @defect"}, "language"),
}  # fmt: skip


@pytest.mark.parametrize(("given", "message"), WRONG.values(), ids=WRONG)
def test_a_query_that_can_find_nothing_is_refused(
    given: dict[str, JsonValue], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        shown(given)
