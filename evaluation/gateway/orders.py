"""Whose call it is where no header says it: told by prompt, then by the chain of tool-call ids.

An agent is told by the prompt that it was given: the main agent by the task, a sub-agent by the
prompt of the tool call that ordered it. Both stand whole in the first text of every request of that
agent, until its history is compacted: then by the summary that stands in its place (`summaries`).
Where several agents were given the same prompt, the ids of the tool calls that a request holds
decide. What can be told by none of these is nobody's.

The thread of a sub-agent has the id of the tool call that ordered it. Where that call had no id, or
one that another order had before it, it is `sub-` and the number of the order, counted from 1 over
the whole run in the order of the answers. A transcript holds the same ids.

Prevents a false result: a sub-agent's reading that is counted as the main agent's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.gateway.messages import Message, ToolUse
from evaluation.gateway.spaced import LOOKED_AT, spaced, stands_in
from evaluation.gateway.summaries import Continued
from evaluation.gateway.threads import Delegation
from evaluation.gateway.wire import NamedBy
from evaluation.reading.context import MAIN

MOST_WORK = 1 << 26
"""Characters of what the user said that are searched for prompts, all orders of a run together. Of
very many orders, each is looked for in the beginning only."""

MOST = 1 << 16
"""Tool-call ids, and orders, that are kept of one run. Later ones prove nothing."""


@dataclass(frozen=True)
class Held:
    """What a request shows of whose it is."""

    said: str
    """What the user said before the first answer, white space as single spaces."""
    ids: frozenset[str]
    """The tool calls that it holds."""


@dataclass(frozen=True)
class Owner:
    """The thread that a call belongs to, and by what it was told."""

    thread: str
    parent: str | None
    by: NamedBy


@dataclass
class _Order:
    """An agent that was started, or may be."""

    call: int
    """Whose answer gave it."""
    thread: str
    parent: str | None
    told: str
    is_sure: bool = True
    """The answer that gave the order came to its end. One that broke off is often asked for again,
    and gives the same order under another id."""
    taken: int | None = None
    """The call with which the agent began; None: it has not called yet, or got no whole answer."""
    went_on: bool = False
    """It has sent results of tools."""


def held_in(messages: Sequence[Message]) -> Held:
    """What the messages of a request show."""
    said: list[str] = []
    begun = False
    ids: set[str] = set()
    for message in messages:
        begun = begun or message.role == "assistant"
        if message.role == "user" and not begun:
            said.append(message.text[:LOOKED_AT])
        ids.update(use.id for use in message.uses)
        ids.update(result.id for result in message.results)
    return Held(spaced("\n".join(said)[:LOOKED_AT]), frozenset(ids - {""}))


class Orders:
    """The agents of one run, and the tool calls of each."""

    def __init__(self, delegations: Iterable[Delegation], prompt: str) -> None:
        self._prompts = {one.tool: one.prompt for one in delegations}
        self._orders: dict[tuple[int, int], _Order] = {}
        """By call and place in its answer."""
        self._threads = {MAIN}
        if told := spaced(prompt):
            self._orders[0, 0] = _Order(0, MAIN, None, told)
        self._owners: dict[str, str | None] = {}
        """The thread of each tool call; None where several had one of that id."""

    def find(self, held: Held, continued: Continued | None = None) -> Owner | None:
        """The owner of a call; None where it cannot be told.

        `continued`: the summary that stands in it in the place of a history.
        """
        told = self._told(held)
        size = len(told[0].told) if told else 0
        chain = {owner for id_ in held.ids if (owner := self._owners.get(id_)) is not None}
        if continued is not None and continued.size >= size:
            is_alone = not told or continued.size > size
            return self._by_summary(continued.thread if is_alone else None, chain)
        order = _only(told) or self._of_twins(told, held)
        if order is None:
            return self._by_chain(chain)
        if chain and chain != {order.thread}:
            return None
        is_alone = sum(other.told == order.told for other in self._orders.values()) == 1
        by: NamedBy = "prompt" if is_alone or not held.ids else "chain"
        return Owner(order.thread, order.parent, by)

    def _told(self, held: Held) -> list[_Order]:
        """Those whose prompt stands in what was said. Prompts may quote each other: the longest
        is the agent's own, and several may have been given the same."""
        said = held.said[: MOST_WORK // max(len(self._orders), 1)]
        told = [order for order in self._orders.values() if stands_in(order.told, said)]
        longest = max((len(order.told) for order in told), default=0)
        return [order for order in told if len(order.told) == longest]

    def _of_twins(self, same: Sequence[_Order], held: Held) -> _Order | None:
        if held.ids:
            chain = {self._owners.get(id_) for id_ in held.ids}
            own = [order for order in same if order.thread in chain]
            begun = [order for order in same if order.taken is not None]
            return _only(own) or (_only(begun) if not own else None)
        fresh = sorted(
            (order for order in same if order.taken is None),
            key=lambda one: (not one.is_sure, -one.call),
        )
        return fresh[0] if fresh else _only([order for order in same if not order.went_on])

    def _by_summary(self, thread: str | None, chain: set[str]) -> Owner | None:
        """A summary quotes what it likes, so no prompt that stands beside it tells anything."""
        if thread is None:
            return self._by_chain(chain)
        return None if chain - {thread} else self._owner(thread, "summary")

    def _by_chain(self, chain: set[str]) -> Owner | None:
        if len(chain) != 1:
            return None
        (thread,) = chain
        return self._owner(thread, "chain")

    def _owner(self, thread: str, by: NamedBy) -> Owner:
        order = next((one for one in self._orders.values() if one.thread == thread), None)
        return Owner(thread, order.parent if order else None, by)

    def took(self, call: int, thread: str, held: Held) -> None:
        """A call of a thread has come: the tool calls that it holds are this thread's own."""
        for order in self._orders.values():
            if order.thread == thread:
                order.went_on = order.went_on or bool(held.ids)
                order.taken = call if order.taken is None else order.taken
        for id_ in held.ids:
            self._own(id_, thread)

    def answered(self, call: int, thread: str, uses: Sequence[ToolUse], *, is_whole: bool) -> None:
        """What a thread was answered, up to now. May be said again when more has come."""
        for place, use in enumerate(uses):
            if use.id:
                self._own(use.id, thread)
            key, told = (call, place), spaced(self._prompt_of(use))
            if known := self._orders.get(key):
                known.told, known.is_sure = told or known.told, is_whole
            elif told and len(self._orders) < MOST:
                new = self._new_thread(use.id)
                self._orders[key] = _Order(call, new, thread, told, is_whole)

    def broke_off(self, call: int) -> None:
        """A call got no whole answer: the agent that began with it will begin again."""
        for order in self._orders.values():
            if order.taken == call and not order.went_on:
                order.taken = None

    def _prompt_of(self, use: ToolUse) -> str:
        written = use.arguments.get(self._prompts.get(use.name, ""))
        return written if isinstance(written, str) and len(written) <= LOOKED_AT else ""

    def _new_thread(self, id_: str) -> str:
        number = len(self._threads)  # the main one is in it, so that orders count from 1
        thread = id_ if id_ and id_ not in self._threads else f"sub-{number}"
        self._threads.add(thread)
        return thread

    def _own(self, id_: str, thread: str) -> None:
        if id_ in self._owners:
            if self._owners[id_] != thread:
                self._owners[id_] = None
        elif len(self._owners) < MOST:
            self._owners[id_] = thread


def _only(orders: Sequence[_Order]) -> _Order | None:
    return orders[0] if len(orders) == 1 else None
