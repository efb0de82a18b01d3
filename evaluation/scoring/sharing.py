"""How much of several demands can be met by supplies each of which is for some of them alone.

The greatest flow, the shortest way first (Edmonds and Karp).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

MOST_STEPS = 1 << 21
"""Looks at a demand from a supply, after which an outer bound is given."""


def shared(supplies: Mapping[tuple[int, ...], int], demands: Sequence[int]) -> int:
    """How much of all demands together can be met. Supplies are keyed by the places of the demands
    that they are for."""
    return _Sharing(supplies, demands).total()


class _Step(NamedTuple):
    giver: int
    taker: int


class _Sharing:
    """Who gives to whom, by the places of supplies and demands."""

    def __init__(self, supplies: Mapping[tuple[int, ...], int], demands: Sequence[int]) -> None:
        order = sorted(supplies, key=len)
        self._takers = order
        self._spare = [supplies[takers] for takers in order]
        self._wanted = list(demands)
        self._gifts: list[dict[int, int]] = [{} for _ in demands]
        """What each demand got, by the supply."""
        self._bound = min(sum(demands), sum(self._spare))
        self._steps = MOST_STEPS

    def total(self) -> int:
        asked = sum(self._wanted)
        for giver, takers in enumerate(self._takers):
            for taker in takers:
                if not self._spare[giver]:
                    break
                if self._wanted[taker]:
                    self._go((_Step(giver, taker),))
        while way := self._way():
            self._go(way)
        return self._bound if self._steps < 0 else asked - sum(self._wanted)

    def _go(self, way: Sequence[_Step]) -> None:
        """Give along a way: each demand in the middle of it takes from another supply."""
        back = [(self._gifts[before.taker], one.giver) for before, one in pairwise(way)]
        giver, taker = way[0].giver, way[-1].taker
        amount = min(self._spare[giver], self._wanted[taker], *(got[one] for got, one in back))
        self._spare[giver] -= amount
        self._wanted[taker] -= amount
        for got, one in back:
            got[one] -= amount
        for one, other in way:
            self._gifts[other][one] = self._gifts[other].get(one, 0) + amount

    def _way(self) -> list[_Step]:
        """The shortest way from a supply with something to spare to an unmet demand; empty where
        there is none, or after too many steps."""
        if not any(self._wanted):
            return []
        came: dict[int, int] = {}
        freed: dict[int, int] = {}
        waiting = deque(giver for giver, spare in enumerate(self._spare) if spare)
        seen = set(waiting)
        while waiting:
            giver = waiting.popleft()
            for taker in self._takers[giver]:
                self._steps -= 1
                if taker in came:
                    continue
                came[taker] = giver
                if self._wanted[taker]:
                    return _traced(giver, taker, came, freed)
                for other, got in self._gifts[taker].items():
                    if got and other not in seen:
                        seen.add(other)
                        freed[other] = taker
                        waiting.append(other)
            if self._steps < 0:
                return []
        return []


def _traced(
    giver: int, taker: int, came: Mapping[int, int], freed: Mapping[int, int]
) -> list[_Step]:
    way = [_Step(giver, taker)]
    while way[-1].giver in freed:
        before = freed[way[-1].giver]
        way.append(_Step(came[before], before))
    return way[::-1]
