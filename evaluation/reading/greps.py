"""Places what `grep -n` prints all at once, where every line of it is of the usual form.

Gives what marked.py gives for such an output, and nothing for any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, repeat

from evaluation.reading.claims import Frame
from evaluation.reading.forms import OVER_ONE, name_in
from evaluation.reading.placement import Placement, single_lines
from evaluation.reading.shown import paths_of
from generators.lines import CorpusIndex, is_weighty, normal_form

MANY = re.compile(r"^([^:\n]*):(\d{1,9}):(.*)$", re.MULTILINE)
"""Over several files: path, number, text."""
ONE = re.compile(r"^(\d{1,9})[:-](.*)$", re.MULTILINE)
"""Over one file, with context lines: number, text."""


def place_many(text: str, index: CorpusIndex) -> Placement | None:
    """Place lines with paths and numbers."""
    found = MANY.findall(text)
    if not found or len(found) != text.count("\n"):
        return None
    heads, digits, rests = zip(*found, strict=True)
    paths = index.kept(paths_of)
    named: dict[str, str] = {}
    lines: dict[str, Sequence[str]] = {}
    for head in set(heads):
        path = paths.head(head)
        if path is None:
            return None
        named[head], lines[head] = path, index.files[path]
    numbers = list(map(int, digits))
    try:
        own = [lines[head][n - 1] for head, n in zip(heads, numbers, strict=True)]
    except IndexError:
        return None
    if min(numbers) < 1 or not _are_those(rests, own, text, index):
        return None
    result = Placement()
    result.sure = single_lines(map(named.__getitem__, heads), numbers)
    return result


def place_one(text: str, path: str, index: CorpusIndex, frame: Frame) -> Placement | None:
    """Place lines with numbers alone, of the one file that the call named."""
    paths = index.kept(paths_of)
    if frame.recounted or paths.has_numbers or ("/" in text and paths.may_be_in(text)):
        return None
    found = ONE.findall(text)
    if not found or len(found) != text.count("\n"):
        return None
    digits, rests = zip(*found, strict=True)
    numbers = list(map(int, digits))
    whole = index.files[path]
    if not _ascend(numbers) or numbers[-1] > len(whole):
        return None
    own = [whole[n - 1] for n in numbers]
    if not _are_those(rests, own, text, index):
        return None
    if not any(map(is_weighty, own)):
        return None
    result = Placement()
    result.sure = single_lines(repeat(path), numbers)
    return result


def _ascend(numbers: Sequence[int]) -> bool:
    return numbers[0] >= 1 and all(one < following for one, following in pairwise(numbers))


def _are_those(rests: Iterable[str], own: Iterable[str], text: str, index: CorpusIndex) -> bool:
    """Whether the texts are those lines, and no shown line is one of the corpus as it stands."""
    for rest, one in zip(rests, own, strict=True):
        if rest != one and normal_form(rest) != one:
            return False
    if not index.kept(_has_such_lines):
        return True
    return index.places.keys().isdisjoint(map(normal_form, text.split("\n")[:-1]))


def _has_such_lines(index: CorpusIndex) -> bool:
    """Whether a line of the corpus itself looks like one that `grep -n` printed."""
    paths = index.kept(paths_of)
    return any(OVER_ONE.match(line) or name_in(line, paths) for line in index.places)
