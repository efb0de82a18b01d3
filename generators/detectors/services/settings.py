"""YAML files of services, read with the places of their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

import yaml

from generators.detectors.services.python_code import Lines


@dataclass(frozen=True)
class Entry:
    """A value of a YAML file with its key; items of a list have none."""

    key: str
    node: yaml.Node

    @property
    def lines(self) -> Lines:
        """Where the value stands."""
        start, end = self.node.start_mark, self.node.end_mark
        last = end.line if end.column else end.line - 1
        return Lines(start.line + 1, max(start.line, last) + 1)

    @property
    def text(self) -> str:
        """A scalar as it stands; empty for anything else."""
        return str(self.node.value) if isinstance(self.node, yaml.ScalarNode) else ""

    def entries(self) -> Iterator[Entry]:
        """What is inside."""
        if isinstance(self.node, yaml.MappingNode):
            for key, value in self.node.value:
                yield Entry(str(key.value), value)
        elif isinstance(self.node, yaml.SequenceNode):
            for value in self.node.value:
                yield Entry("", value)

    def at(self, *keys: str) -> Entry | None:
        """The value under keys, or None."""
        found: Entry | None = self
        for key in keys:
            found = next((e for e in found.entries() if e.key == key), None) if found else None
        return found

    def text_at(self, *keys: str) -> str:
        """The scalar under keys, or nothing."""
        found = self.at(*keys)
        return found.text if found else ""

    def number_at(self, *keys: str) -> int | None:
        """The whole number under keys."""
        text = self.text_at(*keys)
        return int(text) if text.isdecimal() else None


def settings(path: PurePosixPath, text: str, word: str) -> Entry | None:
    """The root of a YAML file of a service that holds a word; None for any other file."""
    if path.suffix not in (".yaml", ".yml") or word not in text:
        return None
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    entry = Entry("", root) if root is not None else None
    return entry if entry and entry.text_at("service") else None
