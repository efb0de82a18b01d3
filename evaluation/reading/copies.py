"""How often each text was shown of which nobody can tell where it stands, file by file.

Prevents a line that stands in thirty files, and was shown once, from counting in each of them as if
it had been shown thirty times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from evaluation.reading.lines.placement import Fit, Placement
from generators.lines import CorpusIndex


class Copies:
    """Filled while measuring, then read once."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._own: dict[str, Counter[str]] = {}
        """By file: shown lines that may be of it, or of few others."""
        self._anywhere: Counter[str] = Counter()
        """Shown lines that may stand wherever the corpus has them."""
        self.all: Counter[str] = Counter()
        """All of them, each once."""

    def add(self, placement: Placement) -> None:
        """Add the ambiguous lines of one tool result."""
        self._anywhere.update(placement.anywhere)
        self.all.update(placement.anywhere)
        # Lines that were shown again and again have one fit, the same one.
        times = Counter(map(id, placement.fits))
        for fit in {id(fit): fit for fit in placement.fits}.values():
            self._add_fit(fit, times[id(fit)])

    def _add_fit(self, fit: Fit, times: int) -> None:
        files = self._index.files
        by_path: dict[str, list[Sequence[str]]] = {}
        for path, first, last in fit.spans:
            by_path.setdefault(path, []).append(files[path][first - 1 : last])
        every = Counter(chain.from_iterable(chain.from_iterable(by_path.values())))
        if every.total() > fit.shown:
            shown = Counter(fit.texts) or Counter(dict.fromkeys(every, fit.shown))
            every &= shown
        _add(self.all, every, times)
        for path, found in by_path.items():
            own = every if len(by_path) == 1 else Counter(chain.from_iterable(found)) & every
            _add(self._own.setdefault(path, Counter()), own, times)

    def join(self, other: Copies) -> None:
        """Add what was shown to another thread."""
        self._anywhere.update(other._anywhere)
        self.all.update(other.all)
        for path, own in other._own.items():
            self._own.setdefault(path, Counter()).update(own)

    def of(self, path: str, numbers: Iterable[int]) -> dict[str, int]:
        """How often each text of these lines of a file was shown."""
        own, lines = self._own.get(path, Counter()), self._index.files[path]
        texts = {lines[number - 1] for number in numbers}
        return {text: own[text] + self._anywhere[text] for text in texts}


def _add(counts: Counter[str], more: Counter[str], times: int) -> None:
    for text, count in more.items():
        counts[text] += count * times


def at_once(numbers: Iterable[int], lines: Sequence[str], copies: Mapping[str, int]) -> int:
    """How many of these lines of a file can have entered together: of each text no more than were
    shown."""
    found = Counter(lines[number - 1] for number in numbers)
    return sum(min(count, copies.get(text, 0)) for text, count in found.items())
