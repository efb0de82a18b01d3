"""Where the values of a YAML, JSON or CSV file stand in its text, by their path or column.

The text itself is looked through, not a value that was made of it, so that one value can change and
every other byte stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import yaml

from authoring.errors import UserError, nearest

STEP = re.compile(
    r"\.?(?P<key>[^.\[\]]+)|\[(?P<index>-?[0-9]+|\*)\]|\[(?P<field>[^\]=]+)=(?P<text>[^\]]*)\]"
)
WHITE = re.compile(r"[ \t\n]*")


class Slot(NamedTuple):
    """A value by character offsets, with its quotes where it has any."""

    start: int
    end: int


class Step(NamedTuple):
    """One step of a path: a key, `[2]` from 0, `[*]` for each, or `[field=text]`."""

    key: str | None
    item: str | None
    field: str | None
    text: str


def steps_of(path: str) -> tuple[Step, ...]:
    """The steps of `visits[2].weight_kg`. Raises ValueError where it is no path."""
    steps, at = [], 0
    while at < len(path):
        match = STEP.match(path, at)
        if match is None:
            raise ValueError(f"is not a path, from {path[at:]!r} on")
        steps.append(Step(match["key"], match["index"], match["field"], match["text"] or ""))
        at = match.end()
    return tuple(steps)


class Leaf(NamedTuple):
    """A single value."""

    slot: Slot
    text: str
    """Without quotes and escapes."""


class Branch(NamedTuple):
    """A mapping or a list."""

    keys: tuple[str, ...]
    """Of a mapping, each with its value."""
    values: tuple[Leaf | Branch, ...]
    is_list: bool


Node = Leaf | Branch


def read_yaml(text: str) -> Node:
    """The values of a YAML file. Raises UserError where it is none, or has several documents.

    What an alias stands for is reached by the path of its anchor alone: a file of a few lines may
    hold the same values a million times, or itself.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise UserError(f"is not YAML: {' '.join(str(error).split())}") from error
    return _from_yaml(root, set()) if root else Branch((), (), is_list=False)


def _from_yaml(node: yaml.Node, seen: set[int]) -> Node:
    if not isinstance(node, yaml.CollectionNode):
        return Leaf(Slot(node.start_mark.index, node.end_mark.index), node.value)
    if id(node) in seen:
        return Branch((), (), is_list=isinstance(node, yaml.SequenceNode))
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return Branch((), tuple(_from_yaml(item, seen) for item in node.value), is_list=True)
    return Branch(
        tuple(key.value if isinstance(key, yaml.ScalarNode) else "" for key, _ in node.value),
        tuple(_from_yaml(value, seen) for _, value in node.value),
        is_list=False,
    )


def read_json(text: str) -> Node:
    """The values of a JSON file. Raises UserError where it is none."""
    try:
        json.loads(text)
    except ValueError as error:
        raise UserError(f"is not JSON: {error}") from error
    return _Json(text).read()


class _Json:
    """Reads a text that is known to be JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._decoder = json.JSONDecoder()

    def read(self) -> Node:
        self._skip()
        opening = self._text[self._at]
        if opening not in "{[":
            start = self._at
            value, self._at = self._decoder.raw_decode(self._text, start)
            shown = value if isinstance(value, str) else self._text[start : self._at]
            return Leaf(Slot(start, self._at), shown)
        keys, values = [], []
        self._at += 1
        self._skip()
        while self._text[self._at] not in "}]":
            if opening == "{":
                key, self._at = self._decoder.raw_decode(self._text, self._at)
                keys.append(key)
                self._skip()
                self._at += 1  # the colon
            values.append(self.read())
            self._skip()
            if self._text[self._at] == ",":
                self._at += 1
                self._skip()
        self._at += 1
        return Branch(tuple(keys), tuple(values), is_list=opening == "[")

    def _skip(self) -> None:
        match = WHITE.match(self._text, self._at)
        self._at = match.end() if match else self._at


def leaves(node: Node) -> Iterator[Leaf]:
    """Every single value, in the order of the file."""
    if isinstance(node, Leaf):
        yield node
    else:
        for value in node.values:
            yield from leaves(value)


def leaves_at(node: Node, steps: Sequence[Step], way: str = "") -> Iterator[Leaf]:
    """The single values that a path leads to. Raises UserError where it leads nowhere."""
    here = way.removeprefix(".") or "the file"
    if not steps:
        if isinstance(node, Branch):
            raise UserError(f"{here} is no single value")
        yield node
        return
    step, later = steps[0], steps[1:]
    if isinstance(node, Leaf):
        raise UserError(f"{here} holds nothing: it is {node.text!r}")
    if step.key is not None:
        if step.key not in node.keys:
            raise UserError(f"{here} has no key {step.key!r}", remedy=nearest(step.key, node.keys))
        value = node.values[node.keys.index(step.key)]
        yield from leaves_at(value, later, f"{way}.{step.key}")
        return
    if not node.is_list:
        raise UserError(f"{here} is no list")
    wanted = _items(node, step)
    if not wanted:
        asked = step.item if step.item is not None else f"{step.field}={step.text}"
        raise UserError(f"{here} has no item [{asked}]; it has {len(node.values)}")
    for index in wanted:
        yield from leaves_at(node.values[index], later, f"{way}[{index}]")


def _items(node: Branch, step: Step) -> list[int]:
    count = len(node.values)
    if step.item == "*":
        return list(range(count))
    if step.item is not None:
        return [index for index in (int(step.item),) if -count <= index < count]
    return [index for index in range(count) if _has(node.values[index], step)]


def _has(node: Node, step: Step) -> bool:
    if isinstance(node, Leaf) or step.field not in node.keys:
        return False
    value = node.values[node.keys.index(step.field)]
    return isinstance(value, Leaf) and value.text == step.text


FIELD = re.compile(r'"(?:[^"]|"")*"|[^,"]*')


def csv_leaves(text: str, row: Mapping[str, str], column: str) -> list[Leaf]:
    """The fields of a column, in the rows whose other columns say what is asked.

    The head is the first line that names all of the columns; a record is one line.
    """
    lines = text.split("\n")
    asked = {column, *row}
    head = next((n for n, line in enumerate(lines) if asked <= set(_values(line))), None)
    if head is None:
        names = max(map(_values, lines), key=len)
        missing = min(asked - set(names), default=column)
        raise UserError(f"no line heads a column {missing!r}", remedy=nearest(missing, names))
    names = _values(lines[head])
    found = []
    start = sum(len(line) + 1 for line in lines[: head + 1])
    for line in lines[head + 1 :]:
        values = _values(line)
        record = dict(zip(names, values, strict=False))
        if len(values) == len(names) and all(record[name] == row[name] for name in row):
            slot = _fields(line)[names.index(column)]
            found.append(Leaf(Slot(start + slot.start, start + slot.end), record[column]))
        start += len(line) + 1
    if not found:
        told = ", ".join(f"{name}={value}" for name, value in row.items())
        raise UserError(f"no row has {told}")
    return found


def _fields(line: str) -> list[Slot]:
    fields, at = [], 0
    while True:
        match = FIELD.match(line, at)
        end = match.end() if match else at
        if end < len(line) and line[end] != ",":
            # A quote inside of a field is text like any other.
            end = line.find(",", end) if "," in line[end:] else len(line)
        fields.append(Slot(at, end))
        if end >= len(line):
            return fields
        at = end + 1


def _values(line: str) -> list[str]:
    return [unquoted(line[slot.start : slot.end]) for slot in _fields(line)]


def unquoted(field: str) -> str:
    """A field of a CSV file without its quotes."""
    if len(field) > 1 and field[0] == field[-1] == '"':
        return field[1:-1].replace('""', '"')
    return field
