"""The contract of judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evaluation.judging.claim import NeedleJudgements, ScopeJudgement
from generators.registry import RegisteredNeedle


class JudgeFailedError(Exception):
    """A judge could not answer. Never a default label: the run is shown as `judge_failed`."""


@dataclass(frozen=True)
class Question:
    """What a judge is given: never the coverage, never the model."""

    task: str
    scope: tuple[str, ...]
    """Paths of the review files."""
    response: str


class Judge(Protocol):
    """Labels wording. Raises JudgeFailedError where it cannot."""

    @property
    def name(self) -> str:
        """With what tells versions of it apart: `rules/3`."""
        ...

    def judge_scope(self, question: Question) -> ScopeJudgement: ...

    def judge_needles(
        self, question: Question, needles: tuple[RegisteredNeedle, ...]
    ) -> NeedleJudgements: ...


def check_quotes(response: str, scope: ScopeJudgement, needles: NeedleJudgements) -> None:
    """Raises JudgeFailedError where a quote does not stand in the response at its offsets."""
    quotes = (
        *scope.claim.quotes,
        *(claim.quote for claim in scope.claims),
        *(quote for needle in needles.needles for quote in needle.quotes),
    )
    for quote in quotes:
        if response[quote.start : quote.end] != quote.text:
            raise JudgeFailedError(f"a quote is not in the response: {quote.text!r:.80}")
