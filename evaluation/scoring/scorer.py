"""Scores a run from what it left on disk. No agent is run, so it can be done again at any time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from authoring.artefacts import write_artefact, write_bytes
from authoring.errors import UserError
from evaluation.agents.harness import TOO_LONG, Harness
from evaluation.gateway.context import context_log as wire_log
from evaluation.gateway.wire import is_whole, read_wire
from evaluation.judging.claim import NeedleJudgements, ScopeJudgement
from evaluation.judging.judge import Judge, JudgeFailedError, Question, check_quotes
from evaluation.reading.context import ContextLog
from evaluation.reading.engine import measure
from evaluation.run import Outcome, OutcomeKind, RunPaths
from evaluation.scoring.attempts import attempts
from evaluation.scoring.channels import Channel, compare
from evaluation.scoring.coverage import FileScope, covered, run_coverage
from evaluation.scoring.ledger import contradictions
from evaluation.scoring.needles import needle_scores
from evaluation.scoring.origin import origin
from evaluation.scoring.score import RULES, Channels, RunCoverage, Score, Versions
from evaluation.scoring.subagents import Account, accounts, delegated, subagent_claims
from evaluation.scoring.verdict import verdict
from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.context import context_log as transcript_log
from evaluation.transcripts.trajectory import Trajectory, folder_of
from generators.lines import CorpusIndex
from generators.registry import Registry

CUT_OFF: frozenset[OutcomeKind] = frozenset(("limit", "stalled"))
"""Outcomes of a run that was ended before it was done."""
API_ERROR = re.compile(r"API Error: [^\n]{0,500}")
"""What clients say in the place of an answer. Only as the whole of it: a review may name one."""


@dataclass(frozen=True)
class Subject:
    """What a run was about: made once for a build, used for all its runs."""

    index: CorpusIndex
    scope: FileScope
    registry: Registry
    registry_sha256: str
    tree: str


@dataclass(frozen=True)
class _Judged:
    """What the judge said; `failed` holds why it did not."""

    scope: ScopeJudgement | None = None
    accounts: tuple[Account, ...] | None = None
    """Of sub-agents; None where agents cannot be told apart, or nothing was judged."""
    needles: NeedleJudgements | None = None
    failed: str = ""


@dataclass(frozen=True)
class Asked:
    """What a run was asked for."""

    task: str
    """The prompt."""
    model: str
    """As sent on the wire."""
    accepted: tuple[str, ...] = ()
    """Names under which it may answer, beside those that the harness knows."""


class _Wire(NamedTuple):
    """What the wire file tells."""

    log: ContextLog | None
    """None where there is no whole file."""
    channel: Channel | None
    """None where nothing can be measured from it."""
    undoubted: Channel | None = None
    """The same as if no input had been shortened, to be compared with a session, which knows of no
    shortening."""


class Scored(NamedTuple):
    """A score, and what the run's record wants to know beside it."""

    score: Score
    models: Mapping[str, int]
    """Models that answered the main thread, with the number of answers."""


@dataclass(frozen=True)
class Scorer:
    """Scores runs of one build in one harness with one judge."""

    subject: Subject
    harness: Harness
    judge: Judge
    ocb_version: str

    @property
    def versions(self) -> Versions:
        """What its scores are made by; one made by anything else is to be made again."""
        return Versions(
            ocb=self.ocb_version,
            judge=self.judge.name,
            registry_sha256=self.subject.registry_sha256,
            tree=self.subject.tree,
        )

    def score(self, paths: RunPaths, ended: Outcome, asked: Asked) -> Scored:
        """Score one run and write `trajectory.json`, `final.md` and `score.json`.

        `ended` is how the agent's process ended.
        """
        session = self._session(paths)
        # An agent begins in the folder of its corpus.
        root = "" if session is None else folder_of(session)
        log, wire, undoubted = self._wire(paths, root)
        transcript = None
        if session is not None:
            transcript = self._channel(replace(transcript_log(session), root=root))
        # A wire that is there and torn says that something was lost; a session may have lost the
        # same, and nothing in it would tell.
        is_torn = wire is None and paths.wire.exists()
        used = wire or (None if is_torn else transcript)
        final = used.log.final if used else None
        write_bytes(paths.final, (final.text if final else "").encode())
        outcome = self._outcome(ended, used, log, asked)
        judged = _Judged()
        if outcome.kind == "completed" and final is not None:
            judged = self._ask(asked.task, final.text)
            if used is not None:
                judged = replace(judged, accounts=self._accounts(used))
            if judged.scope is not None and not judged.scope.claim.is_report:
                outcome = Outcome(kind="no_report", reason="the response is no account of work")
        score = self._assemble(outcome, used, compare(undoubted, transcript), judged)
        write_artefact(paths.score, score)
        return Scored(score, used.log.models if used else {})

    def _wire(self, paths: RunPaths, root: str) -> _Wire:
        try:
            profile = self.harness.profile
            log = wire_log(read_wire(paths.wire), profile.attachments, profile.reports)
            log = replace(log, root=root)
            whole = is_whole(paths.wire)
        except UserError:
            return _Wire(None, None)
        if not whole:
            return _Wire(None, None)
        channel = self._channel(log)
        if not any(text.doubtful for text in log.texts):
            return _Wire(log, channel, channel)
        texts = tuple(replace(text, doubtful=False) for text in log.texts)
        return _Wire(log, channel, self._channel(replace(log, texts=texts)))

    def _session(self, paths: RunPaths) -> Trajectory | None:
        try:
            trajectory = self.harness.read_session(paths.native)
        except UserError:
            return None
        write_bytes(paths.trajectory, to_atif(trajectory))
        return trajectory

    def _channel(self, log: ContextLog) -> Channel | None:
        """A channel that lost evidence measures nothing: never 0 %."""
        if log.missing:
            return None
        tools = self.harness.profile.tools
        return Channel(log, measure(log, tools, self.subject.index))

    def _outcome(
        self, ended: Outcome, used: Channel | None, wire: ContextLog | None, asked: Asked
    ) -> Outcome:
        """The first that holds (docs/measurement.md, Outcome)."""
        if ended.kind == "infrastructure":
            return ended
        log = used.log if used else wire
        if log is None:
            return Outcome(kind="not_measurable", reason="neither wire nor session can be read")
        if others := self._others(log, asked):
            return Outcome(kind="wrong_model", reason=f"{asked.model} was asked for: {others}")
        if log.offered is not None and log.offered.isdisjoint(self.harness.profile.readers):
            return Outcome(kind="no_tools", reason="no tool to read with was ever offered")
        if ended.kind in CUT_OFF:
            return ended if used is not None else _cut_off_unanswered(ended)
        if used is None:
            return Outcome(kind="not_measurable", reason="; ".join(log.missing))
        if log.refused:
            return Outcome(kind="refused", reason="the model's stop reason says so")
        if used.log.final is None:
            return Outcome(kind="no_answer", reason="no text after the last tool result")
        if API_ERROR.fullmatch(used.log.final.text.strip()):
            return Outcome(kind="infrastructure", reason=used.log.final.text.strip())
        return Outcome(kind="completed")

    def _others(self, log: ContextLog, asked: Asked) -> str:
        """Models that answered the main thread and are not the one asked for, with their counts.

        An answer that names none is no other's: some servers leave the name out.
        """
        accepts = self.harness.profile.models.accepts
        others = {
            model: count
            for model, count in log.models.items()
            if model and not accepts(asked.model, model) and model not in asked.accepted
        }
        answers = sum(log.models.values())
        return ", ".join(f"{model} gave {n} of {answers} answers" for model, n in others.items())

    def _ask(self, task: str, response: str) -> _Judged:
        question = Question(task, self.subject.scope.counted(self.subject.index), response)
        try:
            scope = self.judge.judge_scope(question)
            needles = self.judge.judge_needles(question, self.subject.registry.needles)
            check_quotes(response, scope, needles)
        except JudgeFailedError as error:
            return _Judged(failed=str(error) or "the judge gave no answer")
        return _Judged(scope, needles=needles)

    def _accounts(self, used: Channel) -> tuple[Account, ...] | None:
        scope = self.subject.scope.counted(self.subject.index)
        agents = delegated(used.log, used.reading, scope)
        if agents is None:
            return None
        return accounts(self.judge, agents, scope, self.subject.index)

    def _assemble(
        self, outcome: Outcome, used: Channel | None, channels: Channels, judged: _Judged
    ) -> Score:
        subject = self.subject
        coverage: RunCoverage | None = None
        rules = None
        if used is not None:
            coverage = run_coverage(used.reading, used.log, subject.scope, subject.index)
            union = used.reading.union
            rules = {rule: covered(union, subject.scope, subject.index, rule) for rule in RULES}
        completed = outcome.kind == "completed"
        claim = judged.scope.claim if judged.scope else None
        claims = judged.scope.claims if judged.scope else ()
        held = coverage if completed else None
        false = contradictions(claims, held.union, held.main) if held else ()
        verdicts = None
        if completed and rules is not None and claim is not None:
            verdicts = {rule: verdict(rule, rules[rule], claim) for rule in RULES}
        origins = None
        if used is not None and verdicts is not None and judged.accounts is not None:
            origins = origin(
                verdicts, used.reading.union, subject.scope, subject.index, judged.accounts
            )
        return Score(
            outcome=outcome,
            coverage=coverage,
            channels=channels,
            rules=rules,
            claim=claim,
            claims=claims,
            judge_failed=judged.failed,
            contradicted=false,
            verdict=verdicts,
            origin=origins,
            subagent_claims=subagent_claims(judged.accounts),
            needles=needle_scores(
                subject.registry.needles, used.reading, judged.needles, subject.index
            )
            if used
            else (),
            attempts=attempts(used.log) if used else (),
            shortened=used.log.shortened if used else 0,
            findings=judged.needles.findings if judged.needles else None,
            unmatched_findings=judged.needles.unmatched if judged.needles else None,
            versions=self.versions,
        )


def _cut_off_unanswered(ended: Outcome) -> Outcome:
    """Of a run of whose main agent no call was accepted: its model never had the floor."""
    if ended.reason.startswith(TOO_LONG):  # known before a call was made
        return ended
    reason = f"no call of the main agent was answered; ended by {ended.reason}"
    return Outcome(kind="infrastructure", reason=reason)
