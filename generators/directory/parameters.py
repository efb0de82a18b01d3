"""Which folder, and which of its files."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from authoring.artefacts import Value
from authoring.errors import UserError
from generators.scope import glob_pattern


def _is_a_glob(glob: str) -> str:
    try:
        glob_pattern(glob)
    except UserError as error:
        raise ValueError(error.what) from error
    return glob


Glob = Annotated[str, Field(min_length=1), AfterValidator(_is_a_glob)]
"""Over paths below the root: `*`, `?`, `[…]` within a folder, `**` over any number of them."""


class DirectoryParameters(Value):
    """Which folder, and which of its files."""

    root: Annotated[str, Field(min_length=1)]
    """The folder: absolute, or from the folder of the spec. The spec must not lie in it."""
    include: tuple[Glob, ...] = ("**",)
    """Globs of the files that are taken; others are not looked at."""
    exclude: tuple[Glob, ...] = ()
    """Globs of files that are not taken all the same."""
    tracked: bool = False
    """Take only files that git tracks: the root lies in a git work tree."""
    largest: Annotated[int, Field(ge=1)] = 262_144
    """Bytes; a larger file is left out."""
    longest_line: Annotated[int, Field(ge=1)] = 1900
    """Characters; a file with a longer one is left out, since agents see only a part of it."""
    kinds: dict[str, Glob] = {}
    """Kinds of document, by a glob each; the first that fits. Else the ending: `py` for `a.py`."""
