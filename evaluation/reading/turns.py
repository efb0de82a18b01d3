"""Which of an agent's texts is its final response (docs/measurement.md, Outcome)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.reading.context import FinalResponse


@dataclass(frozen=True, slots=True)
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
    return latest_response(reversed(turns))


def latest_response(turns: Iterable[Turn]) -> FinalResponse | None:
    """The same of turns that come latest first, of which few are looked at."""
    for turn in turns:
        if turn.text.strip():
            return FinalResponse(turn.text, turn.call)
        if turn.acted:
            return None
    return None
