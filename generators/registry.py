"""`registry.json` (`ocb.registry/1`): every planted needle, and the edits that take it out again.

Lines count from 1, both ends in, in the planted corpus. Edits of different needles never touch.
Putting back every `clean`, last first, gives the clean corpus byte for byte; putting back all but
one needle's gives that needle's swap corpus. No second copy is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import UserError
from authoring.spec import Identifier, Report, Severity
from generators.corpus_path import CorpusPath


class Span(Value):
    """A run of lines of one file, counted from 1, both ends in."""

    path: CorpusPath
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]


class Edit(Value):
    """One change to one file. A pure removal has no planted lines, and `last` = `first` - 1."""

    path: CorpusPath
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=0)]
    planted: tuple[str, ...]
    """The lines as they stand in the planted corpus, without LF."""
    clean: tuple[str, ...]
    """The lines that stood there before."""


class RegisteredNeedle(Value):
    """A planted defect, where it stands and what counts as reporting it."""

    id: Identifier
    kind: str
    severity: Severity
    report: Report
    evidence: Annotated[tuple[Span, ...], Field(min_length=1)]
    """The lines that show the defect; for an absence, the section where the thing should stand."""
    relative_to: tuple[Span, ...] = ()
    """The reference lines it breaks."""
    edits: Annotated[tuple[Edit, ...], Field(min_length=1)]


class Registry(Value):
    """All needles of one build."""

    schema_: Annotated[Literal["ocb.registry/1"], Field(alias="schema")] = "ocb.registry/1"
    scenario: Identifier
    needles: tuple[RegisteredNeedle, ...]


def restore(texts: Mapping[str, str], needles: Iterable[RegisteredNeedle]) -> dict[str, str]:
    """The corpus with the given needles taken out again: path to text.

    Raises UserError where a file does not hold the planted lines that the registry says it holds.
    """
    restored = dict(texts)
    edits = [edit for needle in needles for edit in needle.edits]
    for edit in sorted(edits, key=lambda e: (e.path, e.first), reverse=True):
        if edit.path not in restored:
            raise UserError(f"{edit.path}: named by an edit, not in the corpus")
        lines = restored[edit.path].split("\n")
        if tuple(lines[edit.first - 1 : edit.last]) != edit.planted:
            raise UserError(
                f"{edit.path}: lines {edit.first} to {edit.last} are not the planted ones"
            )
        lines[edit.first - 1 : edit.last] = edit.clean
        restored[edit.path] = "\n".join(lines)
    return restored
