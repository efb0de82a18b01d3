"""The other files of one sort of record: store, schema, migrations, and the web client."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

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
    body = _methods(brush, wording, statements)
    columns = f"{wording.names['COLUMNS']}_READ"
    values = wording.values()
    label, labels = str(values["label"]), str(values["labels"])
    filled = {
        **values,
        "body": _filled(body, wording),
        "helpers": _filled(statements.helpers(), wording),
        "constants": [_filled(one, wording) for one in statements.constants],
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
    draft = brush.render("store/_file", filled)
    imports = imports_for(draft, wording.platform.library, own)
    return brush.render("store/_file", {**filled, "imports": imports.lines}) + "\n"


def _filled(code: str, wording: Wording) -> str:
    """Statements name the columns of a record and the way to it; here is which record."""
    columns = f"{{{wording.names['COLUMNS']}_READ}}"
    made = f"{wording.plan.class_name}.{wording.names['FROM']}"
    filled = code.replace("{COLUMNS}", columns).replace("RECORD.FROM", made)
    return filled.replace("RECORD", wording.plan.class_name)


def _methods(brush: Brush, wording: Wording, statements: Statements) -> str:
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
    first, later = names[:1], names[1:]
    brush.random.shuffle(later)
    parts = []
    for name in [*first, *later]:
        template, _, place = name.partition(":")
        more = {"move": wording.moves[int(place)]} if place else {}
        parts.append(brush.render(f"store/{template}", values | more).strip("\n"))
    return "\n\n".join(parts)


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
    parts = [record, *brush.random.sample([new, change], 2), present]
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
    return brush.render("schema/_file", {**filled, "imports": imports.lines}) + "\n"


def write_creation(brush: Brush, wording: Wording, *, outbox: bool) -> str:
    """The migration that creates the table."""
    values = {
        **wording.values(),
        "outbox": outbox,
        "notes": not wording.methods.asked.isdisjoint({"note", "notes"}),
        "indexed": [c for c in wording.plan.columns if c.field.type in ("ref", "date")][:2],
    }
    return brush.render("migration/create", values) + "\n"


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
    names += [name for name in CLIENT_MORE if name in wording.plan.operations]
    names += [f"move:{place}" for place in range(len(wording.moves))]
    brush.random.shuffle(names)
    calls = []
    for name in [first, *names]:
        template, _, place = name.partition(":")
        more = {"move": wording.moves[int(place)]} if place else {}
        calls.append(brush.render(f"client/{template}", values | more))
    body = "\n".join(calls)
    imported = [name for name in ("Changed", "Entry", "Page") if name in body]
    return brush.render("client/_file", {**values, "calls": calls, "ts_imports": imported}) + "\n"


def ts_union(names: Sequence[str]) -> str:
    """`"draft" | "issued"`"""
    return " | ".join(f'"{name}"' for name in names)
