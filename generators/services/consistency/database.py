"""SQL: tables and columns that stores name exist, records are what is selected, texts fit."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

CREATE = re.compile(r"^CREATE TABLE (\w+) \((.*?)^\);", re.MULTILINE | re.DOTALL)
COLUMN = re.compile(r"^    (\w+) ([A-Z]+)(?: PRECISION)?(?:\((\d+)(?:, \d+)?\))?", re.MULTILINE)
WIDER = re.compile(r"ALTER TABLE (\w+)\s+ALTER COLUMN (\w+) TYPE VARCHAR\((\d+)\);")
INDEX = re.compile(r"CREATE INDEX \w+ ON (\w+) \(([^)]*)\)")
STATEMENT = re.compile(r"\b(?:FROM|INTO|UPDATE) (\w+)", re.IGNORECASE)
NAMED = re.compile(
    r"\b(\w+) (?:=|<|IN) ?(?=[:('n])|(?:BY|,) (\w+)(?= DESC|,|$)|SET (\w+) =", re.IGNORECASE
)
INSERTED = re.compile(r"INSERT INTO (\w+)\s*\(([^)]*)\)", re.IGNORECASE)
LIMIT = re.compile(r'^(?:    "(\w+)": |([A-Z_]+)_MOST = )(\d+),?$', re.MULTILINE)
KEYWORDS = frozenset({"PRIMARY", "CONSTRAINT", "CHECK"})


@dataclass(frozen=True)
class Table:
    """The columns of a table, and how wide its texts are."""

    widths: Mapping[str, int]


def database_faults(texts: Mapping[PurePosixPath, str]) -> Iterator[str]:
    """What stores and schemas get wrong about tables."""
    for service in sorted({path.parts[1] for path in texts if path.parts[0] == "services"}):
        own = {p: texts[p] for p in sorted(texts) if p.parts[:2] == ("services", service)}
        tables = _tables({p: text for p, text in own.items() if p.suffix == ".sql"})
        for path, text in own.items():
            if path.suffix == ".sql":
                yield from (f"{path}: {fault}" for fault in _index_faults(text, tables))
            if path.name.endswith("_store.py"):
                yield from (f"{path}: {fault}" for fault in _store_faults(text, tables))
                schema = own.get(path.with_name(path.name.replace("_store", "_schema")), "")
                yield from (f"{path}: {fault}" for fault in _record_faults(text, schema))
            if path.name.endswith("_schema.py"):
                yield from (f"{path}: {fault}" for fault in _limit_faults(text, tables))


def _tables(migrations: Mapping[PurePosixPath, str]) -> dict[str, Table]:
    widths: dict[str, dict[str, int]] = {}
    for text in migrations.values():
        for name, body in CREATE.findall(text):
            columns = COLUMN.findall(body)
            widths[name] = {c: int(n or 0) for c, kind, n in columns if c not in KEYWORDS}
        for name, column, width in WIDER.findall(text):
            if int(width) <= widths[name][column]:
                raise AssertionError(f"{name}.{column} is not made wider")
            widths[name][column] = int(width)
    return {name: Table(columns) for name, columns in widths.items()}


def _index_faults(text: str, tables: Mapping[str, Table]) -> Iterator[str]:
    for name, columns in INDEX.findall(text):
        named = [column.split()[0] for column in columns.split(", ")]
        unknown = [c for c in named if name not in tables or c not in tables[name].widths]
        yield from (f"an index on {name}.{column}, which is not there" for column in unknown)


def _store_faults(text: str, tables: Mapping[str, Table]) -> Iterator[str]:
    tree = ast.parse(text)
    inside = {id(p) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for p in n.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [p.value if isinstance(p, ast.Constant) else "nothing" for p in node.values]
            statement = "".join(str(part) for part in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            statement = "" if id(node) in inside else node.value
        else:
            continue
        if not re.match(r"\s*(?:SELECT|INSERT|UPDATE|DELETE) ", statement, re.IGNORECASE):
            continue
        found = STATEMENT.search(statement)
        if found is None or found[1] not in tables:
            yield f"no table in {statement.strip()[:60]!r}"
            continue
        names = {name for match in NAMED.findall(statement) for name in match if name}
        for _, listed in INSERTED.findall(statement):
            names |= {name.strip() for name in listed.split(",")}
        known = {*tables[found[1]].widths, "nothing"}
        yield from (f"{found[1]} has no column {name}" for name in sorted(names - known))


def _record_faults(store: str, schema: str) -> Iterator[str]:
    """What is selected is what the record holds, in any order."""
    selected = re.search(r"_COLUMNS_READ = \(?([^()=]*?)\)?\n(?=[\w\n])", store)
    if selected is None or not schema:
        yield "no list of columns, or no schema"
        return
    columns = set(re.findall(r"\w+", selected[1]))
    for node in ast.parse(schema).body:
        if isinstance(node, ast.ClassDef):
            fields = {
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            }
            if "tenant_id" in fields and fields != columns:
                yield f"{node.name} and the columns differ in {sorted(fields ^ columns)}"


def _limit_faults(schema: str, tables: Mapping[str, Table]) -> Iterator[str]:
    for one, other, most in LIMIT.findall(schema):
        name = one or other.lower()
        widths = [table.widths[name] for table in tables.values() if name in table.widths]
        if not widths or int(most) > min(widths):
            yield f"{name} may have {most} characters, its column has {widths}"
