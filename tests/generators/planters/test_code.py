from __future__ import annotations

import ast

import pytest
from pydantic import ValidationError

from authoring.errors import UserError
from authoring.spec import Position
from generators.planters.code import Code, CodeParameters
from tests.generators.planters.conftest import plant

PYTHON = '''\
"""Orders, naïve."""


class Orders:
    def fetch(self, key):
        if key not in self._allowed:
            raise PermissionError(key)
        return self._http.get(f"/orders/{key}", timeout=5)

    def fetch_all(self, keys):
        return [self._http.get(f"/orders/{key}", timeout=9) for key in keys]


def check(token, expected):
    return hmac.compare_digest(token, expected)
'''
TYPESCRIPT = """\
export function total(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.net * line.count, 0);
}

export const isAdmin = (user: User): boolean => {
  return user.role === "admin" && user.active;
};

class Cart {
  add(line: Line): void {
    if (line.count > 0) {
      this.lines.push(line);
    }
  }
}
"""
SQL = """\
CREATE TABLE orders (
  id bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers (id),
  paid boolean NOT NULL
);
CREATE TABLE refunds (
  id bigint PRIMARY KEY,
  order_id bigint NOT NULL
);
"""
YAML = """\
services:
  web:
    image: web:1.4
    read_only: true
  worker:
    image: worker:1.4
    read_only: true
"""
DOCKERFILE = """\
FROM python:3.12-slim
RUN useradd --create-home app
USER app
CMD ["python", "-m", "orders"]
"""


def code(language: str, query: str, replacement: str, **more: str | int) -> Code:
    return Code(
        CodeParameters.model_validate(
            {"language": language, "query": query, "replacement": replacement, **more}
        )
    )


PARTS = {
    "python: part of a call in a function of that name": (
        code("python", "(call) @anchor", "timeout=None", function="fetch", pattern="timeout=5"),
        PYTHON, "timeout=5", "timeout=None", (8, 8)),
    "python: a name as a regular expression, and groups": (
        code("python", "(keyword_argument) @anchor", r"\g<what>=90",
             function="fetch_.*", pattern="(?P<what>timeout)=9"),
        PYTHON, "timeout=9", "timeout=90", (11, 11)),
    "python: a whole anchor": (
        code("python", "(return_statement (call) @anchor)", "token == expected",
             function="check"),
        PYTHON, "hmac.compare_digest(token, expected)", "token == expected", (15, 15)),
    "python: a class holds its methods": (
        code("python", "(if_statement) @anchor", "if key in self._refused:",
             function="Orders", pattern="if .*:"),
        PYTHON, "if key not in self._allowed:", "if key in self._refused:", (6, 6)),
    "python: a statement goes with its lines": (
        code("python", "(if_statement) @anchor", "", function="fetch"),
        PYTHON,
        "        if key not in self._allowed:\n            raise PermissionError(key)\n", "",
        (5, 6)),
    "typescript: an arrow function by its name": (
        code("typescript", "(binary_expression) @anchor", 'user.role === "admin"',
             function="isAdmin", pattern=".*&&.*"),
        TYPESCRIPT, 'user.role === "admin" && user.active', 'user.role === "admin"', (6, 6)),
    "typescript: several lines become one": (
        code("typescript", "(if_statement) @anchor", "this.lines.push(line);", function="add"),
        TYPESCRIPT,
        "if (line.count > 0) {\n      this.lines.push(line);\n    }", "this.lines.push(line);",
        (11, 11)),
    "sql: a column of a table": (
        code("sql", "(column_definition) @anchor", "bigint", function="orders",
             pattern=r"(?<=customer_id )bigint NOT NULL"),
        SQL, "customer_id bigint NOT NULL", "customer_id bigint", (3, 3)),
    "yaml: a key below a key": (
        code("yaml", "(block_mapping_pair) @anchor", "read_only: false", function="worker",
             pattern="read_only: true"),
        YAML, "worker:1.4\n    read_only: true", "worker:1.4\n    read_only: false", (7, 7)),
    "dockerfile: an instruction goes": (
        code("dockerfile", "(user_instruction) @anchor", ""),
        DOCKERFILE, "USER app\n", "", (2, 3)),
}  # fmt: skip


@pytest.mark.parametrize(("planter", "text", "old", "new", "shown"), PARTS.values(), ids=PARTS)
def test_one_place_changes_and_its_lines_are_shown(
    planter: Code, text: str, old: str, new: str, shown: tuple[int, int]
) -> None:
    assert text.count(old) == 1
    made = plant(planter, text)
    assert made.text == text.replace(old, new)
    assert made.shown == [shown]


def test_the_planted_file_still_parses() -> None:
    made = plant(code("python", "(if_statement) @anchor", "", function="fetch"), PYTHON)
    ast.parse(made.text)
    with pytest.raises(UserError, match=r"a\.txt:8:1: the planted file would not parse"):
        plant(code("python", "(call) @anchor", "get(", function="fetch", pattern=r"get\("
                   r"f.*"), PYTHON)  # fmt: skip
    lonely = "def f(a):\n    if a:\n        pass\n"
    with pytest.raises(UserError, match="would not parse"):
        plant(code("python", "(if_statement) @anchor", "if"), lonely)


def test_a_file_that_did_not_parse_before_need_not_after() -> None:
    odd = SQL + "CREATE TABEL odd;\n"
    assert plant(code("sql", "(column_definition) @anchor", "integer", function="refunds",
                      pattern="bigint(?= NOT)"), odd).shown == [(8, 8)]  # fmt: skip


@pytest.mark.parametrize(
    ("depth", "nth", "line"),
    [("early", None, 4), ("late", None, 7), ("late", 1, 4), (None, 2, 7)],
    ids=["early", "late", "nth before depth", "nth"],
)
def test_depth_or_number_chooses_among_places(
    depth: Position | None, nth: int | None, line: int
) -> None:
    more = {"nth": nth} if nth else {}
    planter = code(
        "yaml", "(block_mapping_pair) @anchor", "false", pattern="(?<=read_only: )true", **more
    )
    assert plant(planter, YAML, depth=depth).shown == [(line, line)]


def test_places_are_told_with_their_lines() -> None:
    with pytest.raises(UserError, match=r"2 lines match:\n    line 4: read_only: true\n    line 7"):
        plant(code("yaml", "(block_mapping_pair) @anchor", "x", pattern="true"), YAML)
    with pytest.raises(
        UserError, match=r"no anchor is in 'fetsch':\n    line 7: raise P[^~]*'fetch'\?$"
    ):
        plant(code("python", "(call) @anchor", "x", function="fetsch"), PYTHON)
    with pytest.raises(UserError, match=r"no anchor holds the pattern:\n    line 3: USER app$"):
        plant(code("dockerfile", "(user_instruction) @anchor", "x", pattern="root"), DOCKERFILE)
    with pytest.raises(UserError, match="the query captures no @anchor in 4 lines"):
        plant(code("dockerfile", "(expose_instruction) @anchor", "x"), DOCKERFILE)


@pytest.mark.parametrize("query", ["(cal) @anchor", "(call @anchor", "(call) @anchor)"])
def test_a_query_that_is_none_for_the_language_is_refused_when_the_spec_is_read(query: str) -> None:
    with pytest.raises(ValidationError, match="is no query for python: "):
        code("python", query, "x")


def test_a_replacement_that_fills_no_group_is_refused_when_the_spec_is_read() -> None:
    with pytest.raises(ValidationError, match="is not valid: invalid group reference 1"):
        code("python", "(call) @anchor", r"\1")
    with pytest.raises(ValidationError, match="is not valid: invalid group reference 2"):
        code("python", "(call) @anchor", r"\2", pattern="(a)")


def test_a_query_without_the_anchor_is_refused_when_the_spec_is_read() -> None:
    with pytest.raises(ValidationError, match="captures no @anchor"):
        code("python", "(call) @called", "x")


def test_a_replacement_that_changes_nothing_is_told() -> None:
    with pytest.raises(UserError, match=r"a\.txt:3:1: the replacement changes nothing"):
        plant(code("dockerfile", "(user_instruction) @anchor", r"\g<0>"), DOCKERFILE)
