"""What is under validation: a build, its clean corpus, and what the detectors say of any subset.

Each file's facts are extracted once for each kind of defect, however many corpora it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from authoring.artefacts import sha256
from generators.build_folder import Build
from generators.detectors.detector import Detector, Evidence
from generators.lines import CorpusIndex
from generators.registry import RegisteredNeedle, Span, restore

MakeDetector = Callable[[str], Detector[Any]]
"""The detector of a kind of defect."""


class Detections:
    """Runs detectors over corpora; facts are kept by kind, path and SHA-256 of the text."""

    def __init__(self, detector_of: MakeDetector) -> None:
        self._detector_of = detector_of
        self._detectors: dict[str, Detector[Any]] = {}
        self._facts: dict[tuple[str, str, str], Any] = {}
        self._digests: dict[str, str] = {}

    def found(self, kind: str, texts: Mapping[str, str]) -> frozenset[Evidence]:
        """Everything of a kind that its detector finds in a corpus, given by path."""
        detector = self._detector(kind)
        return frozenset(
            detector.decide(
                {PurePosixPath(path): self._fact(kind, path, texts[path]) for path in sorted(texts)}
            )
        )

    def _detector(self, kind: str) -> Detector[Any]:
        if kind not in self._detectors:
            self._detectors[kind] = self._detector_of(kind)
        return self._detectors[kind]

    def _fact(self, kind: str, path: str, text: str) -> Any:
        digest = self._digests.get(text)
        if digest is None:
            digest = self._digests[text] = sha256(text.encode())
        key = (kind, path, digest)
        if key not in self._facts:
            self._facts[key] = self._detector(kind).extract(PurePosixPath(path), text)
        return self._facts[key]


@dataclass(frozen=True)
class Subject:
    """A build under validation, whose files are those of its manifest."""

    build: Build
    detections: Detections

    @cached_property
    def clean(self) -> dict[str, str]:
        """The corpus without any needle, by path.

        Raises UserError where the files are not those that the registry speaks of.
        """
        return restore(self.build.texts, self.needles)

    @property
    def planted(self) -> Mapping[str, str]:
        """The corpus as an agent sees it, by path."""
        return self.build.texts

    @property
    def needles(self) -> tuple[RegisteredNeedle, ...]:
        return self.build.registry.needles

    @cached_property
    def review(self) -> tuple[str, ...]:
        """The paths under review, byte-sorted."""
        return self._with_role("review")

    @cached_property
    def reference(self) -> tuple[str, ...]:
        """The paths of reference files, byte-sorted."""
        return self._with_role("reference")

    @cached_property
    def index(self) -> CorpusIndex:
        """The planted corpus by its lines."""
        return CorpusIndex.of(self.planted)

    def _with_role(self, role: str) -> tuple[str, ...]:
        paths = [file.path for file in self.build.manifest.files if file.role == role]
        return tuple(sorted(paths, key=str.encode))


def wanted(needle: RegisteredNeedle) -> frozenset[Evidence]:
    """What a detector must find for a needle to be found."""
    return frozenset(as_evidence(span) for span in needle.evidence)


def as_evidence(span: Span) -> Evidence:
    """Registered lines as a detector gives them."""
    return Evidence(PurePosixPath(span.path), span.first, span.last)


def as_span(evidence: Evidence) -> Span:
    """What a detector found, as an artefact holds it."""
    return Span(path=str(evidence.path), first=evidence.first, last=evidence.last)


def shown(found: Iterable[Evidence]) -> str:
    """Places in one line: `a.md:3-4, b.md:9-9`."""
    return ", ".join(f"{one.path}:{one.first}-{one.last}" for one in sorted(found))
