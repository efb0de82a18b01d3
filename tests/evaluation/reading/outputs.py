"""Random outputs of tools over random corpora, each with the lines that it shows whole.

What a tool shows is made here by the meaning of its command, line by line, so the truth is known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from random import Random

from pydantic import JsonValue

from evaluation.reading.context import MAIN, ContextText
from generators.lines import CorpusIndex, split_lines
from tests.evaluation.reading.corpora import NOISE, Piece, Shown
from tests.evaluation.reading.cuts import Printer, lines_of


class Outputs:
    """Makes random outputs over one corpus."""

    def __init__(self, rng: Random, texts: Mapping[str, str]) -> None:
        self.rng = rng
        self.index = CorpusIndex.of(texts)
        self._printer = Printer(rng, self.index)
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
        shown = self._printer.cut(pieces, tool, {"path": f"/x/{path}"}, call)
        shown.decided = shown.exact = not shown.perhaps
        return shown

    def bare(self, call: int) -> Shown:
        """A read tool that prints text alone."""
        path, first, last = self._range()
        pieces = self._pieces(path, first, last, "")
        shown = self._printer.cut(pieces, "Bare", {"path": f"/x/{path}"}, call)
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
        make = self._printer.whole if adjoining else self._printer.cut
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
        shown = self._printer.cut(pieces, "Shell", {"command": command.format(path)}, call)
        self._judge(shown, [pieces])
        shown.exact = False
        return shown

    def counted_anew(self, call: int) -> Shown:
        """`tail a | cat -n`: the numbers are those of the output."""
        path, first, last = self._range()
        pieces = self._pieces(path, first, last, "{n:>6}\t", shift=first - 1)
        shown = self._printer.whole(pieces, "Shell", {"command": f"tail {path} | cat -n"}, call)
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
        return self._printer.whole(pieces, "Shell", {"command": f"grep -n . {path}"}, call)

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
        shown = self._printer.whole(pieces, "Shell", {"command": "grep -rn ."}, call)
        shown.decided = all(piece.reads_once(self.index) for piece in pieces if piece.path)
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
        return self._printer.whole(pieces, "Shell", {"command": "head *.md d/*"}, call)

    def escaped(self, call: int) -> Shown:
        """Output inside of JSON, perhaps cut at its end."""
        path, first, last = self._range()
        pieces = self._pieces(path, first, last, "")
        text = json.dumps({"output": "".join(f"{piece.text}\n" for piece in pieces)})
        arguments: dict[str, JsonValue] = {"command": f"cat {path}"}
        shown = Shown(
            ContextText(MAIN, call, f"t{call}", "Json", arguments, text), lines_of(pieces)
        )
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
        return any(piece.reads_once(self.index, unique=True) for piece in pieces)

    def _judge(self, shown: Shown, runs: Sequence[Sequence[Piece]]) -> None:
        """An output is decided if each run holds a unique line, and none was cut."""
        plain = all(piece.reads_once(self.index) for run in runs for piece in run)
        shown.decided = not shown.is_cut and plain and all(map(self._has_unique, runs))
        shown.exact = shown.decided
