"""The import lines of a Python file, from the names that its code really uses."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

WIDTH = 100
PLAIN = ("hashlib", "hmac", "json", "logging")
STANDARD: Mapping[str, str] = {
    "Counter": "collections",
    "AsyncIterator": "collections.abc",
    "Iterator": "collections.abc",
    "Mapping": "collections.abc",
    "Sequence": "collections.abc",
    "dataclass": "dataclasses",
    "field": "dataclasses",
    "UTC": "datetime",
    "date": "datetime",
    "datetime": "datetime",
    "timedelta": "datetime",
    "Decimal": "decimal",
    "ROUND_HALF_EVEN": "decimal",
    "HTTPStatus": "http",
    "uuid4": "uuid",
}
LIBRARY: Mapping[str, str] = {
    "Cache": "caching",
    "BadInput": "intake",
    "Body": "intake",
    "CENT": "intake",
    "Upstream": "outbound",
    "sign": "outbound",
    "secret": "settings",
    "Database": "storage",
    "Event": "storage",
    "Outbox": "storage",
    "Row": "storage",
    "as_day": "storage",
    "as_moment": "storage",
    "Caller": "web",
    "Conflict": "web",
    "NotFound": "web",
    "Request": "web",
    "Response": "web",
    "Route": "web",
    "Router": "web",
    "attachment": "web",
    "reply": "web",
}


@dataclass(frozen=True)
class Imports:
    """What a file takes from elsewhere."""

    lines: tuple[str, ...]
    used: frozenset[str]
    """Every name that occurs in its code."""


def used_names(code: str) -> frozenset[str]:
    """The names that a piece of code refers to."""
    return frozenset(node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name))


def imports_for(code: str, library: str, own: Mapping[str, str]) -> Imports:
    """The imports that a piece of code needs. `own`: name to module, within the service."""
    used = used_names(code)
    known = used | ({"logging"} if "log" in used else frozenset())
    groups = [
        [f"import {name}" for name in PLAIN if name in known] + _from(used, STANDARD),
        _from(used, {name: f"{library}.{module}" for name, module in LIBRARY.items()}),
        _from(used, own),
    ]
    lines: list[str] = []
    for group in groups:
        if group and lines:
            lines.append("")
        lines.extend(group)
    return Imports(tuple(lines), used)


def _from(used: frozenset[str], homes: Mapping[str, str]) -> list[str]:
    modules: dict[str, list[str]] = {}
    for name in homes.keys() & used:
        modules.setdefault(homes[name], []).append(name)
    return [_line(module, modules[module]) for module in sorted(modules)]


def _line(module: str, names: Iterable[str]) -> str:
    # Constants, then classes, then functions, as import sorters have it.
    ordered = sorted(names, key=lambda name: (_rank(name), name))
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in ordered), ")"])


def _rank(name: str) -> int:
    if name.isupper():
        return 0
    return 1 if name[0].isupper() else 2
