"""What `cat` prints of files that its command writes out: all of each, one after the other.

Decides what no run can: a file of braces alone, and the brace at the end of one file before that of
the next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase

from evaluation.reading.commands import prints_files
from evaluation.reading.placement import Placement, Span
from evaluation.reading.printed import light
from generators.lines import CorpusIndex

MOST = 256
"""Files of one command."""


def place_whole(
    text: str, command: str, named: Collection[str], index: CorpusIndex
) -> Placement | None:
    """Place an output that is all of the named files, one after the other; else None."""
    if not 0 < len(named) <= MOST or "cat" not in command:
        return None
    printed = prints_files(command)
    if printed is None or not printed.whole:
        return None
    paths = _in_order(printed.words, named)
    if paths is None or {*paths} != {*named}:
        return None
    whole = [index.text(path) for path in paths]
    if not all(one.endswith("\n") for one in whole[:-1] if one):
        return None  # the last line of one file and the first of the next are one line
    if light("".join(whole).replace("\ufeff", "")) != light(text.replace("\ufeff", "")):
        return None
    lengths = [len(index.files[path]) for path in paths]
    return Placement([Span(p, 1, n) for p, n in zip(paths, lengths, strict=True) if n])


def _in_order(words: Sequence[str], named: Collection[str]) -> list[str] | None:
    paths: list[str] = []
    for word in words:
        found = sorted(_fitting(word.removeprefix("./"), named))
        if not found or (len(found) > 1 and not set(word) & set("*?[")):
            return None
        paths += found
    return paths


def _fitting(word: str, named: Collection[str]) -> Iterator[str]:
    """The named files that a word of the command may stand for."""
    folder, _, name = word.rpartition("/")
    for path in named:
        own_folder, _, own_name = path.rpartition("/")
        ends = f"/{own_folder}".endswith(f"/{folder}") or f"/{folder}".endswith(f"/{own_folder}")
        if fnmatchcase(own_name, name) and (not folder or ends):
            yield path
