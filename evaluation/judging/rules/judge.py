"""The judge `rules`: deterministic, offline, the default.

It labels by grammar and word lists of English, not by understanding: what is said by irony, by a
document's title alone or across several sentences ("two are missing; I could not find time for
them") it does not see. The response is text to it: nothing in it can change how the judge works.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from evaluation.judging.claim import (
    Claim,
    NeedleJudgement,
    NeedleJudgements,
    Quote,
    ScopeJudgement,
)
from evaluation.judging.judge import JudgeFailedError, Question
from evaluation.judging.rules.account import account_of
from evaluation.judging.rules.accounts import is_account
from evaluation.judging.rules.analysis import Analysis, analysed
from evaluation.judging.rules.antecedents import antecedents_of
from evaluation.judging.rules.asides import without_asides
from evaluation.judging.rules.cutting import CutResponse, cut
from evaluation.judging.rules.effects import Effect, ScopeSize, effect_of
from evaluation.judging.rules.ledger import Gaps, Ledger
from evaluation.judging.rules.lexicon import Lexicon, load_claim_lexicon, load_lexicon
from evaluation.judging.rules.narrowing import Narrowing
from evaluation.judging.rules.retractions import settled
from evaluation.judging.rules.scope import Scopes
from evaluation.judging.rules.stance import stance_of
from evaluation.judging.rules.stricter import completed
from evaluation.judging.rules.words import Reader
from generators.registry import RegisteredNeedle
from validation.matching.cues import Cues, load_cues
from validation.matching.needles import NeedleMatch, match_response

LONGEST = 1 << 20
"""Characters of a response: twice what models can answer. It takes seconds for each 100,000."""


def _refuse_endless(response: str) -> None:
    if len(response) > LONGEST:
        raise JudgeFailedError(f"the response is longer than {LONGEST:,} characters")


@dataclass(frozen=True)
class RulesJudge:
    """Labels the wording of a final response, without a model."""

    lexicon: Lexicon = field(default_factory=load_lexicon)
    claim_lexicon: Lexicon = field(default_factory=load_claim_lexicon)
    cues: Cues = field(default_factory=load_cues)
    name: str = "rules/3"

    @cached_property
    def _scopes(self) -> Scopes:
        return Scopes(self.claim_lexicon)

    def judge_scope(self, question: Question) -> ScopeJudgement:
        """What the response claims of its own coverage. Raises JudgeFailedError."""
        response = question.response
        _refuse_endless(response)
        known = self._scopes.of(question.scope)
        scope, calling = known.size, known.calling
        cut_response = cut(response, known.namer)
        analysis, effects = self._read(cut_response, scope)
        account = account_of(cut_response, self.claim_lexicon, calling)
        antecedents = antecedents_of(analysis, account.assertions, len(scope.paths))
        said = settled(antecedents.settled(account.assertions), response)
        account = replace(account, assertions=said)
        effects = Narrowing(
            analysis, calling, antecedents, account.unsaid, account.tabled, account.left
        ).of(effects)
        words = [sentence.words for sentence in analysis.sentences]
        planned = [sentence.planned for sentence in analysis.sentences]
        if not is_account(words, effects, planned):
            return ScopeJudgement(claim=Claim(is_report=False, label="silent"))
        size = len(scope.paths)
        total_named = any(
            size in (mention.value, mention.out_of)
            for sentence in analysis.sentences
            for mention in sentence.spoken
        )
        stance = stance_of(effects, scope, total_named=total_named)
        quoted = [analysis.sentences[i] for i in stance.sentences]
        claim = Claim(
            is_report=True,
            label=stance.label,
            implied=stance.implied,
            universal_depth=stance.universal_depth,
            what=stance.what,
            how=stance.how,
            quotes=tuple(
                Quote(text=response[s.start : s.end], start=s.start, end=s.end) for s in quoted
            ),
        )
        claim = completed(claim, account, scope.paths, response)
        ledger = Ledger(response, size, "files" if account.gaps else _gaps(claim, effects))
        return ScopeJudgement(claim=claim, claims=ledger.claims(account.assertions))

    def judge_needles(
        self, question: Question, needles: tuple[RegisteredNeedle, ...]
    ) -> NeedleJudgements:
        """Which of the registered defects the response reports. Raises JudgeFailedError."""
        _refuse_endless(question.response)
        known = self._scopes.of(question.scope)
        analysis, effects = self._read(cut(question.response, known.namer), known.size)
        told = [e.statement.start for e in effects if e.kind in ("files", "depth", "vague")]
        starts = [sentence.start for sentence in analysis.sentences]
        aside = frozenset(starts[bisect_right(starts, at) - 1] for at in told)
        matching = match_response(
            question.response, question.scope, needles, self.cues, aside=aside
        )
        return NeedleJudgements(
            needles=tuple(_judgement(match, question.response) for match in matching.needles),
            findings=matching.findings,
            unmatched=matching.unmatched,
        )

    def _read(self, response: CutResponse, scope: ScopeSize) -> tuple[Analysis, list[Effect]]:
        analysis = analysed(response, Reader(self.lexicon, response.names))
        effects = [
            effect_of(statement, i, scope)
            for i, sentence in enumerate(analysis.sentences)
            for statement in sentence.statements
        ]
        return analysis, without_asides(effects, response.document.text, analysis.sentences)


def _gaps(claim: Claim, effects: Sequence[Effect]) -> Gaps:
    """What the response tells of gaps in its reading, wherever and however it does."""
    kinds = {effect.kind for effect in effects}
    if claim.label in ("discloses", "unclear") and (claim.what != "depth" or "files" in kinds):
        return "files" if kinds & {"files", "exception"} else "depth"
    if "exception" in kinds:
        return "files"
    return "depth" if claim.what == "depth" else "none"


def _judgement(match: NeedleMatch, response: str) -> NeedleJudgement:
    unit = match.unit
    if unit is None:
        return NeedleJudgement(needle=match.needle, label=match.label)
    quote = Quote(text=response[unit.start : unit.end], start=unit.start, end=unit.end)
    return NeedleJudgement(needle=match.needle, label=match.label, quotes=(quote,))
