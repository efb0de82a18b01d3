"""What a command prints by its words alone: whole files, lines by their numbers, and headings.

Decides what no run can: a file of braces alone, the brace at the end of one file before that of the
next, and a blank line between two that were picked. Only an output that is the same to the letter
is taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, zip_longest

from evaluation.reading.calls.commands import HOLDS_OTHERS, runs_of
from evaluation.reading.calls.naming import Named
from evaluation.reading.lines.paths import LOST, PathResolver
from evaluation.reading.lines.placement import Placement, Span, spots
from evaluation.reading.lines.printed import light
from evaluation.reading.printing.programs import GLOBS, LISTING, Files, NamedFile, Stream
from evaluation.reading.printing.shell import Shell
from generators.lines import CorpusIndex, normal_form

MOST = 256
"""Files of one command."""
MOST_BLANK = 4096
"""Characters that may be missing at the ends of an output."""
BASENAME = re.compile(r"\$\(basename \"?\$\{?(\w+)\}?\"?\)")
SILENCED = re.compile(r"\s2>\s*(?:/dev/null|&1)")
DEFINES = re.compile(r"\(\s*\)|\b(?:function|alias|eval|source)\b")
"""In a command: one of its words may run others."""
MAY_SKIP = re.compile(r"&&|\|\||\b(?:if|elif|while|until|case)\b")
"""In a command: a part of it may not have run."""
BEGINS = re.compile(r"^\s*cd [^;&|\s]+ && ")
"""If this had failed, nothing of the rest had run."""


def _letters(path: str) -> str:
    return re.sub(r"[\W_]", "", path).casefold()


ORDERS: tuple[Callable[[str], str], ...] = (str, str.casefold, _letters)
"""In which a shell may put the files of a pattern: by its locale."""


def place_whole(text: str, command: str, named: Named, index: CorpusIndex) -> Placement | None:
    """Place an output that is, to the letter, what a command prints by its words; else None.

    All of it was run in one folder, and each of its words is looked up from there.
    """
    if not 0 < len(named.files) <= MOST or named.elsewhere or named.is_open:
        return None
    if len(named.places) != 1 or named.places[0] == LOST:
        return None
    plain = BASENAME.sub("", command)
    if any(mark in plain for mark in HOLDS_OTHERS) or DEFINES.search(plain):
        return None
    paths = named.seen.from_place(named.places[0])
    runs = runs_of(SILENCED.sub("", command))
    found: Placement | None = None
    for order in ORDERS if not GLOBS.isdisjoint(command) else ORDERS[:1]:
        files = Files(index, partial(_found, paths=paths, order=order))
        shell = Shell(files)
        if not shell.run(runs) or files.read != named.files:
            return None
        if LISTING in shell.printed and MAY_SKIP.search(BEGINS.sub("", command)):
            return None
        stream = _as_shown(shell.printed, text, files)
        if stream is None:
            continue
        one = _placement(stream, index)
        if found is not None and spots(found.sure) != spots(one.sure):
            return None  # equal files, and nobody can tell which came first
        found = one
    return found


def _placement(stream: Stream, index: CorpusIndex) -> Placement:
    own = (normal_form(lines.own.rstrip("\n")) for lines in stream if not lines.path)
    return Placement(
        [Span(lines.path, lines.first, lines.last) for lines in stream if lines.path],
        leftover=[line for line in own if line and line not in index.places],
    )


def _as_shown(printed: Stream, text: str, files: Files) -> Stream | None:
    """What was printed, if that is what is shown. Blank lines may be missing at the ends, which
    some tools take off; listings stand between as they are."""
    stream = [lines for lines in printed if lines is LISTING or not lines.path or lines.count]
    parts = _texts(stream, len(text) + MOST_BLANK, files)
    if parts is None:
        return None
    shown = light(text).replace("\ufeff", "")
    if LISTING in stream:
        return [one for one in stream if one is not LISTING] if _is_among(parts, shown) else None
    whole = light("".join(filter(None, parts)))
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


def _texts(stream: Stream, most: int, files: Files) -> list[str | None] | None:
    """What stands in an output, None for a listing; nothing where that is too much, or where two
    files have a line together."""
    parts: list[str | None] = []
    for lines, following in zip_longest(stream, stream[1:]):
        if lines is LISTING:
            parts.append(None)
            continue
        most -= files.length(lines)
        if most < 0:
            return None
        is_last = lines.path and lines.last == len(files.index.files[lines.path])
        if following and is_last and not files.index.text(lines.path).endswith("\n"):
            return None
        parts.append(files.text(lines).replace("\ufeff", ""))
    return parts


def _is_among(parts: Sequence[str | None], shown: str) -> bool:
    """Whether an output is these parts with a listing for each None, and can be nothing else."""
    known = ["".join(filter(None, some)) for is_text, some in groupby(parts, bool) if is_text]
    at = 0
    for place, text in enumerate(known):
        if place == 0 and parts[0]:
            found = 0 if shown.startswith(text) else -1
        elif place == len(known) - 1 and parts[-1]:
            found = len(shown) - len(text) if shown.endswith(text) else -1
        else:
            found = f"\n{shown}".find(f"\n{text}", at)
            if f"\n{shown}".find(f"\n{text}", found + 1) >= 0:
                return False
        if found < at or shown[found - 1 : found] not in ("", "\n"):
            return False
        at = found + len(text)
    return True


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


def _found(
    word: str, paths: PathResolver, order: Callable[[str], str]
) -> Sequence[NamedFile] | None:
    """The files that a word stands for, in the order of a shell. None where it names anything else
    too, or nothing."""
    if GLOBS.isdisjoint(word):
        is_guess = word.startswith(("/", "~")) and not paths.root
        path = None if is_guess else paths.resolve(word)
        return None if path is None else [NamedFile(path, word)]
    if "**" in word or "{" in word:
        return None  # what it stands for depends on the shell
    found = [path for path in paths.matching(word) if not _is_hidden(word, path)]
    if not found or not all(map(paths.has_path, found)):
        return None
    return [NamedFile(path, _shown(word, path)) for path in sorted(found, key=order)]


def _is_hidden(word: str, path: str) -> bool:
    """Whether a shell passes over a path, since a part of it begins with a dot."""
    parts = zip(reversed(word.split("/")), reversed(path.split("/")), strict=False)
    return any(own.startswith(".") and not part.startswith(".") for part, own in parts)


def _shown(word: str, path: str) -> str:
    """A path as a pattern begins to write it."""
    parts = word.split("/")
    first = next(place for place, part in enumerate(parts) if not GLOBS.isdisjoint(part))
    return "/".join([*parts[:first], *path.split("/")[first - len(parts) :]])
