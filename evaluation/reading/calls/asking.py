"""What a call says of its result: the files that it names, and how the lines were put together."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import chain
from typing import NamedTuple

from evaluation.reading.calls.commands import (
    AGENTS,
    COMMANDS,
    MAY_LIST,
    WORD,
    command_in,
    counts_anew,
    may_tell_of_files,
    prints_files,
)
from evaluation.reading.calls.naming import REMARKS, Calls, Named, said_in
from evaluation.reading.context import ContextText, ToolOutput
from evaluation.reading.lines.outputs import Frame

COMPOUND = (";", "&&", "||", "\n", "echo", "printf")
"""In a command that may be several, of which one may have printed a blank line."""


PRINTS_ONE = re.compile(
    r"(?:cat(?: -n)?|(?:head|tail)(?: -n)?(?: -?\d{1,9})?|sed -n '\d{1,9}(?:,\d{1,9})?p')"
    r" (?P<path>[\w./-]+)"
)
"""A command that prints lines of one file, with nothing that a shell or a program would change."""
PLAIN = REMARKS.union(COMMANDS, ("timeout", "run_in_background"))
"""Arguments of a call that names no file but in its command."""

PICKS = re.compile(
    r"(?<![-.\w])(?:sort|shuf|tac|uniq|[ef]?grep|rg|awk)\b(?![^|;&\n]*(?:\)|\|\s*(?:xargs|while)))"
    r"|\bsed\s[^|\n]*\dp\s*;\s*\d"
)
"""In a command: what may print lines beside each other that are no neighbours."""
PICKERS = frozenset(("sort", "shuf", "tac", "uniq", "grep", "egrep", "fgrep", "rg", "awk"))
"""One of these words stands in all that does so, but for `sed`."""


LOOPS = re.compile(r"\b(?:for|while|until)\b[^\n;]*[\n;]\s*do\b|\bxargs\b|-exec\b")
"""In a command: what runs another one again and again."""
LOOPERS = frozenset(("for", "while", "until", "xargs", "exec"))
"""One of these words stands in all that does so."""

TELLING = PICKERS.union(LOOPERS, MAY_LIST, AGENTS, ("sed",))
"""Words that tell of a command: most hold one or two of them."""


class Asked(NamedTuple):
    """What a call says of what it gives back."""

    named: tuple[Named, ...]
    """What it named: in one way, or once for each folder that it may have begun in."""
    frame: Frame
    command: str | None = None
    """The command that it ran."""
    may_tell_of_files: bool = False
    """It may have printed what is no text of a file: see hearsay.py."""


def asked_of(text: ContextText, tool: ToolOutput, calls: Calls) -> Asked:
    if tool.path_argument is not None:
        written = text.arguments.get(tool.path_argument)
        return Asked((calls.one_file(written if isinstance(written, str) else ""),), Frame())
    return _of_one_file(text, calls) or _of_a_command(text, calls)


def _of_one_file(text: ContextText, calls: Calls) -> Asked | None:
    """What _of_a_command gives, in a fifth of the time, where that is plain: many are so. No word
    of its path is taken for a command here."""
    command = command_in(text.arguments)
    if command is None or not text.arguments.keys() <= PLAIN:
        return None
    match = PRINTS_ONE.fullmatch(command)
    named = calls.of_path(match["path"], text.thread) if match else None
    return None if named is None else Asked((named,), Frame(), command)


def _of_a_command(text: ContextText, calls: Calls) -> Asked:
    said = said_in(text.arguments)
    parts = [part for one in said for part in one.parts]
    words = TELLING.intersection(chain.from_iterable(map(WORD.findall, parts)))
    command = command_in(text.arguments)
    whole = not any(map(_may_be_several, parts)) or (command is not None and _reads_only(command))
    frame = Frame(
        whole,
        whole,
        recounted=any(map(counts_anew, parts)),
        several=not whole or (not LOOPERS.isdisjoint(words) and any(map(LOOPS.search, parts))),
        picks=_may_pick(parts, words) and any(map(PICKS.search, parts)),
    )
    named = calls.of_command(said, text.thread)
    return Asked(named, frame, command, bool(command) and may_tell_of_files(command or "", words))


def _reads_only(command: str) -> bool:
    """Whether all was printed by one program, or all of each file."""
    printing = None if "echo" in command or "printf" in command else prints_files(command)
    return printing is not None and (printing.is_one or printing.whole)


def _may_pick(said: Sequence[str], words: Collection[str]) -> bool:
    """Whether a command of these words may print lines that it picked or sorted."""
    return not PICKERS.isdisjoint(words) or ("sed" in words and ";" in "".join(said))


def _may_be_several(command: str) -> bool:
    for mark in COMPOUND:  # noqa: SIM110 - a generator costs more than what it looks for
        if mark in command:
            return True
    return False
