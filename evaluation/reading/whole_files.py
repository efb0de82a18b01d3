"""What `cat` prints of files that its command writes out: all of each, one after the other, and
what `echo` prints between them.

Decides what no run can: a file of braces alone, and the brace at the end of one file before that of
the next.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from evaluation.reading.commands import HOLDS_OTHERS, SILENT, runs_of
from evaluation.reading.placement import Placement, Span
from evaluation.reading.printed import light
from generators.lines import CorpusIndex, normal_form

MOST = 256
"""Files of one command."""
ECHO_OPTIONS = re.compile(r"-[neE]+")


class _Piece(NamedTuple):
    """What one word of a command made it print."""

    path: str
    """Empty for what is no file's."""
    text: str


def place_whole(
    text: str, command: str, named: Collection[str], index: CorpusIndex
) -> Placement | None:
    """Place an output that is all of the named files, one after the other; else None."""
    if not 0 < len(named) <= MOST or "cat" not in command:
        return None
    pieces = _pieces(command, named, index)
    if pieces is None or {piece.path for piece in pieces if piece.path} != {*named}:
        return None
    whole = [piece.text for piece in pieces]
    if not all(one.endswith("\n") for one in whole[:-1] if one):
        return None  # the last line of one file and the first of the next are one line
    if light("".join(whole).replace("\ufeff", "")) != light(text.replace("\ufeff", "")):
        return None
    paths = [piece.path for piece in pieces if piece.path and piece.text]
    own = (normal_form(piece.text.rstrip("\n")) for piece in pieces if not piece.path)
    return Placement(
        [Span(path, 1, len(index.files[path])) for path in paths],
        leftover=[line for line in own if line and line not in index.places],
    )


def _pieces(command: str, named: Collection[str], index: CorpusIndex) -> list[_Piece] | None:
    """What a command prints, if it is files and words alone."""
    if any(mark in command for mark in (*HOLDS_OTHERS, "for ")):
        return None
    pieces: list[_Piece] = []
    for run in runs_of(command):
        words = run.words[1:]
        if run.name in SILENT:
            continue
        if run.is_piped or any(word.startswith(("<", ">")) for word in words):
            return None
        if run.name == "echo" and not ECHO_OPTIONS.fullmatch("".join(words[:1])):
            pieces.append(_Piece("", " ".join(words) + "\n"))
            continue
        if run.name != "cat" or any(word.startswith("-") for word in words):
            return None
        paths = _in_order(words, named)
        if paths is None:
            return None
        pieces += [_Piece(path, index.text(path)) for path in paths]
    return pieces


def _in_order(words: Sequence[str], named: Collection[str]) -> list[str] | None:
    paths: list[str] = []
    for word in words:
        name = word.removeprefix("./")
        found = [name] if name in named else sorted(_fitting(name, named))
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
