"""What a tool result shows: its lines, less what the tool itself adds to them.

Prevents two false results: a numbered read taken for text that is in no file, and a line of the
corpus that itself begins with a number taken for a numbered one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from evaluation.reading.context import ContextText, ToolOutput
from generators.lines import CorpusIndex, normal_form, split_lines

NOTHING_ADDED = ToolOutput()

COMMON_FORMS = (
    # `path:12:text` and `path-12-text` (grep -n, rg -n, with context lines)
    re.compile(r"(?P<path>[^\s:][^:\n]*?)(?P<mark>[:-])(?P<n>\d+)(?P=mark)"),
    # `12:text`, `12-text` (the same over one file)
    re.compile(r"(?P<n>\d+)[:-]"),
    # `     12<TAB>text` (cat -n, nl)
    re.compile(r" *(?P<n>\d+)\t"),
    # `path:text` (grep over several files)
    re.compile(r"(?P<path>[^\s:][^:\n]*):"),
)
"""What common commands put before a line; tried only where the line as it is stands in no file."""

WORD = re.compile(r"[^\s'\"`;|&()<>=,]+")


@dataclass(frozen=True)
class ShownLine:
    """One line of a tool result."""

    text: str
    """Normal form, without what the tool added."""
    number: int | None = None
    """The line number printed with it."""
    path: str | None = None
    """The corpus file printed with it."""
    vouched: bool = False
    """The tool's table says that it prints the file's own line numbers."""


class PathResolver:
    """From a path as a tool, a call or a command wrote it to the file of the corpus it names."""

    def __init__(self, paths: Mapping[str, object]) -> None:
        self._paths = paths
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)

    def resolve(self, written: str) -> str | None:
        """The longest corpus path that the written one ends with, or the one it abbreviates."""
        written = written.removeprefix("./")
        if written in self._paths:
            return written
        candidates = self._by_name.get(written.rsplit("/", 1)[-1], [])
        ending = [path for path in candidates if written.endswith(f"/{path}")]
        if ending:
            return max(ending, key=len)
        begun = [path for path in candidates if path.endswith(f"/{written}")]
        return begun[0] if len(begun) == 1 else None

    def named_in(self, arguments: Mapping[str, JsonValue]) -> frozenset[str]:
        """Every corpus file that a call's arguments name."""
        words = (word for text in _strings(arguments) for word in WORD.findall(text))
        return frozenset(path for word in words if (path := self.resolve(word)) is not None)


def _strings(value: object) -> Iterator[str]:
    """Every string in the arguments, without recursion: they may be nested by an enemy."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)


def shown_lines(
    text: ContextText, tool: ToolOutput, index: CorpusIndex, resolver: PathResolver
) -> list[ShownLine]:
    """The lines of one tool result."""
    forms = tuple(form for form in (tool.path, tool.number) if form is not None)
    lines = split_lines(text.text)
    if forms:
        return [_by_table(line, forms, index, resolver) for line in lines]
    return [_by_common_forms(line, index, resolver) for line in lines]


def _by_table(
    line: str, forms: tuple[re.Pattern[str], ...], index: CorpusIndex, resolver: PathResolver
) -> ShownLine:
    """Take off what the tool's table says it adds, in order; else what commands add."""
    rest, number, path = line, None, None
    for form in forms:
        match = form.match(rest)
        if match is None:
            return _by_common_forms(line, index, resolver)
        groups = match.groupdict()
        number = int(groups["n"]) if groups.get("n") else number
        path = resolver.resolve(groups["path"]) if groups.get("path") else path
        rest = rest[match.end() :]
    return ShownLine(normal_form(rest), number, path, vouched=True)


def _by_common_forms(line: str, index: CorpusIndex, resolver: PathResolver) -> ShownLine:
    plain = normal_form(line)
    if plain == "" or plain in index.places:
        return ShownLine(plain)
    for form in COMMON_FORMS:
        match = form.match(line)
        if match is None:
            continue
        groups = match.groupdict()
        rest = normal_form(line[match.end() :])
        path = resolver.resolve(groups["path"]) if groups.get("path") else None
        if rest in index.places and (path is not None or "path" not in groups):
            return ShownLine(rest, int(groups["n"]) if groups.get("n") else None, path)
    return ShownLine(plain)
