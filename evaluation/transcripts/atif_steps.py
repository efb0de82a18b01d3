"""Steps of ATIF documents, gathered into threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import orjson
from pydantic import JsonValue, TypeAdapter, ValidationError

from evaluation.reading.context import MAIN
from evaluation.transcripts.json_lines import Object
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Metrics,
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
    tool_call,
)

T = TypeVar("T")

SOURCES: Mapping[str, Source] = {"system": "system", "user": "user", "agent": "agent"}
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

    def take(self, document: Object, name: str, parent: str | None) -> None:
        """Add a document's steps to a thread, and take them out of it."""
        thread = self.threads.get(name)
        if thread is None:
            extra = _own(_TRAJECTORY, document.get("extra"))
            told = extra.parent if extra else None
            session = text_of(document, "session_id") or None
            thread = _Thread(agent_of(document), told or parent, extra, session)
            self.threads[name] = thread
        steps = document.pop("steps", None)
        steps = steps if isinstance(steps, list) else []
        for place, value in enumerate(steps):
            steps[place] = None  # a document of 300 MB is not held twice
            self.rows += 1
            step = self._step(value, name, len(thread.steps) + 1)
            if step is not None:
                thread.steps.append(step)

    def take_embedded(self, document: Object) -> None:
        """Add the sub-agents that stand inside of a document."""
        level = [(document, MAIN)]
        for _ in range(DEEPEST):
            inner = [
                (one, self._name(one), enclosing)
                for outer, enclosing in level
                for one in objects(outer.get("subagent_trajectories"))
            ]
            for one, name, enclosing in inner:
                reference = self.references.get(name)
                self.take(one, name, reference.parent if reference else enclosing)
            level = [(one, name) for one, name, _ in inner]

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
        calls = tuple(_calls(value)) if source == "agent" else ()
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
            metrics=_metrics(value.get("metrics")),
            is_copied_context=copied,
            extra=_own(_STEP, value.get("extra")),
        )

    def _results(
        self, step: Object, thread: str, calls: tuple[ToolCall, ...], *, is_agent: bool
    ) -> Iterator[ObservationResult]:
        observation = step.get("observation")
        found = objects(observation.get("results")) if isinstance(observation, dict) else []
        for value in found:
            references = tuple(self._references(value, thread)) if is_agent else ()
            extra = _own(_RESULT, value.get("extra"))
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


def _started(step: Step) -> Iterator[str]:
    for result in step.observation.results if step.observation else ():
        for reference in result.subagent_trajectory_ref or ():
            yield reference.trajectory_id


def agent_of(document: Object) -> Agent:
    """Who acted."""
    found = document.get("agent")
    agent = found if isinstance(found, dict) else {}
    return Agent(
        name=text_of(agent, "name") or "unknown",
        version=text_of(agent, "version") or "unknown",
        model_name=text_of(agent, "model_name") or None,
    )


def _calls(step: Object) -> Iterator[ToolCall]:
    for place, value in enumerate(objects(step.get("tool_calls")), start=1):
        arguments = value.get("arguments")
        if isinstance(arguments, str):
            arguments = _loaded(arguments)
        identity = text_of(value, "tool_call_id") or f"call {place}"
        yield tool_call(identity, text_of(value, "function_name"), arguments)


def _loaded(text: str) -> JsonValue:
    try:
        value: JsonValue = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return value


def _metrics(value: JsonValue) -> Metrics | None:
    if not isinstance(value, dict):
        return None
    asked, written = value.get("prompt_tokens"), value.get("completion_tokens")
    return Metrics(
        prompt_tokens=asked if isinstance(asked, int) else None,
        completion_tokens=written if isinstance(written, int) else None,
    )


def _own(kind: TypeAdapter[T], extra: JsonValue) -> T | None:
    """An `extra` that this program wrote itself; None of any other."""
    if not isinstance(extra, dict):
        return None
    try:
        return kind.validate_python(extra)
    except ValidationError:
        return None


def text_in(content: JsonValue) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(text_of(part, "text") for part in objects(content) if "text" in part)


def text_of(value: Object, key: str) -> str:
    """A text field; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def objects(value: JsonValue) -> list[Object]:
    """The objects of a list, or a single one; of anything else, none."""
    if isinstance(value, dict):
        return [value]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
