"""A corpus beside real text, kind by kind, and the bars that it must keep."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from generators.build import Build
from generators.realism.counterparts import (
    Counterpart,
    CounterpartList,
    Locate,
    find,
)
from generators.realism.measures import (
    SAMPLE_BYTES,
    Quartiles,
    distinct_grams,
    file_lengths,
    gzip_ratio,
    line_lengths,
    part_of,
    quartiles,
    repeated_lines,
    size_of,
)
from generators.realism.sharing import Sharing, sharing

BarCode = Literal["gzip-ratio", "shared-upper", "shared-most"]

GZIP_OFF = 1 / 3
"""By what share of the counterpart's gzip ratio a kind's own may differ from it."""
UPPER_SHARE = 0.35
"""What the 95th percentile of pairs of files may share of their masked shingles."""
MOST_SHARE = 0.6
"""What any pair may share."""


@dataclass(frozen=True)
class Figures:
    """Of one set of texts."""

    files: int
    size: int
    """Bytes."""
    gzip_ratio: float
    repeated_lines: float
    distinct_grams: float
    line_length: Quartiles
    """Characters, of lines that are not blank."""
    file_length: Quartiles
    """Lines."""
    sharing: Sharing | None
    """None for fewer than two files, and for files of several kinds."""


@dataclass(frozen=True)
class Bar:
    """A bound that a kind must keep."""

    code: BarCode
    value: float
    least: float
    most: float

    @property
    def kept(self) -> bool:
        return self.least <= self.value <= self.most


@dataclass(frozen=True)
class KindComparison:
    """The files of one kind beside real text, over equal amounts."""

    kind: str
    """A kind of document, or `*.py` for all files of one language."""
    corpus: Figures
    counterpart: Figures | None
    beside: str
    """What it is held beside: empty where nothing suits, and without figures where none of its
    files is on this machine."""
    bars: tuple[Bar, ...]

    @property
    def broken(self) -> tuple[Bar, ...]:
        return tuple(bar for bar in self.bars if not bar.kept)


def compare(
    build: Build, lists: Iterable[CounterpartList], locate: Locate
) -> tuple[KindComparison, ...]:
    """Every kind of document of a build, by name; then all files of one language as a whole.

    Code of one kind (handlers, stores) is more of a piece than a library is, so a counterpart that
    is told by the ending of names stands beside all files with that ending.
    """
    found = [find(listed, locate) for listed in lists]
    kinds: dict[str, dict[str, str]] = defaultdict(dict)
    for file in build.manifest.files:
        kinds[file.kind][file.path] = build.texts[file.path]
    compared = [
        _compared(kind, texts, next((one for one in found if kind in one.listed.kinds), None))
        for kind, texts in sorted(kinds.items())
    ]
    for one in found:
        for suffix in one.listed.suffixes:
            texts = {path: text for path, text in build.texts.items() if path.endswith(suffix)}
            if texts:
                compared.append(_compared(f"*{suffix}", texts, one, paired=False))
    return tuple(compared)


def _compared(
    kind: str, texts: Mapping[str, str], counterpart: Counterpart | None, *, paired: bool = True
) -> KindComparison:
    real = counterpart.texts if counterpart else {}
    amount = size_of([*texts.values()])
    if real:
        amount = min(amount, size_of([*real.values()]))
    corpus = figures(texts, amount, paired=paired)
    beside = figures(real, amount, paired=paired) if real else None
    return KindComparison(
        kind=kind,
        corpus=corpus,
        counterpart=beside,
        beside=counterpart.listed.title if counterpart else "",
        bars=tuple(_bars(corpus, beside)),
    )


def figures(texts: Mapping[str, str], amount: int, *, paired: bool = True) -> Figures:
    """Of some texts; what depends on the amount of text is taken over `amount` bytes at most.

    Files are compared with each other only where they are `paired`, that is of one kind.
    """
    whole = [texts[path] for path in sorted(texts)]
    part = part_of(whole, amount)
    return Figures(
        files=len(texts),
        size=size_of(whole),
        gzip_ratio=gzip_ratio(whole, min(SAMPLE_BYTES, amount)),
        repeated_lines=repeated_lines(part),
        distinct_grams=distinct_grams(part),
        line_length=quartiles(line_lengths(whole)),
        file_length=quartiles(file_lengths(whole)),
        sharing=sharing(texts) if paired else None,
    )


def _bars(corpus: Figures, beside: Figures | None) -> Iterable[Bar]:
    if beside is not None:
        ratio = beside.gzip_ratio
        yield Bar("gzip-ratio", corpus.gzip_ratio, ratio * (1 - GZIP_OFF), ratio * (1 + GZIP_OFF))
    if corpus.sharing is not None:
        yield Bar("shared-upper", corpus.sharing.upper, 0.0, UPPER_SHARE)
        yield Bar("shared-most", corpus.sharing.most.share, 0.0, MOST_SHARE)
