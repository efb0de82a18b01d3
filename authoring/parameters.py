"""What a generator or planter takes, told to people: names, types, defaults, and what each is for.

What a field is for stands as a text under it in the code, so it is read from there.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import textwrap
import types
from collections import abc
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, JsonValue

from authoring.artefacts import Value

WORDS: Mapping[object, str] = {
    Decimal: "number",
    bool: "true or false",
    float: "number",
    int: "whole number",
    str: "text",
    types.NoneType: "nothing",
    JsonValue: "anything",
    Any: "anything",
}
LISTS = (list, tuple, set, frozenset, abc.Sequence, abc.Iterable)
MAPPINGS = (dict, abc.Mapping)


class Parameter(Value):
    """One parameter, as `ocb author list` shows it."""

    name: str
    type: str
    """In words: `list of text`."""
    required: bool
    default: JsonValue = None
    """None where it is required, and where the default is nothing."""
    summary: str = ""


def parameters_of(model: type[BaseModel]) -> tuple[Parameter, ...]:
    """The parameters of a model, in its order, under the names they have in YAML."""
    texts = field_texts(model)
    return tuple(
        Parameter(
            name=field.alias or name,
            type=type_in_words(field.annotation),
            required=field.is_required(),
            default=None if field.is_required() else _plain(model, name),
            summary=field.description or texts.get(name, ""),
        )
        for name, field in model.model_fields.items()
    )


def _plain(model: type[BaseModel], name: str) -> JsonValue:
    """A default as YAML has it."""
    default = model.model_fields[name].get_default(call_default_factory=True, validated_data={})
    holder = model.model_construct(**{name: default})
    # Only the one field is dumped; the others need no value.
    dumped: JsonValue = holder.model_dump(mode="json", include={name}, by_alias=False)[name]
    return dumped


def field_texts(model: type[BaseModel]) -> dict[str, str]:
    """The text under each field that has one, inherited fields too; none where there is no source.

    Each on one line, since only its words matter.
    """
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if issubclass(owner, BaseModel) and owner is not BaseModel:
            found |= dict(_texts_in(owner))
    return found


def _texts_in(owner: type[BaseModel]) -> Iterator[tuple[str, str]]:
    try:
        source = textwrap.dedent(inspect.getsource(owner))
    except (OSError, TypeError):
        return
    body = getattr(ast.parse(source).body[0], "body", [])
    for statement, following in itertools.pairwise(body):
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
            and isinstance(following.value.value, str)
        ):
            yield statement.target.id, " ".join(following.value.value.split())


def type_in_words(annotation: Any) -> str:
    """What a field wants, as a person would say it."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if annotation in WORDS:
        return WORDS[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " or ".join(map(str, arguments))
    if origin in (Union, types.UnionType):
        members = [type_in_words(one) for one in arguments if one is not types.NoneType]
        return " or ".join(members)
    if origin in LISTS:
        return _list_in_words(arguments)
    if origin in MAPPINGS:
        return f"mapping to {type_in_words(arguments[1])}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        keys = ", ".join(field.alias or name for name, field in annotation.model_fields.items())
        return f"{{{keys}}}"
    return getattr(annotation, "__name__", str(annotation)).lower()


def _list_in_words(arguments: tuple[Any, ...]) -> str:
    items = [type_in_words(one) for one in arguments if one is not Ellipsis]
    if len(set(items)) > 1:
        return "list of " + ", ".join(items)
    exactly = f"{len(items)} times " if len(items) > 1 else ""
    return f"list of {exactly}{items[0] if items else 'anything'}"


def default_in_words(parameter: Parameter) -> str:
    """`required`, or what holds where nothing is given."""
    if parameter.required:
        return "required"
    if parameter.default in (None, [], {}):
        return "optional"
    shown = parameter.default
    return f"default {shown if isinstance(shown, str) and shown else json.dumps(shown)}"
