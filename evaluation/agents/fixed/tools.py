"""The loop's tools on a corpus: list, read, search. They only look, and only inside its folder.

A model's arguments are hostile and often wrong: whatever is wrong with them, the model is told.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluation.sandboxes.layout import INSIDE
from generators.lines import split_lines

MOST_LINES = 2000
MOST_CHARACTERS = 256 * 1024
"""Of one result. A line that goes beyond it is left for the next call, or cut where it stands
alone."""
MOST_HITS = 200
MOST_PATHS = 2000
MOST_ARGUMENTS = 64 * 1024
"""Bytes of a call's arguments."""


class ToolError(Exception):
    """What the model is told instead of a result."""


class Arguments(BaseModel):
    """Arguments as a model gives them: unknown ones are an error, "5" is a number."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Kind = TypeVar("Kind", bound=Arguments)


class ListFiles(Arguments):
    path: str = ""


class ReadFile(Arguments):
    path: str
    offset: Annotated[int, Field(ge=1)] = 1
    limit: Annotated[int, Field(ge=1)] = MOST_LINES


class Search(Arguments):
    pattern: Annotated[str, Field(min_length=1)]
    path: str = ""


class Delegate(Arguments):
    """Handled by the loop itself."""

    prompt: Annotated[str, Field(min_length=1)]
    title: str = ""


@dataclass(frozen=True)
class _Line:
    path: str
    number: int
    text: str


class CorpusTools:
    """The tools on one corpus."""

    def __init__(self, corpus: Path) -> None:
        self._root = corpus.resolve()
        self._tools: Mapping[str, Callable[[str], str]] = {
            "list_files": self._list_files,
            "read_file": self._read_file,
            "search": self._search,
        }

    def call(self, name: str, arguments: str) -> str:
        """What a tool gives back. Raises ToolError where the call is wrong."""
        tool = self._tools.get(name)
        if tool is None:
            raise ToolError(f"there is no tool {name[:80]!r}; there are {', '.join(self._tools)}")
        return tool(arguments)

    def _list_files(self, arguments: str) -> str:
        start = self._find(parse(ListFiles, arguments).path)
        if not start.is_dir():
            raise ToolError("that is a file, not a folder")
        paths = [self._name(path) for path in self._files(start)]
        if not paths:
            return "[no files]"
        more = [f"[{len(paths) - MOST_PATHS} more files]"] if len(paths) > MOST_PATHS else []
        return "\n".join(paths[:MOST_PATHS] + more)

    def _read_file(self, arguments: str) -> str:
        asked = parse(ReadFile, arguments)
        path = self._find(asked.path)
        if not path.is_file():
            raise ToolError("that is a folder, not a file")
        lines = split_lines(self._text(path))
        if not lines:
            return "[the file is empty]"
        if asked.offset > len(lines):
            return f"[the file has {len(lines)} lines]"
        wanted = lines[asked.offset - 1 :][: min(asked.limit, MOST_LINES)]
        shown = list(numbered(wanted, asked.offset))
        last = asked.offset + len(shown) - 1
        if last < len(lines):
            shown.append(
                f"[lines {asked.offset} to {last} of {len(lines)}; more follow from offset"
                f" {last + 1}]"
            )
        return "\n".join(shown)

    def _search(self, arguments: str) -> str:
        asked = parse(Search, arguments)
        start = self._find(asked.path)
        shown: list[str] = []
        size = 0
        for line in self._matches(start, asked.pattern.casefold()):
            hit = f"{line.path}:{line.number}:{line.text}"
            size += len(hit)
            if len(shown) == MOST_HITS or size > MOST_CHARACTERS:
                shown.append(f"[more lines match; the first {len(shown)} are shown]")
                break
            shown.append(hit)
        return "\n".join(shown) or "[no line matches]"

    def _matches(self, start: Path, pattern: str) -> Iterator[_Line]:
        for path in [start] if start.is_file() else self._files(start):
            try:
                lines = split_lines(self._text(path))
            except ToolError:
                continue  # a file that is no text has no lines to match
            for number, text in enumerate(lines, start=1):
                if pattern in text.casefold():
                    yield _Line(self._name(path), number, text)

    def _find(self, path: str) -> Path:
        """A path as the model names it. Raises ToolError where it leads out, or nowhere."""
        pure = PurePosixPath(path or ".")
        if pure.is_relative_to(INSIDE.corpus):
            pure = pure.relative_to(INSIDE.corpus)  # the folder's name in every harness
        if pure.is_absolute() or ".." in pure.parts:
            raise ToolError("paths are relative to the folder and stay inside it")
        try:
            found = (self._root / pure).resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise ToolError("there is no such file or folder") from error
        if not found.is_relative_to(self._root) or not (found.is_file() or found.is_dir()):
            raise ToolError("paths are relative to the folder and stay inside it")
        return found

    def _files(self, start: Path) -> list[Path]:
        """Regular files below a folder, in the order of their paths. Links are not followed."""
        return sorted(
            path
            for place, _, names in os.walk(start)
            for name in names
            if (path := Path(place, name)).is_file() and not path.is_symlink()
        )

    def _name(self, path: Path) -> str:
        return path.relative_to(self._root).as_posix()

    def _text(self, path: Path) -> str:
        try:
            return path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ToolError("the file cannot be read as text") from error


def parse(kind: type[Kind], arguments: str) -> Kind:
    """A call's arguments. Raises ToolError with what is wrong."""
    if len(arguments) > MOST_ARGUMENTS:
        raise ToolError("the arguments are too long")
    try:
        # orjson refuses deep nesting, where other parsers recurse until they fail.
        return kind.model_validate(orjson.loads(arguments or "{}"))
    except orjson.JSONDecodeError as error:
        raise ToolError("the arguments are not valid JSON") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise ToolError(f"{where or 'arguments'}: {first['msg']}") from error


def numbered(lines: list[str], first: int) -> Iterator[str]:
    """Lines with their numbers, as many as one result holds."""
    left = MOST_CHARACTERS
    for number, text in enumerate(lines, start=first):
        line = f"{number}\t{text}"
        if len(line) > left:
            if number == first:
                yield f"{line[:MOST_CHARACTERS]} [the line is cut here]"
            return
        left -= len(line)
        yield line
