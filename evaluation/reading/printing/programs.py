"""What plain programs print of the files that their words name: which lines, one after the other.

`cat`, `head`, `tail`, `sed -n`, `awk 'NR==2'` pick lines by their numbers alone, and write banners
of a known form. Any other program, option or script is not known, and then nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from evaluation.reading.lines.printed import Printed
from evaluation.reading.printing.addresses import Range, by_awk, by_sed
from evaluation.reading.printing.searching import BETWEEN, search_of
from evaluation.reading.values import value
from generators.lines import CorpusIndex

HEAD_COUNT = "10"
"""Lines that head and tail print where nothing is said."""
COUNT = re.compile(r"(?:-n?|--lines=)([+-]?\d{1,9})")
NUMBERING = "%6d\t"
"""What stands before each line of `cat -n` and `nl -ba`."""
GLOBS = frozenset("*?[")
MOST_WORK = 500_000
"""Lines, or parts of files, that are looked at for one command."""
QUIET, VERBOSE = frozenset(("-q", "--quiet", "--silent")), frozenset(("-v", "--verbose"))


@value()
class Lines:
    """Lines of a file that follow each other, both ends in; or some text of the program's own."""

    path: str
    """Empty for what is no file's."""
    first: int
    last: int
    own: str = ""
    number: int | None = None
    """What is printed before the first of them, where they are counted."""

    @property
    def count(self) -> int:
        """How many there are."""
        return self.last - self.first + 1

    def part(self, first: int, last: int) -> Lines:
        """Some of them, counted from 0, both ends in."""
        number = None if self.number is None else self.number + first
        return replace(self, first=self.first + first, last=self.first + last, number=number)


LISTING = Lines("", 1, 0)
"""What a program lists: names and numbers, no text of a file."""


def own_line(text: str) -> Lines:
    """What a program writes of its own: a line, with its end, or a part of one."""
    return Lines("", 1, 1, text)


class NamedFile(NamedTuple):
    """A file of the corpus that a word stands for."""

    path: str
    shown: str
    """What the shell puts into the place of the word."""


@dataclass
class Files:
    """The files that a command can name."""

    index: CorpusIndex
    find: Callable[[str], Sequence[NamedFile] | None]
    """Those of a word; None where that cannot be told."""
    read: set[str] = field(default_factory=set)
    """Those that a program read, whatever it printed of them."""
    left: int = MOST_WORK

    def may_spend(self, count: int) -> bool:
        """Whether so many lines, or parts of files, may still be looked at."""
        self.left -= count
        return self.left >= 0

    def whole(self, path: str) -> Lines:
        """All of a file."""
        return Lines(path, 1, len(self.index.files[path]))

    def of_all(self, words: Iterable[str]) -> list[NamedFile] | None:
        """Those of several words, in their order."""
        found: list[NamedFile] = []
        for word in words:
            some = self.find(word)
            if some is None:
                return None
            found += some
        self.read.update(one.path for one in found)
        return found

    def length(self, lines: Lines) -> int:
        """How many characters lines have at the least."""
        if not lines.path:
            return len(lines.own)
        starts = self.index.kept(Printed).bare(lines.path).starts
        return starts[lines.last] - starts[lines.first - 1]

    def text(self, lines: Lines) -> str:
        """What stands in an output for lines."""
        if not lines.path:
            return lines.own
        page = self.index.kept(Printed).bare(lines.path)
        text = page.text[page.starts[lines.first - 1] : page.starts[lines.last]]
        if lines.number is None:
            return text
        numbered = enumerate(text.split("\n")[:-1], start=lines.number)
        return "".join(f"{NUMBERING % number}{line}\n" for number, line in numbered)


Stream = list[Lines]
"""What one program prints, or reads from the one before it."""


def printed_by(name: str, words: Sequence[str], files: Files, read: Stream | None) -> Stream | None:
    """What a program prints; None where that cannot be told. `read` is what was piped into it."""
    if name == "cat":
        return _cat(words, files, read)
    if name == "nl":
        plain = [word for word in words if word not in ("-b", "a", "-ba")]
        is_all = "-ba" in words or ("-b" in words and "a" in words)
        return _cat(["-n", *plain], files, read) if is_all else None
    if name in ("head", "tail"):
        return _ends(name, words, files, read)
    if name == "sed":
        return _sed(words, files, read)
    if name in ("awk", "gawk"):
        return _awk(words, files, read)
    if name in ("grep", "egrep", "rg"):
        return _searched(name, words, files, read)
    return None


def _inputs(words: Sequence[str], files: Files, read: Stream | None) -> list[Stream] | None:
    """What a program reads: each file that its words name, or what was piped into it."""
    if not words:
        return None if read is None else [read]
    found = files.of_all(words)
    return None if found is None else [[files.whole(one.path)] for one in found]


def _cat(words: Sequence[str], files: Files, read: Stream | None) -> Stream | None:
    counts = [word for word in words if word.startswith("-")]
    if counts not in ([], ["-n"]):
        return None
    inputs = _inputs([word for word in words if not word.startswith("-")], files, read)
    stream = None if inputs is None else [lines for one in inputs for lines in one]
    if stream is None or not counts:
        return stream
    if any(not lines.path or lines.number is not None for lines in stream):
        return None
    number = 1
    numbered: Stream = []
    for lines in stream:
        numbered.append(replace(lines, number=number))
        number += lines.count
    return numbered


def _picked(stream: Stream, ranges: Iterable[Range], files: Files) -> Stream | None:
    """Lines of a stream by their numbers in it. None where one is asked for twice."""
    order = sorted(ranges)
    if not files.may_spend(len(order) + len(stream)) or any(
        following.first <= one.last for one, following in pairwise(order)
    ):
        return None
    found: Stream = []
    start, place = 1, 0
    for lines in stream:
        end = start + lines.count - 1
        while place < len(order) and order[place].first <= end:
            low, high = max(order[place].first, start), min(order[place].last, end)
            if low <= high:
                found.append(lines.part(low - start, high - start))
            if order[place].last > end:
                break
            place += 1
        start = end + 1
    return found


def _length(stream: Stream) -> int:
    return sum(lines.count for lines in stream)


def _ends(name: str, words: Sequence[str], files: Files, read: Stream | None) -> Stream | None:
    """`head` and `tail`, with a banner over each of several files."""
    count, plain, banners = HEAD_COUNT, list[str](), None
    left = iter(words)
    for word in left:
        if word in ("-n", "--lines"):
            count = next(left, "")
        elif match := COUNT.fullmatch(word):
            count = match[1]
        elif word in QUIET | VERBOSE:
            banners = word in VERBOSE
        elif word.startswith("-"):
            return None
        else:
            plain.append(word)
    inputs = _inputs(plain, files, read)
    if inputs is None or not re.fullmatch(r"[+-]?\d{1,9}", count):
        return None
    shown = files.of_all(plain) or ()
    found: Stream = []
    for place, stream in enumerate(inputs):
        if shown and (len(inputs) > 1 if banners is None else banners):
            found += [own_line("\n")] if place else []
            found.append(own_line(f"==> {shown[place].shown} <==\n"))
        some = _picked(stream, [_end(name, count, _length(stream))], files)
        if some is None:
            return None
        found += some
    return found


def _end(name: str, count: str, length: int) -> Range:
    number = abs(int(count))
    if name == "head":
        return Range(1, length - number if count[0] == "-" else number)
    return Range(max(1, number if count[0] == "+" else length - number + 1), length)


def _sed(words: Sequence[str], files: Files, read: Stream | None) -> Stream | None:
    scripts, plain = list[str](), list[str]()
    is_quiet = False
    left = iter(words)
    for word in left:
        if word in ("-e", "--expression"):
            scripts.append(next(left, ""))
        elif word == "-ne":
            is_quiet = True
            scripts.append(next(left, ""))
        elif word in ("-n", "--quiet", "--silent", "-nE", "-nr"):
            is_quiet = True
        elif word in ("-E", "-r"):
            continue
        elif word.startswith("-"):
            return None
        else:
            plain.append(word)
    if not scripts:
        scripts, plain = plain[:1], plain[1:]
    inputs = _inputs(plain, files, read)
    if inputs is None:
        return None
    stream = [lines for one in inputs for lines in one]
    ranges = by_sed(";".join(scripts), _length(stream), is_quiet=is_quiet)
    return None if ranges is None else _picked(stream, ranges, files)


def _awk(words: Sequence[str], files: Files, read: Stream | None) -> Stream | None:
    inputs = None
    if words and not words[0].startswith("-"):
        inputs = _inputs(words[1:], files, read)
    if inputs is None:
        return None
    if "FNR" not in words[0]:
        inputs = [[lines for one in inputs for lines in one]]
    found: Stream = []
    for stream in inputs:
        length = _length(stream)
        ranges = by_awk(words[0], length) if files.may_spend(length) else None
        some = None if ranges is None else _picked(stream, ranges, files)
        if some is None:
            return None
        found += some
    return found


def _searched(name: str, words: Sequence[str], files: Files, read: Stream | None) -> Stream | None:
    """`grep` where it prints neither names nor numbers."""
    search = search_of(name, words)
    if search is None or not (search.hides_names or len(search.files) < 2):
        return None
    inputs = _inputs(search.files, files, read)
    if inputs is None:
        return None
    found: Stream = []
    for stream in inputs:
        if len(stream) != 1 or stream[0] != files.whole(stream[0].path):
            return None
        if not files.may_spend(stream[0].count):
            return None
        path = stream[0].path
        for run in search.runs(files.index.kept(Printed).bare(path)):
            if found and search.has_separators:
                found.append(own_line(BETWEEN))
            found.append(Lines(path, run.start, run.stop - 1))
    return found
