"""Which files of the corpus a call names: in a path argument, or in the words of a command.

Prevents a file being taken for the one that was read because their paths end alike, and a pattern,
an exclusion or a remark of the agent being taken for a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from typing import NamedTuple

from pydantic import JsonValue

from evaluation.reading.calls.words import Found, Words
from evaluation.reading.lines.paths import PathResolver
from evaluation.reading.lines.shown import strings_in
from evaluation.reading.values import value

REMARKS = frozenset(("description", "explanation", "justification", "pattern", "query", "regex"))
"""Arguments that are about files and name none."""
FOLDERS = frozenset(("workdir", "cwd", "dir_path", "directory"))
"""Arguments that say where a command begins."""
GLOBS = frozenset(("glob", "include"))
MOST_KNOWN = 1 << 12
"""Calls of a run that are kept in mind: some are made again and again."""


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
    bare: frozenset[str]
    """Names of files elsewhere, told by where the command stood alone."""

    def beside(self, other: Named) -> Named:
        """What it named, where it may have been the other: that files of these names are none of
        the corpus was told by nothing but where it began."""
        return self._without({path.rsplit("/", 1)[-1] for path in other.files})

    def lost(self) -> Named:
        """What it named, where nobody knows where it began."""
        return self._without(self.bare)

    def _without(self, names: Collection[str]) -> Named:
        spared = self.bare.intersection(names)
        return (
            replace(self.named, elsewhere=self.named.elsewhere - spared) if spared else self.named
        )


class Calls:
    """Reads the calls of one run."""

    def __init__(self, paths: PathResolver, folder: str = "") -> None:
        """`folder` is where the agent worked, if that is known; `paths` know the root."""
        self._begin = paths.at(folder) if folder else paths
        self._paths = paths
        self._moved: dict[str, PathResolver] = {}
        self._lost: set[str] = set()
        """Threads whose shell once stood where nobody knows."""
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
        read = self._read(said, begin, thread)
        if told:
            return (read.named,)
        if moved is None or moved is begin:
            return (read.lost() if thread in self._lost else read.named,)
        moved_read = self._read(said, moved, thread)
        named, other = read.named, moved_read.named
        if read.bare or moved_read.bare:
            named, other = read.beside(other), moved_read.beside(named)
        return (named,) if named == other else (named, other)

    def _read(self, said: tuple[Said, ...], begin: PathResolver, thread: str) -> _Read:
        read = self._known.get((begin, said))
        if read is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            read = self._known[begin, said] = self._read_anew(said, begin)
        if read.at is None:
            self._lost.add(thread)
        elif read.at is not self._begin:
            self._moved[thread] = read.at
        return read

    def _read_anew(self, said: Iterable[Said], begin: PathResolver) -> _Read:
        found = Found(at=begin)
        for key, parts in said:
            for written in reversed(parts) if key not in FOLDERS else ():
                if key in GLOBS:
                    found.files.update(begin.called(written))
                elif not _is_whole(written, begin, found):
                    Words(found, begin).read(written)
        named = Named(
            files=frozenset(found.files),
            folders=frozenset(found.folders),
            elsewhere=frozenset(found.elsewhere | found.bare),
            is_open=found.is_open,
            seen=self._paths,
            places=tuple(dict.fromkeys(found.places or [begin.place])),
        )
        return _Read(named, found.at, frozenset(found.bare - found.elsewhere))


def _is_whole(written: str, begin: PathResolver, found: Found) -> bool:
    """Whether an argument is one path, spaces and all."""
    if "\n" in written or (" " in written and not begin.may_hold_spaces):
        return False
    path = begin.resolve(written) or begin.shortened(written)
    if path is not None:
        found.files.add(path)
    return path is not None
