"""How one kind of contract is put together: which clauses it has, and in which order.

Prevents a clause from standing at one depth in all contracts of a kind, where a reader of their
first pages would see it in all of them or in none.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from authoring.artefacts import Value
from authoring.spec import POSITIONS
from generators.depth import distance, rotated

OPTIONAL = " (optional)"
OPTIONAL_IN_THREE = 2
"""An optional clause is there in two contracts of three."""
ORDERS = 240
"""At most so many orders are drawn for a contract; the first that fits is taken."""
SCHEDULE_FIRST = 4
"""One contract in so many has its schedule before its clauses by the drafter's liking."""
SURE = 4
"""Lines by which a clause should stand inside of its third: its length is an estimate."""

Groups = tuple[tuple[str, ...], ...]


class KindLayout(Value):
    """How one kind of contract is put together."""

    titles: tuple[str, ...]
    label: str
    """What stands before its number."""
    opening: Groups = ()
    """Groups of clauses that a drafter likes to begin with."""
    blocks: tuple[Groups, ...]
    """What may stand in any order; the groups of a block follow each other."""
    closing: Groups = ()
    """Groups that always come last."""
    schedule: bool = False
    core: tuple[str, ...]
    """Clauses that a short contract has too."""
    more: int = 3
    """How many others it has."""
    main: Mapping[str, float] = {}
    """Clauses whose depth is varied, and how far down in them their main sentence stands."""

    def draw_clauses(self, source: random.Random, *, brief: bool) -> frozenset[str]:
        """The clauses that one contract has."""
        groups = [*self.opening, *(g for block in self.blocks for g in block), *self.closing]
        names = [name for group in groups for name in group]
        if brief:
            every = [name.removesuffix(OPTIONAL) for name in names]
            others = [name for name in every if name not in self.core]
            return frozenset(self.core) | set(source.sample(others, min(self.more, len(others))))
        return frozenset(
            name.removesuffix(OPTIONAL)
            for name in names
            if not name.endswith(OPTIONAL) or source.randrange(3) < OPTIONAL_IN_THREE
        )

    def draw_order(self, source: random.Random) -> Order:
        """An order of all clauses: blocks, and what is inside a group, are shuffled."""
        blocks = source.sample(self.blocks, len(self.blocks))
        usual = not self.opening or source.randrange(3) > 0
        if usual:
            blocks.insert(0, self.opening)
        else:
            blocks.insert(source.choice([1, len(blocks)]), self.opening)
        blocks.append(self.closing)
        names = [
            name.removesuffix(OPTIONAL)
            for block in blocks
            for group in block
            for name in source.sample(group, len(group))
        ]
        return Order(tuple(names), usual)


@dataclass(frozen=True)
class Order:
    """The clauses of a kind, one after the other."""

    names: tuple[str, ...]
    usual: bool
    """Whether it begins as drafters like to begin."""


@dataclass(frozen=True)
class Extent:
    """How many lines the parts of a contract take, about."""

    before: int
    """What stands before the clauses: preamble and recitals."""
    clauses: Mapping[str, int]
    after: int
    """What stands after them: signatures."""
    schedule: int
    """0 where there is none."""


@dataclass(frozen=True)
class Arrangement:
    """The order of the parts of a contract."""

    names: tuple[str, ...]
    """Its clauses."""
    schedule_first: bool
    """Whether the schedule stands before the clauses and not after the signatures."""


def arrange(source: random.Random, layout: KindLayout, extent: Extent, turn: int) -> Arrangement:
    """The order of a contract that puts each main clause into its own third.

    Which one stands early is a matter of the turn. Where no order does it, the nearest is taken.
    """
    schedule_first = bool(extent.schedule) and source.randrange(SCHEDULE_FIRST) == 0
    places = (schedule_first, not schedule_first) if extent.schedule else (False,)
    best: tuple[tuple[int, bool, bool], Arrangement] | None = None
    for _ in range(ORDERS):
        order = layout.draw_order(source)
        names = tuple(name for name in order.names if name in extent.clauses)
        for first in places:
            one = Arrangement(names, first)
            rank = (_off(one, layout, extent, turn), first != schedule_first, not order.usual)
            if best is None or rank < best[0]:
                best = rank, one
        if best is not None and not any(best[0]):
            break
    if best is None:
        raise AssertionError("no order was drawn")
    return best[1]


def _off(arranged: Arrangement, layout: KindLayout, extent: Extent, turn: int) -> int:
    """By how many lines the main clauses miss their thirds."""
    names = arranged.names
    before = extent.before + (extent.schedule if arranged.schedule_first else 0)
    ends = list(accumulate((extent.clauses[name] for name in names), initial=before))
    count = extent.before + sum(extent.clauses.values()) + extent.after + extent.schedule
    off = 0
    for place, (name, share) in enumerate(layout.main.items()):
        if name not in names:
            continue
        line = ends[names.index(name)] + round(share * extent.clauses[name])
        wanted = rotated(POSITIONS[place % len(POSITIONS)], turn)
        off += max(
            distance(min(max(line + more, 1), count), count, wanted) for more in (-SURE, SURE)
        )
    return off
