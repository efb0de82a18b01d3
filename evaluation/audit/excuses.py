"""Lines that did not enter by a tool, and that nobody is accused of not having read.

Prevents a claim being called false of a file that the user pasted into the prompt, or that was
shown without its blank lines (`grep -v '^$'`). The figures are not changed by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evaluation.audit.following import Held
from generators.lines import is_weighty, normal_form, split_lines


class Excused(NamedTuple):
    """Lines by file, with what is to be said of them."""

    lines: Mapping[str, frozenset[int]]
    """Only files of which there are any."""
    why: str


def excused_lines(prompt: str, paths: Sequence[str], held: Held) -> Excused:
    """The lines of these files that stand in the prompt, and the blank ones of those of which
    anything was shown."""
    pasted = frozenset(filter(is_weighty, map(normal_form, split_lines(prompt))))
    found: dict[str, frozenset[int]] = {}
    is_pasted = False
    for path in paths:
        lines = held.index.files.get(path, ())
        told = {number for number, line in enumerate(lines, start=1) if line in pasted}
        is_pasted = is_pasted or bool(told)
        if told or held.reading.union.of(path).sure:
            told.update(n for n, line in enumerate(lines, start=1) if not line)
        if told:
            found[path] = frozenset(told)
    why = "the prompt holds text of it" if is_pasted else "blank lines were not shown"
    return Excused(found, why)
