"""The words of one sample: assignment and files, fenced so that no text among them can get out."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Self

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from authoring.artefacts import sha256
from authoring.inert import inert
from generators.lines import split_lines

MARK_DIGITS = 24


@dataclass(frozen=True)
class ShownFile:
    """A file as a reader sees it."""

    path: str
    shown: str
    """The path, inert: a line break in a name breaks no line."""
    role: str
    numbered: str
    """Its lines, each behind its number and a tab."""

    @classmethod
    def of(cls, path: str, role: str, text: str) -> Self:
        lines = enumerate(split_lines(text), start=1)
        return cls(
            path, inert(path), role, "\n".join(f"{number}\t{line}" for number, line in lines)
        )


class Prompt(NamedTuple):
    """What is asked."""

    system: str
    text: str
    paths: Mapping[str, str]
    """Paths by how they are shown."""


def mark_of(assignment: str, files: Sequence[ShownFile], number: int) -> str:
    """The mark of one message: no text can hold it, since it follows from all of them.

    So the same sample is the same request again, and a cache knows it.
    """
    pieces = [str(number), assignment]
    pieces += [piece for file in files for piece in (file.shown, file.role, file.numbered)]
    lengths = ",".join(str(len(piece)) for piece in pieces)
    return sha256("\0".join((lengths, *pieces)).encode())[:MARK_DIGITS]


def written(assignment: str, files: Sequence[ShownFile], number: int) -> Prompt:
    """The prompt of a sample."""
    text = _template().render(
        mark=mark_of(assignment, files, number), assignment=assignment, files=files
    )
    return Prompt(_system(), text, {file.shown: file.path for file in files})


@cache
def _template() -> jinja2.Template:
    # Without autoescape: the result is a prompt, plain text.
    environment = ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(_own("prompt.j2"))


@cache
def _system() -> str:
    return _own("system.txt")


def _own(name: str) -> str:
    folder = importlib.resources.files("validation.readers")
    return (folder / name).read_text(encoding="utf-8")
