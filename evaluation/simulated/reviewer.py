"""One simulated reviewer in one run: answers model calls by its plan, and knows what it read.

Where a conversation stands is told by the request itself, never counted here, so a request that is
sent again gets the same answer and leaves the same truth.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import replace

from pydantic import JsonValue

from evaluation.simulated.assignment import Assignment, Filling, fill
from evaluation.simulated.calls import PlannedCall
from evaluation.simulated.conversation import Conversation, Reply, ToolResult, ToolUse
from evaluation.simulated.hands import GREP, Call
from evaluation.simulated.ledger import CallPlace, Ledger
from evaluation.simulated.plan import MAIN, ThreadPlan, make_plan
from evaluation.simulated.recall import find_hits, find_lines
from evaluation.simulated.response import (
    Reading,
    coverage_words,
    finding_of,
    subagent_words,
    write_report,
)
from evaluation.simulated.truth import Asked, Returned, Truth, TruthThread
from evaluation.simulated.wordings import load_wordings
from generators.registry import RegisteredNeedle

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
KEY_LENGTH = 24


class Reviewer:
    """Made per run. Holds what was asked and returned, and the reports it gave."""

    def __init__(self, run: Assignment) -> None:
        self._run = run
        self._words = load_wordings()
        self._plans = {plan.thread: plan for plan in make_plan(run, self._words)}
        self._places = {
            self._key(place): place
            for plan in self._plans.values()
            for place in (
                CallPlace(plan.thread, turn, index)
                for turn, calls in enumerate(plan.turns, start=1)
                for index in range(1, len(calls) + 1)
            )
        }
        self._ledger = Ledger()
        self._started: set[str] = set()
        self._agents: dict[str, str] = {}
        """Ids that the harness gave the sub-agents, by thread."""
        self._written: dict[str, str] = {}
        self._reported: dict[str, tuple[str, ...]] = {}

    def answer(self, conversation: Conversation) -> Reply:
        """The next turn of the thread that this request belongs to."""
        if not conversation.tools:
            title = self._words.aside
            return Reply(f'{{"title": "{title}"}}' if conversation.wants_json else title)
        plan = self._plan_of(conversation)
        self._started.add(plan.thread)
        self._take_results(plan, conversation)
        turn = 1 + max(
            (
                place.turn
                for key in conversation.calls
                if (place := self._places.get(key)) and place.thread == plan.thread
            ),
            default=0,
        )
        calls = plan.turns[turn - 1] if turn <= len(plan.turns) else ()
        if not calls or any(call.tool not in conversation.tools for call in calls):
            return self._end(plan, turn)
        uses: list[ToolUse] = []
        for index, call in enumerate(calls, start=1):
            place = CallPlace(plan.thread, turn, index)
            self._ledger.ask(place, call.asked)
            uses.append(ToolUse(self._key(place), call.tool, self._arguments(call)))
        return Reply(self._narration(plan.thread, turn), tuple(uses))

    def _arguments(self, call: PlannedCall) -> Mapping[str, JsonValue]:
        """With the id of the sub-agent whose report is fetched."""
        if call.asked.action != "collect":
            return call.arguments
        agent = self._agents.get(call.subagent, "")
        return fill(Call(call.tool, call.arguments), Filling(agent=agent))

    def _end(self, plan: ThreadPlan, turn: int) -> Reply:
        """The report: as text, or as the call by which a sub-agent must end."""
        report = self._report(plan)
        finish = self._run.hands.finish
        if plan.thread == MAIN or finish is None:
            return Reply(report)
        key = self._key(CallPlace(plan.thread, turn, 1))
        return Reply("", (ToolUse(key, finish.tool, fill(finish, Filling(report=report))),))

    def truth(self) -> Truth:
        """All that is known of the run so far."""
        threads = tuple(
            TruthThread(thread=name, prompt=plan.prompt, calls=self._ledger.calls(name))
            for name, plan in self._plans.items()
            if name == MAIN or name in self._started
        )
        return Truth(
            model=self._run.model.name,
            seed=self._run.seed,
            threads=threads,
            stance=self._run.model.stance,
            reported=self._reported.get(MAIN, ()),
            final=self._written.get(MAIN, ""),
        )

    def _plan_of(self, conversation: Conversation) -> ThreadPlan:
        for plan in self._plans.values():
            if plan.prompt and any(plan.prompt in text for text in conversation.user_texts):
                return plan
        return self._plans[MAIN]

    def _take_results(self, plan: ThreadPlan, conversation: Conversation) -> None:
        for key, result in conversation.results.items():
            place = self._places.get(key)
            # What came first stands: a client may clear old results in later requests.
            if place is None or place.thread != plan.thread or self._ledger.has_result(place):
                continue
            call = plan.turns[place.turn - 1][place.index - 1]
            self._note_agent(call, result)
            self._ledger.ask(place, call.asked)
            self._ledger.give(place, self._recall(call.asked, result))

    def _note_agent(self, call: PlannedCall, result: ToolResult) -> None:
        pattern = self._run.hands.agent
        found = pattern.search(result.text) if pattern and call.asked.action == "delegate" else None
        if found is not None:
            self._agents[call.subagent] = found["agent"]

    def _recall(self, asked: Asked, result: ToolResult) -> tuple[Returned, ...]:
        run, hands = self._run, self._run.hands
        if asked.action in ("reshape", "run") and hands.printed:
            result = replace(result, text=result.text.replace(hands.printed, "", 1))
        if asked.action in ("search", "run"):
            hits = GREP if asked.action == "run" else hands.hits
            found = find_hits(run.lines, result.text, hits, f"{run.locate()}/")
        elif asked.action == "reshape" or (asked.action == "read" and not result.is_error):
            line = "{text}" if asked.action == "reshape" else hands.line
            lines = run.lines[asked.path]
            runs = find_lines(lines, result.text, line, asked.first, asked.count, hands.cut)
            found = {asked.path: runs} if runs else {}
        else:
            return ()
        return tuple(Returned(path=path, ranges=runs) for path, runs in found.items())

    def _report(self, plan: ThreadPlan) -> str:
        rng = random.Random(f"words:{self._run.draw}:{self._run.model.name}:{plan.thread}")
        if plan.thread == MAIN:
            reading = self._reading(plan, tuple(self._plans))
            coverage = coverage_words(self._words, self._run.model, reading, rng)
        else:
            coverage = subagent_words(self._words, self._reading(plan, self._below(plan)), rng)
        known = [needle for needle in self._run.registry.needles if self._reports(plan, needle)]
        known.sort(key=lambda needle: (needle.evidence[0].path, needle.evidence[0].first))
        findings = [finding_of(n, self._run.lines[n.evidence[0].path]) for n in known]
        report = write_report(self._words, coverage, findings, rng)
        self._written[plan.thread] = report
        self._reported[plan.thread] = tuple(needle.id for needle in known)
        return report

    def _reports(self, plan: ThreadPlan, needle: RegisteredNeedle) -> bool:
        """By what the model reports: what the thread knows of, all, or nothing."""
        reports = self._run.model.reports
        return reports == "all" or (reports == "read" and self._knows(plan, needle))

    def _knows(self, plan: ThreadPlan, needle: RegisteredNeedle) -> bool:
        """Whether a thread has read all evidence itself, or was told by a sub-agent that had."""
        if any(needle.id in self._reported.get(thread, ()) for thread in plan.subagents):
            return True
        return all(
            set(range(span.first, span.last + 1)) <= self._ledger.lines(span.path, (plan.thread,))
            for span in needle.evidence
        )

    def _below(self, plan: ThreadPlan) -> tuple[str, ...]:
        """A thread and all that it started, directly or not."""
        deeper = (self._below(self._plans[thread]) for thread in sorted(plan.subagents))
        return (plan.thread, *(thread for threads in deeper for thread in threads))

    def _reading(self, plan: ThreadPlan, threads: tuple[str, ...]) -> Reading:
        seen = {path: len(self._ledger.lines(path, threads)) for path in plan.files}
        length = {path: len(self._run.lines[path]) for path in plan.files}
        return Reading(
            files=plan.files,
            whole=tuple(path for path in plan.files if seen[path] == length[path]),
            partly=tuple(path for path in plan.files if 0 < seen[path] < length[path]),
        )

    def _narration(self, thread: str, turn: int) -> str:
        """Words beside the calls of some turns: real models often say something there."""
        rng = random.Random(f"narration:{self._run.draw}:{thread}:{turn}")
        if rng.random() < 0.5:
            return ""
        narration = self._words.narration
        return rng.choice(narration.first if (thread, turn) == (MAIN, 1) else narration.later)

    def _key(self, place: CallPlace) -> str:
        named = f"{self._run.draw}:{self._run.model.name}:{place.thread}:{place.turn}:{place.index}"
        digest = hashlib.sha256(named.encode()).digest()
        return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:KEY_LENGTH])
