"""Places output with line numbers by comparing whole blocks with numbered pages.

Gives what line_by_line.py gives. Where it cannot tell that, it gives nothing, and that is asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from evaluation.reading.context import ToolOutput
from evaluation.reading.lines.forms import COUNTED, ShownLine
from evaluation.reading.lines.outputs import Frame
from evaluation.reading.lines.paths import paths_of
from evaluation.reading.lines.placement import Placement, Span
from evaluation.reading.lines.printed import NumberForm, Printed, equal_lines
from evaluation.reading.lines.shown import is_mark, lines_of
from evaluation.reading.placing.line_by_line import place
from evaluation.reading.placing.numbers import cut_numbers, lone_numbers
from generators.lines import CorpusIndex, is_weighty, normal_form


def place_numbered_block(
    text: str, number: re.Pattern[str], path: str, index: CorpusIndex
) -> Placement | None:
    """Place a read of which all is one block of a file; its last line may end without LF.

    Gives what NumberedOutput gives, and nothing for any other output.
    """
    match = number.match(text)
    form = number_form(match, 0) if match else None
    if match is None or form is None or "\n" in form.separator:
        return None
    first, total = int(match["n"]), len(index.files[path])
    if not 1 <= first <= total:
        return None
    page = index.kept(Printed).numbered(path, form)
    start, length = page.starts[first - 1], len(text)
    if page.text.startswith(text, start):
        end = start + length - text.endswith("\n")
        if page.text[end] != "\n":
            return None
        last = first + page.lines_in(end + 1 - start, first) - 1
    elif first == 1 and text.startswith(page.text):
        # The empty last line of a read, after a final LF, is the tool's own.
        if text[len(page.text) :].removesuffix("\n") != form.of(total + 1):
            return None
        last = total
    else:
        return None
    return Placement([Span(path, first, last)])


@dataclass
class NumberedOutput:
    """One output of a tool that prints the numbers of a file's lines. Filled while it is placed.

    A line that stands where its number says has its place whatever stands beside it, so the others
    can be placed line by line, neighbours together.
    """

    text: str
    tool: ToolOutput
    number: re.Pattern[str]
    path: str
    index: CorpusIndex
    frame: Frame
    result: Placement = field(default_factory=Placement)

    def place(self) -> Placement:
        """Place all of it."""
        text = self.text
        at = waiting = 0
        while at < len(text):
            match = self.number.match(text, at)
            if match and "\n" in match[0]:
                match = None
            if match and waiting == at and self._is_empty_last(match):
                break
            reached = self._block(match, at) if match else at
            if reached == at:
                at = text.index("\n", at) + 1
                continue
            self._by_lines(waiting, at)
            at = waiting = reached
        self._by_lines(waiting, at)
        return self.result

    def _is_empty_last(self, match: re.Match[str]) -> bool:
        """The empty last line of a read, after a final LF, is the tool's own."""
        is_last = match.end() + 1 == len(self.text)
        return is_last and int(match["n"]) == len(self.index.files[self.path]) + 1

    def _block(self, match: re.Match[str], at: int) -> int:
        """Place the lines from here on that stand where their numbers say; where they end."""
        first = int(match["n"])
        lines = self.index.files[self.path]
        if not 1 <= first <= len(lines):
            return at
        form = number_form(match, at)
        if form is not None:
            page = self.index.kept(Printed).numbered(self.path, form)
            length = equal_lines(self.text, at, page, first)
            if length:
                last = first + page.lines_in(length, first) - 1
                self._add(first, last, at, at + length)
                return at + length
        end = self.text.index("\n", at)
        if normal_form(self.text[match.end() : end]) != lines[first - 1]:
            return at
        self._add(first, first, at, end + 1)
        return end + 1

    def _add(self, first: int, last: int, at: int, reached: int) -> None:
        """Place lines, but for a single one whose number may have lost its first digits."""
        others: list[int] = []
        is_lone = False
        if first == last:
            text = self.index.files[self.path][first - 1]
            match = self.number.match(self.text, reached)
            if match is not None and "\n" not in match[0]:
                others = cut_numbers(first, int(match["n"]), text, self.path, self.index)
            elif self._is_after_mark(at):
                others = lone_numbers(first, text, self.path, self.index)
                is_lone = not is_weighty(text)
        if others or is_lone:
            self.result.allow([Span(self.path, one, one) for one in (first, *others)], 1)
        else:
            self.result.add(self.path, first, last)

    def _is_after_mark(self, at: int) -> bool:
        before = self.text[self.text.rfind("\n", 0, max(0, at - 1)) + 1 : max(0, at - 1)]
        return self.number.match(before) is None and is_mark(ShownLine(normal_form(before)))

    def _by_lines(self, start: int, end: int) -> None:
        if start == end:
            return
        resolver = self.index.kept(paths_of)
        shown = lines_of(self.text[start:end], self.tool, self.index, resolver)
        frame = self.frame._replace(
            begins=self.frame.begins and start == 0,
            ends=self.frame.ends and end == len(self.text),
        )
        self.result.join(place(shown, frozenset((self.path,)), self.index, frame))


def number_form(match: re.Match[str], at: int) -> NumberForm | None:
    """How a number was printed; None if its line cannot be made again from that."""
    padding = match.string[at : match.start("n")]
    if padding.strip(" "):
        return None
    width = match.end("n") - at if padding else 0
    return NumberForm(width, match.string[match.end("n") : match.end()])


def place_counted(text: str, path: str, index: CorpusIndex, frame: Frame) -> Placement | None:
    """Place what `cat -n` or `nl` printed of one file, if all of it is that."""
    printed = index.kept(Printed)
    result = Placement()
    at = 0
    while at < len(text):
        match = COUNTED.match(text, at)
        form = number_form(match, at) if match else None
        if match is None or form is None or not printed.is_read_numbered(path, form):
            return None
        first = int(match["n"])
        if not 1 <= first <= len(index.files[path]):
            return None
        page = printed.numbered(path, form)
        length = equal_lines(text, at, page, first)
        span = Span(path, first, first + page.lines_in(length, first) - 1)
        if not length or not _is_told(span, index, frame):
            return None
        result.sure.append(span)
        at += length
    return result


def _is_told(span: Span, index: CorpusIndex, frame: Frame) -> bool:
    """Whether lines with numbers that fit have one of weight among them, or a unique one."""
    lines = index.files[span.path][span.first - 1 : span.last]
    return any(map(index.is_unique if frame.recounted else is_weighty, lines))
