"""Random corpora, and outputs of tools over them, each with the lines that it shows whole.

What a tool shows is made here by the meaning of its command, line by line, so the truth is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from pydantic import JsonValue

from evaluation.reading.context import MAIN, ContextText, ToolOutput, ToolTable
from generators.lines import CorpusIndex, normal_form, split_lines

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


class Kept(NamedTuple):
    """A part of an output that was not left out."""

    start: int
    end: int
    marked: int = -1
    """Where the mark stands."""


class Outputs:
    """Makes random outputs over one corpus."""

    def __init__(self, rng: Random, texts: Mapping[str, str]) -> None:
        self.rng = rng
        self.index = CorpusIndex.of(texts)
        self.raw = {path: split_lines(text) for path, text in texts.items()}
        self.paths = sorted(path for path, lines in self.raw.items() if lines)

    def any(self, call: int) -> Shown:
        """One output of any kind."""
        kinds = (
            self.numbered,
            self.bare,
            self.shell_ranges,
            self.shell_numbered,
            self.counted_anew,
            self.grep_one,
            self.grep_many,
            self.banners,
            self.escaped,
        )
        return self.rng.choice(kinds)(call)

    def numbered(self, call: int) -> Shown:
        """A read tool that prints numbers; at times past the end, or with an empty last line."""
        path, first, last = self._range()
        form, tool = self.rng.choice(
            (("{n}\t", "Tabbed"), ("{n:>6}→", "Tabbed"), ("{n}: ", "Coloned"))
        )
        pieces = self._pieces(path, first, last, form)
        if self.rng.random() < 0.3 and last == len(self.raw[path]):
            pieces.append(Piece(form.format(n=last + 1)))
        shown = self._cut(pieces, tool, {"path": f"/x/{path}"}, call)
        shown.decided = shown.exact = not shown.perhaps
        return shown

    def bare(self, call: int) -> Shown:
        """A read tool that prints text alone."""
        path, first, last = self._range()
        pieces = self._pieces(path, first, last, "")
        shown = self._cut(pieces, "Bare", {"path": f"/x/{path}"}, call)
        self._judge(shown, [pieces])
        return shown

    def shell_ranges(self, call: int) -> Shown:
        """`cat`, `sed -n a,bp`, `head`, `tail`: one range, or several after each other."""
        runs: list[list[Piece]] = []
        names: list[str] = []
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            path, first, last = self._range()
            runs.append(self._pieces(path, first, last, ""))
            names.append(path)
        pieces: list[Piece] = []
        adjoining = False
        for place, run in enumerate(runs):
            both = place and self._has_unique(run) and self._has_unique(runs[place - 1])
            if place and not (both and self.rng.random() < 0.5):
                pieces.append(Piece(NOISE))
            adjoining = adjoining or bool(both and pieces[-1].text != NOISE)
            pieces += run
        command = "; ".join(f"sed -n p {name}" for name in names)
        make = self._plain if adjoining else self._cut
        shown = make(pieces, "Shell", {"command": command}, call)
        self._judge(shown, runs)
        shown.decided = shown.decided and not adjoining
        shown.exact = shown.exact and len(runs) == 1
        return shown

    def shell_numbered(self, call: int) -> Shown:
        """`cat -n`, `nl -ba`, perhaps through `sed -n`."""
        path, first, last = self._range()
        command = self.rng.choice(("cat -n {}", "nl -ba {}", "cat -n {} | sed -n 2,5p"))
        pieces = self._pieces(path, first, last, "{n:>6}\t")
        shown = self._cut(pieces, "Shell", {"command": command.format(path)}, call)
        self._judge(shown, [pieces])
        shown.exact = False
        return shown

    def counted_anew(self, call: int) -> Shown:
        """`tail a | cat -n`: the numbers are those of the output."""
        path, first, last = self._range()
        pieces = self._pieces(path, first, last, "{n:>6}\t", shift=first - 1)
        shown = self._plain(pieces, "Shell", {"command": f"tail {path} | cat -n"}, call)
        self._judge(shown, [pieces])
        shown.exact = False
        return shown

    def grep_one(self, call: int) -> Shown:
        """`grep -n` or `rg -n -C1` over one file."""
        path = self.rng.choice(self.paths)
        pieces: list[Piece] = []
        for number in self._some(path):
            form = self.rng.choice(("{n}:", "{n}-"))
            if pieces and pieces[-1].number != number - 1:
                pieces.append(Piece("--"))
            pieces += self._pieces(path, number, number, form)
        return self._plain(pieces, "Shell", {"command": f"grep -n . {path}"}, call)

    def grep_many(self, call: int) -> Shown:
        """`grep -n` over several files, coloured at times."""
        pieces: list[Piece] = []
        colour = self.rng.random() < 0.3
        for path in self.paths:
            for number in self._some(path):
                mark = self.rng.choice(":-")
                form = f"{path}{mark}{{n}}{mark}"
                if colour:
                    form = f"\x1b[35m{path}\x1b[0m{mark}\x1b[32m{{n}}\x1b[0m{mark}"
                pieces += self._pieces(path, number, number, form)
            if pieces and self.rng.random() < 0.3:
                pieces.append(Piece("--"))
        shown = self._plain(pieces, "Shell", {"command": "grep -rn ."}, call)
        shown.decided = all(self._reads_once(piece) for piece in pieces if piece.path)
        return shown

    def banners(self, call: int) -> Shown:
        """`head` or `tail` of several files."""
        pieces: list[Piece] = []
        for path in self.paths:
            count = self.rng.randint(1, 4)
            total = len(self.raw[path])
            first = self.rng.choice((1, max(1, total - count + 1)))
            if pieces:
                pieces.append(Piece(""))
            pieces.append(Piece(f"==> {path} <=="))
            pieces += self._pieces(path, first, min(total, first + count - 1), "")
        return self._plain(pieces, "Shell", {"command": "head *.md d/*"}, call)

    def escaped(self, call: int) -> Shown:
        """Output inside of JSON, perhaps cut at its end."""
        path, first, last = self._range()
        pieces = self._pieces(path, first, last, "")
        text = json.dumps({"output": "".join(f"{piece.text}\n" for piece in pieces)})
        arguments: dict[str, JsonValue] = {"command": f"cat {path}"}
        shown = self._output("Json", arguments, text, call, self._lines(pieces))
        self._judge(shown, [pieces])
        shown.exact = False
        return shown

    def _range(self) -> tuple[str, int, int]:
        path = self.rng.choice(self.paths)
        count = len(self.raw[path])
        first = self.rng.randint(1, count)
        return path, first, self.rng.choice((count, self.rng.randint(first, count)))

    def _some(self, path: str) -> list[int]:
        share = self.rng.random()
        return [n for n in range(1, len(self.raw[path]) + 1) if self.rng.random() < share]

    def _pieces(
        self, path: str, first: int, last: int, form: str, *, shift: int = 0
    ) -> list[Piece]:
        keeps = self.rng.random() < 0.5
        tinted = form == "" and self.rng.random() < 0.1
        pieces: list[Piece] = []
        for number in range(first, last + 1):
            line = self.raw[path][number - 1]
            line = line if keeps else line.removesuffix("\r").removeprefix("\ufeff")
            line = f"\x1b[1m{line}\x1b[0m" if tinted else line
            prefix = form.format(n=number - shift)
            pieces.append(Piece(prefix + line, path, number, len(prefix)))
        return pieces

    def _has_unique(self, pieces: Sequence[Piece]) -> bool:
        return any(self._reads_once(piece, unique=True) for piece in pieces)

    def _reads_once(self, piece: Piece, *, unique: bool = False) -> bool:
        """Whether a line stands once in the corpus, and nothing in it looks like a prefix."""
        text = normal_form(piece.text)
        own = self.index.line(piece.path, piece.number) or ""
        if unique and not self.index.is_unique(own):
            return False
        if piece.prefix:
            return text not in self.index.places
        return re.match(r" *\d|.*[:-]\d", text) is None

    def _judge(self, shown: Shown, runs: Sequence[Sequence[Piece]]) -> None:
        """An output is decided if each run holds a unique line, and none was cut."""
        whole = sum(map(len, shown.whole.values()))
        uncut = whole == len({(piece.path, piece.number) for run in runs for piece in run})
        plain = all(self._reads_once(piece) for run in runs for piece in run)
        shown.decided = uncut and plain and all(map(self._has_unique, runs))
        shown.exact = shown.decided

    def _lines(self, pieces: Sequence[Piece]) -> dict[str, set[int]]:
        whole: dict[str, set[int]] = {}
        for piece in pieces:
            if piece.path:
                whole.setdefault(piece.path, set()).add(piece.number)
        return whole

    def _plain(
        self, pieces: Sequence[Piece], tool: str, arguments: dict[str, JsonValue], call: int
    ) -> Shown:
        text = "\n".join(piece.text for piece in pieces)
        text += self.rng.choice(("", "\n")) if not pieces or pieces[-1].text else "\n"
        return self._output(tool, arguments, text, call, self._lines(pieces))

    def _output(
        self,
        tool: str,
        arguments: dict[str, JsonValue],
        text: str,
        call: int,
        whole: dict[str, set[int]],
    ) -> Shown:
        return Shown(ContextText(MAIN, call, f"t{call}", tool, arguments, text), whole)

    def _cut(
        self, pieces: Sequence[Piece], tool: str, arguments: dict[str, JsonValue], call: int
    ) -> Shown:
        """The output as it is, or without its middle or its ends."""
        shown = self._plain(pieces, tool, arguments, call)
        text = shown.text.text
        if self.rng.random() < 0.5 or len(text) < 4:
            return shown
        first = self.rng.randint(0, len(text) - 1)
        second = self.rng.randint(first, len(text))
        if self.rng.random() < 0.5:
            kept = [Kept(first, second)]
            cut = text[first:second]
        else:
            kept = [Kept(0, first, marked=first), Kept(second, len(text), marked=second)]
            mark = self.rng.choice(
                (
                    "…12 tokens truncated…",
                    "\n[... omitted ...]\n",
                    "\n\n... [1,234 characters omitted] ...\n\n",
                )
            )
            cut = text[:first] + mark + text[second:]
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
                    left.append(piece)
            start = end + 1
        # What is left of a line may be a line too: beside lines that are decided, they tell.
        known = {id(piece) for piece in whole if self._reads_once(piece, unique=True)}
        if any(piece.prefix or not self._beside(piece, pieces, known) for piece in left):
            return shown
        text = shown.text
        return Shown(
            ContextText(MAIN, text.call, text.result_id, text.tool, text.arguments, cut),
            self._lines(whole),
            self._lines(perhaps),
        )

    def _beside(self, piece: Piece, pieces: Sequence[Piece], known: set[int]) -> bool:
        place = next(at for at, one in enumerate(pieces) if one is piece)
        return any(id(one) in known for one in pieces[max(0, place - 1) : place + 2])

    def _is_line(self, piece: Piece, left: str, dropped: int) -> bool:
        if dropped and piece.prefix:
            return True  # a number without its first digits is another number
        own = left[piece.prefix :] if piece.prefix else left
        rests = (own, own[1:], left, re.sub(r"^(?:[^\s:]*\.md[:-])? *\d+[\t:-]", "", left))
        return any(normal_form(rest) in self.index.places for rest in rests)
