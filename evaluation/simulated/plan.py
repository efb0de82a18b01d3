"""What a simulated reviewer will do, turn by turn, settled before its run begins.

Models with the same seed and share read the same lines, so that they differ in words alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.simulated.assignment import Assignment, Filling
from evaluation.simulated.calls import (
    Part,
    PlannedCall,
    Turn,
    in_turns,
    list_files,
    planned,
    read_from_top,
    read_part,
)
from evaluation.simulated.hands import Call
from evaluation.simulated.other_ways import other_turns
from evaluation.simulated.truth import Asked
from evaluation.simulated.wordings import Wordings

MAIN = "main"
LEAST_LINES = 5
"""The shortest range, where the file has as many."""


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
class Delegation:
    """An order to a sub-agent: what it is told, and the call that tells it."""

    prompt: str
    order: PlannedCall


def make_plan(run: Assignment, words: Wordings) -> tuple[ThreadPlan, ...]:
    """The threads of a run, the main one first."""
    rng = random.Random(f"plan:{run.draw}")
    review = run.files("review")
    chosen = sorted(rng.sample(review, round(run.model.share * len(review))))
    if not chosen:
        return (ThreadPlan(MAIN, "", review, ()),)
    opening: Turn = (list_files(run),)
    if run.model.way != "reads":
        return (ThreadPlan(MAIN, "", review, (opening, *other_turns(run, chosen, rng))),)
    reference = [call for path in run.files("reference") for call in read_from_top(run, path)]
    if run.model.delegates and run.hands.delegate is not None and len(chosen) > 1:
        own, others = chosen[: len(chosen) // 2], chosen[len(chosen) // 2 :]
        told = _delegation(run, run.hands.delegate, words, Order("sub-1", others), rng)
        subs = _subagents(run, told, words, Order("sub-1", others), rng)
        own_turns = in_turns(reference + _reads(run, own, rng), rng)
        orders = _ordering(run, told.order)
        turns = (*orders, *own_turns) if rng.random() < 0.5 else (*own_turns, *orders)
        return (ThreadPlan(MAIN, "", review, (opening, *turns)), *subs)
    turns = in_turns(reference + _reads(run, chosen, rng), rng)
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
    reference = [call for path in run.files("reference") for call in read_from_top(run, path)]
    files = order.files
    deeper = run.model.delegates > 1 and run.hands.nested and len(files) > 1
    if not deeper or run.hands.delegate is None:
        turns = in_turns(reference + _reads(run, files, rng), rng)
        return (ThreadPlan(order.thread, told.prompt, tuple(files), turns),)
    own, others = files[: len(files) // 2], files[len(files) // 2 :]
    nested = Order("sub-2", others)
    handed = _delegation(run, run.hands.delegate, words, nested, rng)
    turns = (
        *in_turns(reference + _reads(run, own, rng), rng),
        *_ordering(run, handed.order),
    )
    last = ThreadPlan(
        nested.thread,
        handed.prompt,
        tuple(others),
        in_turns(reference + _reads(run, others, rng), rng),
    )
    return (ThreadPlan(order.thread, told.prompt, tuple(files), turns), last)


def _ordering(run: Assignment, order: PlannedCall) -> tuple[Turn, ...]:
    """The turn that starts a sub-agent, and the one that fetches its report where that is apart."""
    collect = run.hands.collect
    if collect is None:
        return ((order,),)
    fetch = planned(collect, Asked(action="collect"), Filling(), order.subagent)
    return ((order,), (fetch,))


def _reads(run: Assignment, chosen: Sequence[str], rng: random.Random) -> list[PlannedCall]:
    in_part = set(rng.sample(chosen, round(run.model.in_part * len(chosen))))
    kinds = [_head, _two_with_a_gap, _middle]
    first_kind = rng.randrange(len(kinds))
    calls: list[PlannedCall] = []
    for path in chosen:
        if path not in in_part:
            calls += read_from_top(run, path, run.model.lines)
            continue
        kind = kinds[first_kind % len(kinds)]
        first_kind += 1
        calls += [read_part(run, path, part) for part in kind(len(run.lines[path]), rng)]
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


def _delegation(
    run: Assignment, call: Call, words: Wordings, what: Order, rng: random.Random
) -> Delegation:
    listed = "\n".join(f"- {run.locate(path)}" for path in what.files)
    prompt = f"{rng.choice(words.delegation.prompts)}\n\nDocuments:\n{listed}"
    reference = run.files("reference")
    if reference:
        prompt += "\n\nReference:\n" + "\n".join(f"- {run.locate(path)}" for path in reference)
    filling = Filling(prompt=prompt, title=rng.choice(words.delegation.titles))
    order = planned(call, Asked(action="delegate"), filling, what.thread)
    return Delegation(prompt, order)
