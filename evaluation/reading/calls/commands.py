"""What a shell command runs, as far as that tells whose text it prints.

Prevents two false results: names that `ls` or `pip freeze` print taken for lines of a file, and
what another agent, run in the shell, wrote taken for the file that it speaks of.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

COMMANDS = ("command", "cmd")
"""Arguments of tools that hold a shell command."""
PART = re.compile(
    r"""'[^']*'|"(?:[^"\\]|\\.)*"|\\.|&&|\|\|?|[;&\n()]|[^'"\\&|;\n()]+|.""", re.DOTALL
)
"""A command, cut at what may separate it from the next."""
SEPARATORS = frozenset(("&&", "||", "|", ";", "&", "\n", "(", ")"))
BEFORE = re.compile(
    r"(?:(?:do|then|else|time|sudo|nohup|env|command|exec|npx|bunx|\{|!|if|while|until"
    r"|timeout\s+\S+|[A-Za-z_]\w*=\S*)\s+)*"
)
"""What may stand before the name of a program."""
SEARCHES = {
    "grep": re.compile(r"-[abEFGHhinoqrRsvwxz]*[cLl][abEFGHhinoqrRsvwxzcLl]*"),
    "egrep": re.compile(r"-[abHhinoqrRsvwxz]*[cLl][abHhinoqrRsvwxzcLl]*"),
    "rg": re.compile(r"-[aFHINiLnoPpqSsUuvwxz]*[cl][aFHINiLnoPpqSsUuvwxzcl]*"),
}
"""By which options they print names or counts alone; the other letters take no value."""
LONG_NAMES = frozenset(
    ("--files", "--files-with-matches", "--files-without-match", "--count", "--count-matches")
)
GIT_NAMES = frozenset(("--name-only", "--name-status", "--stat", "--shortstat", "--numstat"))
GIT_TEXT = frozenset(("-p", "-u", "--patch", "-v", "-vv"))
HOLDS_OTHERS = ("$(", "`", "<(", "<<")
AGENTS = frozenset(("claude", "codex", "gemini", "opencode"))
LISTERS = frozenset(
    (
        *("ls", "dir", "tree", "pwd", "du", "stat", "file", "basename", "dirname", "realpath"),
        *("readlink", "which", "wc", "fd", "fdfind"),
    )
)
"""Programs that print names and numbers, and no text of a file."""
PACKAGES = frozenset(
    ("pip", "pip3", "uv", "npm", "pnpm", "yarn", "conda", "poetry", "cargo", "gem", "apt", "brew")
)
FILTERS = frozenset(
    (
        *("head", "tail", "sort", "uniq", "wc", "grep", "egrep", "rg", "sed", "awk", "tr", "cut"),
        *("column", "nl", "cat", "tac", "rev"),
    )
)
"""Programs that, behind a pipe, print what another printed."""
READERS = frozenset(("cat", "sed", "head", "tail", "nl", "tac", "grep", "rg"))
"""Programs that print text of files, and none of their own between it."""
PRINTERS = READERS | FILTERS | {"echo", "printf", "gawk"}
"""Programs that print no text of a file that their words do not name."""
SILENT = frozenset(
    (
        *("cd", "export", "set", "unset", "true", ":", "mkdir", "touch", "sleep", "umask"),
        *("shopt", "for", "done", "fi", "wait", "test", "[", "[["),
    )
)
WORD = re.compile(r"\w+")
MAY_LIST = LISTERS | PACKAGES | {"find", "git"}
LISTING = re.compile(r"-\w*[lLc]")
"""An option by which a search may print names or counts alone."""
COUNTS_ANEW = re.compile(
    r"(?<!\|)\|(?!\|)&?+\s*+(?!(?:sed|head|tail)\b)|<\(|\bnl\b(?![^|;&\n]*-b\s*a)"
)
"""In a command: what may number something else than the lines of a file."""


class Run(NamedTuple):
    """One program that a command runs."""

    words: tuple[str, ...]
    """Its name and arguments."""
    is_piped: bool
    """It reads what the one before it prints."""

    @property
    def name(self) -> str:
        """The program, without its folder."""
        return self.words[0].rsplit("/", 1)[-1]


def command_in(arguments: Mapping[str, JsonValue]) -> str | None:
    """The shell command that a call asked for."""
    for key in COMMANDS:
        said = arguments.get(key)
        if isinstance(said, str):
            return said
        if isinstance(said, list) and said:
            words = [word for word in said if isinstance(word, str)]
            is_shell = len(words) > 2 and words[1].startswith("-") and words[1].endswith("c")
            return words[-1] if is_shell else shlex.join(words)
    return None


def runs_of(command: str) -> list[Run]:
    """The programs that a command runs, in order."""
    found: list[Run] = []
    for text, is_piped in _parts(command):
        rest = text[BEFORE.match(text, len(text) - len(text.lstrip())).end() :]  # type: ignore[union-attr]
        try:
            words = tuple(shlex.split(rest))
        except ValueError:
            words = tuple(rest.split())
        if words:
            found.append(Run(words, is_piped))
    return found


def _parts(command: str) -> Iterator[tuple[str, bool]]:
    part, is_piped = "", False
    for match in PART.finditer(command):
        if match[0] not in SEPARATORS:
            part += match[0]
            continue
        yield part, is_piped
        part, is_piped = "", match[0] == "|"
    yield part, is_piped


def lists(run: Run) -> bool:
    """Whether a program prints names and numbers alone."""
    name, words = run.name, run.words[1:]
    if name == "find":
        return not any(word.startswith(("-exec", "-ok")) for word in words)
    if name in LISTERS:
        return not any(word in ("-x", "-X", "--exec", "--exec-batch") for word in words)
    if name in SEARCHES:
        names = SEARCHES[name]
        return any(word in LONG_NAMES or names.fullmatch(word) for word in words)
    if name == "git":
        lists = words[:1] in (("ls-files",), ("ls-tree",), ("status",), ("branch",), ("tag",))
        return (lists or not GIT_NAMES.isdisjoint(words)) and GIT_TEXT.isdisjoint(words)
    if name.startswith("python") and words[:1] == ("-m",):
        name, words = words[1] if len(words) > 1 else "", words[2:]
    if name == "uv":
        words = words[1:]
    return name in PACKAGES and words[:1] in (("freeze",), ("list",), ("ls",), ("tree",))


def may_tell_of_files(command: str, words: Iterable[str]) -> bool:
    """Whether a command of these words may list files or ask a model: most are passed over by it.

    Sets of words are asked, since to search for many of them takes ten times as long.
    """
    return _may_list(command, words) or not AGENTS.isdisjoint(words)


def _may_list(command: str, words: Iterable[str]) -> bool:
    return not MAY_LIST.isdisjoint(words) or LISTING.search(command) is not None


def lists_only(command: str) -> bool:
    """Whether all that a command prints is names and numbers."""
    if not _may_list(command, WORD.findall(command)):
        return False
    if any(mark in command for mark in HOLDS_OTHERS):
        return False
    is_listing = found = False
    for run in runs_of(command):
        if lists(run) and not (run.is_piped and not is_listing):
            is_listing = found = True
        elif run.is_piped and is_listing and _only_filters(run):
            continue
        elif run.name in SILENT:
            is_listing = False
        else:
            return False
    return found


def lists_too(command: str) -> bool:
    """Whether some of what a command prints may be names and numbers."""
    return _may_list(command, WORD.findall(command)) and any(map(lists, runs_of(command)))


def _only_filters(run: Run) -> bool:
    if run.name != "xargs":
        return run.name in FILTERS
    words = [word for word in run.words[1:] if not word.startswith("-") and not word.isdecimal()]
    return bool(words) and words[0] in LISTERS


def asks_a_model(command: str) -> bool:
    """Whether a command runs another agent: a model may have written what it prints."""
    if AGENTS.isdisjoint(WORD.findall(command)):
        return False
    return any(
        run.name in AGENTS or (run.name == "xargs" and not AGENTS.isdisjoint(run.words))
        for run in runs_of(command)
    )


def prints_named(command: str) -> bool:
    """Whether all text of files that a command prints is of files that it names."""
    if any(mark in command for mark in HOLDS_OTHERS):
        return False
    return all(map(_prints_named, runs_of(command)))


def _prints_named(run: Run) -> bool:
    if run.name == "find" and "-exec" in run.words:
        behind = run.words[run.words.index("-exec") + 1 :]
        return bool(behind) and behind[0] in PRINTERS
    return run.name in PRINTERS or run.name in SILENT or lists(run)


class Printing(NamedTuple):
    """What is known of a command that prints text of files alone."""

    whole: bool
    """Each of them from its first line to its last."""
    is_one: bool
    """One program printed all of it."""


def prints_files(command: str) -> Printing | None:
    """What is known of a command, if it prints text of files alone."""
    if any(mark in command for mark in HOLDS_OTHERS):
        return None
    names_any = False
    whole = "for " not in command
    programs = 0
    for run in runs_of(command):
        if run.name in SILENT:
            continue
        if run.name not in READERS or any(word.startswith(("<", ">")) for word in run.words):
            return None
        operands = run.words[1:]
        plain = run.name == "cat" and not any(word.startswith("-") for word in operands)
        whole = whole and plain and not run.is_piped
        names_any = names_any or bool(operands)
        programs += not run.is_piped
    return Printing(whole, programs == 1) if names_any else None


def counts_anew(command: str) -> bool:
    """Whether numbers that a command prints may be those of its own input."""
    if "|" not in command and "<(" not in command and "nl" not in command:
        return False
    return COUNTS_ANEW.search(command) is not None
