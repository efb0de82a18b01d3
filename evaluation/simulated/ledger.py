"""What a reviewer has asked for and been given so far. A repeated request changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.simulated.truth import Asked, Returned, TruthCall


@dataclass(frozen=True, order=True)
class CallPlace:
    """Which call of a run: thread, turn and place in the turn, both counted from 1."""

    thread: str
    turn: int
    index: int


class Ledger:
    """Calls made, and the lines that came back for each."""

    def __init__(self) -> None:
        self._asked: dict[CallPlace, Asked] = {}
        self._returned: dict[CallPlace, tuple[Returned, ...]] = {}

    def ask(self, place: CallPlace, asked: Asked) -> None:
        """Note that a call was made."""
        self._asked[place] = asked

    def has_result(self, place: CallPlace) -> bool:
        """Whether the result of a call has come."""
        return place in self._returned

    def give(self, place: CallPlace, returned: tuple[Returned, ...]) -> None:
        """Note what came back for a call."""
        self._returned[place] = returned

    def lines(self, path: str, threads: Iterable[str]) -> frozenset[int]:
        """The lines of a file that came back to any of the threads."""
        wanted = set(threads)
        return frozenset(
            number
            for place, returned in self._returned.items()
            if place.thread in wanted
            for found in returned
            if found.path == path
            for first, last in found.ranges
            for number in range(first, last + 1)
        )

    def calls(self, thread: str) -> tuple[TruthCall, ...]:
        """The calls of a thread in order, each with what came back."""
        return tuple(
            TruthCall(turn=place.turn, asked=asked, returned=self._returned.get(place, ()))
            for place, asked in sorted(self._asked.items(), key=lambda item: item[0])
            if place.thread == thread
        )
