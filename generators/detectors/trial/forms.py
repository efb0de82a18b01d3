"""Reads a case report form: a YAML file whose sections are laid out in one of several ways.

A section is a list of records, a mapping of them, or one record; a record is a mapping or a line of
`name value` parts with semicolons between. What is called what is the data dictionary's matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from generators.detectors.trial.cells import Cell, Entry
from generators.detectors.trial.dictionary import canonical

ITEMS = frozenset({"eligibility", "vitals", "ecg", "labs", "exam"})
"""Sections of measurements, where a mapping is from test to value."""
QUANTITY = re.compile(r"([<>]?\d+(?:\.\d+)?)(?: (\S.*))?")
UNIT_IN_KEY = re.compile(r"(.+?)_(kg|cm|mmhg|bpm|ms|degc|years|days)")
UNITS_IN_KEY: Mapping[str, str] = {"mmhg": "mmHg", "degc": "C"}


@dataclass(frozen=True)
class Form:
    """One case report form."""

    entries: tuple[Entry, ...]

    def of(self, section: str) -> tuple[Entry, ...]:
        """The records of a section."""
        return tuple(entry for entry in self.entries if entry.section == section)

    def tests(self, section: str, test: str) -> tuple[Entry, ...]:
        """The measurements of one test."""
        known = canonical("tests")
        return tuple(e for e in self.of(section) if known.get(e.text("test").casefold()) == test)

    def field(self, section: str, field: str) -> Cell | None:
        """The first value of a field in a section."""
        return next((e.fields[field] for e in self.of(section) if field in e.fields), None)

    @property
    def subject(self) -> str:
        """Whose form it is."""
        cell = self.field("visit", "subject")
        return cell.text if cell else ""

    @property
    def code(self) -> str:
        """Of which visit."""
        cell = self.field("visit", "code")
        return cell.text if cell else ""

    @property
    def day(self) -> date | None:
        """When the visit was."""
        cell = self.field("visit", "date")
        return cell.day if cell else None


def read_form(text: str) -> Form | None:
    """A form, or None where the text is none."""
    try:
        root = yaml.compose(text, Loader=yaml.CBaseLoader)
    except yaml.YAMLError:
        return None
    if not isinstance(root, MappingNode):
        return None
    entries = tuple(_Reader(text.split("\n")).entries(root))
    form = Form(entries)
    return form if form.subject and form.code else None


class _Reader:
    """Walks the tree of one form."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def entries(self, root: MappingNode) -> Iterator[Entry]:
        known = canonical("sections")
        for key, value in root.value:
            section = known.get(_scalar(key).casefold())
            if section is None or section == "notes":
                continue
            if isinstance(value, SequenceNode):
                for item in value.value:
                    yield from self._record(section, item)
            elif isinstance(value, MappingNode) and section in ITEMS | {"events", "medication"}:
                for name, item in value.value:
                    yield from self._named(section, name, item)
            else:
                yield from self._record(section, value)

    def _record(self, section: str, node: Node) -> Iterator[Entry]:
        line = node.start_mark.line + 1
        if isinstance(node, MappingNode):
            fields = {_scalar(key): self._cell(value) for key, value in node.value}
            yield _entry(section, fields, line)
        elif isinstance(node, ScalarNode):
            yield _entry(section, _parts(self._cell(node)), line)

    def _named(self, section: str, name: Node, node: Node) -> Iterator[Entry]:
        """A record below the name of its test, or below its number."""
        key = self._cell(name)
        if isinstance(node, MappingNode):
            fields = {_scalar(k): self._cell(v) for k, v in node.value}
            first = "test" if section in ITEMS else "ref"
            yield _entry(section, {first: key, **fields}, key.line)
            return
        value = self._cell(node)
        if section not in ITEMS:
            yield _entry(section, {"ref": key, **_parts(value)}, key.line)
        elif section == "exam":
            yield _entry(section, {"test": key, "finding": value}, key.line)
        else:
            yield _entry(section, _measured(key, value), key.line)

    def _cell(self, node: Node) -> Cell:
        mark = node.start_mark
        column = mark.column
        if isinstance(node, ScalarNode) and node.style in ("'", '"'):
            column += 1
        return Cell(_scalar(node), mark.line + 1, column)


def _scalar(node: Node) -> str:
    return str(node.value) if isinstance(node, ScalarNode) else ""


def _entry(section: str, fields: Mapping[str, Cell], line: int) -> Entry:
    known = canonical("fields")
    named = {known.get(name.casefold(), name): cell for name, cell in fields.items()}
    return Entry(section, named, line)


def _parts(cell: Cell) -> dict[str, Cell]:
    """`term headache; grade 1`: a name, a space and the value, with semicolons between."""
    fields: dict[str, Cell] = {}
    for match in re.finditer(r"([^\s;]+) ([^;]+)", cell.text):
        fields[match[1]] = cell.part(match.start(2), match.end(2))
    return fields


def _measured(key: Cell, value: Cell) -> dict[str, Cell]:
    """`weight: 84.2 kg` or `weight_kg: 84.2`."""
    fields = {"test": key}
    in_key = UNIT_IN_KEY.fullmatch(key.text)
    if in_key and key.text.casefold() not in canonical("tests"):
        fields["test"] = key.part(*in_key.span(1))
        unit = UNITS_IN_KEY.get(in_key[2], in_key[2])
        fields["unit"] = Cell(unit, key.line, key.column + in_key.start(2))
    if found := QUANTITY.fullmatch(value.text):
        fields["value"] = value.part(*found.span(1))
        if found[2]:
            fields["unit"] = value.part(*found.span(2))
    else:
        fields["value"] = value
    return fields
