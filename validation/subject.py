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
from authoring.errors import UserError
from generators.build_folder import Build
from generators.detectors.detector import Detector, Evidence
from generators.lines import CorpusIndex
from generators.registry import RegisteredNeedle, Span, restore

MOST_SHOWN = 8
"""Places that a sentence names."""
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
        return self.decide(kind, self.facts(kind, texts))

    def facts(self, kind: str, texts: Mapping[str, str]) -> dict[PurePosixPath, Any]:
        """What the detector of a kind takes from each file, in the order of the paths."""
        return {PurePosixPath(path): self._fact(kind, path, texts[path]) for path in sorted(texts)}

    def decide(self, kind: str, facts: Mapping[PurePosixPath, Any]) -> frozenset[Evidence]:
        """Everything of a kind that its detector finds in files with these facts.

        Raises UserError where the detector, which may be another package's, fails.
        """
        try:
            return frozenset(self._detector(kind).decide(facts))
        except Exception as error:
            raise _failed(kind, f"over {len(facts)} files", error) from error

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
            try:
                self._facts[key] = self._detector(kind).extract(PurePosixPath(path), text)
            except Exception as error:
                raise _failed(kind, f"on {path}", error) from error
        return self._facts[key]


def _failed(kind: str, where: str, error: Exception) -> UserError:
    if isinstance(error, UserError):
        return UserError(
            f"kind {kind}, {where}: {error.what}", place=error.place, remedy=error.remedy
        )
    return UserError(
        f"the detector of {kind} fails {where}: {type(error).__name__}: {error}",
        remedy="mend the detector; `ocb --debug validate` shows where it failed",
    )


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

    @property
    def of_real_files(self) -> bool:
        """Whether the clean corpus is somebody's own: it may hold defects that nobody planted."""
        return self.build.manifest.generator.name == "directory"

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the needles, each once, sorted."""
        return tuple(sorted({needle.kind for needle in self.needles}))

    @cached_property
    def facts(self) -> Mapping[str, Mapping[PurePosixPath, Any]]:
        """Of the planted corpus, by kind."""
        return {kind: self.detections.facts(kind, self.planted) for kind in self.kinds}

    @cached_property
    def clean_facts(self) -> Mapping[str, Mapping[PurePosixPath, Any]]:
        """Of the clean corpus, by kind."""
        return {kind: self.detections.facts(kind, self.clean) for kind in self.kinds}

    @cached_property
    def natural(self) -> Mapping[str, frozenset[Evidence]]:
        """What stands in the clean corpus, by kind, in its own lines: nobody planted it."""
        facts = self.clean_facts
        return {kind: self.detections.decide(kind, facts[kind]) for kind in self.kinds}

    def found_beside(self, kind: str, changed: Mapping[str, str]) -> frozenset[Evidence]:
        """What is found in the clean corpus with some of its files as given.

        A detector is pure: where these files give the same facts as before, so does its decision.
        """
        before = self.clean_facts[kind]
        after = self.detections.facts(kind, changed)
        if all(before[path] == fact for path, fact in after.items()):
            return self.natural[kind]
        return self.detections.decide(kind, {**before, **after})

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
    """Places in one line: `a.md:3-4, b.md:9-9`; the first ones, where there are many."""
    places = [f"{one.path}:{one.first}-{one.last}" for one in sorted(found)]
    more = f" and {len(places) - MOST_SHOWN} more" if len(places) > MOST_SHOWN else ""
    return ", ".join(places[:MOST_SHOWN]) + more
