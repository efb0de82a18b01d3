"""Defects of single values: comparisons that leak time, repeated posts, money as float, logs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.services.baseline import section
from generators.detectors.services.python_code import (
    Function,
    Lines,
    called_method,
    functions,
    keyword,
    lines_of,
    parsed,
    statements,
)

CODE_MAKERS = frozenset({"sign", "hexdigest", "digest"})
LOG_CALLS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
QUOTED = re.compile(r"`([a-z_]+)`")


def leaky_comparisons(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Signatures compared by `==`, which takes longer the more of them fits."""
    tree = parsed(path, text)
    if tree is None or not ("sign(" in text or "hmac" in text):
        return ()
    return tuple(lines for function in functions(tree) for lines in _leaky(function))


def _leaky(function: Function) -> Iterator[Lines]:
    codes = {
        one.targets[0].id
        for one in statements(function)
        if isinstance(one, ast.Assign)
        and isinstance(one.targets[0], ast.Name)
        and _makes_code(one.value)
    }
    for node in ast.walk(function):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            continue
        sides = (node.left, *node.comparators)
        if any((isinstance(s, ast.Name) and s.id in codes) or _makes_code(s) for s in sides):
            yield lines_of(node)


def _makes_code(node: ast.expr) -> bool:
    """`sign(…)`, or a digest of `hmac`; a plain hash is no secret."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id == "sign"
    return called_method(node) in CODE_MAKERS and any(
        isinstance(one, ast.Name) and one.id == "hmac" for one in ast.walk(node.func)
    )


def unkeyed_retries(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Posts that may be sent again and that the other side cannot recognise."""
    tree = parsed(path, text, ".post(", "retries=")
    if tree is None:
        return ()
    return tuple(
        lines_of(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and called_method(node) == "post"
        and _is_repeated(keyword(node, "retries"))
        and keyword(node, "idempotency_key") is None
    )


def _is_repeated(retries: ast.expr | None) -> bool:
    if retries is None:
        return False
    return not (isinstance(retries, ast.Constant) and retries.value == 0)


def money_as_float(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Fields that are declared Decimal and made by way of float."""
    tree = parsed(path, text, "Decimal", "float(")
    if tree is None:
        return ()
    return tuple(
        lines
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for lines in _floats(node)
    )


def _floats(record: ast.ClassDef) -> Iterator[Lines]:
    exact = {
        one.target.id
        for one in record.body
        if isinstance(one, ast.AnnAssign)
        and isinstance(one.target, ast.Name)
        and any(isinstance(n, ast.Name) and n.id == "Decimal" for n in ast.walk(one.annotation))
    }
    for node in ast.walk(record):
        if isinstance(node, ast.keyword) and node.arg in exact and _calls_float(node.value):
            yield lines_of(node)


def _calls_float(node: ast.expr) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "float"
        for one in ast.walk(node)
    )


@dataclass(frozen=True)
class LoggedAttribute:
    """An attribute that a log line writes out."""

    name: str
    lines: Lines


@dataclass(frozen=True)
class LogFacts:
    """What one file logs, or what the baseline forbids to log."""

    forbidden: frozenset[str]
    logged: tuple[LoggedAttribute, ...]


class SensitiveLog:
    """Finds log lines that write out what the baseline keeps out of logs."""

    def extract(self, path: PurePosixPath, text: str) -> LogFacts:
        """Attributes in log calls; in the baseline the names that are forbidden."""
        forbidden = frozenset(QUOTED.findall(section(path, text, "Logging")))
        tree = parsed(path, text, "log.")
        logged = tuple(_logged(tree)) if tree else ()
        return LogFacts(forbidden, logged)

    def decide(self, facts: Mapping[PurePosixPath, LogFacts]) -> tuple[Evidence, ...]:
        """The lines that log what is forbidden."""
        forbidden = frozenset(name for one in facts.values() for name in one.forbidden)
        return tuple(
            one.lines.evidence(path)
            for path in sorted(facts)
            for one in facts[path].logged
            if one.name in forbidden
        )


def _logged(tree: ast.Module) -> Iterator[LoggedAttribute]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or called_method(node) not in LOG_CALLS:
            continue
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node
        if not isinstance(owner, ast.Name) or owner.id not in ("log", "logger"):
            continue
        for given in node.args[1:]:
            if isinstance(given, ast.Attribute):
                yield LoggedAttribute(given.attr, lines_of(node))
