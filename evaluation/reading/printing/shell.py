"""Goes through a command as a shell does, and tells what its programs print: one after the other,
through pipes, in loops over words, with variables of plain values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.reading.calls.commands import FILTERS, SILENT, Run, lists
from evaluation.reading.calls.variables import ASSIGNED
from evaluation.reading.printing.programs import GLOBS, LISTING, Files, Stream, own_line, printed_by

MOST_VALUE = 4096
"""Characters of a word with the values of its variables."""
MOST_VARIABLES = 64
"""In one word."""
MOST_RUNS = 1024
"""Programs that one command runs, again and again."""
ECHO_OPTIONS = re.compile(r"-[neE]+")
VALUE = re.compile(r"\$\{(\w+)(##\*/)?\}|\$(\w+)|\$\(basename \$\{?(\w+)\}?\)")
"""A variable, or the name of the file that it stands for, in a word without its quotes."""
REDIRECTED = re.compile(r"\d*(?:>>?|<)\S*")
ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}
ESCAPED = re.compile(r"\\.", re.DOTALL)
SCRIPTED = frozenset(("sed", "awk", "gawk", "grep", "egrep", "rg"))


class Shell:
    """Goes through the programs of a command, and keeps what they print."""

    def __init__(self, files: Files) -> None:
        self.printed: Stream = []
        self._files = files
        self._values: dict[str, str] = {}
        self._left = MOST_RUNS

    def run(self, runs: Sequence[Run]) -> bool:
        """Whether it can be told what they print."""
        place = 0
        last: Stream = []
        while place < len(runs):
            run = runs[place]
            place += 1
            self._left -= 1
            if self._left < 0:
                return False
            if not run.is_piped:
                self.printed += last
                last = []
            if run.name == "for":
                body = _body(runs[place:])
                found = None if body is None or run.is_piped else self._loop(run.words[1:], body)
                place += 1 + len(body or ())
            else:
                found = self._one(run, last if run.is_piped else None)
            if found is None:
                return False
            last = found
        self.printed += last
        return True

    def _loop(self, words: Sequence[str], body: Sequence[Run]) -> Stream | None:
        if words[1:2] != ("in",):
            return None
        values: list[str] = []
        for word in map(self._expanded, words[2:]):
            if word is None:
                return None
            found = self._files.find(word) if GLOBS.intersection(word) else None
            values += [word] if found is None else [one.shown for one in found]
        printed, self.printed = self.printed, []
        for value in values:
            self._values[words[0]] = value
            if not self.run(body):
                return None
        found_all, self.printed = self.printed, printed
        return found_all

    def _one(self, run: Run, read: Stream | None) -> Stream | None:
        assigned = ASSIGNED.fullmatch(run.words[0])
        if assigned is not None:
            value = self._expanded(assigned[2])
            if value is None or len(run.words) > 1:
                return None
            self._values[assigned[1]] = value
            return []
        if lists(run) and read is None:
            return [LISTING]
        if read and LISTING in read:
            is_all = all(lines is LISTING for lines in read)
            return [LISTING] if is_all and run.name in FILTERS else None
        words = self._words(run)
        return None if words is None else self._printed(run.name, words, read)

    def _words(self, run: Run) -> list[str] | None:
        """What stands behind the name of a program."""
        words: list[str] = []
        for word in run.words[1:]:
            value = self._expanded(word)
            if value is None and run.name in SCRIPTED:
                value = word  # the dollar is the script's own
            if value is None or REDIRECTED.fullmatch(word):
                return None
            words.append(value)
        return words

    def _printed(self, name: str, words: Sequence[str], read: Stream | None) -> Stream | None:
        if name in SILENT:
            return []
        if name == "echo":
            return _echoed(words) if read is None else None
        if name == "printf":
            return _formatted(words) if read is None else None
        return printed_by(name, words, self._files, read)

    def _expanded(self, word: str) -> str | None:
        """A word with the values of its variables; None where one is not known."""
        if "$" not in word:
            return word
        if word.count("$") > MOST_VARIABLES:
            return None
        is_known = True

        def value(match: re.Match[str]) -> str:
            nonlocal is_known
            braced, is_name, plain, named = match.groups()
            known = self._values.get(braced or plain or named)
            is_known = is_known and known is not None
            return (known or "").rsplit("/", 1)[-1] if is_name or named else known or ""

        found = VALUE.sub(value, word)
        return found if is_known and "$" not in found and len(found) <= MOST_VALUE else None


def _body(runs: Sequence[Run]) -> Sequence[Run] | None:
    """The programs of a loop, up to its end; None where it holds another loop."""
    for place, run in enumerate(runs):
        if run.name == "done":
            return runs[:place]
        if run.name == "for":
            return None
    return None


def _echoed(words: Sequence[str]) -> Stream:
    options = ""
    while words and ECHO_OPTIONS.fullmatch(words[0]):
        options, words = options + words[0], words[1:]
    text = " ".join(words)
    if "e" in options:
        text = _unescaped(text)
    return _own_lines(text if "n" in options else f"{text}\n")


def _formatted(words: Sequence[str]) -> Stream | None:
    form = words[0] if words else ""
    parts = form.replace("%s\\n", "%s\n").split("%s")
    if any("%" in part for part in parts) or form.startswith("-"):
        return None
    values = list(words[1:])
    text = ""
    while True:
        for place, part in enumerate(parts):
            text += _unescaped(part)
            if place < len(parts) - 1:
                text += values.pop(0) if values else ""
        if not values or len(parts) == 1:
            return _own_lines(text)


def _unescaped(text: str) -> str:
    return ESCAPED.sub(lambda match: ESCAPES.get(match[0], match[0]), text)


def _own_lines(text: str) -> Stream:
    return [own_line(line) for line in text.splitlines(keepends=True)]
