"""Random corpora, and what one line or one output of a tool over them is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

from evaluation.reading.context import ContextText, ToolOutput, ToolTable
from generators.lines import CorpusIndex, normal_form

TOOLS: ToolTable = {
    "Tabbed": ToolOutput(path_argument="path", number=re.compile(r" *(?P<n>\d{1,9})[\t→]")),
    "Coloned": ToolOutput(path_argument="path", number=re.compile(r"(?P<n>\d{1,9}): ")),
    "Bare": ToolOutput(path_argument="path"),
    "Shell": ToolOutput(),
    "Json": ToolOutput(escaped=re.compile(r'"output"\s*:\s*"(?P<text>(?:[^"\\]|\\.)*)')),
}
SHARED = (
    "",
    "",
    "  ",
    "}",
    "--",
    "same clause here",
    "\tsame clause here",
    "another same clause",
    "12:looks like grep",
    "7\tstarts with a number",
    "3→arrow of a number",
    "2: colon of a number",
    "     2\tsame clause here",
    "     2  same clause here",
    "1:same clause here",
    "f0.md:2:same clause here",
    "d/f1.md-3-}",
    "==> f9.md <==",
    "[... omitted 3 lines ...]",
)
NOISE = "~~ nothing of the corpus ~~"


def corpus(rng: Random) -> dict[str, str]:
    """Up to four files of shared lines, lines of their own, and passages of each other."""
    texts: dict[str, str] = {}
    pool = rng.sample(SHARED, rng.randint(2, 7))
    known: list[str] = []
    for number in range(rng.randint(1, 4)):
        path = f"f{number}.md" if number % 2 == 0 else f"d/f{number}.md"
        own = rng.choice((0, 0.15, 0.3, 0.6, 1))
        lines = [
            _own_line(rng, number, place) if rng.random() < own else rng.choice(pool)
            for place in range(rng.choice((0, 1, 3, 8, 14)))
        ]
        if known and rng.random() < 0.3:
            at, first = rng.randint(0, len(lines)), rng.randrange(len(known))
            lines[at:at] = known[first : first + rng.randint(1, 5)]
        known += lines
        end = rng.choice(("\n", "\n", "\r\n"))
        text = "".join(f"{line}{end}" for line in lines)
        if rng.random() < 0.3:
            text = text.removesuffix(end)
        texts[path] = rng.choice(("", "", "\ufeff")) + text if text else text
    return texts


def _own_line(rng: Random, file: int, place: int) -> str:
    own = f"only line {place} of file {file}"
    return rng.choice(
        (
            own,
            own,
            f"{own}  ",
            f"\t{own}\tend",
            f"{place + 1}: {own}",
            f"{place + 2}\t{own}",
            f"  {place}→{own}",
            f"{own} and",
            f"and {own}",
            f"{own}\u2028second\x0cthird",
            f"{own} " + "word " * 40,
            f"{own} … and so on...",
        )
    )


@dataclass
class Shown:
    """One output, and what of the corpus it shows."""

    text: ContextText
    whole: dict[str, set[int]]
    """Lines that stand in it whole, one by one."""
    perhaps: dict[str, set[int]] = field(default_factory=dict)
    """Lines that stand in it whole, glued to a mark of text left out."""
    is_cut: bool = False
    decided: bool = False
    """Each unbroken run holds a line that stands once in the corpus and reads in one way."""
    exact: bool = False
    """Decided, blank and short lines too."""


@dataclass(frozen=True)
class Piece:
    """One line of an output."""

    text: str
    path: str = ""
    number: int = 0
    prefix: int = 0
    """Characters that stand before the text of the file's line."""

    def reads_once(self, index: CorpusIndex, *, unique: bool = False) -> bool:
        """Whether nothing in a line looks like a prefix; and whether it stands once."""
        text = normal_form(self.text)
        own = index.line(self.path, self.number) or ""
        if unique and not index.is_unique(own):
            return False
        if self.prefix:
            return text not in index.places
        return re.match(r" *\d|.*[:-]\d", text) is None
