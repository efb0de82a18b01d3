from __future__ import annotations

from generators.services.imports import imports_for

CODE = '''\
async def show(store: Store) -> None:
    """A Counter in words is not one in code."""
    log.info("json %s", HTTPStatus.OK)
    raise NotFound(str(BadInput))
'''


def test_what_code_uses_is_imported_and_no_more() -> None:
    imports = imports_for(CODE, "corelib", {"Store": "billing.store", "Other": "billing.other"})
    assert imports.lines == (
        "import logging",
        "from http import HTTPStatus",
        "",
        "from corelib.intake import BadInput",
        "from corelib.web import NotFound",
        "",
        "from billing.store import Store",
    )


def test_constants_come_before_classes_and_functions() -> None:
    code = "print(show, Record, LIMIT)\n"
    homes = dict.fromkeys(("show", "Record", "LIMIT"), "billing.schema")
    assert imports_for(code, "corelib", homes).lines == (
        "from billing.schema import LIMIT, Record, show",
    )


def test_a_long_line_is_broken() -> None:
    names = [f"rather_long_name_{number}" for number in range(6)]
    lines = imports_for(
        f"print({', '.join(names)})\n", "corelib", dict.fromkeys(names, "a.b")
    ).lines
    assert lines == ("from a.b import (\n" + "".join(f"    {n},\n" for n in names) + ")",)
