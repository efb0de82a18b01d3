"""From a YAML tree to a typed value: each text is read as its field's type asks, and no other way.

So `version: 1.10` and `country: no` stay text in a text field, and `"1"` is no number in a number
field. Every problem is told at once, at its line and column.
"""

from __future__ import annotations

import json
import math
import re
import types
from collections import abc
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import ErrorDetails

from authoring.errors import Place, Problem, nearest
from authoring.yaml_source import Mapping, Node, Scalar, Sequence

ModelType = TypeVar("ModelType", bound=BaseModel)
Location = tuple[str | int, ...]

WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,39})")
NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,39})(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?")
TRUTHS = {"true": True, "false": False}
NULLS = frozenset({"", "~", "null"})

EXPECTED = {
    "bool": "true or false, without quotes",
    "dict": "a mapping",
    "float": "a number, without quotes",
    "frozen_set": "a list",
    "int": "a whole number, without quotes",
    "list": "a list",
    "mapping": "a mapping",
    "model": "a mapping",
    "none_required": "nothing",
    "set": "a list",
    "string": "text",
    "tuple": "a list",
}
"""What a field wants, by the stem of pydantic's error type."""


@dataclass(frozen=True)
class Typed(Generic[ModelType]):
    """The value, or what is wrong with it."""

    value: ModelType | None
    problems: tuple[Problem, ...]


def to_typed(root: Node, model: type[ModelType], *, place: Place) -> Typed[ModelType]:
    """Type a tree. `place` stands for the whole of it: a key that is missing is missing there."""
    reader = _Reader()
    data = reader.read(root, model)
    problems = reader.problems
    value: ModelType | None = None
    try:
        value = model.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        found = (_problem(root, place, detail) for detail in details)
        problems += [problem for problem in found if problem is not None]
    return Typed(None if problems else value, tuple(dict.fromkeys(problems)))


class _Reader:
    """Walks tree and annotations together."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def read(self, node: Node, annotation: Any) -> JsonValue:
        """The JSON that a node is under its annotation; what does not fit is left as it is."""
        annotation = _bare(annotation)
        if annotation in (JsonValue, Any, object):
            return self._json(node)
        if get_origin(annotation) in (Union, types.UnionType):
            annotation = _member(node, get_args(annotation))
        if isinstance(node, Scalar):
            return _scalar(node, annotation)
        if isinstance(node, Sequence):
            inner = _item_types(annotation, len(node.items))
            return [self.read(item, kind) for item, kind in zip(node.items, inner, strict=True)]
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            return self._model(node, annotation)
        arguments = get_args(annotation)
        value = arguments[1] if len(arguments) == 2 else JsonValue
        return {entry.key: self.read(entry.value, value) for entry in node.entries}

    def _model(self, node: Mapping, model: type[BaseModel]) -> JsonValue:
        fields = {field.alias or name: field for name, field in model.model_fields.items()}
        data: dict[str, JsonValue] = {}
        for entry in node.entries:
            field = fields.get(entry.key)
            if field is not None:
                data[entry.key] = self.read(entry.value, field.annotation)
            elif model.model_config.get("extra") == "allow":
                data[entry.key] = self._json(entry.value)
            else:
                self.problems.append(
                    Problem(
                        "unknown-key",
                        entry.place,
                        f"unknown key {entry.key!r}",
                        nearest(entry.key, fields),
                    )
                )
        return data

    def _json(self, node: Node) -> JsonValue:
        if isinstance(node, Mapping):
            return {entry.key: self._json(entry.value) for entry in node.entries}
        if isinstance(node, Sequence):
            return [self._json(item) for item in node.items]
        return _scalar(node, JsonValue)


def _bare(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def _member(node: Node, members: Iterable[Any]) -> Any:
    """The member of a union that a node is read as."""
    bare = [_bare(member) for member in members]
    if isinstance(node, Scalar):
        if type(None) in bare and node.plain and node.text in NULLS:
            return type(None)
        fitting = (m for m in bare if not isinstance(_scalar(node, m), str))
        return next(fitting, str if str in bare else bare[0])
    wanted = (abc.Mapping, dict) if isinstance(node, Mapping) else (list, tuple, set, frozenset)
    for member in bare:
        if get_origin(member) in wanted or member in wanted:
            return member
        if isinstance(node, Mapping) and isinstance(member, type) and issubclass(member, BaseModel):
            return member
    return bare[0]


def _scalar(node: Scalar, annotation: Any) -> JsonValue:
    """A text as its type asks: a number, a truth or nothing only where that type is wanted."""
    if not node.plain:
        return node.text
    if not node.text:
        return None
    free = annotation is JsonValue
    wanted = get_args(annotation) if get_origin(annotation) is Literal else (annotation,)
    if (free or type(None) in wanted) and node.text in NULLS:
        return None
    if (free or bool in wanted) and node.text in TRUTHS:
        return TRUTHS[node.text]
    if WHOLE.fullmatch(node.text):
        number = int(node.text)
        if free or int in wanted or float in wanted or number in wanted:
            return number
    if (free or float in wanted) and NUMBER.fullmatch(node.text):
        value = float(node.text)
        return value if math.isfinite(value) else node.text
    return node.text


def _item_types(annotation: Any, count: int) -> list[Any]:
    arguments = get_args(annotation)
    if get_origin(annotation) is tuple and len(arguments) == count and Ellipsis not in arguments:
        return list(arguments)
    return [arguments[0] if arguments else JsonValue] * count


def _problem(root: Node, place: Place, detail: ErrorDetails) -> Problem | None:
    """One of pydantic's errors, at its place in the file; None for one that only follows others."""
    kind, location = detail["type"], detail["loc"]
    node, key = root, place
    name = "the file"
    for part in location:
        if isinstance(node, Mapping) and (entry := node.entry(str(part))):
            node, key, name = entry.value, entry.place, entry.key
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
            key = node.place
            name = f"item {part + 1} of {name}"
    if kind == "missing":
        return Problem("missing-key", key, f"key {str(location[-1])!r} is missing")
    choices = re.findall(r"'([^']*)'", str(detail.get("ctx", {}).get("expected", "")))
    if location and location[-1] == "[key]":
        remedy = nearest(name, choices) if choices else ""
        return Problem("unknown-key", key, f"unknown key {name!r}", remedy)
    stem = re.sub(r"_(type|parsing|from_float|attributes_type)$", "", kind)
    if (stem in EXPECTED and stem != kind) or kind == "none_required":
        expected = EXPECTED[stem]
        return Problem("wrong-type", node.place, f"{name} wants {expected}; it is {_said(node)}")
    if kind == "literal_error" and isinstance(node, Scalar):
        what = f"{name} cannot be {node.text!r}"
        return Problem("bad-value", node.place, what, nearest(node.text, choices))
    if kind == "too_short" and isinstance(node, Sequence):
        # pydantic counts valid items only; the others have problems of their own.
        least = detail["ctx"]["min_length"]
        if len(node.items) >= least:
            return None
        what = f"{name} wants at least {least} item{'s' if least > 1 else ''}"
        return Problem("bad-value", node.place, what)
    message = detail["msg"].removeprefix("Value error, ")
    about = f"{name}: " if location else ""
    return Problem("bad-value", node.place, f"{about}{message[:1].lower()}{message[1:]}")


def _said(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if node.plain and not node.text:
        return "empty"
    shown = node.text if len(node.text) <= 40 else node.text[:39] + "…"
    return f"the {'text' if node.plain else 'quoted text'} {shown!r}"
