"""Which files of the corpus a call names: in a path argument, or in the words of a command.

Prevents a file being taken for the one that was read because their paths end alike, and a pattern,
an exclusion or a remark of the agent being taken for a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic import JsonValue

from evaluation.reading.calls.operands import (
    FOLDER,
    GLOB,
    SEARCHES,
    Operand,
    command_of,
    operands,
    unquoted,
)
from evaluation.reading.lines.paths import LOST, PathResolver
from evaluation.reading.lines.shown import strings_in
from evaluation.reading.values import value

REMARKS = frozenset(("description", "explanation", "justification", "pattern", "query", "regex"))
"""Arguments that are about files and name none."""
FOLDERS = frozenset(("workdir", "cwd", "dir_path", "directory"))
"""Arguments that say where a command begins."""
GLOBS = frozenset(("glob", "include"))
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
MOST_KNOWN = 1 << 12
"""Calls of a run that are kept in mind: some are made again and again."""
INTO_FOLDERS = SEARCHES.union(("find", "diff"))
"""Commands that look into all of `.`."""


@value()
class Named:
    """What a call says of where its result comes from."""

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    """Folders of which any file may be shown; the empty one is all of the corpus."""
    elsewhere: frozenset[str] = frozenset()
    """Names of files that lie outside of the corpus, where one of it has the same name."""
    is_open: bool = False
    """It names files in a way that only its shell could tell."""
    is_one: bool = False
    """It is the call of a tool that gives back one file, and nothing else."""
    is_guess: bool = False
    """The file was told by the end of its path alone."""
    seen: PathResolver = field(kw_only=True, compare=False)
    """The corpus as the agent saw it, from its root."""
    places: tuple[str, ...] = ("",)
    """Folders from which printed paths may go: absolute, or empty for the root of the corpus."""

    @property
    def only(self) -> str | None:
        """The one file that it names, if it names just one."""
        if len(self.files) != 1 or self.folders or self.elsewhere or self.is_open:
            return None
        return next(iter(self.files))


@dataclass
class _Found:
    """Filled while the words of a call are read."""

    files: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    is_open: bool = False
    places: list[str] = field(default_factory=list)
    at: PathResolver | None = None
    """Where the last command stood; None where only the shell could tell."""


class Said(NamedTuple):
    """What one argument of a call says."""

    key: str
    parts: tuple[str, ...]
    """Every string in it, last ones first."""


def said_in(arguments: Mapping[str, JsonValue]) -> tuple[Said, ...]:
    """What a call says, but for remarks and patterns: they are about files and name none."""
    return tuple(
        [
            Said(key, (value,) if isinstance(value, str) else tuple(strings_in(value)))
            for key, value in arguments.items()
            if key not in REMARKS
        ]
    )


class _Read(NamedTuple):
    """What a call named."""

    named: Named
    at: PathResolver | None
    """Where it left its shell; None where only that could tell."""


class Calls:
    """Reads the calls of one run."""

    def __init__(self, paths: PathResolver, folder: str = "") -> None:
        """`folder` is where the agent worked, if that is known; `paths` know the root."""
        self._begin = paths.at(folder) if folder else paths
        self._paths = paths
        self._moved: dict[str, PathResolver] = {}
        self._known: dict[tuple[PathResolver, tuple[Said, ...]], _Read] = {}
        """What was said before, and where."""

    def one_file(self, written: str) -> Named:
        """Of a tool that gives back one file."""
        path = self._begin.resolve(written) or self._begin.shortened(written)
        if path is not None:
            guess = self._begin.is_guess(written)
            return Named(frozenset((path,)), is_one=True, is_guess=guess, seen=self._paths)
        name = written.rsplit("/", 1)[-1]
        elsewhere = frozenset((name,) if self._begin.has_name(name) else ())
        return Named(elsewhere=elsewhere, seen=self._paths)

    def of_path(self, written: str, thread: str) -> Named | None:
        """Of a command that prints the file of one plain path, where there is such a file."""
        if thread in self._moved:
            return None
        path = self._begin.resolve(written) or self._begin.shortened(written)
        if path is None:
            return None
        return Named(frozenset((path,)), seen=self._paths, places=(self._begin.place,))

    def of_command(self, said: tuple[Said, ...], thread: str) -> tuple[Named, ...]:
        """Of a tool that may give back anything; once for each folder it may have begun in.

        A shell that goes on from call to call is where the last one left it.
        """
        told = next(
            (one.parts[0] for one in said if one.key in FOLDERS and len(one.parts) == 1), ""
        )
        begin = self._begin.at(told) if told else self._begin
        moved = self._moved.get(thread)
        named = self._named(said, begin, thread)
        if told or moved is None or moved is begin:
            return (named,)
        other = self._named(said, moved, thread)
        return (named,) if named == other else (named, other)

    def _named(self, said: tuple[Said, ...], begin: PathResolver, thread: str) -> Named:
        read = self._known.get((begin, said))
        if read is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            read = self._known[begin, said] = self._read(said, begin)
        if read.at is not None and read.at is not self._begin:
            self._moved[thread] = read.at
        return read.named

    def _read(self, said: Iterable[Said], begin: PathResolver) -> _Read:
        found = _Found(at=begin)
        for key, parts in said:
            for written in reversed(parts) if key not in FOLDERS else ():
                if key in GLOBS:
                    found.files.update(begin.called(written))
                elif not _is_whole(written, begin, found):
                    _Words(found, begin).read(written)
        named = Named(
            files=frozenset(found.files),
            folders=frozenset(found.folders),
            elsewhere=frozenset(found.elsewhere),
            is_open=found.is_open,
            seen=self._paths,
            places=tuple(dict.fromkeys(found.places or [begin.place])),
        )
        return _Read(named, found.at)


def _is_whole(written: str, begin: PathResolver, found: _Found) -> bool:
    """Whether an argument is one path, spaces and all."""
    if "\n" in written or (" " in written and not begin.may_hold_spaces):
        return False
    path = begin.resolve(written) or begin.shortened(written)
    if path is not None:
        found.files.add(path)
    return path is not None


class _Words:
    """Reads one command, word by word."""

    def __init__(self, found: _Found, begin: PathResolver) -> None:
        self._found = found
        self._at: PathResolver | None = begin
        self._outer: list[PathResolver | None] = []
        self._last_known = begin

    def read(self, command: str) -> None:
        """Add what it names."""
        segment: list[str] = []
        is_target = False
        for token in TOKEN.findall(command):
            if token[0] not in ";|&()<>`\n":
                if not is_target:
                    segment.append(token)
                is_target = False
                continue
            is_target = ">" in token
            if "<" in token or ">" in token:
                continue
            self._segment(segment, is_used="|" in token.replace("||", "") or bool(self._outer))
            segment = []
            for mark in token:
                if mark == "(":
                    self._outer.append(self._at)
                elif mark == ")" and self._outer:
                    self._at = self._outer.pop()
        self._segment(segment, is_used=bool(self._outer))
        self._found.at = self._at

    def _segment(self, words: Sequence[str], *, is_used: bool) -> None:
        """One command and its words; `is_used`: what it prints is taken by another one."""
        command = command_of(words)
        if command in ("cd", "pushd"):
            self._go(words)
        elif words and (command not in SILENT or is_used):
            at = self._at
            if at is not None and "git" in words and FOLDER in words[:-1]:
                at = at.at(unquoted(words[words.index(FOLDER) + 1]))
            self._found.places.append(LOST if at is None else at.place)
            for one in operands(words, command):
                self._operand(one, command, at)

    def _go(self, words: Sequence[str]) -> None:
        plain = [unquoted(word) for word in words if not word.startswith("-")][1:]
        if not plain or self._at is None or "$" in plain[0] or plain[0].startswith("~"):
            self._at = None
            return
        self._at = self._last_known = self._at.at(plain[0])

    def _operand(self, one: Operand, command: str, at: PathResolver | None) -> None:
        found = self._found
        name = one.text.rstrip("/").rsplit("/", 1)[-1]
        if one.is_name:
            found.files.update(self._last_known.called(one.text))
        elif at is None or ("$" in one.word and not one.word.startswith("'")):
            is_path = at is None or "/" in one.text
            found.is_open = found.is_open or (is_path and self._last_known.has_name(name))
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
        elif at.has_name(name) and "/" in one.text:
            found.elsewhere.add(name)

    def _within(self, text: str, at: PathResolver) -> None:
        """Words of a program that stands within quotes."""
        for word in WORD.findall(text):
            path = at.resolve(word) or at.shortened(word)
            if path is not None:
                self._found.files.add(path)
