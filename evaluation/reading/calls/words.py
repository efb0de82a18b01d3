"""What the words of one command name, read as its shell would.

Prevents a pattern, an exclusion or what is written to being taken for a file, and a file being
taken for another of the same name in a folder where the command did not stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluation.reading.calls.operands import (
    FOLDER,
    GLOB,
    OPENS,
    QUOTED,
    SEARCHES,
    Operand,
    command_of,
    operands,
    unquoted,
)
from evaluation.reading.calls.standing import KEYWORDS, Places, Standing
from evaluation.reading.calls.variables import ASSIGNED, MOST, Given, Variables
from evaluation.reading.lines.paths import LOST, PathResolver

TOKEN = re.compile(
    r"(?:[^\s'\"`;|&()<>{\\]|\\[^\n]|\{[^{}\s]*+\}|\{|'[^']*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\")++"
    r"|[;|&()<>`\n]++",
    re.DOTALL,
)
WORD = re.compile(r"[^\s'\"`;|&()<>=,]+")
"""A word of a program, or of a text within quotes."""
SILENT = frozenset(
    [
        "ls",
        "wc",
        "tree",
        "stat",
        "du",
        "file",
        "test",
        "[",
        "mkdir",
        "rm",
        "touch",
        "echo",
        "printf",
    ]
)
"""Commands that print no line of the files which they name."""
INTO_FOLDERS = SEARCHES.union(("find", "diff"))
"""Commands that look into all of `.`."""
MOVES = frozenset(("cd", "pushd", "popd"))
EXPORTS = frozenset(("export", "declare", "local", "readonly", "typeset"))
FORGETS = frozenset(("read", "mapfile", "readarray", "getopts", "unset"))
"""Commands behind which a variable may stand for anything."""
SPECIAL = MOVES | EXPORTS | FORGETS | {"", "for"}


@dataclass
class Found:
    """Filled while the words of a call are read."""

    files: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    bare: set[str] = field(default_factory=set)
    """The same, of words that are a name alone: where the command stands, there is no such file."""
    is_open: bool = False
    places: list[str] = field(default_factory=list)
    at: PathResolver | None = None
    """Where the last command stood; None where only the shell could tell."""


class Words:
    """Reads one command, word by word."""

    def __init__(self, found: Found, begin: PathResolver) -> None:
        self._found = found
        self._standing = Standing(begin)
        self._variables = Variables()
        self._list = ""
        """The variable whose list of values begins here: `F=(`."""

    def read(self, command: str) -> None:
        """Add what it names."""
        standing = self._standing
        segment: list[str] = []
        is_target = is_other = False
        for token in TOKEN.findall(command):
            if token[0] not in ";|&()<>`\n":
                if not is_target:
                    segment.append(token)
                is_target = False
                continue
            is_target = ">" in token
            if "<" in token or ">" in token:
                continue
            is_list = bool(segment) and token[0] == "(" and segment[-1].endswith("=")
            begins = segment.pop() if is_list else ""
            is_used = ("|" in token and "|" in token.replace("||", "")) or bool(standing.outer)
            self._segment(segment, is_used=is_used, is_other=is_other)
            if is_list or ")" in token:
                self._list = begins.rstrip("+=")
            is_other = "(" not in token and ("||" in token or (is_other and not segment))
            segment = []
            if "(" in token or ")" in token:
                standing.marks(token)
        self._segment(segment, is_used=bool(standing.outer), is_other=is_other)
        if self._variables.known:
            self._read_left()
        self._found.at = standing.places[0]

    def _segment(self, words: Sequence[str], *, is_used: bool, is_other: bool) -> None:
        """One command and its words; `is_used`: what it prints is taken by another one; `is_other`:
        it runs where the one before it failed."""
        if not words:
            return
        standing, before = self._standing, self._standing.places
        if words[0] in KEYWORDS:
            standing.begun(words)
        command = command_of(words)
        if self._list:
            self._give(self._list, words, is_list=True)
        elif command in SPECIAL and self._is_special(command, words, is_other=is_other):
            pass
        elif command not in SILENT or is_used:
            self._command(command, words)
        standing.before = before

    def _is_special(self, command: str, words: Sequence[str], *, is_other: bool) -> bool:
        """Whether all is said of a command that changes the shell itself."""
        behind = words[words.index(command) + 1 :] if command in words else []
        if command in MOVES and command in words:
            self._go(behind, command, is_other=is_other)
            return True
        if command == "for":
            name = behind[0] if behind else ""
            self._variables.begin(name)
            if behind[1:2] == ["in"]:
                self._give(name, behind[2:], is_list=True)
            return True
        if command in FORGETS:
            self._variables.forget(words)
            return False
        matches = [ASSIGNED.fullmatch(word) for word in words]
        for match in matches:
            if match is not None:
                self._give(match[1], [match[2]], is_list=False)
        return command == "" and all(matches)

    def _go(self, words: Sequence[str], command: str, *, is_other: bool) -> None:
        if command == "popd":
            self._standing.back()
            return
        plain = [word for word in words if word[0] != "-"]
        folders = self._variables.expanded(plain[0]) if plain and plain[0][0] != "~" else None
        self._standing.go(folders, is_other=is_other, is_kept=command == "pushd")

    def _give(self, name: str, words: Sequence[str], *, is_list: bool) -> None:
        """Keep what a variable stands for: one word, or each of a list."""
        places = self._standing.places
        values: list[str | None] = []
        for word in words:
            known = self._variables.expanded(word)
            if known is None or not is_list:
                values += known or (None,)
            elif GLOB.search(QUOTED.sub("", word)):
                for one in known:
                    values += _spread(one, places)
            elif "$" in word and '"' not in word:
                values += [part for one in known for part in one.split()]
            else:
                values += known
        said = words if is_list else [f"{name}={word}" for word in words]
        given = Given(tuple(Operand(word, unquoted(word)) for word in said), places)
        was_used = self._variables.give(name, values, given)
        if was_used and self._standing.is_in_loop:
            self._found.is_open = True  # where it is used again, next time, this is what it is

    def _read_left(self) -> None:
        """Read what was given to variables that are used as nobody can tell, or not at all."""
        for one in self._variables.all():
            if not one.is_left:
                continue
            for given in one.given:
                for operand in given.words:
                    self._operand(operand, "", given.places)
            names = [value.rsplit("/", 1)[-1] for value in one.values]
            if one.is_moved and any(map(self._standing.last_known.has_name, names)):
                self._found.is_open = True

    def _command(self, command: str, words: Sequence[str]) -> None:
        """A command that may print what its words name."""
        places = self._standing.places
        if "git" in words and FOLDER in words[:-1]:
            folder = unquoted(words[words.index(FOLDER) + 1])
            places = tuple([at and at.at(folder) for at in places])
        for at in places:
            self._found.places.append(LOST if at is None else at.place)
        if self._variables.known:
            self._with_values(command, words, places)
            return
        is_sure = len(places) == 1
        for one in operands(words, command):
            for at in places:
                self._from(at, one, command, is_sure=is_sure)

    def _with_values(self, command: str, words: Sequence[str], places: Places) -> None:
        """The same, where words may stand for what was given to a variable."""
        variables = self._variables
        plain = set[str]()
        for one in operands(words, command):
            texts = variables.expanded(one.word) if "$" in one.word else None
            if texts is None:
                self._operand(one, command, places)
                continue
            plain.add(one.word)
            for text in texts:
                self._operand(Operand(text, text, one.is_name), command, places)
        for word in words:
            if "$" in word and word not in plain:
                variables.used_otherwise(word, places)

    def _operand(self, one: Operand, command: str, places: Places) -> None:
        is_sure = len(places) == 1
        for at in places:
            self._from(at, one, command, is_sure=is_sure)

    def _from(self, at: PathResolver | None, one: Operand, command: str, *, is_sure: bool) -> None:
        """What a word names from one place."""
        found = self._found
        if one.is_name:
            found.files.update(self._standing.last_known.called(one.text))
            return
        name = one.text.rstrip("/").rsplit("/", 1)[-1]
        if at is None or ("$" in one.word and not one.word.startswith("'")):
            is_path = at is None or "/" in one.text
            found.is_open = found.is_open or (is_path and self._standing.last_known.has_name(name))
        elif path := at.resolve(one.text) or at.shortened(one.text) or at.at_revision(one.text):
            found.files.add(path)
        elif one.word == one.text and GLOB.search(one.text):
            for path in at.matching(one.text):
                (found.files if at.has_path(path) else found.folders).add(path)
        elif (folder := at.folder(one.text)) is not None:
            if folder or command in INTO_FOLDERS:
                found.folders.add(folder)
        elif any(mark in one.text for mark in " \n(=,"):
            self._within(one.text, at)
        elif at.has_name(name):
            is_bare = is_sure and bool(at.root) and command in OPENS
            self._missing(at, one.text, name, is_bare=is_bare)

    def _missing(self, at: PathResolver, text: str, name: str, *, is_bare: bool) -> None:
        """What a word names that leads to no file of the corpus, where one of it has this name."""
        if "/" in text:
            if at.resolve(text.rpartition("/")[0]) is None:  # below a file lies no other
                self._found.elsewhere.add(name)
        elif is_bare:
            self._found.bare.add(name)

    def _within(self, text: str, at: PathResolver) -> None:
        """Words of a program that stands within quotes."""
        for word in WORD.findall(text):
            path = at.resolve(word) or at.shortened(word)
            if path is not None:
                self._found.files.add(path)


def _spread(glob: str, places: Places) -> Sequence[str | None]:
    """What a shell puts in the place of a pattern; None where nobody knows."""
    if None in places or ".." in glob.partition("{")[2]:
        return (None,)
    found = dict.fromkeys(path for at in places if at for path in at.spread(glob))
    return tuple(found) if 0 < len(found) <= MOST else (None,)
