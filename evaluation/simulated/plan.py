"""What a simulated reviewer will do, turn by turn, settled before its run begins.

Models with the same seed and share read the same lines, so that they differ in words alone.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from evaluation.simulated.assignment import Assignment, Filling, fill
from evaluation.simulated.hands import Call
from evaluation.simulated.truth import Asked
from evaluation.simulated.wordings import Wordings

MAIN = "main"
PARALLEL = 4
"""The most tool calls in one turn."""
LEAST_LINES = 5
"""The shortest range, where the file has as many."""


@dataclass(frozen=True)
class PlannedCall:
    """One tool call that will be made."""

    asked: Asked
    tool: str
    arguments: Mapping[str, JsonValue]
    subagent: str = ""
    """The thread that it starts, or whose report it fetches."""


Turn = tuple[PlannedCall, ...]


@dataclass(frozen=True)
class ThreadPlan:
    """One thread: its order, the review files it answers for, and its turns."""

    thread: str
    prompt: str
    """Empty for the main thread: its prompt is the task, which the plan does not know."""
    files: tuple[str, ...]
    turns: tuple[Turn, ...]

    @property
    def subagents(self) -> frozenset[str]:
        """The threads that it starts itself."""
        return frozenset(call.subagent for turn in self.turns for call in turn if call.subagent)


@dataclass(frozen=True)
class Part:
    """A run of lines to ask for."""

    first: int
    count: int


@dataclass(frozen=True)
class Delegation:
    """An order to a sub-agent: what it is told, and the call that tells it."""

    prompt: str
    order: PlannedCall


def make_plan(run: Assignment, words: Wordings) -> tuple[ThreadPlan, ...]:
    """The threads of a run, the main one first."""
    rng = random.Random(f"plan:{run.seed}")
    review = run.files("review")
    chosen = sorted(rng.sample(review, round(run.model.share * len(review))))
    if not chosen:
        return (ThreadPlan(MAIN, "", review, ()),)
    reference = [call for path in run.files("reference") for call in _whole(run, path)]
    opening: Turn = (_list(run),)
    if run.model.delegates and run.hands.delegate is not None and len(chosen) > 1:
        own, others = chosen[: len(chosen) // 2], chosen[len(chosen) // 2 :]
        told = _delegation(run, run.hands.delegate, words, Order("sub-1", others), rng)
        subs = _subagents(run, told, words, Order("sub-1", others), rng)
        own_turns = _batches(reference + _reads(run, own, rng), rng)
        orders = _ordering(run, told.order)
        turns = (*orders, *own_turns) if rng.random() < 0.5 else (*own_turns, *orders)
        return (ThreadPlan(MAIN, "", review, (opening, *turns)), *subs)
    turns = _batches(reference + _reads(run, chosen, rng), rng)
    return (ThreadPlan(MAIN, "", review, (opening, *turns)),)


@dataclass(frozen=True)
class Order:
    """What a sub-agent is to read."""

    thread: str
    files: Sequence[str]


def _subagents(
    run: Assignment, told: Delegation, words: Wordings, order: Order, rng: random.Random
) -> tuple[ThreadPlan, ...]:
    """A sub-agent, and the one that it hands half of its files on to where the model does."""
    reference = [call for path in run.files("reference") for call in _whole(run, path)]
    files = order.files
    deeper = run.model.delegates > 1 and run.hands.nested and len(files) > 1
    if not deeper or run.hands.delegate is None:
        turns = _batches(reference + _reads(run, files, rng), rng)
        return (ThreadPlan(order.thread, told.prompt, tuple(files), turns),)
    own, others = files[: len(files) // 2], files[len(files) // 2 :]
    nested = Order("sub-2", others)
    handed = _delegation(run, run.hands.delegate, words, nested, rng)
    turns = (
        *_batches(reference + _reads(run, own, rng), rng),
        *_ordering(run, handed.order),
    )
    last = ThreadPlan(
        nested.thread,
        handed.prompt,
        tuple(others),
        _batches(reference + _reads(run, others, rng), rng),
    )
    return (ThreadPlan(order.thread, told.prompt, tuple(files), turns), last)


def _ordering(run: Assignment, order: PlannedCall) -> tuple[Turn, ...]:
    """The turn that starts a sub-agent, and the one that fetches its report where that is apart."""
    collect = run.hands.collect
    if collect is None:
        return ((order,),)
    arguments = fill(collect, Filling())
    fetch = PlannedCall(Asked(action="collect"), collect.tool, arguments, order.subagent)
    return ((order,), (fetch,))


def _list(run: Assignment) -> PlannedCall:
    call = run.hands.list_files
    arguments = fill(call, Filling(path=run.locate()))
    return PlannedCall(Asked(action="list"), call.tool, arguments)


def _read(run: Assignment, path: str, part: Part | None = None) -> PlannedCall:
    if part is None:
        call = run.hands.read_file
        arguments = fill(call, Filling(path=run.locate(path)))
        return PlannedCall(Asked(action="read", path=path), call.tool, arguments)
    call = run.hands.read_range
    filling = Filling(path=run.locate(path), first=part.first, count=part.count)
    asked = Asked(action="read", path=path, first=part.first, count=part.count)
    return PlannedCall(asked, call.tool, fill(call, filling))


def _whole(run: Assignment, path: str) -> list[PlannedCall]:
    """The reads of a whole file: one, or ranges where its tool does not show so much at once."""
    most = run.hands.most
    sizes = [len(line.encode()) + 1 for line in run.lines[path]]
    if most is None or sum(sizes) <= most:
        return [_read(run, path)]
    parts: list[Part] = []
    first = size = 0
    for number, more in enumerate(sizes):
        if size and size + more > most:
            parts.append(Part(first + 1, number - first))
            first, size = number, 0
        size += more
    parts.append(Part(first + 1, len(sizes) - first))
    return [_read(run, path, part) for part in parts]


def _reads(run: Assignment, chosen: Sequence[str], rng: random.Random) -> list[PlannedCall]:
    in_part = set(rng.sample(chosen, round(run.model.in_part * len(chosen))))
    kinds = [_head, _two_with_a_gap, _middle]
    first_kind = rng.randrange(len(kinds))
    calls: list[PlannedCall] = []
    for path in chosen:
        if path not in in_part:
            calls += _whole(run, path)
            continue
        kind = kinds[first_kind % len(kinds)]
        first_kind += 1
        calls += [_read(run, path, part) for part in kind(len(run.lines[path]), rng)]
    return calls


def _head(length: int, rng: random.Random) -> tuple[Part, ...]:
    wanted = round(length * rng.uniform(0.3, 0.6))
    return (Part(1, min(length, max(LEAST_LINES, wanted))),)


def _two_with_a_gap(length: int, rng: random.Random) -> tuple[Part, ...]:
    if length < 4 * LEAST_LINES:
        return _head(length, rng)
    quarter = length // 4
    second = rng.randint(2 * quarter, 3 * quarter)
    return (Part(1, quarter), Part(second, quarter))


def _middle(length: int, rng: random.Random) -> tuple[Part, ...]:
    if length < 3 * LEAST_LINES:
        return _head(length, rng)
    third = length // 3
    return (Part(rng.randint(2, third), third),)


def _batches(calls: Sequence[PlannedCall], rng: random.Random) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    at = 0
    while at < len(calls):
        size = rng.randint(1, PARALLEL)
        turns.append(tuple(calls[at : at + size]))
        at += size
    return tuple(turns)


def _delegation(
    run: Assignment, call: Call, words: Wordings, what: Order, rng: random.Random
) -> Delegation:
    listed = "\n".join(f"- {run.locate(path)}" for path in what.files)
    prompt = f"{rng.choice(words.delegation.prompts)}\n\nDocuments:\n{listed}"
    reference = run.files("reference")
    if reference:
        prompt += "\n\nReference:\n" + "\n".join(f"- {run.locate(path)}" for path in reference)
    filling = Filling(prompt=prompt, title=rng.choice(words.delegation.titles))
    order = PlannedCall(Asked(action="delegate"), call.tool, fill(call, filling), what.thread)
    return Delegation(prompt, order)
