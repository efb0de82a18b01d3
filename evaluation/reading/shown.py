"""What a tool result shows: its lines, less what the tool itself adds to them.

Prevents two false results: a footer, a banner or a note of the tool taken for text of a file, and
the two halves of text that was left out taken for one line.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from evaluation.reading.context import ContextText, ToolOutput
from evaluation.reading.forms import ShownLine, bare, by_common_forms, name_in
from generators.lines import CorpusIndex, normal_form, split_lines

BANNER = re.compile(r"==> (?P<path>.+) <==")
"""What head and tail print over each of several files."""
BANNER_BEGINS = "==> "
ELIDED = re.compile(
    r"(?:\u2026|\.\.\.|\[\.\.\.)[^\S\n]*\[?[^\n\u2026\[\]]{0,80}"
    r"\b(?:truncated|omitted|elided|skipped)\b[^\n\u2026\[\]]{0,40}"
    r"(?:\u2026|\.\.\.\]|\]?[^\S\n]*\.\.\.|\])"
)
"""What tools write where they leave out the middle of a text, within a line or on its own."""
MARK_BEGINS = ("\u2026", ".", "[")
ESCAPE = re.compile(r"(\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}))|\\(?:u[0-9a-fA-F]{0,3}\Z)?")
"""An escape of JSON, or what is left of one where the text was cut."""

PATH_MARK = re.compile(r"[:-]")
"""What stands before it may be a path: grep over several files, with context lines."""
ENDING = 3
"""Characters at the end of a file's name, by which most marks are passed over."""
MOST_ENDINGS = 64
FEW = 8
MOST_HEADS = 10_000
"""Ways to write a path that are kept in mind."""
WORD = re.compile(r"[^\s'\"`;|&()<>=,]+")


class PathResolver:
    """From a path as a tool, a call or a command wrote it to the file of the corpus it names."""

    def __init__(self, paths: Mapping[str, object]) -> None:
        self._paths = paths
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        self._heads: dict[str, str | None] = {}

    @cached_property
    def marks(self) -> re.Pattern[str]:
        """Finds marks after the ends of the files' names."""
        ends = {name[-ENDING:] for name in self._by_name}
        if not ends or len(ends) > MOST_ENDINGS or any(len(end) < ENDING for end in ends):
            return PATH_MARK
        return re.compile(f"(?<={'|'.join(map(re.escape, sorted(ends)))})[:-]")

    @cached_property
    def _marked_ends(self) -> tuple[str, ...]:
        """Ends of the files' names with a mark after them, where those are few."""
        ends = {name[-ENDING:] for name in self._by_name}
        return tuple(f"{end}{mark}" for end in ends for mark in ":-") if len(ends) <= FEW else ()

    def may_be_in(self, text: str) -> bool:
        """Whether a path with a mark after it may stand in a text: quicker than `marks`."""
        if not self._marked_ends:
            return self.marks.search(text) is not None
        for end in self._marked_ends:  # noqa: SIM110 - a generator costs more
            if end in text:
                return True
        return False

    @cached_property
    def has_numbers(self) -> bool:
        """Whether the name of a file begins with a digit, as a numbered line does."""
        return any(name[:1].isdecimal() for name in self._by_name)

    def resolve(self, written: str) -> str | None:
        """The longest corpus path that the written one ends with, or the one it abbreviates."""
        if written in self._paths:
            return written
        name = written.rsplit("/", 1)[-1]
        if name not in self._by_name and name not in ("", ".", ".."):
            return None
        written = posixpath.normpath(written) if written else written
        if written in self._paths:
            return written
        candidates = self._by_name.get(written.rsplit("/", 1)[-1], [])
        ending = [path for path in candidates if written.endswith(f"/{path}")]
        if ending:
            return max(ending, key=len)
        begun = [path for path in candidates if path.endswith(f"/{written}")]
        return begun[0] if len(begun) == 1 else None

    def before(self, line: str, end: int) -> str | None:
        """The file that the first `end` characters of a line name."""
        if line[line.rfind("/", 0, end) + 1 : end] not in self._by_name:
            return None
        return self.resolve(line[:end])

    def head(self, written: str) -> str | None:
        """The file that stands before a mark and a number, if no earlier mark can be the one."""
        if written not in self._heads:
            if len(self._heads) >= MOST_HEADS:
                self._heads.clear()
            is_name = name_in(f"{written}:1:", self) == written
            self._heads[written] = self.resolve(written) if is_name else None
        return self._heads[written]

    def named_in(self, arguments: Iterable[str]) -> frozenset[str]:
        """Every corpus file that a call's arguments name."""
        named: list[str] = []
        for argument in arguments:
            for word in WORD.findall(argument):
                path = self.resolve(word)
                if path is not None:
                    named.append(path)
        return frozenset(named)


def paths_of(index: CorpusIndex) -> PathResolver:
    """The resolver of a corpus, to be kept with it."""
    return PathResolver(index.files)


def strings_in(value: object) -> Iterator[str]:
    """Every string in the arguments, without recursion: they may be nested by an enemy."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        elif isinstance(item, Mapping):
            waiting.extend(item.values())


def file_text(text: str, tool: ToolOutput) -> str:
    """A tool result without what the tool puts around file text."""
    return tool.added.sub("", text) if tool.added else text


def shown_lines(
    text: ContextText, tool: ToolOutput, index: CorpusIndex, resolver: PathResolver
) -> list[ShownLine]:
    """The lines of one tool result."""
    return lines_of(file_text(text.text, tool), tool, index, resolver)


def lines_of(
    text: str, tool: ToolOutput, index: CorpusIndex, resolver: PathResolver
) -> list[ShownLine]:
    """The lines of a text from which heads and footers were taken off."""
    forms = tuple(form for form in (tool.path, tool.number) if form is not None)
    shown: list[ShownLine] = []
    under: _Under | None = None
    headed: str | None = None
    for line in _lines(text, tool, index):
        heading = tool.heading.fullmatch(line) if tool.heading else None
        if heading:
            headed = resolver.resolve(heading["path"])
            shown.append(ShownLine(normal_form(line)))
            continue
        banner = None if forms or tool.path_argument else _banner(line, index)
        if banner:
            under = _Under(resolver.resolve(banner["path"]), index)
            if shown and shown[-1].text == "":
                shown.pop()  # the blank line above a banner is the command's own
            shown.append(ShownLine(normal_form(line)))
            continue
        one = _by_table(line, forms, resolver) if forms else None
        if one is None and (forms or tool.path_argument):
            one = ShownLine(normal_form(line))  # such a tool prints no other command's forms
        one = one or by_common_forms(line, index, resolver)
        above = under.path_of(one.text) if under else headed
        one = replace(one, path=above) if above and not one.path else one
        shown += around_elided(bare(line), one, index)
    return _without_blanks_of_marks(shown, index)


def _banner(line: str, index: CorpusIndex) -> re.Match[str] | None:
    banner = BANNER.fullmatch(line) if line.startswith(BANNER_BEGINS) else None
    return None if normal_form(line) in index.places else banner


def _lines(text: str, tool: ToolOutput, index: CorpusIndex) -> Iterator[str]:
    """The lines of a text; those inside of JSON one by one."""
    for line in split_lines(text):
        inside = list(tool.escaped.finditer(line)) if tool.escaped else []
        if not inside or normal_form(line) in index.places:
            yield line
            continue
        for match in inside:
            plain = _unescaped(match["text"])
            yield from split_lines(tool.added.sub("", plain) if tool.added else plain)


def _unescaped(text: str) -> str:
    """A text as it stood before it was written into JSON; empty where it is none.

    Its end or middle may be gone, in the midst of an escape.
    """
    for written in (text, ESCAPE.sub(lambda escape: escape[1] or "", text)):
        try:
            return str(json.loads(f'"{written}"', strict=False))
        except ValueError:
            continue
    return ""


def around_elided(line: str, one: ShownLine, index: CorpusIndex) -> list[ShownLine]:
    """A line, or its two halves where text was left out inside of it."""
    if one.number is not None or one.text in index.places:
        return [one]
    mark = ELIDED.search(line) if "..." in line or "\u2026" in line else None
    if mark is None:
        return [one]
    head, tail = normal_form(line[: mark.start()]), normal_form(line[mark.end() :])
    found = [ShownLine(head, path=one.path, cut=True)] if head else []
    found.append(one)
    return [*found, ShownLine(tail, path=one.path, cut=True)] if tail else found


def is_mark(line: ShownLine) -> bool:
    """Whether all of a line says that text was left out there."""
    return line.number is None and ELIDED.fullmatch(line.text) is not None


def _without_blanks_of_marks(shown: list[ShownLine], index: CorpusIndex) -> list[ShownLine]:
    """Blank lines beside such a line are the tool's own: they have no place by themselves."""
    for place, line in enumerate(shown):
        if line.text[:1] in MARK_BEGINS and line.text not in index.places and is_mark(line):
            for step in (-1, 1):
                beside = place + step
                while 0 <= beside < len(shown) and shown[beside].text == "":
                    shown[beside] = replace(shown[beside], cut=True)
                    beside += step
    return shown


class _Under:
    """The file that a banner names, for as long as the lines below it go on in that file."""

    def __init__(self, path: str | None, index: CorpusIndex) -> None:
        self._path = path
        self._index = index
        self._next: list[int] | None = None

    def path_of(self, text: str) -> str | None:
        """The file, where this line follows the ones before it there."""
        if self._path is None:
            return None
        starts = self._next
        if starts is None:
            starts = self._index.lines_in(self._path, text)
        self._next = [n + 1 for n in starts if self._index.line(self._path, n) == text]
        return self._path if self._next else None


def _by_table(
    line: str, forms: tuple[re.Pattern[str], ...], resolver: PathResolver
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
