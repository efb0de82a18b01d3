"""One session of OpenCode as steps: what was asked, and each answer with its results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.attachments import AttachedFile
from evaluation.transcripts.json_lines import Object
from evaluation.transcripts.opencode_attached import in_messages
from evaluation.transcripts.opencode_sessions import (
    OpenCodeMessage,
    OpenCodeSession,
    count_of,
    object_field,
    text_field,
)
from evaluation.transcripts.trajectory import (
    Metrics,
    Observation,
    ObservationResult,
    ResultExtra,
    Step,
    SubagentReference,
    ToolCall,
    attached_result,
    tool_call,
)

STARTED = re.compile(r'(?:task_id: |<subagent sessionID=")(?P<session>ses_\w{1,64})')
"""How the output of a call to a sub-agent begins."""
INTERRUPTED = "[Tool execution was interrupted]"
"""What the model is given for a call that never came to its end."""


def started_by(part: Object) -> str | None:
    """The session that a call to a sub-agent started; empty where it does not say which."""
    if part.get("tool") not in ("task", "subagent"):
        return None
    state = object_field(part, "state")
    started = text_field(object_field(state, "metadata"), "sessionId")
    if not started and (told := STARTED.match(text_field(state, "output"))) is not None:
        started = told["session"]
    return started if started or state.get("status") == "completed" else None


def model_of(message: OpenCodeMessage) -> str | None:
    """The model as it was asked for; the session does not hold who answered."""
    model = message.info.get("modelID")
    return model if isinstance(model, str) else None


@dataclass
class _Draft:
    """One answer, while its parts are gathered."""

    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ObservationResult] = field(default_factory=list)
    usage: Metrics | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.texts or self.calls or self.usage)


def steps_of(session: OpenCodeSession, path: Path) -> tuple[Step, ...]:
    steps: list[Step] = []
    last: list[int] = []
    """The steps of the agent's last message: a compaction may have come before they were shown."""
    for message in session.messages.values():
        role, is_summary = message.info.get("role"), message.info.get("summary") is True
        if role == "user":
            steps += _asked(message, len(steps) + 1)
        elif role == "assistant" and is_summary:
            for place in last:
                steps[place] = _doubted(steps[place])
            last = []
        elif role == "assistant":
            begun = len(steps)
            for draft in _answers(message):
                steps.append(_step(len(steps) + 1, _time(message), model_of(message), draft))
            last = list(range(begun, len(steps))) or last
    if not steps:
        raise UserError(f"session {session.id} holds no messages", place=Place(str(path)))
    return tuple(steps)


def _doubted(step: Step) -> Step:
    """A step whose results the agent may never have been given, but the summariser alone."""
    if step.observation is None:
        return step
    results = tuple(
        replace(one, extra=replace(one.extra or ResultExtra(), doubtful=True))
        for one in step.observation.results
    )
    return replace(step, observation=Observation(results=results))


def _asked(message: OpenCodeMessage, number: int) -> Iterator[Step]:
    """What the user said, and the files that came with it: the CLI read those by itself, and wrote
    that down as texts of its own."""
    own: list[str] = []
    written: list[str] = []
    given: list[AttachedFile] = []
    for part in message.parts.values():
        for text in _texts([part]):
            if part.get("given") is True:
                given.append(AttachedFile(None, text))
            elif part.get("synthetic") is True:
                written.append(text)
            else:
                own.append(text)
    attached = [attached_result(file) for file in (*in_messages(written), *given)]
    if own or attached:
        is_users = any(part.get("given") is not True for part in message.parts.values())
        yield Step(
            step_id=number,
            timestamp=_time(message),
            source="user" if is_users else "system",
            message="\n".join(own),
            observation=Observation(results=tuple(attached)) if attached else None,
        )


def _answers(message: OpenCodeMessage) -> Iterator[_Draft]:
    """A message may hold several answers, each from its `step-start` on. One that failed before it
    said anything is none."""
    draft = _Draft()
    for part in message.parts.values():
        match part.get("type"):
            case "step-start":
                if not draft.is_empty:
                    yield draft
                draft = _Draft()
            case "text":
                draft.texts += _texts([part])
            case "tool":
                _add_call(part, draft)
            case "step-finish":
                draft.usage = _usage(object_field(part, "tokens")) or draft.usage
    if not draft.is_empty:
        yield draft


def _add_call(part: Object, draft: _Draft) -> None:
    identity, name, state = part.get("callID"), part.get("tool"), object_field(part, "state")
    if not isinstance(identity, str) or not isinstance(name, str):
        return
    started = started_by(part)
    draft.calls.append(tool_call(identity, name, state.get("input")))
    draft.results.append(
        ObservationResult(
            source_call_id=identity,
            content=_given(state),
            subagent_trajectory_ref=(SubagentReference(trajectory_id=started),)
            if started
            else None,
            extra=_result_extra(state),
        )
    )


def _given(state: Object) -> str:
    """What the model was given for a call."""
    metadata = object_field(state, "metadata")
    match state.get("status"):
        case "completed":
            given = state.get("output")
        case "error":
            is_cut = metadata.get("interrupted") is True and isinstance(metadata.get("output"), str)
            given = metadata.get("output") if is_cut else state.get("error")
        case _:
            given = INTERRUPTED
    return given if isinstance(given, str) else ""


def _result_extra(state: Object) -> ResultExtra | None:
    if state.get("status") == "error":
        return ResultExtra(status="error")
    # Given once, and cleared since: in later calls a note stands in its place.
    return ResultExtra(cleared=True) if "compacted" in object_field(state, "time") else None


def _step(number: int, when: str | None, model: str | None, draft: _Draft) -> Step:
    return Step(
        step_id=number,
        timestamp=when,
        source="agent",
        model_name=model,
        message="\n".join(draft.texts),
        tool_calls=tuple(draft.calls) or None,
        observation=Observation(results=tuple(draft.results)) if draft.results else None,
        metrics=draft.usage,
    )


def _texts(parts: list[Object]) -> list[str]:
    texts = (part.get("text") for part in parts if part.get("type") == "text")
    return [text for text in texts if isinstance(text, str) and text]


def _usage(tokens: Object) -> Metrics | None:
    cache = object_field(tokens, "cache")
    prompt = [
        count_of(tokens.get("input")),
        count_of(cache.get("read")),
        count_of(cache.get("write")),
    ]
    counted = [value for value in prompt if value is not None]
    output = count_of(tokens.get("output"))
    if not counted and output is None:
        return None
    return Metrics(prompt_tokens=sum(counted) if counted else None, completion_tokens=output)


def _time(message: OpenCodeMessage) -> str | None:
    """When the message was begun, so that the order of texts is the order of times."""
    created = count_of(object_field(message.info, "time").get("created"))
    if created is None:
        return None
    when = datetime.fromtimestamp(created / 1000, UTC)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
