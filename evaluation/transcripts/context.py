"""What a trajectory says entered each thread's context.

A result entered when the model was called again after it: its step is followed by another answer
of that thread. A result that no answer follows was never shown.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.reading.context import MAIN, ContextLog, ContextText, Thread
from evaluation.reading.turns import Turn, final_response
from evaluation.transcripts.trajectory import Step, Trajectory


@dataclass(frozen=True)
class _Answer:
    """One agent's step with its place in the run's order of calls."""

    thread: str
    step: Step
    call: int


def context_log(trajectory: Trajectory) -> ContextLog:
    """From a trajectory to the engine's input."""
    whole = {MAIN: trajectory}
    whole |= {sub.trajectory_id or "": sub for sub in trajectory.subagent_trajectories or ()}
    answers = _in_order(whole)
    turns = {
        thread: [
            Turn(a.call, a.step.message, bool(a.step.tool_calls))
            for a in answers
            if a.thread == thread
        ]
        for thread in whole
    }
    main_models = [a.step.model_name for a in answers if a.thread == MAIN]
    ends = {thread: final_response(found) for thread, found in turns.items()}
    return ContextLog(
        threads=tuple(_thread(thread, one) for thread, one in whole.items()),
        texts=tuple(text for thread in whole for text in _texts(thread, answers)),
        final=ends[MAIN],
        models=dict(Counter(model for model in main_models if model)),
        reports={t: end.text for t, end in ends.items() if end is not None and t != MAIN},
        missing=_missing(trajectory),
    )


def _in_order(whole: dict[str, Trajectory]) -> list[_Answer]:
    """The answers of all threads by time (or a session's own order), numbered from 1."""
    steps = [
        (thread, step)
        for thread, one in whole.items()
        for step in one.steps
        if step.source == "agent" and not step.is_copied_context
    ]
    steps.sort(key=lambda pair: (_order(pair[1]), pair[1].timestamp or ""))
    return [_Answer(thread, step, call) for call, (thread, step) in enumerate(steps, start=1)]


def _order(step: Step) -> int:
    return step.extra.order or 0 if step.extra else 0


def _thread(thread: str, trajectory: Trajectory) -> Thread:
    parent = trajectory.extra.parent if trajectory.extra else None
    own = (step for step in trajectory.steps if not step.is_copied_context)
    asked = next((step.message for step in own if step.source == "user"), "")
    if thread == MAIN:
        return Thread(MAIN, "main", None, asked)
    return Thread(thread, "subagent", parent or MAIN, asked)


def _texts(thread: str, answers: list[_Answer]) -> Iterator[ContextText]:
    own = sorted((a for a in answers if a.thread == thread), key=lambda a: a.step.step_id)
    for answer, following in itertools.pairwise(own):
        calls = answer.step.tool_calls or ()
        results = answer.step.observation.results if answer.step.observation else ()
        for result in results:
            asked = [call for call in calls if call.tool_call_id == result.source_call_id]
            tools = {call.function_name for call in asked}
            if not asked:
                continue
            yield ContextText(
                thread=thread,
                call=following.call,
                result_id=result.source_call_id,
                # Where calls of one answer share an id, nobody can tell which file this is of.
                tool=asked[0].function_name if len(tools) == 1 else "",
                arguments=asked[0].arguments if len(asked) == 1 else {},
                text=result.content,
            )


def _missing(trajectory: Trajectory) -> tuple[str, ...]:
    evidence = trajectory.extra.evidence if trajectory.extra else None
    if evidence is None:
        return ()
    unreadable = evidence.unreadable
    torn = (f"{unreadable} unreadable rows of the session",) if unreadable else ()
    return (*torn, *evidence.missing)
