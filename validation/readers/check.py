"""Does a model that is given the files find each needle, and not report it where it is not?

Prevents two false results: a needle sealed as findable that no reader recognises, and one that
counts as found since the reader reports as much of the clean text, or of any text.

A needle passes where the share of samples that report it reaches the spec's threshold, and the
share that report it on its clean twin is within the spec's bound on false alarms. Reports are
matched by the rules of `validation.matching`: file and defect, one finding for one needle, and what
would do for another needle too is the other's. A sample without an answer in the shape asked for is
a failed sample, never an empty report; a needle with one is not decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, NamedTuple

from pydantic import Field

from authoring.artefacts import Value
from authoring.inert import inert
from authoring.spec import LEAST_SAMPLES
from generators.models.patience import NOT_ASKED
from generators.registry import RegisteredNeedle
from validation.check import Check, Checked
from validation.matching.cues import Cues, load_cues
from validation.matching.findings import StatedFinding
from validation.matching.needles import match_stated
from validation.readers.answer import ReaderFinding
from validation.readers.asking import WHOLE, Failure, Outcomes, Progress, Slot, ask_all, slots_of
from validation.readers.figures import FailedSample, NeedleReading, ReaderFigures
from validation.readers.rates import share
from validation.readers.reader import Reader, Reading
from validation.readers.sampling import Corpus, Mode, Sampler, Sampling
from validation.subject import Subject


class ReaderPlan(Value):
    """How a build is read."""

    samples: Annotated[int, Field(ge=LEAST_SAMPLES)] | None = None
    """None: as many as the spec says."""
    sampling: Sampling = Sampling()
    at_once: Annotated[int, Field(ge=1, le=64)] = 4
    """Calls under way."""


def check_read(
    subject: Subject,
    reader: Reader,
    *,
    on: date,
    plan: ReaderPlan | None = None,
    needles: Iterable[str] | None = None,
    progress: Progress = lambda standing: None,
) -> Checked:
    """Have needles read, and say of each whether it is found: one check for each.

    `on`: today. `needles`: ids of those to be read, where not all are; only all of them make a
    build one that was read. Raises UserError where no call can be made at all.
    """
    plan = plan or ReaderPlan()
    names = None if needles is None else frozenset(needles)
    wanted = tuple(n for n in subject.needles if names is None or n.id in names)
    bar = subject.build.spec.validation
    samples = plan.samples or bar.samples
    mode = plan.sampling.mode
    given = [needle.id for needle in wanted] if mode == "excerpt" else [WHOLE]
    slots = slots_of(given if wanted else [], samples)
    outcomes = ask_all(reader, Sampler(subject, plan.sampling), slots, plan.at_once, progress)
    judging = _Judging(subject.needles, outcomes, samples, mode, load_cues())
    rows = tuple(judging.row(needle) for needle in wanted)
    readings = [(slot, o) for slot, o in outcomes.items() if isinstance(o, Reading)]
    reported = [len(o.findings) for slot, o in readings if slot.corpus == "planted"]
    figures = ReaderFigures(
        reader=reader.name,
        models=tuple(sorted({inert(reading.model) for _, reading in readings})),
        on=on,
        mode=mode,
        samples=samples,
        threshold=bar.threshold,
        false_alarms=bar.false_alarms,
        findings_per_sample=sum(reported) / len(reported) if reported else None,
        needles=rows,
        failed=tuple(_failed(outcomes)),
        calls=reader.account(len(readings)),
    )
    pairs = zip(wanted, rows, strict=True)
    return Checked(tuple(_check(needle, row, figures) for needle, row in pairs), figures)


class _Told(NamedTuple):
    """What one reading says of one needle."""

    reported: bool
    partly: bool
    at_its_lines: bool


@dataclass(frozen=True)
class _Judging:
    """Holds the answers against the needles."""

    needles: tuple[RegisteredNeedle, ...]
    outcomes: Outcomes
    samples: int
    mode: Mode
    cues: Cues

    def row(self, needle: RegisteredNeedle) -> NeedleReading:
        """What was made of one needle."""
        planted = tuple(self._told(needle, "planted"))
        twin = tuple(self._told(needle, "twin"))
        complete = len(planted) == len(twin) == self.samples
        return NeedleReading(
            needle=needle.id,
            planted=share(sum(t.reported for t in planted), self.samples) if complete else None,
            twin=share(sum(t.reported for t in twin), self.samples) if complete else None,
            partly=sum(t.partly for t in planted),
            at_its_lines=sum(t.at_its_lines for t in planted),
        )

    def _told(self, needle: RegisteredNeedle, corpus: Corpus) -> Iterator[_Told]:
        """Of every sample that was answered."""
        given = needle.id if self.mode == "excerpt" else WHOLE
        # The twin of a whole corpus holds no needle at all; that of an excerpt, all but one.
        alone = corpus == "twin" and self.mode == "whole"
        others = () if alone else tuple(n for n in self.needles if n.id != needle.id)
        for number in range(1, self.samples + 1):
            outcome = self.outcomes[Slot(given, corpus, number)]
            if isinstance(outcome, Reading):
                yield self._match(needle, others, outcome)

    def _match(
        self, needle: RegisteredNeedle, others: tuple[RegisteredNeedle, ...], reading: Reading
    ) -> _Told:
        stated = [StatedFinding(finding.file, finding.defect) for finding in reading.findings]
        own = match_stated(stated, (*others, needle), self.cues).needles[-1]
        if own.label != "reported":
            return _Told(reported=False, partly=own.label == "partly", at_its_lines=False)
        # Where several findings would do, the rules take any of them.
        at = any(
            _is_at(needle, finding)
            and match_stated([told], [needle], self.cues).needles[0].label == "reported"
            for told, finding in zip(stated, reading.findings, strict=True)
        )
        return _Told(reported=True, partly=False, at_its_lines=at)


def _is_at(needle: RegisteredNeedle, finding: ReaderFinding) -> bool:
    return any(
        span.path == finding.file and span.first <= finding.line <= span.last
        for span in needle.evidence
    )


def _failed(outcomes: Outcomes) -> Iterator[FailedSample]:
    for slot, outcome in outcomes.items():
        if isinstance(outcome, Failure):
            yield FailedSample(
                needle=slot.needle or None,
                corpus=slot.corpus,
                number=slot.number,
                reason=outcome.reason,
            )


def _check(needle: RegisteredNeedle, row: NeedleReading, figures: ReaderFigures) -> Check:
    if row.planted is None or row.twin is None:
        failed = [one for one in figures.failed if one.needle in (needle.id, None)]
        # That no more were asked says what went before, too.
        given_up = (one for one in failed if one.reason.startswith(NOT_ASKED))
        why = next(given_up, failed[0]).reason
        reason = f"{len(failed)} of {2 * figures.samples} samples could not be had: {why}"
        return Check(code="reader-failed", needle=needle.id, passed=False, reason=reason)
    reasons = []
    if row.planted.rate < figures.threshold:
        reasons.append(f"is reported in {row.planted}, fewer than {figures.threshold:.0%}")
    if row.twin.rate > figures.false_alarms:
        reasons.append(
            f"is reported on its clean twin in {row.twin}, more than {figures.false_alarms:.0%}"
        )
    return Check(
        code="reader",
        needle=needle.id,
        passed=not reasons,
        reason=f"it {' and '.join(reasons)}" if reasons else "",
        note="" if reasons else f"reported in {row.planted}, on its clean twin in {row.twin}",
        evidence=needle.evidence,
    )
