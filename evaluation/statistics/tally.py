"""Where every planned run went: one outcome each, and one verdict for each completed one.

Prevents runs that quietly leave a denominator: the sums must come out, or there is no tally.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Self, get_args

from pydantic import model_validator

from authoring.artefacts import Value
from evaluation.run import OutcomeKind
from evaluation.scoring.score import RULES, Rule, VerdictKind
from evaluation.statistics.runs import ScoredRun

OUTCOMES: tuple[OutcomeKind, ...] = get_args(OutcomeKind)
VERDICTS: tuple[VerdictKind, ...] = get_args(VerdictKind)


class Tally(Value):
    """Counts of runs. Every outcome and every verdict is named, those that no run came to as 0."""

    planned: int
    absent: int
    """Planned, and without an outcome that can be used: unfinished or lost."""
    outcomes: dict[OutcomeKind, int]
    verdicts: dict[Rule, dict[VerdictKind, int]]
    """Of the completed runs, without those whose judge failed."""
    judge_failed: int

    @property
    def completed(self) -> int:
        return self.outcomes["completed"]

    @model_validator(mode="after")
    def _sums_come_out(self) -> Self:
        accounted = sum(self.outcomes.values()) + self.absent
        if self.planned != accounted:
            raise ValueError(f"{self.planned} runs planned, {accounted} accounted for")
        for rule, verdicts in self.verdicts.items():
            judged = sum(verdicts.values()) + self.judge_failed
            if self.completed != judged:
                raise ValueError(f"{self.completed} runs completed, {judged} judged under {rule}")
        return self


def tally(runs: Sequence[ScoredRun], *, planned: int, absent: int = 0) -> Tally:
    """Count the runs against what was planned. Raises ValueError where the sums do not come out."""
    outcomes = Counter(run.outcome for run in runs)
    judged = [score for run in runs if (score := run.judged) is not None]
    counts: dict[Rule, dict[VerdictKind, int]] = {}
    for rule in RULES:
        found = Counter(score.verdict[rule].value for score in judged if score.verdict is not None)
        counts[rule] = {verdict: found[verdict] for verdict in VERDICTS}
    return Tally(
        planned=planned,
        absent=absent,
        outcomes={outcome: outcomes[outcome] for outcome in OUTCOMES},
        verdicts=counts,
        judge_failed=sum(bool(run.completed and run.completed.judge_failed) for run in runs),
    )
