"""What entered one thread, gathered as one byte a line of each file that was touched.

Time and memory grow with the runs of lines that are added and with the corpus, not with how often a
line was shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

from evaluation.reading.copies import Copies
from evaluation.reading.lines.placement import Placement, Span
from generators.lines import CorpusIndex

NONE: frozenset[int] = frozenset()


class FileLines(NamedTuple):
    """The lines of one file by what is known of them, each kind without those that outdo it."""

    path: str
    sure: frozenset[int]
    possible: frozenset[int]
    visible: frozenset[int]
    visible_possible: frozenset[int]
    partial: frozenset[int]
    reformatted: frozenset[int]
    inherited: frozenset[int]
    copies: Mapping[str, int]
    """How often the text of each possible line was shown."""


class _Masks:
    """Lines of files, a byte each."""

    def __init__(self, files: Mapping[str, tuple[str, ...]]) -> None:
        self._files = files
        self.by_path: dict[str, bytearray] = {}

    def add(self, spans: Iterable[Span]) -> None:
        by_path = self.by_path
        for path, first, last in spans:
            mask = by_path.get(path)
            if mask is None:
                mask = by_path[path] = bytearray(len(self._files[path]))
            if first == last:
                mask[last - 1] = 1
            else:
                mask[first - 1 : last] = b"\x01" * (last - first + 1)

    def join(self, others: _Masks) -> None:
        for path, theirs in others.by_path.items():
            ours = self.by_path.get(path)
            joined = int.from_bytes(theirs) | (int.from_bytes(ours) if ours else 0)
            self.by_path[path] = bytearray(joined.to_bytes(len(theirs)))

    def lines(self, path: str) -> frozenset[int]:
        mask = self.by_path.get(path)
        return frozenset(compress(range(1, len(mask) + 1), mask)) if mask else NONE


@dataclass(frozen=True)
class _Loose:
    """Normal forms of lines that may stand wherever the corpus has them."""

    all: set[str]
    visible: set[str]


class Tally:
    """Filled while measuring, then read once."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self.ambiguous = 0
        """Shown lines with more than one possible place."""
        self.short = 0
        """Shown blank and short lines without a place."""
        self.copies = Copies(index)
        self._loose = _Loose(set(), set())
        files = index.files
        self._sure, self._possible, self._partial = _Masks(files), _Masks(files), _Masks(files)
        self._visible, self._visible_possible = _Masks(files), _Masks(files)
        self._reformatted, self._inherited = _Masks(files), _Masks(files)

    def take(self, placement: Placement, reformatted: Sequence[Span], *, visible: bool) -> None:
        """Add one tool result."""
        self._sure.add(placement.sure)
        self.short += placement.short
        if placement.ambiguous:
            self.ambiguous += placement.ambiguous
            self._possible.add(placement.possible)
            self.copies.add(placement)
            self._loose.all.update(placement.anywhere)
        if placement.partial:
            self._partial.add(placement.partial)
        if reformatted:
            self._reformatted.add(reformatted)
        if visible:
            self._visible.add(placement.sure)
            if placement.ambiguous or reformatted:
                self._visible_possible.add(placement.possible)
                self._visible_possible.add(reformatted)
                self._loose.visible.update(placement.anywhere)

    @property
    def inherits(self) -> bool:
        """Whether a fork copied any of it from its parent."""
        return bool(self._inherited.by_path)

    def inherit(self, placement: Placement) -> None:
        """Add one tool result that a fork copied from its parent."""
        self._inherited.add(placement.sure)

    def join(self, other: Tally) -> None:
        """Add all that entered another thread. What it inherited, its parent read."""
        self.ambiguous += other.ambiguous
        self.short += other.short
        self._sure.join(other._sure)
        self._possible.join(other._possible)
        self._partial.join(other._partial)
        self._visible.join(other._visible)
        self._visible_possible.join(other._visible_possible)
        self._reformatted.join(other._reformatted)
        self.copies.join(other.copies)
        self._loose.all.update(other._loose.all)
        self._loose.visible.update(other._loose.visible)

    def files(self) -> Iterator[FileLines]:
        """Each file of which anything entered, by path."""
        self._spread(self._loose.all, self._possible)
        self._spread(self._loose.visible, self._visible_possible)
        touched = (self._sure, self._possible, self._partial, self._reformatted, self._inherited)
        for path in sorted({path for masks in touched for path in masks.by_path}):
            sure = self._sure.lines(path)
            possible = self._possible.lines(path) - sure
            is_all_visible = self._visible.by_path.get(path) == self._sure.by_path.get(path)
            visible = sure if is_all_visible else self._visible.lines(path)
            yield FileLines(
                path=path,
                sure=sure,
                possible=possible,
                visible=visible,
                visible_possible=self._visible_possible.lines(path) - visible,
                partial=self._partial.lines(path) - sure,
                reformatted=self._reformatted.lines(path) - sure - possible,
                inherited=self._inherited.lines(path) - sure,
                copies=self.copies.of(path, possible),
            )

    def _spread(self, texts: Iterable[str], masks: _Masks) -> None:
        for text in texts:
            places = self._index.places.get(text, ())
            masks.add(Span(one.path, one.line, one.line) for one in places)
