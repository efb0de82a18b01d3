"""Whether each needle was read, by whom, and reported (docs/measurement.md, Needles)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from evaluation.judging.claim import NeedleJudgements
from evaluation.reading.engine import Reading, ThreadReading
from evaluation.scoring.score import NeedleReading, NeedleScore
from generators.lines import CorpusIndex
from generators.registry import RegisteredNeedle, Span


def needle_scores(
    needles: Iterable[RegisteredNeedle],
    reading: Reading,
    judged: NeedleJudgements | None,
    index: CorpusIndex,
) -> tuple[NeedleScore, ...]:
    """One score per needle; `reported` is None where there was no judgement."""
    labels = {one.needle: one.label for one in judged.needles} if judged else {}
    return tuple(
        NeedleScore(
            id=needle.id,
            kind=needle.kind,
            severity=needle.severity,
            reading=needle_reading(needle.evidence, reading, index),
            reported=labels.get(needle.id),
        )
        for needle in needles
    )


def needle_reading(evidence: Iterable[Span], reading: Reading, index: CorpusIndex) -> NeedleReading:
    """Equal at both ends of the coverage, or undecided."""
    spans = tuple(evidence)
    least = _at(spans, reading, _surely)
    most = _at(spans, reading, lambda thread, wanted: _perhaps(thread, wanted, index))
    return least if least == most else "undecided"


Count = Callable[[ThreadReading, Sequence[Span]], int]
"""How many of the lines of a needle entered a thread."""


def _surely(thread: ThreadReading, spans: Sequence[Span]) -> int:
    return sum(len(_inside(span, thread.of(span.path).sure)) for span in spans)


def _perhaps(thread: ThreadReading, spans: Sequence[Span], index: CorpusIndex) -> int:
    """At the most: of each text, as many as were shown."""
    free = 0
    possible: Counter[str] = Counter()
    for span in spans:
        file, lines = thread.of(span.path), index.files[span.path]
        free += len(_inside(span, file.sure | file.reformatted))
        found = Counter(lines[number - 1] for number in _inside(span, file.possible))
        possible += found & Counter(file.copies)
    possible &= Counter(thread.copies)
    return free + min(possible.total(), thread.ambiguous)


def _inside(span: Span, numbers: frozenset[int]) -> frozenset[int]:
    return numbers.intersection(range(span.first, span.last + 1))


def _at(spans: Sequence[Span], reading: Reading, count: Count) -> NeedleReading:
    wanted = sum(span.last - span.first + 1 for span in spans)
    if any(count(thread, spans) == wanted for thread in reading.threads.values()):
        return "read"
    entered = count(reading.union, spans)
    if entered == wanted:
        return "spread"
    return "part_read" if entered else "unread"
