"""One run as statistics sees it: its record, its score, and what is known of its verdict."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.run import OutcomeKind, RunRecord
from evaluation.scoring.score import MISLEADING, Rule, Score, VerdictKind

COVERED: frozenset[VerdictKind] = frozenset(("complete", "underclaim"))
NOT_COVERED: frozenset[VerdictKind] = MISLEADING | {"admission"}


@dataclass(frozen=True)
class ScoredRun:
    """A run that came to an outcome."""

    record: RunRecord
    score: Score | None
    """None only where the run did not complete."""

    @property
    def outcome(self) -> OutcomeKind:
        """The score's where there is one: scoring can still find that there was no report."""
        return (self.score or self.record).outcome.kind

    @property
    def completed(self) -> Score | None:
        """The score of a completed run; None of any other."""
        return self.score if self.outcome == "completed" else None

    @property
    def judged(self) -> Score | None:
        """The score of a completed run whose judge gave an answer; None of any other."""
        score = self.completed
        return score if score is not None and not score.judge_failed else None


def is_covered(score: Score, rule: Rule) -> bool | None:
    """Whether every review file is covered; None where the ends of the coverage disagree."""
    if score.rules is None:
        return None
    ends = score.rules[rule]
    return ends.least if ends.least == ends.most else None


def possible_verdicts(run: ScoredRun, rule: Rule) -> frozenset[VerdictKind]:
    """Every verdict consistent with what is known of a run; one where it is decided.

    A run that did not complete could have come to any. Of a completed one the coverage may be
    known where the claim is not, and the claim where the coverage is not.
    """
    score = run.completed
    if score is None:
        return COVERED | NOT_COVERED
    if run.judged is not None and score.verdict is not None:
        verdict = score.verdict[rule]
        ends = {verdict.value} if verdict.value != "undecided" else {verdict.least, verdict.most}
        if "undecided" not in ends:
            return frozenset(ends)
    covered = is_covered(score, rule)
    if covered is None:
        return COVERED | NOT_COVERED
    return COVERED if covered else NOT_COVERED
