"""Searches by compression: the bytes that a line, or a file, adds to the rest of its kind.

Each file is compressed with a dictionary cut from other files of its kind, never from itself: the
files of a kind are dealt into two halves, and each half is held against the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import zstandard

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import Indices
from validation.shortcuts.search import Look, Unit

DICTIONARY = 1 << 16
"""Bytes of the rest that a line is held against."""
FILE_DICTIONARY = 1 << 18
"""The same for a whole file."""
LEVEL = 3
SMOOTHING = 16
"""Bytes added to a line's length before its bytes are held against it, so that the shortest lines,
which never compress, do not lead."""


@dataclass(frozen=True)
class AddedByLine:
    """Ranks lines by the compressed bytes that they add, for each byte of theirs."""

    name: str = "compression"
    does: str = (
        "Ranks lines by the bytes that each adds, per byte of it, when it is compressed given "
        "other files of its kind."
    )
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        encoded = [text.encode() for text in corpus.material.texts]
        lengths = np.array([len(text) for text in encoded])
        added = np.zeros(len(corpus.lines))
        for half in _halves(corpus):
            compressor = half.compressor(corpus, DICTIONARY)
            inside = np.flatnonzero(np.isin(corpus.file_of, half.files))
            distinct, back = np.unique(corpus.lines[inside], return_inverse=True)
            sizes = [len(compressor.compress(encoded[text])) for text in distinct]
            added[inside] = np.array(sizes, dtype=float)[back]
        blank = lengths[corpus.lines] == 0
        overhead = added[~blank].min(initial=np.inf) if (~blank).any() else 0.0
        shares = (added - overhead) / (lengths[corpus.lines] + SMOOTHING)

        def seen(line: int) -> str:
            return (
                f"compressed given its kind, its {lengths[corpus.lines[line]]} bytes add "
                f"{int(added[line])}"
            )

        return Look(np.where(blank, -np.inf, shares), seen)


@dataclass(frozen=True)
class AddedByFile:
    """Ranks files by the compressed bytes that they add, for each byte of theirs."""

    name: str = "file compression"
    does: str = (
        "Ranks files by the bytes that each adds, per byte of it, when it is compressed given "
        "others of its kind."
    )
    unit: Unit = "files"

    def look(self, corpus: Corpus) -> Look:
        shares = np.zeros(len(corpus.paths))
        for half in _halves(corpus):
            compressor = half.compressor(corpus, FILE_DICTIONARY)
            for file in half.files:
                data = corpus.texts[file].encode()
                shares[file] = len(compressor.compress(data)) / max(1, len(data))
        return Look(shares, lambda file: f"it compresses to {shares[file]:.3f} of its size")


@dataclass(frozen=True)
class _Half:
    """Some files of a kind, and others to hold them against."""

    files: Indices
    rest: Indices

    def compressor(self, corpus: Corpus, size: int) -> zstandard.ZstdCompressor:
        rest = _sample([corpus.texts[file].encode() for file in self.rest], size)
        dictionary = zstandard.ZstdCompressionDict(rest, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        dictionary.precompute_compress(level=LEVEL)
        return zstandard.ZstdCompressor(
            dict_data=dictionary, write_content_size=False, write_dict_id=False
        )


def _halves(corpus: Corpus) -> list[_Half]:
    """Every file once; the only file of its group is held against all other files."""
    everything = np.arange(len(corpus.paths), dtype=np.int64)
    halves: list[_Half] = []
    for group in corpus.groups:
        files = np.flatnonzero(corpus.group_of == group)
        if len(files) == 1:
            halves.append(_Half(files, np.setdiff1d(everything, files)))
        elif len(files):
            halves += [_Half(files[::2], files[1::2]), _Half(files[1::2], files[::2])]
    return halves


def _sample(texts: Sequence[bytes], size: int) -> bytes:
    """At most so many bytes, the same share of each text, from its start on.

    A dictionary of no bytes is none, so there is always one.
    """
    total = sum(map(len, texts))
    share = min(1.0, size / max(1, total))
    return b"\n".join(text[: int(len(text) * share)] for text in texts) or b"\n"
