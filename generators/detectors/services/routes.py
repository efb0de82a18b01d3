"""Defects of routes: lookups beyond the tenant, keys without it, permissions that are too weak."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from generators.detectors.services.python_code import (
    Function,
    Lines,
    Route,
    called_method,
    functions,
    lines_of,
    mentions,
    parsed,
    routes,
    statements,
    text_of,
)

PLACEHOLDER = re.compile(r"\{(\w+)\}")
READING_CALLS = ("/search", "/preview")
CACHE_CALLS = frozenset({"get", "put", "remember"})


def unscoped_lookups(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Records fetched by an id from the request, by whoever asks."""
    tree = parsed(path, text, "permission=", "await")
    if tree is None:
        return ()
    return tuple(
        lines for route in routes(tree) if not route.internal for lines in _unscoped(route)
    )


def _unscoped(route: Route) -> Iterator[Lines]:
    ids = set(PLACEHOLDER.findall(route.path))
    for statement in statements(route.function):
        for part, call in _awaited(statement):
            given = [*call.args, *(one.value for one in call.keywords)]
            by_id = any(isinstance(one, ast.Name) and one.id in ids for one in given)
            if not by_id or any(mentions(one, "tenant") for one in given):
                continue
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if not _compares_tenant(route.function, target):
                yield lines_of(part)


class Awaited(NamedTuple):
    """A call that is waited for."""

    part: ast.stmt | ast.expr
    """The simple statement it stands in, or the condition of a block."""
    call: ast.Call


def _awaited(statement: ast.stmt) -> Iterator[Awaited]:
    """Awaited calls in a simple statement; those in the blocks of others come by themselves."""
    part: ast.stmt | ast.expr = statement
    if isinstance(statement, ast.If | ast.While):
        part = statement.test
    elif isinstance(statement, ast.For | ast.AsyncFor):
        part = statement.iter
    elif hasattr(statement, "body") or isinstance(statement, ast.Match):
        return
    for node in ast.walk(part):
        if isinstance(node, ast.Await) and isinstance(node.value, ast.Call):
            yield Awaited(part, node.value)


def _compares_tenant(function: Function, target: ast.expr | None) -> bool:
    """Whether the tenant of the record that was fetched is compared with anything."""
    if not isinstance(target, ast.Name):
        return False
    return any(
        isinstance(side, ast.Attribute)
        and side.attr == "tenant_id"
        and isinstance(side.value, ast.Name)
        and side.value.id == target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
    )


def tenantless_keys(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """What belongs to a tenant, cached under a key that does not name it."""
    tree = parsed(path, text, "permission=", "tenant")
    if tree is None:
        return ()
    found = (lines for route in routes(tree) if not route.internal for lines in _tenantless(route))
    return tuple(dict.fromkeys(found))


def _tenantless(route: Route) -> Iterator[Lines]:
    calls = [node for node in ast.walk(route.function) if isinstance(node, ast.Call)]
    for_tenant = [one for one in calls if any(_is_tenant(given) for given in one.args)]
    if not for_tenant:
        return
    assigned = {
        one.targets[0].id: one.value
        for one in statements(route.function)
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
    }
    for call in calls:
        if called_method(call) not in CACHE_CALLS or not call.args or not _on_cache(call):
            continue
        key = call.args[0]
        if isinstance(key, ast.Name):
            key = assigned.get(key.id, key)
        if isinstance(key, ast.Constant | ast.JoinedStr) and not mentions(key, "tenant"):
            yield lines_of(key)


def _is_tenant(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "tenant"


def _on_cache(call: ast.Call) -> bool:
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call
    return mentions(owner, "cache") or mentions(owner, "Cache")


def weak_permissions(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Routes that change something and ask for no more than a permission to read."""
    tree = parsed(path, text, "permission=")
    if tree is None:
        return ()
    return tuple(
        route.lines
        for route in routes(tree)
        if route.method != "get"
        and route.permission.endswith(".read")
        and not route.path.endswith(READING_CALLS)
        and not route.internal
    )


def off_by_one_pages(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Offsets that skip the first page, since pages count from 1."""
    tree = parsed(path, text, "page", "offset")
    if tree is None:
        return ()
    return tuple(
        lines_of(one)
        for function in functions(tree)
        if any(given.arg == "page" for given in _arguments(function))
        for one in statements(function)
        if isinstance(one, ast.Assign) and _is_page_times(one.value) and _is_offset(one, function)
    )


def _arguments(function: Function) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _is_page_times(node: ast.expr) -> bool:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return False
    return any(isinstance(side, ast.Name) and side.id == "page" for side in (node.left, node.right))


def _is_offset(assignment: ast.Assign, function: Function) -> bool:
    names = {target.id for target in assignment.targets if isinstance(target, ast.Name)}
    return any(isinstance(one, ast.Name) and one.id in names for one in _offsets(function))


def _offsets(function: Function) -> Iterator[ast.expr]:
    """What is given as `offset`, by name or by key."""
    for node in ast.walk(function):
        if isinstance(node, ast.keyword) and node.arg == "offset":
            yield node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if text_of(key) == "offset":
                    yield value
