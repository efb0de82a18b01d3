"""Steps of ATIF documents, gathered into threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pydantic import JsonValue, TypeAdapter

from evaluation.reading.context import MAIN
from evaluation.transcripts.atif_fields import (
    agent_of,
    calls_of,
    metrics_of,
    objects,
    own_extra,
    text_in,
    text_of,
)
from evaluation.transcripts.json_documents import Document
from evaluation.transcripts.json_lines import Object
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Observation,
    ObservationResult,
    ResultExtra,
    Source,
    Step,
    StepExtra,
    SubagentReference,
    ToolCall,
    Trajectory,
    TrajectoryExtra,
)

AGENTS = "subagent_trajectories"
END = object()

SOURCES: Mapping[str, Source] = {"system": "system", "user": "user", "agent": "agent"}
PART = "the part of the run that the first steps were copied from"
DEEPEST = 100
"""Levels of sub-agents inside of sub-agents."""
_RESULT = TypeAdapter(ResultExtra)
_STEP = TypeAdapter(StepExtra)
_TRAJECTORY = TypeAdapter(TrajectoryExtra)


@dataclass(frozen=True)
class Reference:
    """A sub-agent that some result names."""

    name: str
    file: str
    """Where its steps are, beside the document; empty where no file is named."""
    parent: str


@dataclass
class _Thread:
    """One agent's steps. Filled while reading."""

    agent: Agent
    parent: str | None
    extra: TrajectoryExtra | None
    session: str | None
    steps: list[Step] = field(default_factory=list)


@dataclass
class Reader:
    """Gathers the documents of one run."""

    threads: dict[str, _Thread] = field(default_factory=dict)
    references: dict[str, Reference] = field(default_factory=dict)
    fresh: list[Reference] = field(default_factory=list)
    """Those of the documents that were taken last."""
    missing: list[str] = field(default_factory=list)
    rows: int = 0
    unreadable: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    unnamed: int = 0
    """Results that name no call, in steps of several."""

    def take(self, document: Document, name: str, parent: str | None) -> None:
        """Add a document's steps to a thread."""
        loose = document.loose.get("steps", 0)
        self.rows += loose
        self.unreadable += loose
        self._take(document.head, document.items("steps"), name, parent)

    def take_embedded(self, document: Document) -> None:
        """Add the sub-agents that stand inside of a document, one after the other."""
        waiting = [(iter(document.items(AGENTS)), MAIN)]
        while waiting:
            inner, enclosing = waiting[-1]
            one = next(inner, END)
            if one is END or len(waiting) > DEEPEST:
                waiting.pop()
            elif isinstance(one, dict):
                name = self._name(one)
                reference = self.references.get(name)
                steps = one.pop("steps", None)
                parent = reference.parent if reference else enclosing
                self._take(one, _spent(steps if isinstance(steps, list) else []), name, parent)
                waiting.append((iter(objects(one.get(AGENTS))), name))

    def _take(
        self, head: Object, steps: Iterable[JsonValue], name: str, parent: str | None
    ) -> None:
        thread = self.threads.get(name)
        goes_on = thread is not None
        if thread is None:
            extra = own_extra(_TRAJECTORY, head.get("extra"))
            told = extra.parent if extra else None
            session = text_of(head, "session_id") or None
            thread = _Thread(agent_of(head), told or parent, extra, session)
            self.threads[name] = thread
        for value in steps:
            self.rows += 1
            step = self._step(value, name, len(thread.steps) + 1)
            # In a part that goes on with the run they stand a second time.
            if step is not None and not (goes_on and step.is_copied_context):
                thread.steps.append(step)

    def _name(self, document: Object) -> str:
        identity = text_of(document, "trajectory_id")
        session = text_of(document, "session_id")
        if not identity or identity == MAIN:
            named = session in self.references
            identity = session if named else f"trajectory {identity or session}"
        return identity

    def unresolved(self) -> list[Reference]:
        """Sub-agents that are named, and whose steps were not found."""
        return [one for name, one in self.references.items() if name not in self.threads]

    def _step(self, value: JsonValue, thread: str, number: int) -> Step | None:
        if not isinstance(value, dict):
            self.unreadable += 1
            return None
        source = SOURCES.get(text_of(value, "source"))
        if source is None:
            self.unknown[f"step of {text_of(value, 'source') or '(none)'}"] += 1
            return None
        calls = tuple(calls_of(value)) if source == "agent" else ()
        copied = True if value.get("is_copied_context") is True else None
        results = tuple(self._results(value, thread, calls, is_agent=source == "agent"))
        return Step(
            step_id=number,
            timestamp=text_of(value, "timestamp") or None,
            source=source,
            model_name=text_of(value, "model_name") or None,
            message=text_in(value.get("message")),
            tool_calls=calls or None,
            observation=Observation(results=results) if results else None,
            metrics=metrics_of(value.get("metrics")),
            is_copied_context=copied,
            extra=own_extra(_STEP, value.get("extra")),
        )

    def _results(
        self, step: Object, thread: str, calls: tuple[ToolCall, ...], *, is_agent: bool
    ) -> Iterator[ObservationResult]:
        observation = step.get("observation")
        found = objects(observation.get("results")) if isinstance(observation, dict) else []
        for value in found:
            references = tuple(self._references(value, thread)) if is_agent else ()
            extra = own_extra(_RESULT, value.get("extra"))
            answers = text_of(value, "source_call_id") or None
            if is_agent and answers is None:
                answers = calls[0].tool_call_id if len(calls) == 1 else None
                self.unnamed += answers is None
            elif not is_agent and extra is None:
                if value.get("subagent_trajectory_ref"):
                    continue  # a summary of the history, which a model wrote
                extra = ResultExtra(doubtful=True)
            yield ObservationResult(
                source_call_id=answers,
                content=text_in(value.get("content")),
                subagent_trajectory_ref=references or None,
                extra=extra,
            )

    def _references(self, result: Object, thread: str) -> Iterator[SubagentReference]:
        for value in objects(result.get("subagent_trajectory_ref")):
            file = text_of(value, "trajectory_path")
            name = text_of(value, "trajectory_id") or text_of(value, "session_id") or file
            if name and name != MAIN:
                if name not in self.references:
                    self.references[name] = Reference(name, file, thread)
                    self.fresh.append(self.references[name])
                yield SubagentReference(trajectory_id=name)

    def trajectory(self) -> Trajectory:
        """All of it."""
        main = self.threads[MAIN]
        if any(step.timestamp is None for one in self.threads.values() for step in one.steps):
            self._order()
        extra = main.extra or TrajectoryExtra()
        if any(step.is_copied_context for step in main.steps):
            self.missing.append(PART)
        return Trajectory(
            session_id=main.session,
            trajectory_id=MAIN,
            agent=main.agent,
            steps=tuple(main.steps),
            extra=replace(extra, evidence=extra.evidence or self._evidence(), parent=None),
            subagent_trajectories=tuple(
                Trajectory(
                    session_id=one.session,
                    trajectory_id=name,
                    agent=one.agent,
                    steps=tuple(one.steps),
                    extra=TrajectoryExtra(parent=one.parent),
                )
                for name, one in self.threads.items()
                if name != MAIN
            )
            or None,
        )

    def _evidence(self) -> Evidence:
        upper = f"that {self.unnamed} results that name no call are of files: upper end only"
        return Evidence(
            rows=self.rows,
            unreadable=self.unreadable,
            missing=tuple(self.missing),
            unknown=dict(self.unknown),
            inferred=(upper,) if self.unnamed else (),
        )

    def _order(self) -> None:
        """Where times are missing: a sub-agent's steps stand before the one after its call."""
        steps = (step for one in self.threads.values() for step in one.steps)
        if any(step.extra and step.extra.order for step in steps):
            return
        waiting = [iter(self._numbered(MAIN))]
        loose = [name for name in self.threads if name != MAIN and name not in self.references]
        waiting += [iter(self._numbered(name)) for name in loose]
        count = 0
        walked = {MAIN, *loose}
        while waiting:
            place = next(waiting[-1], None)
            if place is None:
                waiting.pop()
                continue
            thread, at = place
            count += 1
            step = self.threads[thread].steps[at]
            self.threads[thread].steps[at] = replace(step, extra=StepExtra(order=count))
            for name in _started(step):
                if name in self.threads and name not in walked:
                    walked.add(name)
                    waiting.append(iter(self._numbered(name)))

    def _numbered(self, name: str) -> list[tuple[str, int]]:
        return [(name, at) for at in range(len(self.threads[name].steps))]


def _spent(items: list[JsonValue]) -> Iterator[JsonValue]:
    """The items of a list, each let go of once it was given."""
    for place in range(len(items)):
        yield items[place]
        items[place] = None


def _started(step: Step) -> Iterator[str]:
    for result in step.observation.results if step.observation else ():
        for reference in result.subagent_trajectory_ref or ():
            yield reference.trajectory_id
