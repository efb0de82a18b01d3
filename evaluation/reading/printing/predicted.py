"""What a command prints by its words alone: whole files, lines by their numbers, and headings.

Decides what no run can: a file of braces alone, the brace at the end of one file before that of the
next, and a blank line between two that were picked. Only an output that is the same to the letter
is taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial

from evaluation.reading.calls.commands import HOLDS_OTHERS, SILENT, Run, runs_of
from evaluation.reading.lines.placement import Placement, Span
from evaluation.reading.lines.printed import light
from evaluation.reading.printing.programs import Files, NamedFile, Stream, own_line, printed_by
from generators.lines import CorpusIndex, normal_form

MOST = 256
"""Files of one command."""
MOST_RUNS = 1024
"""Programs that one command runs, again and again."""
MOST_BLANK = 4096
"""Characters that may be missing at the ends of an output."""
ECHO_OPTIONS = re.compile(r"-[neE]+")
ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
BASENAME = re.compile(r"\$\(basename \"?\$\{?(\w+)\}?\"?\)")
VALUE = re.compile(r"\$\{(\w+)(##\*/)?\}|\$(\w+)|\$\(basename \$\{?(\w+)\}?\)")
"""A variable, or the name of the file that it stands for, in a word without its quotes."""
SILENCED = re.compile(r"\s2>\s*(?:/dev/null|&1)")
REDIRECTED = re.compile(r"\d*(?:>>?|<)\S*")
ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}
ESCAPED = re.compile(r"\\.", re.DOTALL)
SCRIPTED = frozenset(("sed", "awk", "gawk", "grep", "egrep", "rg"))
GLOBS = frozenset("*?[")
ORDERS: tuple[Callable[[str], str], ...] = (str, str.casefold)
"""In which a shell may put the files of a pattern: by its locale."""


def place_whole(
    text: str, command: str, named: Collection[str], index: CorpusIndex
) -> Placement | None:
    """Place an output that is, to the letter, what a command prints by its words; else None."""
    if not 0 < len(named) <= MOST:
        return None
    if any(mark in BASENAME.sub("", command) for mark in HOLDS_OTHERS):
        return None
    runs = runs_of(SILENCED.sub("", command))
    for order in ORDERS:
        files = Files(index, partial(_found, named=named, order=order))
        shell = _Shell(files)
        if not shell.run(runs) or files.read != {*named}:
            return None
        stream = _as_shown(shell.printed, text, files)
        if stream is not None:
            return _placement(stream, index)
    return None


def _placement(stream: Stream, index: CorpusIndex) -> Placement:
    own = (normal_form(lines.own.rstrip("\n")) for lines in stream if not lines.path)
    return Placement(
        [Span(lines.path, lines.first, lines.last) for lines in stream if lines.path],
        leftover=[line for line in own if line and line not in index.places],
    )


def _as_shown(printed: Stream, text: str, files: Files) -> Stream | None:
    """What was printed, if that is what is shown, but for blank lines at the ends, which some tools
    take off."""
    stream = [lines for lines in printed if not lines.path or lines.count]
    parts: list[str] = []
    left = len(text) + MOST_BLANK
    for lines in stream:
        left -= files.length(lines)
        if left < 0:
            return None
        parts.append(files.text(lines))
    for lines, part, following in zip(stream, parts, parts[1:], strict=False):
        at_end = lines.path and lines.last == len(files.index.files[lines.path])
        if following and at_end and part and not files.index.text(lines.path).endswith("\n"):
            return None  # its last line and what follows are one line
    whole, shown = light("".join(parts)).replace("\ufeff", ""), light(text).replace("\ufeff", "")
    if whole == shown:
        return stream
    core = whole.strip("\n")
    if not core or core != shown.strip("\n"):
        return None
    before = _blank(whole) - _blank(shown)
    after = _blank(whole[::-1]) - _blank(shown[::-1])
    if before < 0 or after < 0:
        return None
    return _without_blank(_without_blank(stream, before, step=1), after, step=-1)


def _blank(text: str) -> int:
    return len(text) - len(text.lstrip("\n"))


def _without_blank(stream: Stream, count: int, *, step: int) -> Stream:
    """Without so many of the lines at one end, which are blank."""
    kept = stream[::step]
    while count and kept:
        lines = kept[0]
        taken = min(count, lines.count)
        count -= taken
        first = lines.first + (taken if step == 1 else 0)
        last = lines.last - (taken if step == -1 else 0)
        rest = replace(lines, first=first, last=last)
        kept = [rest, *kept[1:]] if first <= last else kept[1:]
    return kept[::step]


class _Shell:
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
        words: list[str] = []
        for word in run.words[1:]:
            if REDIRECTED.fullmatch(word):
                return None
            value = self._expanded(word)
            if value is None and run.name in SCRIPTED:
                value = word  # the dollar is the script's own
            if value is None:
                return None
            words.append(value)
        if run.name in SILENT:
            return []
        if run.name == "echo":
            return _echoed(words) if read is None else None
        if run.name == "printf":
            return _formatted(words) if read is None else None
        return printed_by(run.name, words, self._files, read)

    def _expanded(self, word: str) -> str | None:
        """A word with the values of its variables; None where one is not known."""
        if "$" not in word:
            return word
        is_known = True

        def value(match: re.Match[str]) -> str:
            nonlocal is_known
            braced, is_name, plain, named = match.groups()
            known = self._values.get(braced or plain or named)
            is_known = is_known and known is not None
            return (known or "").rsplit("/", 1)[-1] if is_name or named else known or ""

        found = VALUE.sub(value, word)
        return found if is_known and "$" not in found else None


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


def _found(
    word: str, named: Collection[str], order: Callable[[str], str]
) -> Sequence[NamedFile] | None:
    """The named files that a word stands for, in the order of a shell."""
    name = word.removeprefix("./")
    paths = [name] if name in named else sorted(_fitting(name, named), key=order)
    is_pattern = not GLOBS.isdisjoint(word)
    if not paths or (len(paths) > 1 and not is_pattern):
        return None
    return [NamedFile(path, _shown(word, path) if is_pattern else word) for path in paths]


def _shown(word: str, path: str) -> str:
    """A path as a pattern begins to write it."""
    parts = word.split("/")
    first = next(place for place, part in enumerate(parts) if not GLOBS.isdisjoint(part))
    return "/".join([*parts[:first], *path.split("/")[first - len(parts) :]])


def _fitting(word: str, named: Collection[str]) -> Iterator[str]:
    """The named files that a word of the command may stand for."""
    folder, _, name = word.rpartition("/")
    for path in named:
        own_folder, _, own_name = path.rpartition("/")
        if not fnmatchcase(own_name, name):
            continue
        if not folder or _ends_alike(own_folder, folder):
            yield path


def _ends_alike(own: str, folder: str) -> bool:
    ours, theirs = own.split("/")[::-1], folder.split("/")[::-1]
    return all(fnmatchcase(one, other) for one, other in zip(ours, theirs, strict=False))
