"""What a trajectory says entered each thread's context.

A result entered when the model was called again after it: its step is followed by another answer
of that thread. A result that no answer follows was never shown.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from evaluation.reading.collector import without_collector
from evaluation.reading.context import ATTACHED, MAIN, ContextLog, ContextText, Thread
from evaluation.reading.turns import Turn, latest_response
from evaluation.reading.values import value
from evaluation.transcripts.trajectory import (
    Evidence,
    ObservationResult,
    Step,
    ToolCall,
    Trajectory,
)


@value()
class _Answer:
    """One agent's step with its place in the run's order of calls."""

    step: Step
    call: int


def context_log(trajectory: Trajectory) -> ContextLog:
    """From a trajectory to the engine's input."""
    with without_collector():
        return _log(trajectory)


def _log(trajectory: Trajectory) -> ContextLog:
    whole = {MAIN: trajectory}
    whole |= {sub.trajectory_id or "": sub for sub in trajectory.subagent_trajectories or ()}
    answers = _in_order(whole)
    ends = {
        thread: latest_response(
            Turn(a.call, a.step.message, bool(a.step.tool_calls)) for a in reversed(found)
        )
        for thread, found in answers.items()
    }
    final = ends[MAIN]
    main_models = [answer.step.model_name for answer in answers[MAIN]]
    tells = trajectory.extra is not None and trajectory.extra.tells_visibility
    return ContextLog(
        threads=tuple(_thread(thread, one) for thread, one in whole.items()),
        texts=tuple(
            text
            for thread, one in whole.items()
            # The final response is the main agent's: of others' contexts nothing is left in it.
            for text in _texts(thread, one, answers[thread], tells=tells and thread == MAIN)
        ),
        final=final,
        models=dict(Counter(model for model in main_models if model)),
        reports={t: end.text for t, end in ends.items() if end is not None and t != MAIN},
        missing=_missing(trajectory),
        tells_visibility=tells,
        may_have_cleared=trajectory.extra is not None and trajectory.extra.may_have_cleared,
    )


def _in_order(whole: Mapping[str, Trajectory]) -> dict[str, list[_Answer]]:
    """The answers of all threads by time (or a session's own order), numbered from 1; each thread's
    in the order of its steps."""
    steps = [
        (thread, step)
        for thread, one in whole.items()
        for step in one.steps
        if step.source == "agent" and not step.is_copied_context
    ]
    steps.sort(key=lambda pair: (_order(pair[1]), pair[1].timestamp or ""))
    answers: dict[str, list[_Answer]] = {thread: [] for thread in whole}
    for call, (thread, step) in enumerate(steps, start=1):
        answers[thread].append(_Answer(step, call))
    for found in answers.values():
        found.sort(key=lambda answer: answer.step.step_id)
    return answers


def _order(step: Step) -> int:
    return step.extra.order or 0 if step.extra else 0


def _thread(thread: str, trajectory: Trajectory) -> Thread:
    parent = trajectory.extra.parent if trajectory.extra else None
    own = (step for step in trajectory.steps if not step.is_copied_context)
    asked = next((step.message for step in own if step.source == "user"), "")
    if thread == MAIN:
        return Thread(MAIN, "main", None, asked)
    return Thread(thread, "subagent", parent or MAIN, asked)


def _texts(
    thread: str, trajectory: Trajectory, answers: Sequence[_Answer], *, tells: bool
) -> Iterator[ContextText]:
    """Results of calls, and attached files, each with the call that first held it."""
    if not answers:
        return
    # What a fork copied stood in its first call.
    for step in trajectory.steps:
        if step.is_copied_context and step.source == "agent":
            yield from _results(thread, step, answers[0].call, tells=tells)
    for answer, following in itertools.pairwise(answers):
        yield from _results(thread, answer.step, following.call, tells=tells)
    yield from _attached(thread, trajectory, answers, tells=tells)


def _results(thread: str, step: Step, call: int, *, tells: bool) -> Iterator[ContextText]:
    if step.observation is None:
        return
    calls = step.tool_calls or ()
    by_id: dict[str, Sequence[ToolCall]] = (
        {calls[0].tool_call_id: calls} if len(calls) == 1 else _by_id(calls)
    )
    for result in step.observation.results:
        asked = by_id.get(result.source_call_id or "", ())
        if not asked and result.source_call_id is not None:
            continue
        tools = {one.function_name for one in asked}
        yield ContextText(
            thread=thread,
            call=call,
            result_id=result.source_call_id or "",
            # Where calls of one answer share an id, or a result names none, nobody can tell
            # which file this is of.
            tool=asked[0].function_name if len(tools) == 1 else "",
            arguments=asked[0].arguments if len(asked) == 1 else {},
            text=result.content,
            visible=tells and not _cleared(result),
            doubtful=result.extra is not None and result.extra.doubtful,
            inherited=step.is_copied_context is True,
        )


def _by_id(calls: Sequence[ToolCall]) -> dict[str, Sequence[ToolCall]]:
    by_id: dict[str, list[ToolCall]] = {}
    for one in calls:
        by_id.setdefault(one.tool_call_id, []).append(one)
    return {**by_id}


def _attached(
    thread: str, trajectory: Trajectory, answers: Sequence[_Answer], *, tells: bool
) -> Iterator[ContextText]:
    """Files that the user or the CLI put into the context: the next answer had them."""
    waiting = iter(answers)
    following = next(waiting, None)
    for step in trajectory.steps:
        while following is not None and following.step.step_id <= step.step_id:
            following = next(waiting, None)
        if following is None:
            return
        if step.source == "agent" or step.observation is None:
            continue
        for result in step.observation.results:
            attached = result.extra.attached if result.extra else None
            yield ContextText(
                thread=thread,
                call=following.call,
                result_id=result.source_call_id or "",
                tool=ATTACHED,
                arguments={"path": attached} if attached else {},
                text=result.content,
                visible=tells and not _cleared(result),
                doubtful=result.extra is not None and result.extra.doubtful,
                inherited=step.is_copied_context is True,
            )


def _cleared(result: ObservationResult) -> bool:
    return result.extra is not None and result.extra.cleared


def _missing(trajectory: Trajectory) -> tuple[str, ...]:
    evidence: Evidence | None = trajectory.extra.evidence if trajectory.extra else None
    if evidence is None:
        return ()
    unreadable = evidence.unreadable
    torn = (f"{unreadable} unreadable rows of the session",) if unreadable else ()
    return (*torn, *evidence.missing)
