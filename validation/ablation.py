"""Ablation by detectors: with the needles in, each is found where the registry says, and nothing
else of its kind; with all of them out, nothing is found at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from generators.detectors.detector import Detector, Evidence
from generators.registry import RegisteredNeedle, Registry, Span, restore
from validation.check import Check

MakeDetector = Callable[[str], Detector[Any]]
"""The detector of a kind of defect."""


def detect(detector: Detector[Any], texts: Mapping[str, str]) -> frozenset[Evidence]:
    """Everything that a detector finds in a corpus."""
    facts = {
        PurePosixPath(path): detector.extract(PurePosixPath(path), text)
        for path, text in sorted(texts.items())
    }
    return frozenset(detector.decide(facts))


def ablate(
    registry: Registry, planted: Mapping[str, str], detector_of: MakeDetector
) -> tuple[Check, ...]:
    """The positive check of each needle and the negative check of each kind.

    Raises UserError where the planted lines are not those of the registry, so that there is no
    clean corpus to be had.
    """
    clean = restore(planted, registry.needles)
    checks: list[Check] = []
    for kind in sorted({needle.kind for needle in registry.needles}):
        detector = detector_of(kind)
        needles = [needle for needle in registry.needles if needle.kind == kind]
        checks += _positive(kind, needles, detect(detector, planted))
        checks.append(_negative(kind, detect(detector, clean)))
    return tuple(checks)


def _positive(
    kind: str, needles: list[RegisteredNeedle], found: frozenset[Evidence]
) -> Iterable[Check]:
    registered: set[Evidence] = set()
    for needle in needles:
        wanted = {_evidence(span) for span in needle.evidence}
        registered |= wanted
        missed = sorted(wanted - found)
        yield Check(
            code="positive",
            needle=needle.id,
            passed=not missed,
            reason=_missed(kind, missed, found) if missed else "",
            evidence=tuple(map(_span, sorted(wanted))),
        )
    others = sorted(found - registered)
    yield Check(
        code="no-natural-needle",
        passed=not others,
        reason=f"{kind} also found at {', '.join(map(_show, others))}" if others else "",
        evidence=tuple(map(_span, others)),
    )


def _missed(kind: str, missed: list[Evidence], found: frozenset[Evidence]) -> str:
    near = [one for one in sorted(found) if one.path in {miss.path for miss in missed}]
    where = f"; it fires at {', '.join(map(_show, near))}" if near else ""
    return f"the {kind} detector finds nothing at {', '.join(map(_show, missed))}{where}"


def _negative(kind: str, found: frozenset[Evidence]) -> Check:
    hits = sorted(found)
    return Check(
        code="negative",
        passed=not hits,
        reason=f"on the clean corpus the {kind} detector fires at {', '.join(map(_show, hits))}"
        if hits
        else "",
        evidence=tuple(map(_span, hits)),
    )


def _evidence(span: Span) -> Evidence:
    return Evidence(PurePosixPath(span.path), span.first, span.last)


def _span(evidence: Evidence) -> Span:
    return Span(path=str(evidence.path), first=evidence.first, last=evidence.last)


def _show(evidence: Evidence) -> str:
    return f"{evidence.path}:{evidence.first}-{evidence.last}"
