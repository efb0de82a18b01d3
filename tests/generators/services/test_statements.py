from __future__ import annotations

import ast

import pytest

from generators.services.statements import Asking, Layout, Statements, StoreStyle

SQL = "SELECT {COLUMNS}\nFROM invoices\nWHERE tenant_id = :tenant\n"


def statements(layout: Layout, asking: Asking = "inline", **changes: bool) -> Statements:
    style = StoreStyle(
        layout=layout,
        asking=asking,
        lower=changes.get("lower", False),
        river=changes.get("river", False),
        tenant="owner",
        parameter="tenant_id",
        rows="found",
        row="hit",
    )
    return Statements(style, "invoice", "_db")


def test_a_block_is_indented_and_interpolated() -> None:
    laid = statements("block").sql(SQL, interpolated=True, name="one")
    assert laid.split("\n") == [
        'f"""',
        "            SELECT {COLUMNS}",
        "            FROM invoices",
        "            WHERE tenant_id = :tenant_id",
        '            """',
    ]


def test_only_lines_with_names_are_f_strings_when_joined() -> None:
    laid = statements("joined").sql(SQL, interpolated=True, name="one")
    assert laid.split("\n") == [
        'f"SELECT {COLUMNS}"',
        '            " FROM invoices"',
        '            " WHERE tenant_id = :tenant_id"',
    ]


def test_a_constant_is_named_after_its_record_and_kept() -> None:
    constant = statements("constant")
    assert constant.sql("DELETE FROM invoices\n", name="drop") == "DROP_INVOICE"
    assert constant.constants == ['DROP_INVOICE = """\nDELETE FROM invoices\n"""']


def test_a_statement_with_conditions_of_its_own_is_no_constant() -> None:
    constant = statements("constant")
    assert constant.sql(SQL, interpolated=True).startswith('f"""')
    assert constant.constants == []


@pytest.mark.parametrize("style", ["block", "joined"])
def test_long_lists_of_columns_are_broken(style: Layout) -> None:
    listed = ", ".join(f"column_number_{number}" for number in range(20))
    laid = statements(style).sql(f"INSERT INTO invoices\n  ({listed})\n")
    value = ast.literal_eval(laid if style == "block" else f"({laid})")
    assert value.split() == f"INSERT INTO invoices ({listed})".split()
    assert max(map(len, laid.split("\n"))) <= 105


def test_keywords_in_lower_case_and_along_a_river() -> None:
    laid = statements("block", lower=True, river=True).sql("DELETE FROM invoices\nWHERE a = 1\n")
    assert [line[12:] for line in laid.split("\n")[1:-1]] == [
        "delete from invoices",
        "   where a = 1",
    ]


@pytest.mark.parametrize(
    ("asking", "lines"),
    [
        pytest.param(
            "inline",
            ['found = await self._db.all(ONE_INVOICE, {"tenant_id": owner})', "RETURN"],
            id="in the call",
        ),
        pytest.param(
            "ahead",
            [
                'values = {"tenant_id": owner}',
                "found = await self._db.all(ONE_INVOICE, values)",
                "RETURN",
            ],
            id="before the call",
        ),
        pytest.param(
            "helper", ["return await self._many(ONE_INVOICE, tenant_id=owner)"], id="by a method"
        ),
        pytest.param(
            "keywords",
            ["found = await self._db.all(ONE_INVOICE, dict(tenant_id=owner))", "RETURN"],
            id="as keywords",
        ),
    ],
)
def test_ways_to_ask(asking: Asking, lines: list[str]) -> None:
    style = statements("constant", asking)
    asked = style.ask("many", style.sql(SQL, name="one"), {"tenant": "owner"})
    wanted = [
        line.replace("RETURN", "return [RECORD.FROM(row) for row in found]") for line in lines
    ]
    assert [line.strip() for line in asked.split("\n")] == wanted
    assert ("def _many(" in style.helpers()) == (asking == "helper")
