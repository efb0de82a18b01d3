"""Places what `grep -n` prints all at once, where every line of it is of the usual form.

Gives what marked.py gives for such an output, and nothing for any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import repeat

from evaluation.reading.lines.forms import OVER_ONE, name_in
from evaluation.reading.lines.outputs import Frame
from evaluation.reading.lines.paths import paths_of
from evaluation.reading.lines.placement import Placement, single_lines
from generators.lines import CorpusIndex, is_weighty, normal_form

MANY = re.compile(r"^([^:\n]*):(\d{1,9}):(.*)$", re.MULTILINE)
"""Over several files: path, number, text."""
ONE = re.compile(r"^(\d{1,9})[:-](.*)$", re.MULTILINE)
"""Over one file, with context lines: number, text."""
_NO_LINES: Sequence[str] = ()


def place_many(text: str, index: CorpusIndex) -> Placement | None:
    """Place lines with paths and numbers."""
    found = MANY.findall(text)
    if not found or len(found) != text.count("\n") or _holds_own_lines(text, index):
        return None
    paths = index.kept(paths_of)
    named: list[str] = []
    numbers: list[int] = []
    before: str | None = None
    path, lines = "", _NO_LINES
    for head, digits, rest in found:
        if head != before:
            file = paths.head(head)
            if file is None:
                return None
            before, path, lines = head, file, index.files[file]
        number = int(digits)
        if not 1 <= number <= len(lines):
            return None
        own = lines[number - 1]
        if rest != own and normal_form(rest) != own:
            return None
        named.append(path)
        numbers.append(number)
    return Placement(single_lines(named, numbers))


def place_one(text: str, path: str, index: CorpusIndex, frame: Frame) -> Placement | None:
    """Place lines with numbers alone, of the one file that the call named."""
    paths = index.kept(paths_of)
    if frame.recounted or paths.has_numbers or ("/" in text and paths.may_be_in(text)):
        return None
    found = ONE.findall(text)
    if not found or len(found) != text.count("\n") or _holds_own_lines(text, index):
        return None
    numbers: list[int] = []
    before, is_told = 0, False
    lines = index.files[path]
    for digits, rest in found:
        number = int(digits)
        if not before < number <= len(lines):
            return None
        before = number
        own = lines[number - 1]
        if rest != own and normal_form(rest) != own:
            return None
        is_told = is_told or is_weighty(own)
        numbers.append(number)
    return Placement(single_lines(repeat(path), numbers)) if is_told else None


def _holds_own_lines(text: str, index: CorpusIndex) -> bool:
    """Whether a shown line may be one of the corpus as it stands."""
    if not index.kept(_has_such_lines):
        return False
    return not index.places.keys().isdisjoint(map(normal_form, text.split("\n")[:-1]))


def _has_such_lines(index: CorpusIndex) -> bool:
    """Whether a line of the corpus itself looks like one that `grep -n` printed."""
    paths = index.kept(paths_of)
    return any(OVER_ONE.match(line) or name_in(line, paths) for line in index.places)
