"""Every cheap search there is, but those for words."""

from __future__ import annotations

from operator import attrgetter

from validation.shortcuts.compression import AddedByFile, AddedByLine
from validation.shortcuts.contexts import AROUND, BESIDE, StrangePairs
from validation.shortcuts.file_searches import Largest, Newest, OddName, OddSize, OwnTokens
from validation.shortcuts.line_searches import (
    Indentation,
    Length,
    RarestFeature,
    RareTokens,
)
from validation.shortcuts.numbers import FarNumber
from validation.shortcuts.search import Search
from validation.shortcuts.shapes import OddShape
from validation.shortcuts.spelling import Misspelling

SEARCHES: tuple[Search, ...] = (
    Largest(),
    OddSize(),
    Newest(),
    OddName(),
    OwnTokens(),
    AddedByFile(),
    RarestFeature(
        name="rare characters",
        does="Ranks lines by the rarest character in them.",
        bags=attrgetter("characters"),
        what="character",
    ),
    RarestFeature(
        name="white space",
        does=(
            "Ranks lines by the rarest oddity of their white space: at the end, tabs, doubled, "
            "unusual or invisible."
        ),
        bags=attrgetter("white"),
        what="oddity",
        quote=False,
    ),
    RareTokens(),
    StrangePairs(),
    BESIDE,
    AROUND,
    Misspelling(),
    OddShape(),
    AddedByLine(),
    Indentation(),
    Length(),
    RarestFeature(
        name="punctuation",
        does="Ranks lines by the rarest two marks that follow each other, in their kind of file.",
        bags=attrgetter("marks"),
        what="the marks",
        among_peers=True,
    ),
    FarNumber(),
)
