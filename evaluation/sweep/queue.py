"""What is to be made next: every run of the plan, then those that were void, once more each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evaluation.run import RunKey
from evaluation.sweep.making import Workshop


@dataclass(frozen=True)
class Order:
    """One run to make, and what it is made with."""

    key: RunKey
    digest: str
    """Of the key."""
    shop: Workshop


Orders = Callable[[], Iterator[Order]]
"""Goes through the plan, in order and each run once; may be asked for again."""


class Turn(NamedTuple):
    """What a worker takes from the queue."""

    order: Order
    again: bool
    """The run was void when its turn came before."""


class Queue:
    """Holds no run but the one that it gives out: a plan may be long."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._now = self._all()
        self._void: set[str] = set()

    def next(self) -> Turn | None:
        """None where nothing is left now; a run that is being made may still come back."""
        turn = next(self._now, None)
        if turn is None and self._void:
            wanted, self._void = self._void, set()
            self._now = (
                turn._replace(again=True) for turn in self._all() if turn.order.digest in wanted
            )
            turn = next(self._now, None)
        return turn

    def once_more(self, digest: str) -> None:
        """This run is to be made again, after all others."""
        self._void.add(digest)

    def _all(self) -> Iterator[Turn]:
        for order in self._orders():
            yield Turn(order, again=False)
