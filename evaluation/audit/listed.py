"""Which files an audit shows where nothing says what was to be reviewed.

Prevents a page of files that all hold one line of a licence, of which one was shown somewhere; and
a session whose every line may have entered being shown as one that was given nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from evaluation.reading.engine import FileReading, Reading
from generators.lines import CorpusIndex, is_weighty

FEW = 4
"""Files that one line stands in, of which it may well be the one that was shown."""


class Shown(NamedTuple):
    """Files of which lines entered, or may have."""

    files: frozenset[str]
    others: int
    """Files more that hold a line which was shown, as many others do."""


def files_shown(reading: Reading, index: CorpusIndex) -> Shown:
    """The files that are worth a row, and how many more there may be."""
    found = {
        path: one
        for path, one in reading.union.files.items()
        if index.files.get(path) and one.count_most(index.files[path])
    }
    files = frozenset(path for path, one in found.items() if _is_likely(path, one, index))
    return Shown(files, len(found) - len(files))


def _is_likely(path: str, found: FileReading, index: CorpusIndex) -> bool:
    """Whether a line surely entered, or one may have that no more than a few files hold."""
    lines = (index.line(path, number) for number in found.possible | found.reformatted)
    return bool(found.sure) or any(_is_of_few(line, index) for line in lines if line)


def _is_of_few(line: str, index: CorpusIndex) -> bool:
    files: set[str] = set()
    for place in index.places.get(line, ()):
        files.add(place.path)
        if len(files) > FEW:
            return False
    return is_weighty(line)
