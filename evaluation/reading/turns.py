"""Which of an agent's texts is its final response (docs/measurement.md, Outcome)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.reading.context import FinalResponse


@dataclass(frozen=True)
class Turn:
    """One answer of a model."""

    call: int
    text: str
    acted: bool
    """It called a tool."""


def final_response(turns: Sequence[Turn]) -> FinalResponse | None:
    """The last non-empty text after the last tool result, or that of the turn that asked for it.

    None where there is neither: the agent gave no answer. Text from before the last tool call but
    one is work in progress, never the answer.
    """
    last_act = max((place for place, turn in enumerate(turns) if turn.acted), default=-1)
    after = [turn for turn in turns[last_act + 1 :] if turn.text.strip()]
    if after:
        return FinalResponse(after[-1].text, after[-1].call)
    if last_act >= 0 and turns[last_act].text.strip():
        return FinalResponse(turns[last_act].text, turns[last_act].call)
    return None
