"""`manifest.json` (`ocb.manifest/1`): what a build holds, with the hashes to tell it by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value
from authoring.spec import Identifier, Size
from generators.corpus_path import CorpusPath

Role = Literal["review", "reference"]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ManifestFile(Value):
    """One file of the corpus."""

    path: CorpusPath
    kind: str
    """What sort of document it is, as its generator names it."""
    role: Role
    mode: Literal["0644"] = "0644"
    sha256: Hash
    lines: int
    """As `wc -l` counts, and one more for a last line without LF."""
    tokens: int
    """In the encoding of the manifest."""


class ManifestWitness(Value):
    """A partner file that lies below `witnesses/<needle>/<number>/`."""

    needle: Identifier
    number: Annotated[int, Field(ge=1)]
    """Which of the files that show the needle, in the order of its evidence."""
    file: CorpusPath
    """That file: beside this partner it shows no defect."""
    path: CorpusPath
    """The partner's path in the corpus."""
    sha256: Hash


class GeneratorVersion(Value):
    """Which generator wrote the corpus."""

    name: str
    version: str


class Manifest(Value):
    """What a build holds. `tree` names the planted corpus, `clean_tree` the one without needles."""

    schema_: Annotated[Literal["ocb.manifest/1"], Field(alias="schema")] = "ocb.manifest/1"
    scenario: Identifier
    build: str
    """The folder's name: scenario id and the first 12 hex digits of the build's hash."""
    ocb: str
    """The version of ocb that built it."""
    generator: GeneratorVersion
    size: Size
    seed: int
    placement: Annotated[int, Field(ge=0, le=2)]
    encoding: str
    registry_sha256: Hash
    tree: Hash
    clean_tree: Hash
    files: tuple[ManifestFile, ...]
    witnesses: tuple[ManifestWitness, ...] = ()


def tree_hash(files: Iterable[tuple[str, str, str]]) -> str:
    """SHA-256 over the sorted `path NUL mode NUL sha256 LF` of every (path, mode, sha256)."""
    digest = hashlib.sha256()
    for path, mode, sha in sorted(files):
        digest.update(f"{path}\0{mode}\0{sha}\n".encode())
    return digest.hexdigest()
