"""What a tool result shows: its lines, less what the tool itself adds to them.

Prevents two false results: a footer, a banner or a note of the tool taken for text of a file, and
the two halves of text that was left out taken for one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from evaluation.reading.context import ContextText, ToolOutput
from evaluation.reading.lines.forms import ShownLine, bare, by_common_forms
from evaluation.reading.lines.json_texts import OwnTexts, unescaped
from evaluation.reading.lines.paths import PathResolver
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
LEFT_OUT = ("truncated", "omitted", "elided", "skipped")
"""One of these words stands in all such marks."""
MARK_BEGINS = ("\u2026", ".", "[")


def texts_in(value: object) -> tuple[str, ...]:
    """Every string in the arguments, in their order."""
    return tuple(strings_in(value))[::-1]


def strings_in(value: object) -> list[str]:
    """Every string in the arguments, last ones first, without recursion: they may be nested by an
    enemy."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, (list, tuple)):
            waiting.extend(item)
        elif isinstance(item, Mapping):
            waiting.extend(item.values())
    return found


def holds(text: str, part: str) -> bool:
    """Whether a part stands in a text. Each of its characters is looked for first: one costs a
    hundredth of what several together cost."""
    for character in part:
        if character not in text:
            return False
    return part in text


def file_text(text: str, tool: ToolOutput) -> str:
    """A tool result without what the tool puts around file text."""
    if tool.added is None or not holds(text, tool.added_holds):
        return text
    return tool.added.sub("", text)


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
    elsewhere = ""
    for line in _lines(text, tool, index):
        heading = tool.heading.fullmatch(line) if tool.heading else None
        if heading:
            headed, elsewhere = _headed(heading["path"], resolver)
            shown.append(ShownLine(normal_form(line)))
            continue
        banner = None if forms or tool.path_argument else _banner(line, index)
        if banner:
            named, elsewhere = _headed(banner["path"], resolver)
            under = _Under(named, index)
            if shown and shown[-1].text == "":
                shown.pop()  # the blank line above a banner is the command's own
            shown.append(ShownLine(normal_form(line)))
            continue
        one = _by_table(line, forms, resolver) if forms else None
        if one is None and (forms or tool.path_argument):
            one = ShownLine(normal_form(line))  # such a tool prints no other command's forms
        one = one or by_common_forms(line, index, resolver)
        above = under.path_of(one.text) if under else headed
        if above and not one.path:
            one = replace(one, path=above, below=under is not None)
        if elsewhere and _is_in(one.text, elsewhere, index):
            one = replace(one, cut=True)
        shown += around_elided(bare(line), one, index)
    return _beside_marks(shown, index)


class _Heading(NamedTuple):
    """What a line says of the ones below it."""

    path: str | None
    elsewhere: str
    """The name of a file that lies elsewhere, where one of the corpus has the same."""


def _headed(written: str, resolver: PathResolver) -> _Heading:
    path = resolver.resolve(written)
    name = written.rsplit("/", 1)[-1]
    return _Heading(path, name if path is None and resolver.has_name(name) else "")


def _is_in(text: str, name: str, index: CorpusIndex) -> bool:
    """Whether a line stands in a file of that name."""
    return any(one.path.rsplit("/", 1)[-1] == name for one in index.places.get(text, ()))


def _banner(line: str, index: CorpusIndex) -> re.Match[str] | None:
    banner = BANNER.fullmatch(line) if line.startswith(BANNER_BEGINS) else None
    return None if normal_form(line) in index.places else banner


def _lines(text: str, tool: ToolOutput, index: CorpusIndex) -> Iterator[str]:
    """The lines of a text; those inside of JSON one by one."""
    for line in split_lines(text):
        inside = list(tool.escaped.finditer(line)) if tool.escaped else []
        if not inside or normal_form(line) in index.places or _is_own(inside, index):
            yield line
            continue
        for match in inside:
            plain = unescaped(match["text"])
            yield from split_lines(tool.added.sub("", plain) if tool.added else plain)


def _is_own(inside: Sequence[re.Match[str]], index: CorpusIndex) -> bool:
    """Whether a file of the corpus holds that JSON itself, perhaps behind what was cut off."""
    known = index.kept(OwnTexts)
    return any(known.begins_one(match["text"], match.re) for match in inside)


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


def may_elide(text: str) -> bool:
    """Whether a mark of text left out may stand in a text."""
    return ("..." in text or "\u2026" in text) and any(word in text for word in LEFT_OUT)


def is_mark(line: ShownLine) -> bool:
    """Whether all of a line says that text was left out there."""
    return line.number is None and ELIDED.fullmatch(line.text) is not None


def _beside_marks(shown: list[ShownLine], index: CorpusIndex) -> list[ShownLine]:
    """Beside a line that says that text was left out, blank lines are the tool's own, and the first
    other one may be a part of a line: they have no place by themselves."""
    for place, line in enumerate(shown):
        if line.text[:1] in MARK_BEGINS and line.text not in index.places and is_mark(line):
            for step in (-1, 1):
                beside = place + step
                while 0 <= beside < len(shown) and _may_be_cut(shown[beside], index):
                    shown[beside] = replace(shown[beside], cut=True)
                    if shown[beside].text:
                        break
                    beside += step
    return shown


def _may_be_cut(line: ShownLine, index: CorpusIndex) -> bool:
    return (
        line.number is None and line.path is None and (not line.text or line.text in index.places)
    )


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
