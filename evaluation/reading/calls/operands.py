"""The words of one command that may name files: no options, no patterns, nothing left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

QUOTED = re.compile(r"'([^']*+)'|\"((?:[^\"\\]|\\.)*+)\"|\\(.)", re.DOTALL)
GLOB = re.compile(r"[*?{]|\[[^\]]")

SEARCHES = frozenset(("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"))
WITH_PROGRAM = SEARCHES.union(("sed", "awk", "gawk", "jq", "yq", "perl"))
"""Commands whose first plain word is a pattern or a program."""
BEFORE_COMMANDS = frozenset(
    [
        "sudo",
        "time",
        "env",
        "command",
        "then",
        "do",
        "else",
        "if",
        "while",
        "xargs",
        "{",
        "!",
        "git",
    ]
)
NAMES = frozenset(("-name", "-iname", "--include", "-g", "--glob", "--iglob"))
"""What stands behind is the name that files have, in whatever folder."""
NEGATIONS = frozenset(("-not", "!", "\\!"))
EXCLUSIONS = frozenset(
    ("--exclude", "--exclude-dir", "--ignore", "--ignore-file", "-path", "-ipath", "-wholename")
)
TYPES = frozenset(("-t", "-T", "--type", "--type-not"))
VALUED = {"rg": TYPES, "ag": TYPES, "awk": frozenset(("-F", "-v")), "gawk": frozenset(("-F", "-v"))}
"""Options of which the next word is no file."""
FOLDER = "-C"
"""Of `git`: where it runs."""
PROGRAMS = frozenset(("-e", "-f", "--regexp", "--file", "--expression"))


class Operand(NamedTuple):
    """A word of a command that may name something."""

    word: str
    """As it was written."""
    text: str
    """Without quotes."""
    is_name: bool = False
    """It is what files are called, in whatever folder."""


def command_of(words: Sequence[str]) -> str:
    """The name of the program."""
    for word in words:
        if word not in BEFORE_COMMANDS and "=" not in word and not word.startswith("-"):
            return word.rsplit("/", 1)[-1]
    return ""


def operands(words: Sequence[str], command: str) -> Iterator[Operand]:
    """The words that may name files."""
    found = list(_operands(words, command))
    is_by_name = any(one.is_name for one in found)
    for one in found:
        # Names of files say more than the folders that they are looked for in.
        if one.is_name or not is_by_name or "." in one.text.strip("./"):
            yield one


def _operands(words: Sequence[str], command: str) -> Iterator[Operand]:
    is_due = command in WITH_PROGRAM and PROGRAMS.isdisjoint(words)
    for place, word in enumerate(words):
        last = words[place - 1] if place else ""
        option, mark, value = word.partition("=")
        if last in NAMES or (mark and option in NAMES):
            text = unquoted(word if last in NAMES else value)
            is_negated = not NEGATIONS.isdisjoint(words[max(0, place - 2) : place])
            if not (is_negated or text.startswith("!")):
                yield Operand(word, text, is_name=True)
        elif word.startswith("-"):
            if mark and option not in EXCLUSIONS:
                yield Operand(value, unquoted(value))
        elif not _is_value(last, command) and word != command:
            if word.isdecimal() and (not is_due or last.startswith("-")):
                continue  # a count
            if not is_due:
                yield Operand(word, unquoted(word))
            is_due = False


def _is_value(last: str, command: str) -> bool:
    """Whether a word is the value of the option before it, and names no file."""
    return (
        last in EXCLUSIONS
        or last == FOLDER
        or (last in PROGRAMS and command in WITH_PROGRAM)
        or last in VALUED.get(command, ())
    )


def unquoted(word: str) -> str:
    """A word without its quotes."""
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return QUOTED.sub(lambda match: match[1] or match[2] or match[3] or "", word)
