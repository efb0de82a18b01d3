"""A first spec to work from: whole, commented, and fit to be built and validated as it is.

It stands beside its generator, in the folder `scaffold/`: `spec.yaml`, which is a spec like any
other, and in `files/` what it needs beside itself, if anything.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter, ValidationError

from authoring.artefacts import write_bytes
from authoring.catalogue import Catalogue, Kind
from authoring.errors import Place, UserError, nearest
from authoring.json_schema import naming_line, schema_bytes
from authoring.spec import Identifier

PLACEHOLDER = "new_scenario"
"""Stands for the scenario's name, wherever a scaffold has it."""
SCHEMA_FILE = PurePosixPath("schema.json")
"""Beside a spec: what its first line names."""


BYTE_CODE = "__pycache__"
"""An installer puts it beside Python files, also beside those that are only to be copied."""


@dataclass(frozen=True)
class Scaffold:
    """What is written for one new scenario."""

    name: str
    spec: str
    files: Mapping[PurePosixPath, bytes]
    """Below a folder of the scenario's name, beside the spec."""


def scaffold_of(name: str, generator: str, catalogue: Catalogue) -> Scaffold:
    """The first spec of a scenario. Raises UserError for a bad name and an unknown generator."""
    try:
        TypeAdapter(Identifier).validate_python(name)
    except ValidationError as error:
        raise UserError(
            f"{name!r} is no name of a scenario",
            remedy="lower-case letters, digits, - and _, a letter first, at most 63",
        ) from error
    kind = catalogue.generators.get(generator)
    if kind is None:
        remedy = nearest(generator, catalogue.generators)
        raise UserError(f"there is no generator {generator!r}", remedy=remedy)
    folder = _folder_of(kind)
    spec = (folder / "spec.yaml").read_text(encoding="utf-8").replace(PLACEHOLDER, name)
    files = folder / "files"
    return Scaffold(
        name=name,
        spec=f"{naming_line(SCHEMA_FILE)}\n{spec}",
        files=dict(_files_in(files)) if files.is_dir() else {},
    )


def _folder_of(kind: Kind) -> Traversable:
    if not kind.scaffold:
        raise UserError(
            f"the generator {kind.name!r} brings no first spec",
            remedy="copy a spec that uses it, or see its example: ocb author list",
        )
    return importlib.resources.files(kind.scaffold) / "scaffold"


def _files_in(folder: Traversable, path: str = "") -> Iterator[tuple[PurePosixPath, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        inner = f"{path}{entry.name}"
        if entry.name == BYTE_CODE:
            continue
        if entry.is_dir():
            yield from _files_in(entry, f"{inner}/")
        else:
            yield PurePosixPath(inner), entry.read_bytes()


def write_scaffold(scaffold: Scaffold, spec: Path, catalogue: Catalogue) -> tuple[Path, ...]:
    """Write the spec, its files, and the schema that its first line names; the spec's path first.

    Raises UserError where the spec or the folder is there already. A schema that is there stays.
    """
    folder = spec.parent / scaffold.name
    for taken in (spec, *([folder] if scaffold.files else [])):
        if taken.exists() or taken.is_symlink():
            raise UserError(
                "is there already", place=Place(str(taken)), remedy="give another name with -o"
            )
    content = {spec: scaffold.spec.encode()}
    content |= {folder / path: data for path, data in scaffold.files.items()}
    schema = spec.parent / SCHEMA_FILE
    if not schema.exists():
        content[schema] = schema_bytes(catalogue)
    try:
        for path, data in content.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, data)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", place=Place(str(spec))) from error
    return tuple(content)
