"""What a tool result shows: its lines, less what the tool itself adds to them.

Prevents two false results: a numbered read taken for text that is in no file, and a line of the
corpus that itself begins with a number taken for a numbered one.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from evaluation.reading.context import ContextText, ToolOutput
from generators.lines import CorpusIndex, normal_form, split_lines

MARKED_NUMBER = re.compile(r"(?=(?P<mark>[:-])(?P<n>\d{1,9})(?P=mark))")
"""`:12:` and `-12-`: what stands before it may be a path (grep -n, rg -n, with context lines)."""
NUMBERED = (
    re.compile(r"(?P<n>\d{1,9})[:-]"),  # the same over one file
    re.compile(r" *(?P<n>\d{1,9})\t"),  # cat -n, nl
)
PATH_MARK = re.compile(r"[:-]")
"""What stands before it may be a path (grep over several files, with context lines)."""
BANNER = re.compile(r"==> (?P<path>.+) <==")
"""What head and tail print over each of several files."""
LONGEST_PATH = 512
"""Characters; no path is looked for further into a line."""

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
        if written in self._paths:
            return written
        written = posixpath.normpath(written) if written else written
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
        words = (word for text in strings_in(arguments) for word in WORD.findall(text))
        return frozenset(path for word in words if (path := self.resolve(word)) is not None)


def strings_in(value: object) -> Iterator[str]:
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
    shown: list[ShownLine] = []
    under: _Under | None = None
    headed: str | None = None
    for line in _lines(text.text, tool, index):
        heading = tool.heading.fullmatch(line) if tool.heading else None
        if heading:
            headed = resolver.resolve(heading["path"])
            shown.append(ShownLine(normal_form(line)))
            continue
        banner = BANNER.fullmatch(line)
        if banner:
            under = _Under(resolver.resolve(banner["path"]), index)
            if shown and shown[-1].text == "":
                shown.pop()  # the blank line above a banner is the command's own
            shown.append(ShownLine(normal_form(line)))
            continue
        one = _by_table(line, forms, index, resolver) if forms else None
        one = one or _by_common_forms(line, index, resolver)
        above = under.path_of(one.text) if under else headed
        shown.append(replace(one, path=one.path or above))
    return shown


def _lines(text: str, tool: ToolOutput, index: CorpusIndex) -> Iterator[str]:
    """The lines of a text, less what the tool puts around it; those inside of JSON one by one."""
    for line in split_lines(tool.added.sub("", text) if tool.added else text):
        inside = list(tool.escaped.finditer(line)) if tool.escaped else []
        if not inside or normal_form(line) in index.places:
            yield line
            continue
        for match in inside:
            plain = _unescaped(match["text"])
            yield from split_lines(tool.added.sub("", plain) if tool.added else plain)


def _unescaped(text: str) -> str:
    """A text as it stood before it was written into JSON; empty where it is none."""
    try:
        value = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return ""
    return str(value)


class _Under:
    """The file that a banner names, for as long as the lines below it go on in that file."""

    def __init__(self, path: str | None, index: CorpusIndex) -> None:
        self._path = path
        self._lines = index.files[path] if path else ()
        self._next: set[int] | None = None

    def path_of(self, text: str) -> str | None:
        """The file, where this line follows the ones before it there."""
        starts = range(len(self._lines)) if self._next is None else self._next
        self._next = {
            place + 1 for place in starts if place < len(self._lines) and self._lines[place] == text
        }
        return self._path if self._next else None


def _by_table(
    line: str, forms: tuple[re.Pattern[str], ...], index: CorpusIndex, resolver: PathResolver
) -> ShownLine | None:
    """Take off what the tool's table says it adds, in order; None where it is not there."""
    rest, number, path = line, None, None
    for form in forms:
        match = form.match(rest)
        if match is None:
            return None
        groups = match.groupdict()
        number = int(groups["n"]) if groups.get("n") else number
        path = resolver.resolve(groups["path"]) if groups.get("path") else path
        rest = rest[match.end() :]
    return ShownLine(normal_form(rest), number, path, vouched=True)


def _by_common_forms(line: str, index: CorpusIndex, resolver: PathResolver) -> ShownLine:
    """Take off what common commands add; only where the line as it is stands in no file."""
    plain = normal_form(line)
    if plain == "" or plain in index.places:
        return ShownLine(plain)
    readings = [
        one
        for one in (*_with_path_and_number(line, resolver), *_with_number(line))
        if one.text in index.places
    ]
    for one in readings:
        if one.path and one.number and index.line(one.path, one.number) == one.text:
            return one
    if readings:
        return readings[0]
    with_path = (one for one in _with_path(line, resolver) if one.text in index.places)
    return next(with_path, ShownLine(plain))


def _with_path_and_number(line: str, resolver: PathResolver) -> Iterator[ShownLine]:
    """Every way to read `path:12:text`: a path may itself hold numbers between marks."""
    for match in MARKED_NUMBER.finditer(line, 0, LONGEST_PATH):
        path = resolver.resolve(line[: match.start()])
        if path is not None:
            rest = line[match.start() + len(match["n"]) + 2 :]
            yield ShownLine(normal_form(rest), int(match["n"]), path)


def _with_number(line: str) -> Iterator[ShownLine]:
    for form in NUMBERED:
        match = form.match(line)
        if match is not None:
            yield ShownLine(normal_form(line[match.end() :]), int(match["n"]))


def _with_path(line: str, resolver: PathResolver) -> Iterator[ShownLine]:
    for match in PATH_MARK.finditer(line, 0, LONGEST_PATH):
        path = resolver.resolve(line[: match.start()])
        if path is not None:
            yield ShownLine(normal_form(line[match.end() :]), None, path)
