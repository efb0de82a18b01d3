"""YAML read with its places: scalars stay text, and every node knows its line and column.

Prevents a spec from meaning something else than it says: no key twice, no anchor that multiplies
itself, no tag, no second document, no `no` that becomes false.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from yaml.reader import ReaderError

from authoring.errors import Place, Problem, SpecError

MOST_BYTES = 1 << 20
MOST_DEPTH = 40
HARMLESS = frozenset({"duplicate-key", "tag-not-allowed"})
"""Problems beside which the rest of a file can be checked."""


@dataclass(frozen=True)
class Scalar:
    """A text. `plain` is one without quotes or block mark, which may stand for a number."""

    place: Place
    text: str
    plain: bool = True
    literal: bool = False
    """Written as a `|` block, so that its lines are lines of the file."""


@dataclass(frozen=True)
class Sequence:
    """A list."""

    place: Place
    items: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One key of a mapping, and what stands under it."""

    key: str
    place: Place
    """Of the key."""
    value: Node


@dataclass(frozen=True)
class Mapping:
    """Keys in the order of the file, each once."""

    place: Place
    entries: tuple[Entry, ...] = ()

    def entry(self, key: str) -> Entry | None:
        """The entry of a key, or None."""
        return next((entry for entry in self.entries if entry.key == key), None)


Node = Scalar | Sequence | Mapping


@dataclass(frozen=True)
class YamlSource:
    """A YAML file: its tree, and its lines as they stand."""

    path: str
    root: Node
    lines: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    """What is wrong with its form and leaves the tree as it was meant: a key twice, a tag."""


def read_yaml(path: Path) -> YamlSource:
    """Read one file. Raises SpecError with every problem of its form."""
    source = parse_yaml(path)
    if source.problems:
        raise SpecError(source.problems)
    return source


def parse_yaml(path: Path) -> YamlSource:
    """The same with the problems in it, where what is in the file can be looked at all the same.

    Of a key that stands twice the first counts. Raises SpecError where the tree is not whole.
    """
    text = _read_text(path)
    reader = _Reader(str(path), text)
    root = reader.read()
    if root is None or any(problem.code not in HARMLESS for problem in reader.problems):
        raise SpecError(reader.problems)
    return YamlSource(str(path), root, tuple(text.split("\n")), tuple(reader.problems))


def _read_text(path: Path) -> str:
    place = Place(str(path))
    if path.is_fifo() or path.is_socket():  # reading one would never end
        raise SpecError([Problem("file-not-readable", place, "is no plain file")])
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SpecError([Problem("file-not-readable", place, f"cannot be read: {reason}")]) from (
            error
        )
    if len(data) > MOST_BYTES:
        what = f"holds more than {MOST_BYTES} bytes"
        raise SpecError([Problem("file-not-readable", place, what)])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", errors="replace")
        column = len(before) - (before.rfind("\n") + 1) + 1
        place = Place(str(path), before.count("\n") + 1, column)
        raise SpecError([Problem("file-not-readable", place, "is not UTF-8")]) from error


class _StopReadingError(Exception):
    """Reading on would be of no use."""


class _Reader:
    """Builds the tree from the parser's events, so that nothing is resolved or repeated."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._starts = [0]
        self._starts += [index + 1 for index, char in enumerate(text) if char == "\n"]
        self.problems: list[Problem] = []

    def read(self) -> Node | None:
        """The root, or None after a problem that ends the reading."""
        try:
            loader = yaml.BaseLoader(self._text)
        except ReaderError as error:
            self._problem("yaml-syntax", error.position, f"{error.reason}: {error.character!r}")
            return None
        try:
            return self._document(_events(loader))
        except _StopReadingError:
            return None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            what = error.problem or error.context or "is not YAML"
            self._problem("yaml-syntax", mark.index if mark else 0, what)
            return None
        except (ValueError, OverflowError) as error:
            # An escape such as "\UFFFFFFFF" is out of chr()'s range.
            self._problem("yaml-syntax", loader.get_mark().index, str(error))
            return None

    def _place(self, index: int) -> Place:
        # Lines by LF, as editors count; the parser also ends lines at U+2028 and U+0085.
        line = bisect_right(self._starts, index)
        return Place(self._path, line, index - self._starts[line - 1] + 1)

    def _problem(self, code: str, index: int, what: str, remedy: str = "") -> None:
        self.problems.append(Problem(code, self._place(index), what, remedy))

    def _document(self, events: Iterator[yaml.Event]) -> Node | None:
        root: Node | None = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    self._problem("yaml-syntax", _index(event), "holds more than one document")
                    return None
                root = self._node(next(events), events, depth=1)
        if root is None:
            self._problem("yaml-syntax", 0, "is empty")
        return root

    def _node(self, event: yaml.Event, events: Iterator[yaml.Event], *, depth: int) -> Node:
        index = _index(event)
        if depth > MOST_DEPTH:
            self._problem("yaml-syntax", index, f"is nested deeper than {MOST_DEPTH} levels")
            raise _StopReadingError
        place = self._place(index)
        if isinstance(event, yaml.AliasEvent):
            self._problem(
                "alias-not-allowed", index, f"alias *{event.anchor}", "write it out again"
            )
            return Scalar(place, "", plain=False)
        self._check_properties(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, place)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Node] = []
            while not isinstance(event := next(events), yaml.SequenceEndEvent):
                items.append(self._node(event, events, depth=depth + 1))
            return Sequence(place, tuple(items))
        return self._mapping(events, place, depth=depth)

    def _check_properties(self, event: yaml.Event) -> None:
        index = _index(event)
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor is not None:
            self._problem("alias-not-allowed", index, f"anchor &{anchor}", "take it out")
        if tag is not None:
            self._problem("tag-not-allowed", index, f"tag {tag}", "take it out")

    def _scalar(self, event: yaml.ScalarEvent, place: Place) -> Scalar:
        if any("\ud800" <= char <= "\udfff" for char in event.value):
            self._problem("yaml-syntax", _index(event), "holds half a character")
        return Scalar(place, event.value, plain=not event.style, literal=event.style == "|")

    def _mapping(self, events: Iterator[yaml.Event], place: Place, *, depth: int) -> Mapping:
        entries: dict[str, Entry] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self._node(event, events, depth=depth + 1)
            value = self._node(next(events), events, depth=depth + 1)
            if not isinstance(key, Scalar):
                self._problem("yaml-syntax", _index(event), "a key must be text")
            elif key.text in entries:
                first = entries[key.text].place
                self._problem(
                    "duplicate-key",
                    _index(event),
                    f"key {key.text!r} stands twice, first in line {first.line}",
                )
            else:
                entries[key.text] = Entry(key.text, key.place, value)
        return Mapping(place, tuple(entries.values()))


def _index(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark else 0


def _events(loader: yaml.BaseLoader) -> Iterator[yaml.Event]:
    while loader.check_event():
        yield loader.get_event()  # type: ignore[no-untyped-call]  # the stubs leave it open


def node_at(node: Node | None, *keys: str) -> Node | None:
    """What stands under a path of keys, or None."""
    for key in keys:
        entry = node.entry(key) if isinstance(node, Mapping) else None
        node = entry.value if entry else None
    return node


def entries_at(node: Node | None, *keys: str) -> tuple[Entry, ...]:
    """The entries of a mapping, or the items of a list (their keys count from 1); else none."""
    found = node_at(node, *keys)
    if isinstance(found, Mapping):
        return found.entries
    if isinstance(found, Sequence):
        return tuple(
            Entry(str(number), item.place, item) for number, item in enumerate(found.items, start=1)
        )
    return ()
