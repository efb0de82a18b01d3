"""Files that had another text when they were shown than the one that they are held against.

Prevents a claim being called false of a file that was read in full, and changed since.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from evaluation.reading.calls.commands import command_in, prints_files
from evaluation.reading.calls.naming import Calls, said_in
from evaluation.reading.context import UNKNOWN_TOOL, ContextText, ToolOutput, ToolTable
from evaluation.reading.lines.forms import ShownLine, is_part
from evaluation.reading.lines.paths import PathResolver, paths_of
from evaluation.reading.lines.shown import file_text, is_mark, lines_of
from generators.lines import CorpusIndex, is_weighty, normal_form, split_lines

MOST_WHOLE = 1500
"""Lines of a result up to which no tool leaves any out without a word."""
_SOME = re.compile(r"^\s*sed\s+-n\s+['\"]?(?P<first>\d{1,9}),(?P<last>\d{1,9})p['\"]?\s+\S+\s*$")
"""The lines from one to another, and no others."""
_LEFT_OUT = re.compile(r"truncat|partial|omitted|elided|skipped|exceed|more lines|too large", re.I)


@dataclass(frozen=True)
class Suspects:
    """Files that are looked at."""

    paths: Collection[str]
    """Of which no line may be shown by number that they do not have there."""
    since: Collection[str]
    """Of them, those that may have been written since: no line at all, and none too few."""


def misfits(
    texts: Iterable[ContextText],
    tools: ToolTable,
    index: CorpusIndex,
    suspects: Suspects,
    folder: str,
) -> frozenset[str]:
    """Those of the files of which a result shows what this text of them has not. `folder` is where
    the agent worked."""
    return frozenset(_Search(index, suspects, folder).found(texts, tools))


class _Search:
    def __init__(self, index: CorpusIndex, suspects: Suspects, folder: str) -> None:
        self._index = index
        self._suspects = suspects
        self._resolver: PathResolver = index.kept(paths_of)
        self._calls = Calls(self._resolver, folder)

    def found(self, texts: Iterable[ContextText], tools: ToolTable) -> Iterator[str]:
        known: set[str] = set()
        for text in texts:
            tool = tools.get(text.tool, UNKNOWN_TOOL)
            if tool.credit == "none" or not text.text:
                continue
            path = self._path_of(text, tool)
            if path is None or path in known or path not in self._suspects.paths:
                continue
            by_number = tool.path_argument is not None and tool.number is not None
            if self._is_other(text, tool, path) if by_number else self._is_odd(text, tool, path):
                known.add(path)
                yield path

    def _path_of(self, text: ContextText, tool: ToolOutput) -> str | None:
        """The one file that a call prints text of."""
        if tool.path_argument is not None:
            written = text.arguments.get(tool.path_argument)
            return self._resolver.resolve(written) if isinstance(written, str) else None
        command = command_in(text.arguments) if self._suspects.since else None
        if command is None or prints_files(command) is None:
            return None
        named = self._calls.of_command(said_in(text.arguments), text.thread)
        files = {path for one in named for path in one.files}
        return next(iter(files)) if len(files) == 1 and not named[0].folders else None

    def _is_other(self, text: ContextText, tool: ToolOutput, path: str) -> bool:
        """Of a tool that numbers the lines of a file."""
        last = 0
        for line in split_lines(file_text(text.text, tool)):
            match = tool.number.match(line) if tool.number else None
            if match is None:
                continue
            last = int(match["n"])
            known, shown = self._index.line(path, last), line[match.end() :]
            if known == shown:
                continue
            normal = normal_form(shown)
            if known is not None and (normal == known or is_part(normal, known)):
                continue
            if is_weighty(normal):
                return True
        asked = any(isinstance(value, int) for value in text.arguments.values())
        return not asked and self._is_short(text, path, last)

    def _is_odd(self, text: ContextText, tool: ToolOutput, path: str) -> bool:
        """Of what prints lines of one file, and no numbers that can be trusted."""
        if path not in self._suspects.since:
            return False
        lines = lines_of(file_text(text.text, tool), tool, self._index, self._resolver)
        known = frozenset(self._index.files[path])
        if any(not _is_of(line, known) for line in lines):
            return True
        command = command_in(text.arguments) or ""
        printing = prints_files(command)
        asked = _SOME.search(command)
        if asked is not None and int(asked["last"]) - int(asked["first"]) < len(lines):
            return False  # it printed as many lines as it was asked for
        if printing is None or not printing.is_one or not (printing.whole or asked):
            return False
        before = int(asked["first"]) - 1 if asked is not None else 0
        return self._is_short(text, path, before + len(lines))

    def _is_short(self, text: ContextText, path: str, shown: int) -> bool:
        """Whether all of a file was asked for, and less was given than there is now."""
        return (
            path in self._suspects.since
            and 0 < shown < min(MOST_WHOLE, len(self._index.files[path]))
            and not _LEFT_OUT.search(text.text)
        )


def _is_of(line: ShownLine, known: Collection[str]) -> bool:
    """Whether a line is one of these, or says nothing."""
    if line.cut or not is_weighty(line.text) or is_mark(line):
        return True
    return line.text in known or (line.other is not None and line.other.text in known)
