"""Python: every file parses, what is imported is there, methods of stores exist, names are used."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath


def module_faults(texts: Mapping[PurePosixPath, str]) -> Iterator[str]:
    """What is wrong with imports and calls."""
    trees: dict[PurePosixPath, ast.Module] = {}
    for path, text in texts.items():
        if path.suffix == ".py":
            try:
                trees[path] = ast.parse(text)
            except SyntaxError as error:
                yield f"{path}: {error.msg}, line {error.lineno}"
    modules = {_module(path): tree for path, tree in trees.items()}
    methods = {
        node.name: _methods(node)
        for tree in modules.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    for path, tree in trees.items():
        for fault in (*_imports(tree, modules), *_calls(tree, methods), *_unused(tree)):
            yield f"{path}: {fault}"


def _module(path: PurePosixPath) -> str:
    return ".".join(path.with_suffix("").parts[-2:])


def _methods(node: ast.ClassDef) -> frozenset[str]:
    names = {
        one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    names |= {
        target.id
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(target := one.target, ast.Name)
    }
    return frozenset(names)


def _imports(tree: ast.Module, modules: Mapping[str, ast.Module]) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            yield from (f"no module {n}" for n in names if n not in sys.stdlib_module_names)
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if node.module.partition(".")[0] in sys.stdlib_module_names:
            continue
        if node.module not in modules:
            yield f"no module {node.module}"
            continue
        known = _defined(modules[node.module])
        yield from (
            f"{node.module} has no {alias.name}" for alias in node.names if alias.name not in known
        )


def _defined(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def _calls(tree: ast.Module, methods: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Attributes of variables that are declared to be of one of our classes."""
    variables: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and isinstance(node.annotation, ast.Name):
            name = node.arg if isinstance(node, ast.arg) else getattr(node.target, "id", "")
            variables[name] = node.annotation.id
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            kind = node.value.args[0] if node.value.args else node.value.func
            if isinstance(kind, ast.Name) and isinstance(node.targets[0], ast.Name):
                variables[node.targets[0].id] = kind.id
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = getattr(node.value, "id", getattr(node.value, "attr", "")).removeprefix("_")
            kind_name = variables.get(owner, "")
            if kind_name.endswith("Store") and node.attr not in methods.get(kind_name, frozenset()):
                yield f"{kind_name} has no {node.attr}, line {node.lineno}"


def _unused(tree: ast.Module) -> Iterator[str]:
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    } - {"annotations"}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    yield from (f"{name} is imported and not used" for name in sorted(imported - used))
