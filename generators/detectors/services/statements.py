"""Defects of statements to the database: values set into them, versions left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from generators.detectors.services.python_code import Function, Lines, functions, lines_of, parsed
from generators.lines import split_lines

BEFORE_VALUE = re.compile(r"\b\w+\s*(?:=|<>|!=|<=?|>=?|\b(?i:I?LIKE|IN)\b)\s*\(?\s*'?%?$")
"""A column and an operator: what follows is a value."""
SQL_WORD = re.compile(r"\b(?:SELECT|UPDATE|DELETE|INSERT)\b", re.IGNORECASE)
UPDATE = re.compile(r"\s*UPDATE\b", re.IGNORECASE)
VERSION = re.compile(r"\bversion\s*=\s*:\w+", re.IGNORECASE)
WHERE = re.compile(r"\bWHERE\b", re.IGNORECASE)


def formatted_values(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Values set into the text of a statement, or of a condition for one."""
    tree = parsed(path, text) if SQL_WORD.search(text) else None
    if tree is None:
        return ()
    return tuple(
        lines_of(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr) and _holds_value(node)
    )


def _holds_value(node: ast.JoinedStr) -> bool:
    before = ""
    for part in node.values:
        if isinstance(part, ast.Constant):
            before = str(part.value)
        elif BEFORE_VALUE.search(before):
            return True
        else:
            before = ""
    return False


def unversioned_updates(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Functions that are handed a version and change a row whatever its version is."""
    tree = parsed(path, text, "version") if SQL_WORD.search(text) else None
    if tree is None:
        return ()
    constants = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    lines = split_lines(text)
    return tuple(
        found
        for function in functions(tree)
        if any(given.arg == "version" for given in (*function.args.args, *function.args.kwonlyargs))
        for statement in _statements(function, constants)
        for found in _unversioned(statement, lines)
    )


def _statements(function: Function, constants: Mapping[str, ast.expr]) -> Iterator[ast.expr]:
    """String literals of a function and those at the top of its file that it names."""
    inside: set[int] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.JoinedStr):
            inside |= {id(part) for part in ast.walk(node) if part is not node}
            yield node
        elif isinstance(node, ast.Constant) and id(node) not in inside:
            yield node
        elif isinstance(node, ast.Name) and node.id in constants:
            yield constants[node.id]


def _unversioned(statement: ast.expr, lines: list[str]) -> Iterator[Lines]:
    text = _text(statement)
    if not UPDATE.match(text):
        return
    _, *conditions = WHERE.split(text)
    if not conditions or VERSION.search(conditions[-1]):
        return
    for number in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
        if WHERE.search(lines[number - 1]):
            yield Lines(number, number)
            return


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
