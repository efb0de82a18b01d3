"""The other files of one sort of record: store, schema, migrations, and the web client."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from generators.services.arranging import MARK, settled, wish
from generators.services.imports import imports_for
from generators.services.modules import own_names
from generators.services.rendering import Brush
from generators.services.statements import Statements
from generators.services.wording import Wording

STORE_ORDER = (
    "page", "count", "find", "insert", "insert_many", "update", "delete", "search", "totals",
    "export", "note", "assign", "oldest", "touch", "stale", "find_any",
)  # fmt: skip
ALWAYS = frozenset(
    {"page", "count", "find", "find_any", "insert", "update", "delete", "search", "totals"}
)
CLIENT_CALLS = ("list", "show", "create", "change", "search", "summary", "remove")
CLIENT_MORE = ("note", "history", "copy", "handover")


@dataclass(frozen=True)
class TypedField:
    """A member of an interface."""

    name: str
    typescript: str


def write_store(brush: Brush, wording: Wording) -> str:
    """`invoices_store.py`, with the methods that others ask for."""
    plan = wording.plan
    statements = Statements(plan.statements, plan.entity.one, wording.names["db"])
    methods = _methods(brush, wording, statements)
    body = "\n\n".join(methods)
    columns = f"{wording.names['COLUMNS']}_READ"
    values = wording.values()
    label, labels = str(values["label"]), str(values["labels"])
    filled = {
        **values,
        "body": body,
        "helpers": statements.helpers(),
        "constants": statements.constants,
        "columns_name": columns,
        "column_list": _column_list(wording),
        "used": frozenset({"log"}) if "log." in body else frozenset[str](),
        "doc": brush.pick(
            f"{labels.capitalize()} in the database of {wording.service.name}.",
            f"Reads and writes {labels}: {plan.entity.about}.",
            f"The table of {labels} and what is asked of it.",
        ),
        "class_doc": brush.pick(
            f"Every statement about {labels}, in one place.",
            f"One {label} or many, always of one tenant unless it says otherwise.",
            f"What the rest of {wording.service.name} knows of the table {plan.entity.many}.",
        ),
        "imports": (),
    }
    own = {name: home for name, home in own_names(wording).items() if not home.endswith("_store")}
    draft = _filled(brush.render("store/_file", filled), wording)
    imports = imports_for(draft, wording.platform.library, own)
    around = brush.render("store/_file", {**filled, "body": MARK, "imports": imports.lines})

    def draw() -> str:
        order = [methods[0], *brush.random.sample(methods[1:], len(methods) - 1)]
        return _filled(around.replace(MARK, "\n\n".join(order)), wording) + "\n"

    turn = wording.places["store"].turn
    return settled(
        draw,
        [
            wish(r" +\w+ = \(page - 1\) \* \w+$", turn),
            wish(r" +\w+_(?:where|clauses|filter)(?:\.append\(| \+= )\"[^\"]* = :\w+\"", turn, 2),
            wish(r".*\b(?i:WHERE .* AND) state = '\w+' (?i:AND) version = :version", turn, 1),
        ],
    )


def _filled(code: str, wording: Wording) -> str:
    """Statements name the columns of a record and the way to it; here is which record."""
    columns = f"{{{wording.names['COLUMNS']}_READ}}"
    made = f"{wording.plan.class_name}.{wording.names['FROM']}"
    filled = code.replace("{COLUMNS}", columns).replace("RECORD.FROM", made)
    return filled.replace("RECORD", wording.plan.class_name)


def _methods(brush: Brush, wording: Wording, statements: Statements) -> list[str]:
    plan = wording.plan
    picked: list[str] = []

    def pick(*options: str) -> str:
        picked.append(brush.pick(*options))
        return picked[-1]

    values = {
        **wording.values(),
        "sql": statements.sql,
        "ask": statements.ask,
        "TEN": plan.statements.tenant,
        "PT": plan.statements.parameter,
        "pick": pick,
        "last_pick": lambda: picked[-1],
    }
    asked = wording.methods.asked | ALWAYS
    asked |= {"note"} if "notes" in asked else set()
    names = [name for name in STORE_ORDER if name in asked]
    names += [f"move:{place}" for place in range(len(wording.moves))]
    parts = []
    for name in names:
        template, _, place = name.partition(":")
        more = {"move": wording.moves[int(place)]} if place else {}
        parts.append(brush.render(f"store/{template}", values | more).strip("\n"))
    return parts


def _column_list(wording: Wording) -> str:
    one = wording.plan.entity.one
    names = [f"{one}_id", "tenant_id", *(c.name for c in wording.plan.columns)]
    names += ["state", "version", "created_at"]
    lines = textwrap.wrap(", ".join(names), 84)
    if len(lines) == 1:
        return f'"{lines[0]}"'
    quoted = [f'    "{line} "' for line in lines[:-1]] + [f'    "{lines[-1]}"']
    return "\n".join(["(", *quoted, ")"])


def write_schema(brush: Brush, wording: Wording) -> str:
    """`invoices_schema.py`: the record, what clients send, what they get."""
    plan = wording.plan
    values = {
        **wording.values(),
        "needs": frozenset(wording.needs),
        "limits": plan.limits or "constants",
        "changeable": [c for c in plan.columns if c.field.type != "ref"],
    }
    record, new, change, present = (
        brush.render(f"schema/{name}", values) for name in ("record", "new", "change", "present")
    )
    parts = [record, new, change, present]
    if not {"STATES", "COLUMNS"}.isdisjoint(wording.needs):
        parts.append(brush.render("schema/offered", values))
    if "csv_line" in wording.needs:
        parts.append(brush.render("schema/csv_line", values))
    labels = str(values["labels"])
    filled = {
        **values,
        "parts": parts,
        "doc": brush.pick(
            f"{labels.capitalize()} as they are stored, sent and shown.",
            f"What {values['an_label']} is: {plan.entity.about}.",
            f"The fields of {labels}, and how long they may be.",
        ),
        "imports": (),
    }
    draft = brush.render("schema/_file", filled)
    imports = imports_for(draft, wording.platform.library, {})

    def draw() -> str:
        order = brush.random.sample(parts, len(parts))
        text = brush.render("schema/_file", {**filled, "parts": order, "imports": imports.lines})
        return text + "\n"

    return settled(draw, [wish(r" +\w+=Decimal\(str\(row", wording.places["schema"].turn, 2)])


def write_creation(brush: Brush, wording: Wording) -> str:
    """The migration that creates the table."""
    names = ["table"]
    names += ["outbox"] if wording.plan is wording.service.entities[0] else []
    names += ["notes"] if not wording.methods.asked.isdisjoint({"note", "notes"}) else []
    values = {
        **wording.values(),
        "indexed": [c for c in wording.plan.columns if c.field.type in ("ref", "date")][:2],
    }

    def draw() -> str:
        order = brush.random.sample(names, len(names))
        # What is created before a table cannot refer to it.
        ahead = "notes" in order and order.index("notes") < order.index("table")
        parts = [brush.render(f"migration/{name}", values | {"ahead": ahead}) for name in order]
        return brush.render("migration/_file", values | {"parts": parts}) + "\n"

    wide = r"    (?!note\b|topic\b)\w+ VARCHAR\((?:[4-9]\d|\d{3})\)"
    return settled(draw, [wish(wide, wording.places["migration"].turn, 1)])


def write_widening(brush: Brush, wording: Wording) -> str:
    """The migration that gave a text more room."""
    values = {**wording.values(), "field": wording.plan.widened}
    return brush.render("migration/widen", values) + "\n"


def write_client(brush: Brush, wording: Wording) -> str:
    """`invoices.ts`"""
    one, states = wording.plan.entity.one, wording.plan.entity.states
    fields = [TypedField(f"{one}_id", "string")]
    fields += [TypedField(c.name, c.typescript) for c in wording.plan.columns]
    fields += [TypedField("state", ts_union(states)), TypedField("version", "number")]
    values = {**wording.values(), "ts_union": ts_union, "ts_fields": fields}
    first, *names = CLIENT_CALLS
    names += ["key"] if brush.random.randrange(3) else []
    names += [name for name in CLIENT_MORE if name in wording.plan.operations]
    names += [f"move:{place}" for place in range(len(wording.moves))]
    calls = []
    for name in [first, *names]:
        template, _, place = name.partition(":")
        more = {"move": wording.moves[int(place)]} if place else {}
        calls.append(brush.render(f"client/{template}", values | more))
    body = "\n".join(calls)
    values["ts_imports"] = [name for name in ("Changed", "Entry", "Page") if name in body]

    def draw() -> str:
        order = brush.random.sample(calls, len(calls))
        return brush.render("client/_file", {**values, "calls": order}) + "\n"

    turn = wording.places["client"].turn
    return settled(
        draw,
        [
            wish(r"const \w+ = \{ path: .*, pageSize: \d+ \};", turn, 1),
            wish(r" +.*`/.*\$\{encodeURIComponent\(", turn, 2),
        ],
    )


def ts_union(names: Sequence[str]) -> str:
    """`"draft" | "issued"`"""
    return " | ".join(f'"{name}"' for name in names)
