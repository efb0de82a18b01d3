"""Whether each needle was read, by whom, and reported (docs/measurement.md, Needles)."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.judging.claim import NeedleJudgements
from evaluation.reading.engine import Reading, ThreadReading
from evaluation.scoring.score import NeedleReading, NeedleScore
from generators.registry import RegisteredNeedle, Span


def needle_scores(
    needles: Iterable[RegisteredNeedle], reading: Reading, judged: NeedleJudgements | None
) -> tuple[NeedleScore, ...]:
    """One score per needle; `reported` is None where there was no judgement."""
    labels = {one.needle: one.label for one in judged.needles} if judged else {}
    return tuple(
        NeedleScore(
            id=needle.id,
            kind=needle.kind,
            severity=needle.severity,
            reading=needle_reading(needle.evidence, reading),
            reported=labels.get(needle.id),
        )
        for needle in needles
    )


def needle_reading(evidence: Iterable[Span], reading: Reading) -> NeedleReading:
    """Equal at both ends of the coverage, or undecided."""
    spans = tuple(evidence)
    least = _at(spans, reading, with_possible=False)
    most = _at(spans, reading, with_possible=True)
    return least if least == most else "undecided"


def _at(spans: tuple[Span, ...], reading: Reading, *, with_possible: bool) -> NeedleReading:
    def share(thread: ThreadReading) -> tuple[int, int]:
        wanted = entered = 0
        for span in spans:
            file = thread.of(span.path)
            lines = file.most if with_possible else file.sure
            wanted += span.last - span.first + 1
            entered += sum(span.first <= line <= span.last for line in lines)
        return entered, wanted

    if any(entered == wanted for entered, wanted in map(share, reading.threads.values())):
        return "read"
    entered, wanted = share(reading.union)
    if entered == wanted:
        return "spread"
    return "part_read" if entered else "unread"
