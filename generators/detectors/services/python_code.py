"""What the detectors of Python code share: trees, routes, and the places of nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence

ROUTE_METHODS = frozenset({"get", "post", "put", "patch", "delete"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Lines:
    """Lines of one file, counted from 1, both ends in."""

    first: int
    last: int

    def evidence(self, path: PurePosixPath) -> Evidence:
        """The same in a file."""
        return Evidence(path, self.first, self.last)


@dataclass(frozen=True)
class Route:
    """A function that answers requests."""

    method: str
    path: str
    permission: str
    lines: Lines
    """Of the decorator."""
    function: Function

    @property
    def internal(self) -> bool:
        """Out of reach for tenants."""
        return self.path.startswith("/internal")


def parsed(path: PurePosixPath, text: str, *words: str) -> ast.Module | None:
    """The tree of a Python file that holds all of some words; None for any other file."""
    if path.suffix != ".py" or not all(word in text for word in words):
        return None
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def lines_of(node: ast.expr | ast.stmt | ast.keyword) -> Lines:
    """Where a node stands."""
    return Lines(node.lineno, node.end_lineno or node.lineno)


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function, those inside of others too."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def routes(tree: ast.Module) -> Iterator[Route]:
    """Functions with a decorator such as `@router.get("/invoices", permission="invoices.read")`."""
    for function in functions(tree):
        for decorator in function.decorator_list:
            found = _route(decorator, function)
            if found:
                yield found


def _route(decorator: ast.expr, function: Function) -> Route | None:
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
        return None
    permission = keyword(decorator, "permission")
    method, path = decorator.func.attr, decorator.args[0] if decorator.args else None
    if method not in ROUTE_METHODS or text_of(path) is None or text_of(permission) is None:
        return None
    return Route(
        method, text_of(path) or "", text_of(permission) or "", lines_of(decorator), function
    )


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a keyword argument."""
    return next((one.value for one in call.keywords if one.arg == name), None)


def text_of(node: ast.AST | None) -> str | None:
    """The value of a string literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def called_method(node: ast.AST) -> str:
    """`find` for `self.store.find(…)`; empty where it is no call of a method."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr
    return ""


def mentions(node: ast.AST, name: str) -> bool:
    """Whether a name or an attribute of that name occurs."""
    return any(
        (isinstance(one, ast.Name) and one.id == name)
        or (isinstance(one, ast.Attribute) and one.attr == name)
        for one in ast.walk(node)
    )


def statements(function: Function) -> Iterator[ast.stmt]:
    """The statements of a function, those inside of blocks too, each after what it stands in."""
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and node is not function:
            yield node
