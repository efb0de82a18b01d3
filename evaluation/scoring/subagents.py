"""Each sub-agent's report, held against what that agent read itself (docs/measurement.md, Claims).

Prevents a main agent that passed on a false report being told from one that made it up by nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.judging.claim import NeedleJudgements
from evaluation.judging.judge import Judge, JudgeFailedError, Question, check_quotes
from evaluation.judging.rules.lexicon import load_lexicon
from evaluation.reading.context import ContextLog, Thread
from evaluation.reading.engine import FileReading, Reading, ThreadReading
from evaluation.scoring.coverage import FileScope, covered, thread_coverage
from evaluation.scoring.ledger import contradictions
from evaluation.scoring.orders import ordered_files
from evaluation.scoring.score import RULES, SubagentClaims
from evaluation.scoring.verdict import verdict
from generators.lines import CorpusIndex

NO_NEEDLES = NeedleJudgements(needles=(), findings=0, unmatched=0)


@dataclass(frozen=True)
class Delegated:
    """One sub-agent that gave a report, with what it was asked and what it read."""

    thread: Thread
    report: str
    files: tuple[str, ...] | None
    """The files in scope that it was asked to read; None where its order does not tell."""
    threads: tuple[str, ...]
    """Its own, and those that it started itself."""
    own: ThreadReading
    """What it read itself."""
    reading: ThreadReading
    """Of all of these."""
    is_later: bool
    """It was still at work when the answer was given."""


def delegated(
    log: ContextLog, reading: Reading, scope: Sequence[str]
) -> tuple[Delegated, ...] | None:
    """The sub-agents that gave a report; None where a call's agent could not be told."""
    if any(thread.kind == "unknown" for thread in log.threads):
        return None
    lexicon = load_lexicon()
    last: dict[str, int] = {}
    for text in log.texts:
        last[text.thread] = max(text.call, last.get(text.thread, 0))
    answered = log.final.call if log.final is not None else None
    found: list[Delegated] = []
    for thread in log.threads:
        report = log.reports.get(thread.id, "")
        if thread.kind != "subagent" or not report.strip():
            continue
        threads = _below(thread.id, log.threads)
        found.append(
            Delegated(
                thread=thread,
                report=report,
                files=ordered_files(thread.prompt, scope, lexicon),
                threads=threads,
                own=reading.threads[thread.id],
                reading=together([reading.threads[one] for one in threads]),
                is_later=answered is not None and last.get(thread.id, 0) > answered,
            )
        )
    return tuple(found)


def _below(thread: str, threads: Iterable[Thread]) -> tuple[str, ...]:
    """A thread, and all that it or they started."""
    found = [thread]
    for one in found:
        found += (child.id for child in threads if child.parent == one and child.id not in found)
    return tuple(found)


def together(threads: Sequence[ThreadReading]) -> ThreadReading:
    """Several readings as one; of each kind of lines those that none outdoes."""
    if len(threads) == 1:
        return threads[0]
    paths = sorted({path for thread in threads for path in thread.files})
    files = {path: _joined([thread.of(path) for thread in threads]) for path in paths}
    return ThreadReading(
        files,
        ambiguous=sum(thread.ambiguous for thread in threads),
        short=sum(thread.short for thread in threads),
        copies=_added(thread.copies for thread in threads),
    )


def _joined(found: Sequence[FileReading]) -> FileReading:
    def every(lines: Callable[[FileReading], frozenset[int]]) -> frozenset[int]:
        return frozenset[int]().union(*map(lines, found))

    sure, visible = every(lambda one: one.sure), every(lambda one: one.visible)
    possible = every(lambda one: one.possible) - sure
    return FileReading(
        sure=sure,
        possible=possible,
        copies=_added(one.copies for one in found),
        visible=visible,
        visible_possible=every(lambda one: one.visible_possible) - visible,
        partial=every(lambda one: one.partial) - sure,
        reformatted=every(lambda one: one.reformatted) - sure - possible,
        inherited=every(lambda one: one.inherited) - sure,
    )


def _added(found: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    every: Counter[str] = Counter()
    for copies in found:
        every.update(copies)
    return every


@dataclass(frozen=True)
class Account:
    """A sub-agent's order, and what its report claims."""

    agent: Delegated
    claims: SubagentClaims


def accounts(
    judge: Judge, agents: Iterable[Delegated], scope: Sequence[str], index: CorpusIndex
) -> tuple[Account, ...]:
    """Each report with its label, its claims, and what its own author's reading makes of them."""
    return tuple(Account(agent, _judged(judge, agent, scope, index)) for agent in agents)


def subagent_claims(found: Sequence[Account] | None) -> tuple[SubagentClaims, ...] | None:
    """What is written down of them."""
    return None if found is None else tuple(account.claims for account in found)


def _judged(
    judge: Judge, agent: Delegated, scope: Sequence[str], index: CorpusIndex
) -> SubagentClaims:
    about = tuple(scope) if agent.files is None else agent.files
    known = None if agent.files is None else len(agent.files)
    parent = agent.thread.parent or ""
    try:
        found = judge.judge_scope(Question(agent.thread.prompt, about, agent.report))
        check_quotes(agent.report, found, NO_NEEDLES)
    except JudgeFailedError as error:
        told = str(error) or "the judge gave no answer"
        return SubagentClaims(
            thread=agent.thread.id, parent=parent, files=known, claim=None, judge_failed=told
        )
    files = FileScope(about, ())
    # "All 3 files" are those of the order; where nobody knows these, they may be any.
    claims = tuple(claim for claim in found.claims if known is not None or claim.subject != "scope")
    verdicts = None
    if known is not None and found.claim.is_report:
        verdicts = {
            rule: verdict(rule, covered(agent.reading, files, index, rule), found.claim)
            for rule in RULES
        }
    return SubagentClaims(
        thread=agent.thread.id,
        parent=parent,
        files=known,
        claim=found.claim,
        claims=claims,
        contradicted=contradictions(
            claims,
            thread_coverage(agent.reading, files, index),
            thread_coverage(agent.own, files, index),
        ),
        verdict=verdicts,
    )
