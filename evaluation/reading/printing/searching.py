"""Which lines of a file `grep` and `rg` print without numbers, for patterns of plain words.

Prevents the lines that `grep -v '^$'` leaves out from breaking a file into runs of which nobody can
tell where each begins.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evaluation.reading.lines.printed import Page

BLANK = frozenset((r"^$", r"^\s*$", r"^[[:space:]]*$", r"^[ \t]*$"))
PLAIN = re.compile(r"\^?[\w\s\"'#/,:;<>=@!%&~`-]*\$?")
"""A pattern that means the same to every program: words, and where a line begins or ends."""
FLAGS = re.compile(r"-[viwhsEFGN]+")
AROUND = re.compile(r"-([ABC])(\d{1,6})?")
BETWEEN = "--\n"
"""What stands between matches that do not touch, where lines around them are printed too."""


class Search(NamedTuple):
    """What a command looks for."""

    pattern: re.Pattern[str]
    is_negated: bool
    before: int | None
    """Lines that are printed around a match; None where none were asked for."""
    after: int | None
    hides_names: bool
    """No name of a file is printed, however many there are."""
    files: tuple[str, ...]

    @property
    def has_separators(self) -> bool:
        """Whether something stands between matches that do not touch."""
        return self.before is not None or self.after is not None

    def runs(self, page: Page) -> list[range]:
        """The lines of a page that are printed, as numbers from 1."""
        found = {bisect_right(page.starts, m.start()) for m in self.pattern.finditer(page.text)}
        total = len(page.starts) - 1
        found.discard(total + 1)
        if self.is_negated:
            found = set(range(1, total + 1)) - found
        return _joined(found, self.before or 0, self.after or 0, total)


def _joined(found: Iterable[int], before: int, after: int, total: int) -> list[range]:
    runs: list[range] = []
    for number in sorted(found):
        start, stop = max(1, number - before), min(total, number + after) + 1
        if runs and start <= runs[-1].stop:
            runs[-1] = range(runs[-1].start, stop)
        else:
            runs.append(range(start, stop))
    return runs


def search_of(name: str, words: Sequence[str]) -> Search | None:
    """What `grep` or `rg` is asked by its words; None where that is not known."""
    flags, around, plain = "", dict[str, int](), list[str]()
    left = iter(words)
    for word in left:
        match = AROUND.fullmatch(word)
        if FLAGS.fullmatch(word):
            flags += word[1:]
        elif match is not None:
            count = match[2] or next(left, "")
            if not count.isdecimal():
                return None
            around[match[1]] = int(count)
        elif word == "-e" and not plain:
            plain.append(next(left, ""))
        elif word.startswith("-"):
            return None
        else:
            plain.append(word)
    pattern = _pattern(name, plain[0], flags) if plain else None
    if pattern is None:
        return None
    both = around.get("C")
    return Search(
        pattern=pattern,
        is_negated="v" in flags,
        before=around.get("B", both),
        after=around.get("A", both),
        hides_names="h" in flags,
        files=tuple(plain[1:]),
    )


def _pattern(name: str, written: str, flags: str) -> re.Pattern[str] | None:
    if written in BLANK:
        form = r"^[^\S\n]*$" if "*" in written else "^$"
    else:
        is_wide = "E" in flags or name in ("egrep", "rg")
        parts = written.split("|" if is_wide else "\\|")
        if not all(part and PLAIN.fullmatch(part) and "\n" not in part for part in parts):
            return None
        form = "|".join(map(_form, parts))
    if "w" in flags:
        form = rf"\b(?:{form})\b"
    return re.compile(form, re.MULTILINE | (re.IGNORECASE if "i" in flags else 0))


def _form(part: str) -> str:
    begins, ends = part.startswith("^"), part.endswith("$")
    text = part.removeprefix("^").removesuffix("$")
    return f"{'^' if begins else ''}{re.escape(text)}{'$' if ends else ''}"
