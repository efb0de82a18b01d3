"""Witnesses: proof that of a defect across files no file alone decides anything.

For each file that shows such a defect there are partner files with which that very file, as it is
planted, stands in a corpus without the defect: clean corpus, this file, its partners.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from authoring.artefacts import sha256
from generators.manifest import ManifestWitness
from generators.planting import Ground, Planted
from generators.registry import Span

Witnesses = Mapping[str, Mapping[str, Mapping[str, str]]]
"""The texts of partners: by needle, by file that shows the defect, by path of the partner."""


def evidence_files(spans: Iterable[Span]) -> tuple[str, ...]:
    """The files of some evidence, each once, in order."""
    return tuple(dict.fromkeys(span.path for span in spans))


def witness_fault(planted: Planted, ground: Ground) -> str:
    """What is wrong with the witnesses of a planting; empty where nothing is."""
    files = evidence_files(planted.evidence)
    if len(files) == 1 and not planted.witnesses:
        return ""
    for file in files:
        if not planted.witnesses.get(file):
            return f"none for {file}"
    for file, partners in planted.witnesses.items():
        if file not in files:
            return f"{file} shows nothing of the defect"
        for path in partners:
            if path == file or PurePosixPath(path) not in ground.texts:
                return f"{path} is no partner of {file}"
    return ""


def witness_rows(planted: Mapping[str, Planted]) -> tuple[ManifestWitness, ...]:
    """What a manifest says of the witnesses of all needles."""
    return tuple(
        ManifestWitness(
            needle=name,
            number=number,
            file=file,
            path=path,
            sha256=sha256(text.encode()),
        )
        for name, one in planted.items()
        for number, file in enumerate(evidence_files(one.evidence), start=1)
        for path, text in sorted(one.witnesses.get(file, {}).items())
    )
