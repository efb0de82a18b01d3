"""What a sub-agent of Claude Code began with that was forked from the one that started it.

Its file does not hold the history; its first row (`fork-context-ref`) says up to which row of the
parent's that went. The answer that started it stands in both files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from evaluation.transcripts.claude_drafts import Result
from evaluation.transcripts.claude_thread import Thread
from evaluation.transcripts.trajectory import (
    Observation,
    ObservationResult,
    ResultExtra,
    Step,
)

FORK = "fork-context-ref"


def with_history(steps: Iterable[Step], parent: Thread, last: str) -> tuple[Step, ...]:
    """A fork's steps with those that it copied before them. `last` is the row of its parent's that
    it goes on from."""
    copied = [*_history(parent, last)]
    for step in steps:
        calls = step.tool_calls or ()
        is_parents = any(call.tool_call_id in parent.calls for call in calls)
        copied.append(replace(step, is_copied_context=True) if is_parents else step)
    return tuple(replace(step, step_id=number) for number, step in enumerate(copied, start=1))


def _history(parent: Thread, last: str) -> Iterator[Step]:
    """Answers with their results, and attached files, since the last compaction before it."""
    order = {uuid: place for place, uuid in enumerate(parent.rows_in_order())}
    end = order.get(last, -1)
    boundaries = (order.get(uuid, -1) for uuid in parent.boundaries())
    begin = max((place for place in boundaries if place < end), default=-1)
    for draft, results in parent.gathered():
        file = draft.file
        held = [_held(one) for one in results if begin < order.get(one.uuid, -1) <= end]
        if file is not None and begin < order.get(file.uuid, -1) <= end:
            extra = ResultExtra(attached=file.path)
            held = [ObservationResult(source_call_id=None, content=file.text, extra=extra)]
        if held:
            yield Step(
                step_id=1,
                timestamp=draft.time,
                source=draft.source,
                model_name=draft.model,
                message="",
                tool_calls=tuple(draft.calls) or None,
                observation=Observation(results=tuple(held)),
                is_copied_context=True,
            )


def _held(result: Result) -> ObservationResult:
    extra = None if result.status == "whole" else ResultExtra(status=result.status)
    return ObservationResult(source_call_id=result.call, content=result.text, extra=extra)
