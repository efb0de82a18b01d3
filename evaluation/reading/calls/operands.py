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
OPENS = {
    **dict.fromkeys(("cat", "bat", "tac", "rev", "paste", "comm", "less", "more"), ""),
    **dict.fromkeys(("awk", "gawk", "perl", "jq", "yq"), ""),
    **dict.fromkeys(("head", "tail"), "nc"),
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep", "ag", "ack"), "ABCm"),
    "rg": "ABCmMdj",
    "sed": "l",
    "nl": "vwil",
    "cut": "bcf",
    "sort": "k",
    "uniq": "fsw",
    "fold": "w",
    "column": "c",
    "od": "jNw",
    "xxd": "lsc",
    "strings": "n",
    "diff": "UCW",
}
"""Programs that open the files which their words name, each with the letters of those options
behind which a number stands."""
COUNTS = frozenset(
    (
        *("--lines", "--bytes", "--after-context", "--before-context", "--context"),
        *("--max-count", "--max-columns", "--max-depth", "--threads", "--width", "--key"),
        *("--unified", "--indent"),
    )
)
"""Long options behind which a number stands."""


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


def operands(words: Sequence[str], command: str) -> Sequence[Operand]:
    """The words that may name files."""
    found = list(_operands(words, command))
    for one in found:
        if one.is_name:
            break
    else:
        return found
    # Names of files say more than the folders that they are looked for in.
    return [one for one in found if one.is_name or "." in one.text.strip("./")]


def _operands(words: Sequence[str], command: str) -> Iterator[Operand]:
    is_due = command in WITH_PROGRAM and PROGRAMS.isdisjoint(words)
    own = _place_of(words, command)
    for place, word in enumerate(words):
        last = words[place - 1] if place else ""
        option, mark, value = word.partition("=") if "=" in word else (word, "", "")
        if last in NAMES or (mark and option in NAMES):
            text = unquoted(word if last in NAMES else value)
            is_negated = not NEGATIONS.isdisjoint(words[max(0, place - 2) : place])
            if not (is_negated or text.startswith("!")):
                yield Operand(word, text, is_name=True)
        elif word.startswith("-"):
            if mark and option not in EXCLUSIONS:
                yield Operand(value, unquoted(value))
        elif place <= own and (place == own or word in BEFORE_COMMANDS):
            continue
        elif not (_is_value(last, command) or (word.isdecimal() and _is_count(last, command))):
            if not is_due:
                yield Operand(word, unquoted(word))
            is_due = False


def _place_of(words: Sequence[str], command: str) -> int:
    """Where the name of the program stands; below 0 where it is a path that may name a file."""
    if words[0] == command:
        return 0
    for place, word in enumerate(words):
        if word == command or (command in OPENS and word.endswith(f"/{command}")):
            return place
    return -1


def _is_value(last: str, command: str) -> bool:
    """Whether a word is the value of the option before it, and names no file."""
    return (
        last in EXCLUSIONS
        or last == FOLDER
        or (last in PROGRAMS and command in WITH_PROGRAM)
        or last in VALUED.get(command, ())
    )


def _is_count(last: str, command: str) -> bool:
    """Whether a number says how much, and is no name of a file."""
    letters = OPENS.get(command)
    if letters is None:
        return True
    return last in COUNTS or (last[:1] == "-" and last[1:2] != "-" and last[-1] in letters)


def unquoted(word: str) -> str:
    """A word without its quotes."""
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return QUOTED.sub(lambda match: match[1] or match[2] or match[3] or "", word)
