"""What a corpus generator yields: one file of the corpus, before anything is planted in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol


@dataclass(frozen=True)
class Document:
    """One text file of the corpus."""

    path: PurePosixPath
    """Relative to the corpus."""
    kind: str
    """What sort of document it is: `msa`, `playbook`. A needle's target names it."""
    text: str
    """Lines end in LF."""
    verbatim: bool = False
    """The bytes of a real file, kept as they are: lines may end in CR LF."""


class CorpusGenerator(Protocol):
    """A deterministic stream of documents.

    Made from its typed parameters and a `random.Random` of its own; holds nothing global. Two
    generators made alike yield the same documents, whatever the process, locale or date.
    """

    def documents(self) -> Iterator[Document]: ...
