"""ATIF documents, versions 1.0 to 1.8, whoever wrote them, as one trajectory.

The versions differ in fields that are optional. Prevents three false results: steps that were
copied into a later part count once; a result that does not say which of several calls it answers
is not given to one of them; and what a part of the run in another file held is missing when that
file is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.reading.context import MAIN
from evaluation.transcripts.atif_fields import objects, text_of
from evaluation.transcripts.atif_steps import AGENTS, Reader
from evaluation.transcripts.beginnings import Beginning, any_begins, beginning_of, files_below
from evaluation.transcripts.json_documents import Document, read_document_in_parts
from evaluation.transcripts.trajectory import Trajectory

FAMILY = "ATIF-v"
VERSION = re.compile(rf"{FAMILY}(?P<major>\d{{1,4}})\.(?P<minor>\d{{1,4}})(?:\.\d{{1,4}})?")
NEWEST = (1, 8)
LISTS = frozenset(("steps", AGENTS))
MOST_PARTS = 1_000
"""Files of one run."""


def is_atif(path: Path) -> bool:
    """Whether a file, or one of a folder's, is such a document, of whatever version."""
    return any_begins(path, ".json", _is_document)


def _is_document(beginning: Beginning) -> bool:
    return beginning.is_document and beginning.has("schema_version", FAMILY)


@without_collector()
def read_atif(path: Path) -> Trajectory:
    """The document of a file with the parts in other files, or the one run of a folder.

    Raises UserError where there is none, or where it is of a newer version.
    """
    if not path.is_dir():
        return _read(_Part(path, _document(path)))
    files = (file for file in files_below(path) if file.name.endswith(".json"))
    parts = [_Part(file, _document(file)) for file in files if _is_document(beginning_of(file))]
    named = {file.resolve() for part in parts for file in part.files()}
    roots = [part for part in parts if part.path.resolve() not in named]
    if len(roots) != 1:
        what = f"holds {len(roots)} ATIF documents"
        raise UserError(what, place=Place(str(path)), remedy="name one file")
    return _read(roots[0])


@dataclass(frozen=True)
class _Part:
    """One file of a run."""

    path: Path
    document: Document

    @property
    def goes_on(self) -> str:
        """The file that the run goes on in; empty where it ends here."""
        return text_of(self.document.head, "continued_trajectory_ref")

    def files(self) -> Iterator[Path]:
        """The other files that it names: where it goes on, and what its sub-agents did."""
        for name in (self.goes_on, *_named(self.document)):
            file = self.file(name)
            if file is not None:
                yield file

    def file(self, name: str) -> Path | None:
        """A file beside this one, or below it; no other."""
        if not name or "\0" in name or name.startswith("/") or ".." in Path(name).parts:
            return None
        return self.path.parent / name


def _named(document: Document) -> Iterator[str]:
    for step in document.items("steps"):
        observation = step.get("observation") if isinstance(step, dict) else None
        results = observation.get("results") if isinstance(observation, dict) else None
        for result in objects(results):
            for reference in objects(result.get("subagent_trajectory_ref")):
                yield text_of(reference, "trajectory_path")


def _document(path: Path) -> Document:
    """Raises UserError where there is none that is known."""
    place = Place(str(path))
    document = read_document_in_parts(path, LISTS)
    found = VERSION.fullmatch(text_of(document.head if document else {}, "schema_version"))
    if document is None or found is None:
        raise UserError("is no ATIF document", place=place)
    if (int(found["major"]), int(found["minor"])) > NEWEST:
        what = f"is written as {found[0]}, which is newer than this program knows"
        raise UserError(what, place=place, remedy="use a newer version")
    if not isinstance(document.head.get("steps"), list):
        raise UserError("is an ATIF document without steps", place=place)
    return document


def _read(root: _Part) -> Trajectory:
    reader = Reader()
    parts = _run_of(root, reader)
    for part in parts:
        reader.take(part.document, MAIN, None)
    _read_subagents(parts, reader)
    return reader.trajectory()


def _run_of(root: _Part, reader: Reader) -> list[_Part]:
    """A document and those that it goes on in."""
    parts = [root]
    while name := parts[-1].goes_on:
        file = parts[-1].file(name)
        if file is not None and file.resolve() in {part.path.resolve() for part in parts}:
            break
        document = _document_or_none(file) if len(parts) < MOST_PARTS else None
        if file is None or document is None:
            reader.missing.append(f"the part of the run that goes on in {name[:200]}")
            break
        parts.append(_Part(file, document))
    return parts


def _document_or_none(file: Path | None) -> Document | None:
    try:
        return _document(file) if file is not None and file.is_file() else None
    except UserError:
        return None


def _read_subagents(parts: list[_Part], reader: Reader) -> None:
    """Those that are embedded, at any depth, then those in files of their own."""
    for part in parts:
        reader.take_embedded(part.document)
    seen = {part.path.resolve() for part in parts}
    waiting = [(part, reference) for part in parts for reference in reader.fresh]
    while waiting and len(seen) < MOST_PARTS:
        part, reference = waiting.pop()
        file = part.file(reference.file)
        is_found = reference.name in reader.threads
        if file is None or is_found or file.resolve() in seen:
            continue
        document = _document_or_none(file)
        if document is None:
            continue
        seen.add(file.resolve())
        reader.fresh = []
        reader.take(document, reference.name, reference.parent)
        reader.take_embedded(document)
        waiting += [(_Part(file, document), one) for one in reader.fresh]
    lost = sorted(reference.name for reference in reader.unresolved())
    reader.missing += [f"session of sub-agent {name[:200]}" for name in lost]
