"""`narrow-column`: a schema lets a text through that does not fit into its column."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.services.python_code import (
    Lines,
    called_method,
    keyword,
    lines_of,
    parsed,
    text_of,
)
from generators.lines import split_lines

TABLE = re.compile(r"\s*(CREATE|ALTER) TABLE (?:IF NOT EXISTS )?(\w+)", re.IGNORECASE)
COLUMN = re.compile(r"\s*(?:ALTER COLUMN |ADD COLUMN )?(\w+)(?: TYPE)?\s+(\w+)(?:\((\d+)\))?")
TEXT_TYPES = frozenset({"VARCHAR", "CHAR"})


@dataclass(frozen=True)
class Width:
    """How wide one migration makes a column."""

    table: str
    column: str
    width: int
    lines: Lines


@dataclass(frozen=True)
class Limit:
    """How long a text a schema lets through, and into whose record."""

    record: str
    """The column of its id: `invoice_id`."""
    column: str
    most: int
    lines: Lines


@dataclass(frozen=True)
class WidthFacts:
    """What one file says of texts."""

    widths: tuple[Width, ...]
    ids: Mapping[str, frozenset[str]]
    """By table, the columns that may be the id of a record."""
    limits: tuple[Limit, ...]


class NarrowColumn:
    """Finds limits of texts beyond the width of their column, after all migrations."""

    def extract(self, path: PurePosixPath, text: str) -> WidthFacts:
        """Widths of a migration or limits of a schema."""
        if path.suffix == ".sql":
            return _migration(text)
        tree = parsed(path, text, ".text(", "most=")
        return WidthFacts((), {}, tuple(_limits(tree)) if tree else ())

    def decide(self, facts: Mapping[PurePosixPath, WidthFacts]) -> tuple[Evidence, ...]:
        """Column and limit, where the first is narrower."""
        # The folder says whose database it is; within it, later files change what earlier ones did.
        last: dict[tuple[PurePosixPath, str, str], tuple[PurePosixPath, Width]] = {}
        ids: dict[tuple[PurePosixPath, str], frozenset[str]] = {}
        for path in sorted(facts):
            for width in facts[path].widths:
                last[path.parent, width.table, width.column] = (path, width)
            for table, columns in facts[path].ids.items():
                ids[path.parent, table] = columns
        found: set[Evidence] = set()
        for path in sorted(facts):
            for limit in facts[path].limits:
                for (folder, table, column), (other, width) in last.items():
                    if column != limit.column or limit.record not in ids.get((folder, table), ()):
                        continue
                    if width.width < limit.most:
                        found |= {limit.lines.evidence(path), width.lines.evidence(other)}
        return tuple(sorted(found))


def _migration(text: str) -> WidthFacts:
    table, creating = "", False
    widths: list[Width] = []
    ids: dict[str, set[str]] = {}
    for number, line in enumerate(split_lines(text), start=1):
        if opened := TABLE.match(line):
            table, creating = opened[2], opened[1].upper() == "CREATE"
        elif table and (column := COLUMN.match(line)):
            kind = column[2].upper()
            if kind in TEXT_TYPES and column[3]:
                place = Lines(number, number)
                widths.append(Width(table, column[1], int(column[3]), place))
            elif kind == "UUID" and creating:
                ids.setdefault(table, set()).add(column[1])
        if line.rstrip().endswith(";"):
            table = ""
    return WidthFacts(tuple(widths), {name: frozenset(ids[name]) for name in ids}, ())


def _limits(tree: ast.Module) -> Iterator[Limit]:
    stated = dict(_stated(tree))
    records = [
        one.target.id
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for one in node.body[:2]
        if isinstance(one, ast.AnnAssign)
        and isinstance(one.target, ast.Name)
        and one.target.id.endswith("_id")
        and any(
            isinstance(other, ast.AnnAssign)
            and isinstance(other.target, ast.Name)
            and other.target.id == "tenant_id"
            for other in node.body
        )
    ]
    record = records[0] if records else ""
    seen: set[Limit] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or called_method(node) != "text" or not node.args:
            continue
        name, most = text_of(node.args[0]), keyword(node, "most")
        number = _number(most, stated)
        if name is None or number is None:
            continue
        limit = Limit(record, name, number.value, number.lines)
        if limit not in seen:
            seen.add(limit)
            yield limit


@dataclass(frozen=True)
class _Number:
    value: int
    lines: Lines


def _stated(tree: ast.Module) -> Iterator[tuple[str, _Number]]:
    """Numbers at the top of a file: `NAME` and `NAME["key"]`."""
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name, value = node.targets[0].id, node.value
        if isinstance(value, ast.Constant) and isinstance(value.value, int):
            yield name, _Number(value.value, lines_of(node))
        elif isinstance(value, ast.Dict):
            for key, entry in zip(value.keys, value.values, strict=True):
                if isinstance(entry, ast.Constant) and isinstance(entry.value, int):
                    yield f"{name}[{text_of(key)}]", _Number(entry.value, lines_of(entry))


def _number(node: ast.expr | None, stated: Mapping[str, _Number]) -> _Number | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return _Number(node.value, lines_of(node))
    if isinstance(node, ast.Name):
        return stated.get(node.id)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return stated.get(f"{node.value.id}[{text_of(node.slice)}]")
    return None
