"""Outputs as they are, and without their ends or their middle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from pydantic import JsonValue

from evaluation.reading.context import MAIN, ContextText
from generators.lines import CorpusIndex, normal_form
from tests.evaluation.reading.corpora import Piece, Shown

NUMBERED = re.compile(r"(?:[^\s:]*\.md[:-])? *\d+[\t:-]")
MARKS = (
    "…12 tokens truncated…",
    "\n[... omitted ...]\n",
    "\n\n... [1,234 characters omitted] ...\n\n",
)


class Kept(NamedTuple):
    """A part of an output that was not left out."""

    start: int
    end: int
    marked: int = -1
    """Where the mark stands."""


def lines_of(pieces: Sequence[Piece]) -> dict[str, set[int]]:
    """The lines of the corpus that they show, by file."""
    whole: dict[str, set[int]] = {}
    for piece in pieces:
        if piece.path:
            whole.setdefault(piece.path, set()).add(piece.number)
    return whole


class Printer:
    """Puts the lines of an output together."""

    def __init__(self, rng: Random, index: CorpusIndex) -> None:
        self.rng = rng
        self.index = index

    def whole(
        self, pieces: Sequence[Piece], tool: str, arguments: dict[str, JsonValue], call: int
    ) -> Shown:
        """The output as it is."""
        text = "\n".join(piece.text for piece in pieces)
        text += self.rng.choice(("", "\n")) if not pieces or pieces[-1].text else "\n"
        shown = ContextText(MAIN, call, f"t{call}", tool, arguments, text)
        return Shown(shown, lines_of(pieces))

    def cut(
        self, pieces: Sequence[Piece], tool: str, arguments: dict[str, JsonValue], call: int
    ) -> Shown:
        """The output as it is, or without its middle or its ends."""
        shown = self.whole(pieces, tool, arguments, call)
        text = shown.text.text
        if self.rng.random() < 0.5 or len(text) < 4:
            return shown
        first = self.rng.randint(0, len(text) - 1)
        second = self.rng.randint(first, len(text))
        if self.rng.random() < 0.5:
            return self._after_cut(pieces, [Kept(first, second)], text[first:second], shown)
        kept = [Kept(0, first, marked=first), Kept(second, len(text), marked=second)]
        cut = text[:first] + self.rng.choice(MARKS) + text[second:]
        return self._after_cut(pieces, kept, cut, shown)

    def _after_cut(
        self,
        pieces: Sequence[Piece],
        kept: Sequence[Kept],
        cut: str,
        shown: Shown,
    ) -> Shown:
        whole: list[Piece] = []
        perhaps: list[Piece] = []
        left: list[Piece] = []
        start = 0
        for piece in pieces:
            end = start + len(piece.text)
            for one, other, marked in kept:
                low, high = max(start, one), min(end, other)
                if low > high or (low == high and start != end and low != one):
                    continue
                if (low, high) == (start, end):
                    # A line that ends where text was left out may be glued to the mark.
                    (perhaps if marked in (start, end) else whole).append(piece)
                    continue
                rest = piece.text[low - start : high - start]
                own = rest[piece.prefix :] if low == start or not piece.prefix else ""
                if own and normal_form(own) == self.index.line(piece.path, piece.number):
                    perhaps.append(piece)  # white space at its end is gone
                elif self._is_line(piece, rest, low - start):
                    if NUMBERED.match(rest):
                        return shown  # it reads as a line with a number
                    left.append(piece)
            start = end + 1
        # What is left of a line may be a line too: beside lines that are decided, they tell.
        known = {id(piece) for piece in whole if piece.reads_once(self.index, unique=True)}
        if any(piece.prefix or not self._beside(piece, pieces, known) for piece in left):
            return shown
        text = shown.text
        return Shown(
            ContextText(MAIN, text.call, text.result_id, text.tool, text.arguments, cut),
            lines_of(whole),
            lines_of(perhaps),
            is_cut=True,
        )

    def _beside(self, piece: Piece, pieces: Sequence[Piece], known: set[int]) -> bool:
        place = next(at for at, one in enumerate(pieces) if one is piece)
        return any(id(one) in known for one in pieces[max(0, place - 1) : place + 2])

    def _is_line(self, piece: Piece, left: str, dropped: int) -> bool:
        if dropped and piece.prefix:
            return True  # a number without its first digits is another number
        own = left[piece.prefix :] if piece.prefix else left
        rests = (own, own[1:], left, NUMBERED.sub("", left, count=1))
        return any(normal_form(rest) in self.index.places for rest in rests)
