"""From the drafts and results of a Claude Code thread to its steps.

What was given, and what was left at the final response, is told by `api-request` rows where they
are without a gap; elsewhere by what rows say was cleared (claude_clearing.py). The CLI puts some
files back into the context after a compaction. Where it keeps no attachments, nobody can tell
which, and what came last before the compaction is doubtful.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.transcripts.claude_drafts import Draft, File, Result
from evaluation.transcripts.claude_requests import Held
from evaluation.transcripts.claude_results import PERSISTED
from evaluation.transcripts.trajectory import (
    Observation,
    ObservationResult,
    ResultExtra,
    ResultStatus,
    Step,
    StepExtra,
    SubagentReference,
)

Given = tuple[ObservationResult, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a thread, beside its rows."""

    held: Held | None
    """What its calls held; None where that is not known without a gap."""
    first_request: int
    """Place of the first row that tells of it."""
    replaced: Mapping[str, str]
    """Texts that the model was given in the place of results, by call."""
    attachments: bool
    """Whether the version keeps attachments."""


def steps_of(
    drafts: Sequence[Draft], results: Mapping[str, list[Result]], told: Told
) -> tuple[Step, ...]:
    """All steps, in the order of the rows."""
    times = Counter(call.tool_call_id for draft in drafts for call in draft.calls)
    asked: Counter[str] = Counter()
    steps: list[Step] = []
    for number, draft in enumerate(drafts, start=1):
        came: Given = ()
        for call in draft.calls:
            identity = call.tool_call_id
            found = results.get(identity)
            if found is None:
                continue
            if times[identity] > 1:
                # An id may be used again: its nth call has its nth result.
                nth = asked[identity]
                asked[identity] += 1
                found = found[nth : nth + 1]
            if found:
                came += _given(found, told)
        steps.append(_step(number, draft, came))
    return tuple(steps)


def _given(found: list[Result], told: Told) -> Given:
    """A result as the model was given it; as one more where it was changed later."""
    result = found[0]
    text = told.replaced.get(result.call) or result.text
    held = told.held
    if held is None:
        # A preserved part may be written again: it is there if any copy is.
        is_unseen = all(one.unseen for one in found) if len(found) > 1 else result.unseen
        cleared = all(one.cleared for one in found) if len(found) > 1 else result.cleared
        if is_unseen and told.attachments:
            return ()
        return (_observed(result, text, cleared=cleared, doubtful=is_unseen),)
    is_left = result.call in held.last
    if result.call not in held.first:
        if result.place > told.first_request:
            return ()  # no call held it
        return (_observed(result, text, cleared=not is_left),)
    text = held.first[result.call] or text
    last = held.last.get(result.call) or result.text
    if not is_left or last == text:
        return (_observed(result, text, cleared=not is_left),)
    return (_observed(result, text, cleared=True), _observed(result, last))


def _observed(
    result: Result, text: str, *, cleared: bool = False, doubtful: bool = False
) -> ObservationResult:
    status: ResultStatus = "preview" if text.startswith(PERSISTED) else result.status
    is_plain = status == "whole" and not cleared
    return ObservationResult(
        source_call_id=result.call,
        content=text,
        subagent_trajectory_ref=(SubagentReference(trajectory_id=result.agent),)
        if result.agent
        else None,
        extra=None if is_plain else ResultExtra(status=status, cleared=cleared, doubtful=doubtful),
    )


def _attached(file: File) -> ObservationResult:
    return ObservationResult(
        source_call_id=None,
        content=file.text,
        extra=ResultExtra(cleared=file.cleared, attached=file.path),
    )


def _step(number: int, draft: Draft, came: Given) -> Step:
    if draft.file is not None:
        came = (_attached(draft.file),)
    return Step(
        step_id=number,
        timestamp=draft.time,
        source=draft.source,
        model_name=draft.model,
        message=draft.message,
        tool_calls=tuple(draft.calls) or None,
        observation=Observation(results=came) if came else None,
        metrics=draft.usage,
        extra=None if draft.order is None else StepExtra(order=draft.order),
    )
