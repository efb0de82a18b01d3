"""HTTP: permissions of routes are granted, calls of the web client meet a route."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

import yaml

ROUTE = re.compile(
    r'^ *@\w+\.(get|post|put|patch|delete)\("([^"]+)", permission="([\w.]+)"\)', re.M
)
PREFIX = re.compile(r'Router\("(/\w+)"\)')
CALL = re.compile(r'session\.(get|post|put|patch|delete|maybe)(?:<.*?>)?\((`[^`]*`|"[^"]*"|[\w.]+)')
PATH = re.compile(r"const path = (`[^`]+`);")
LISTING = re.compile(r'const \w+ = \{ path: "([^"]+)"')
INTERFACE = re.compile(r"^export interface \w+ \{\n(.*?)^\}", re.M | re.S)


def request_faults(texts: Mapping[PurePosixPath, str]) -> Iterator[str]:
    """Routes without a grant, grants without a route, calls without a route."""
    routes: set[tuple[str, str]] = set()
    permissions: dict[str, set[str]] = {}
    for path, text in texts.items():
        if path.name.endswith("_routes.py"):
            prefix = PREFIX.search(text)
            for method, place, permission in ROUTE.findall(text):
                routes.add((method, _shape((prefix[1] if prefix else "") + place)))
                permissions.setdefault(path.parts[1], set()).add(permission)
    for path, text in texts.items():
        if path.name == "access.yaml":
            granted = set(yaml.safe_load(text)["permissions"])
            wrong = sorted(granted ^ permissions.get(path.parts[1], set()))
            yield from (f"{path}: {name} is not both asked for and granted" for name in wrong)
        elif path.suffix == ".ts" and path.name != "transport.ts":
            yield from (f"{path}: {fault}" for fault in _client_faults(text, routes))


def _client_faults(text: str, routes: set[tuple[str, str]]) -> Iterator[str]:
    listing = LISTING.search(text)
    base = listing[1] if listing else ""
    paths = iter(PATH.findall(text))
    for method, argument in CALL.findall(text):
        given = next(paths) if argument == "path" else argument
        place = re.sub(r"\$\{\w+\.path\}|\$\{path\}|^\w+\.path$", base, given).strip('`"')
        asked = ("get" if method == "maybe" else method, _shape(place.partition("?")[0]))
        if asked not in routes:
            yield f"no route {asked[0]} {asked[1]}"


def _shape(path: str) -> str:
    """A path with its variables as `{}`."""
    return re.sub(r"\$?\{[^}]*\}", "{}", path)
