"""What sub-agents report of their reading, each held against its own (docs/measurement.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from evaluation.audit.both import covered_by_both
from evaluation.audit.claims import Bench, hear
from evaluation.audit.epochs import Readings
from evaluation.audit.following import Held
from evaluation.audit.places import Places
from evaluation.audit.prompt import asked_scope
from evaluation.audit.result import AuditedReport
from evaluation.judging.judge import Judge, JudgeFailedError
from evaluation.reading.context import MAIN, ContextLog, Thread
from evaluation.reading.engine import Reading
from evaluation.scoring.coverage import FileScope
from evaluation.scoring.origin import origin
from evaluation.scoring.score import RULES, Origin, Rule, Verdict
from evaluation.scoring.subagents import Delegated, accounts, delegated, together
from evaluation.scoring.verdict import verdict

ALONE = ContextLog((Thread(MAIN, "main"),), (), None)
"""A sub-agent by itself: what it says of itself is of its own thread."""


@dataclass(frozen=True)
class Reports:
    """The sub-agents of a session that gave a report."""

    judge: Judge
    bench: Bench
    places: Places

    def agents(self, log: ContextLog, reading: Reading) -> tuple[Delegated, ...] | None:
        """None where agents cannot be told apart."""
        found = delegated(log, reading, self.bench.scope or ())
        return None if found is None else tuple(map(self._ordered, found))

    def origins(
        self, agents: tuple[Delegated, ...], verdicts: dict[Rule, Verdict] | None
    ) -> dict[Rule, Origin | None] | None:
        """Whose a false full claim is, where there is one."""
        readings, scope = self.bench.readings, self.bench.scope
        if verdicts is None or readings is None or scope is None:
            return None
        held = readings.at_hand
        found = accounts(self.judge, agents, scope, held.index)
        return origin(verdicts, held.reading.union, FileScope(scope, ()), held.index, found)

    def audited(self, agents: tuple[Delegated, ...]) -> Iterator[AuditedReport]:
        """Each report with its claims and its verdict."""
        for agent in agents:
            yield self._audited(agent)

    def _ordered(self, agent: Delegated) -> Delegated:
        """With the files that its order asks to have reviewed, where there is no scope."""
        if self.bench.scope is not None:
            return agent
        asked = asked_scope((agent.thread.prompt,), self.places)
        index = self.bench.corpus.index
        files = tuple(path for path in asked.files if index.files.get(path)) if asked else ()
        return replace(agent, files=files or None)

    def _audited(self, agent: Delegated) -> AuditedReport:
        thread, files = agent.thread, agent.files
        report = AuditedReport(
            thread=thread.id,
            parent=thread.parent or "",
            files=None if files is None else len(files),
        )
        readings = _of_agent(agent, self.bench.readings)
        bench = replace(
            self.bench,
            readings=readings,
            log=ALONE,
            scope=files,
            is_current=True,
            prompt=thread.prompt,
            _kept={},
        )
        named = self.places.mentioned(agent.report)
        try:
            heard = hear(self.judge, thread.prompt, agent.report, files or (), named)
        except JudgeFailedError as error:
            return report.model_copy(update={"judge_failed": str(error) or "no answer"})
        claim = heard.judgement.claim
        verdicts = None
        if files is not None and readings is not None and claim.is_report:
            verdicts = {
                rule: verdict(rule, covered_by_both(readings, files, rule), claim) for rule in RULES
            }
        return report.model_copy(
            update={
                "label": claim.label if files is not None and claim.is_report else None,
                "claims": tuple(bench.audited(one) for one in heard.claims(agent.report)),
                "verdict": verdicts,
            }
        )


def _of_agent(agent: Delegated, readings: Readings | None) -> Readings | None:
    """What one agent read, with those that it started; as a main agent, its own apart."""
    if readings is None:
        return None

    def of(held: Held) -> Held:
        threads = held.reading.threads
        union = together([threads[one] for one in agent.threads])
        return Held(held.index, Reading({MAIN: threads[agent.thread.id]}, union))

    return replace(
        readings,
        shown=of(readings.shown),
        at_hand=of(readings.at_hand),
        start=of(readings.start) if readings.start is not None else None,
    )
