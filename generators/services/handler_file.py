"""The routes of one sort of record: bodies from templates, heads in the shape of their author."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generators.services.arranging import MARK, settled, wish
from generators.services.imports import Imports, imports_for
from generators.services.modules import own_names
from generators.services.rendering import Brush
from generators.services.wording import Wording

HEAD = "@HEAD@"
"""Stands for the head of a route until its body is known: only what is used is asked for."""
WIDTH = 98
PRELUDE: Mapping[str, str] = {
    "body": "await request.body()",
    "page": 'request.number("page", 1)',
    "size": 'request.number("size", 50)',
    "state": 'request.query.get("state", "")',
}
"""How a route that is given the request alone gets at what others are given as arguments."""
TYPES: Mapping[str, str] = {"body": "Body", "page": "int", "size": "int", "state": 'str = ""'}


@dataclass(frozen=True)
class Head:
    """What is known of a route before its body is written."""

    method: str
    path: str
    action: str
    name: str
    ids: Sequence[str]
    takes: Sequence[str]
    doc: str


def write_handler(brush: Brush, wording: Wording) -> str:
    """`invoices_routes.py`. Settles what the store and the schema must offer."""
    return _HandlerWriter(brush, wording).write()


class _HandlerWriter:
    """Writes one file of routes; every route is rendered, then given its head."""

    def __init__(self, brush: Brush, wording: Wording) -> None:
        self._brush = brush
        self._wording = wording
        self._shape = wording.plan.shape
        entity = wording.plan.entity
        self._store = brush.pick("store", "repository", f"{entity.one}_store", "records")
        self._caller = brush.pick("caller", "actor", "principal")
        self._documented = brush.random.randrange(4)
        """In so many of four routes, and one more, there is a docstring."""
        self._heads: list[Head] = []
        self._reserved = {f"{move.verb}_{wording.plan.entity.one}" for move in wording.moves}
        """Names of functions that changes of state have."""
        self._values = self._names()

    def _names(self) -> dict[str, object]:
        brush, wording = self._brush, self._wording
        by_request = self._shape == "request"
        who = "request.caller" if by_request else self._caller
        prefix = "self." if self._shape == "class" else ""
        references = [c for c in wording.plan.columns if c.field.type == "ref" and not c.optional]
        return {
            **wording.values(),
            "shape": self._shape,
            "store_word": self._store,
            "S": prefix + self._store,
            "T": f"{who}.tenant",
            "U": who,
            "ID": f"{wording.plan.entity.one}_id",
            "K": "request.service(Cache)" if by_request else f"{prefix}cache",
            "O": "request.service(Outbox)" if by_request else f"{prefix}outbox",
            "head": self._head,
            "slice": str(brush.random.randrange(2, 21) * 50),
            "quota": brush.random.randrange(4, 60) * 50,
            "share": f"0.{brush.random.randrange(11, 99)}",
            "required_refs": references,
        }

    def write(self) -> str:
        wording, brush = self._wording, self._brush
        routes = [self._route(operation) for operation in wording.plan.operations]
        body = self._joined(routes)
        label, labels = str(self._values["label"]), str(self._values["labels"])
        values = {
            **self._values,
            "body": body,
            "used": frozenset({"log"}) if "log." in body else frozenset[str](),
            "doc": brush.pick(
                f"Routes for {labels}: {wording.plan.entity.about}.",
                f"What {wording.service.name} answers about {labels}.",
                f"{labels.capitalize()} over HTTP.",
            ),
            "class_doc": brush.pick(
                f"Everything that can be done with {labels}.",
                f"The routes of one {label}, and of many.",
                f"Answers requests about {labels}.",
            ),
            "imports": (),
        }
        draft = brush.render("handler/_file", values)
        imports = imports_for(draft, wording.platform.library, own_names(wording))
        self._settle(draft, imports)
        around = brush.render("handler/_file", {**values, "body": MARK, "imports": imports.lines})
        return self._settled(around, routes) + "\n"

    def _settled(self, around: str, routes: Sequence[str]) -> str:
        """The whole file. Lists come first, as everywhere; the rest follows as it was asked for."""
        first, later = routes[:1], routes[1:]

        def draw() -> str:
            order = self._brush.random.sample(later, len(later))
            return around.replace(MARK, self._joined([*first, *order]))

        turn = self._wording.places["handler"].turn
        return settled(
            draw,
            [
                wish(r" +(?:key = )?f\"\{[\w.]+\.tenant\}:\w+:summary\"", turn, 2),
                wish(r" +log\.\w+\(\".*\.user_id(?:, \w+)?\)", turn, 1),
                wish(r" *@\w+\.(?:post|patch|put)\(\"/\w+/\{.*\.(?!read)\w+\"\)", turn, 2),
            ],
        )

    def _joined(self, routes: Sequence[str]) -> str:
        if self._shape == "request":
            return "\n\n\n".join(routes)
        return textwrap.indent("\n\n".join(routes), "    ")

    def _settle(self, draft: str, imports: Imports) -> None:
        """Note what the schema must offer."""
        names, needs = self._wording.names, self._wording.needs
        needs.update(need for need in ("STATES", "COLUMNS") if names[need] in imports.used)
        needs.update({"csv_line", "COLUMNS"} if "csv_line" in imports.used else ())
        needs.update({"like"} if ".like(" in draft else ())
        needs.update({"is_empty"} if ".is_empty" in draft else ())

    def _head(
        self,
        method: str,
        path: str,
        action: str,
        name: str,
        *,
        ids: Sequence[str] = (),
        takes: Sequence[str] = (),
        doc: str = "",
    ) -> str:
        self._heads.append(Head(method, path, action, name, ids, takes, doc))
        return HEAD

    def _route(self, operation: str) -> str:
        template, _, place = operation.partition(":")
        more = {"move": self._wording.moves[int(place)]} if place else {}
        rendered = self._brush.render(f"handler/{template}", self._values | more)
        _, body = rendered.split(f"{HEAD}\n", 1)
        head = self._heads[-1]
        # To show a category is both to read it and to make it visible.
        name = head.name if place or head.name not in self._reserved else f"handle_{head.name}"
        lines = [self._decorator(head)]
        lines += _signature(name, self._arguments(head, body))
        if self._brush.random.randrange(4) <= self._documented:
            lines += _docstring(head.doc)
        return "\n".join([*lines, *self._prelude(head, body), body])

    def _decorator(self, head: Head) -> str:
        many = self._wording.plan.entity.many
        name = "support.read" if head.action == "support" else f"{many}.{head.action}"
        self._wording.permissions.add(name)
        router = "router" if self._shape == "closure" else f"{many}_router"
        return f'@{router}.{head.method}("{head.path}", permission="{name}")'

    def _arguments(self, head: Head, body: str) -> list[str]:
        if self._shape == "request":
            return ["request: Request"]
        arguments = ["self"] if self._shape == "class" else []
        arguments += [f"{self._caller}: Caller"] if _occurs(self._caller, body) else []
        arguments += [f"{one}: str" for one in head.ids]
        taken = sorted(head.takes, key=lambda one: "=" in TYPES[one])
        return arguments + [f"{one}: {TYPES[one]}" for one in taken if _occurs(one, body)]

    def _prelude(self, head: Head, body: str) -> list[str]:
        if self._shape != "request":
            return []
        known = {self._store: f"request.service({self._wording.plan.class_name}Store)"}
        known |= {one: f'request.path["{one}"]' for one in head.ids}
        known |= {one: PRELUDE[one] for one in head.takes}
        return [f"    {name} = {value}" for name, value in known.items() if _occurs(name, body)]


def _occurs(name: str, code: str) -> bool:
    """Whether a variable is used: not as an attribute, a keyword or a part of another name."""
    used = rf"(?<![\w.]){name}\b(?!=[^=])|{{{name}\b|\b{name}={name}\b"
    return re.search(used, code) is not None


def _signature(name: str, arguments: Sequence[str]) -> list[str]:
    line = f"async def {name}({', '.join(arguments)}) -> Response:"
    if len(line) <= WIDTH - 4:
        return [line]
    return [f"async def {name}(", f"    {', '.join(arguments)}", ") -> Response:"]


def _docstring(doc: str) -> list[str]:
    return textwrap.wrap(f'"""{doc}"""', WIDTH, initial_indent="    ", subsequent_indent="    ")
