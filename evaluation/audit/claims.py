"""The claims of a response about reading, each held against what was read of what it names.

Prevents a claim being called false that nobody made: of files that only share a word with what is
said, of "all files" where nobody knows which, of a file that was never measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evaluation.audit.both import holding_of_both, text_before
from evaluation.audit.corpus import Corpus
from evaluation.audit.epochs import Readings
from evaluation.audit.excuses import excused_lines
from evaluation.audit.following import Held, opened_up
from evaluation.audit.meant import is_meant
from evaluation.audit.result import AuditedClaim, LinesOf
from evaluation.judging.claim import ReadingClaim, ScopeJudgement
from evaluation.judging.judge import Judge, Question
from evaluation.reading.context import ContextLog
from evaluation.scoring.coverage import FileScope, ranges, run_coverage
from evaluation.scoring.ledger import Holding, hold, read_in_full
from evaluation.scoring.score import Coverage

NOBODY = "\u2014"
"""Stands in a list of files for those that are not in it, so that no folder is all of them."""


@dataclass(frozen=True)
class Heard:
    """What the judge made of a response."""

    judgement: ScopeJudgement
    """Of the files in scope; its label is of no use where there are none."""
    others: tuple[ReadingClaim, ...]
    """Claims about files and folders out of scope."""

    def claims(self, response: str) -> Iterator[ReadingClaim]:
        """All claims, each once, in the order of the response."""
        every = sorted((*self.judgement.claims, *self.others), key=lambda c: c.quote.start)
        whole = {claim.quote for claim in every if claim.quantity == "all"}
        for claim in every:
            counted = claim.quantity == "count" and claim.subject == "scope"
            if not (counted and claim.quote in whole) and is_meant(claim, every, response):
                yield claim


def hear(
    judge: Judge, task: str, response: str, scope: Sequence[str], named: Iterable[str]
) -> Heard:
    """Ask the judge about the files in scope, and about those that the response names beside them.

    Raises JudgeFailedError.
    """
    others = tuple(sorted(set(named) - set(scope)))
    beside = judge.judge_scope(Question(task, (*others, NOBODY), response))
    if not scope:
        return Heard(beside, ())
    judgement = judge.judge_scope(Question(task, tuple(scope), response))
    known = {(claim.subject, claim.path) for claim in judgement.claims}
    return Heard(
        judgement,
        tuple(
            claim
            for claim in beside.claims
            if claim.subject != "scope" and (claim.subject, claim.path) not in known
        ),
    )


@dataclass(frozen=True)
class Bench:
    """What claims are held against."""

    corpus: Corpus
    readings: Readings | None
    """None where what was read is not measurable."""
    log: ContextLog
    scope: tuple[str, ...] | None
    """The files in scope that have lines."""
    is_current: bool
    """The response answers the prompt that asked for the review."""
    listed: Sequence[str]
    """All files of the tree."""
    prompt: str = ""
    """All that the user, or who gave the order, wrote: it may hold text of files."""
    _kept: dict[tuple[Held, tuple[str, ...], bool], Coverage] = field(default_factory=dict)
    """Coverages that were asked for: many claims are of the same files."""

    def audited(self, claim: ReadingClaim) -> AuditedClaim:
        """The claim with what the reading makes of it."""
        counted = claim.quantity == "all" and claim.value is not None and self.scope is not None
        if counted and claim.value != len(self.scope or ()):
            # "Each of the two papers" is of two of them, whichever they are.
            claim = claim.model_copy(update={"quantity": "count"})
        status, evidence = self._holding(claim)
        broken: tuple[LinesOf, ...] = ()
        if status == "contradicted" and self.readings is not None:
            broken = tuple(self._broken_by(claim, self._paths(claim), self.readings))
        return AuditedClaim(
            quote=claim.quote.text,
            subject=f"{claim.path}/" if claim.subject == "folder" else claim.path or "scope",
            quantity=claim.in_words,
            status=status,
            evidence=evidence,
            broken_by=broken,
        )

    def _broken_by(
        self, claim: ReadingClaim, paths: Sequence[str], readings: Readings
    ) -> Iterator[LinesOf]:
        held = readings.at_hand
        if claim.quantity == "none":
            for file in self.coverage(paths, held, own=True).files:
                if file.ranges:
                    is_all = file.entered[0] == file.lines
                    yield LinesOf(path=file.path, runs=file.ranges, is_all=is_all)
            return
        for file in self.coverage(paths, held).files:
            if claim.quantity in ("all", "count") and file.entered[1]:
                continue
            if claim.quantity in ("full", "full_count") and read_in_full(file)[1]:
                continue
            first, last = claim.lines or (1, file.lines)
            known = held.reading.union.of(file.path)
            wanted = frozenset(range(first, min(last, file.lines) + 1))
            # Of lines that may each have been shown, and not all together, none can be named.
            unseen = ranges(wanted - known.most)
            if unseen:
                yield LinesOf(path=file.path, runs=tuple(unseen), is_all=not file.entered[1])

    def _holding(self, claim: ReadingClaim) -> Holding:
        if self.readings is None:
            return Holding("not checkable", "what was read is not measurable")
        if claim.subject != "scope":
            return self._of_files(claim, self.readings)
        if self.scope is None:
            return Holding("not checkable", "no review scope says which files it speaks of")
        size = len(self.scope)
        if not self.is_current and size not in (claim.value, claim.out_of):
            return Holding("not checkable", "the review was asked for by an earlier prompt")
        return self._held(claim, self.scope, self.readings)

    def _paths(self, claim: ReadingClaim) -> Sequence[str]:
        """The files that a claim is of, as far as they have lines."""
        if claim.subject == "scope":
            return self.scope or ()
        inside = f"{claim.path}/"
        paths = [claim.path]
        if claim.subject == "folder":
            paths = [path for path in self.listed if path.startswith(inside)]
        return [path for path in paths if self.corpus.index.files.get(path)]

    def _of_files(self, claim: ReadingClaim, readings: Readings) -> Holding:
        counted = self._paths(claim)
        if not counted:
            why = self.corpus.why_not(claim.path) if claim.subject == "file" else "nothing to read"
            return Holding("not checkable", f"{claim.path}: {why}")
        return self._held(claim, counted, readings)

    def _held(self, claim: ReadingClaim, paths: Sequence[str], readings: Readings) -> Holding:
        found = self._of_texts(claim, paths, readings)
        if found.status != "contradicted" or claim.quantity == "none":
            return found
        lost = readings.unknown.intersection(paths)
        if lost and (claim.quantity == "lines" or claim.subject == "file"):
            told = f"{found.evidence}; {min(lost)} had another text then"
            return Holding("not checkable", told)
        excused = excused_lines(self.prompt, paths, readings.at_hand)
        index, reading = readings.at_hand.index, readings.at_hand.reading
        held = Held(index, opened_up(reading, excused.lines, index))
        if excused.lines and hold(claim, self.coverage(paths, held)).status != "contradicted":
            return Holding("not checkable", f"{found.evidence}; {excused.why}")
        return found

    def _of_texts(self, claim: ReadingClaim, paths: Sequence[str], readings: Readings) -> Holding:
        own = claim.quantity == "none"  # what a sub-agent opened, the one that answers did not
        if own and any(thread.kind == "unknown" for thread in self.log.threads):
            return Holding("not checkable", "nobody can tell which agent read what")
        now = hold(claim, self.coverage(paths, readings.at_hand, own=own))
        start = text_before(readings, paths)
        if start is None:
            return now
        before = hold(claim, self.coverage(paths, start, own=own))
        return holding_of_both(claim, before, now)

    def coverage(self, paths: Sequence[str], held: Held, *, own: bool = False) -> Coverage:
        """The coverage of these files: of all agents, or the main agent's own."""
        key = (held, tuple(paths), own)
        if key not in self._kept:
            found = run_coverage(held.reading, self.log, FileScope(key[1], ()), held.index)
            self._kept[key] = found.main if own and found.main is not None else found.union
        return self._kept[key]
