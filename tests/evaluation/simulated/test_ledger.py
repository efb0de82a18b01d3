"""What a reviewer holds to have come back, where the request is not as plain as one would wish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from evaluation.simulated.assignment import Assignment
from evaluation.simulated.conversation import Conversation, ToolResult
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.truth import TruthCall

Assign = Callable[..., Assignment]
TOOLS = frozenset(("list", "read", "delegate"))
TASK = ("Review the papers.",)


@dataclass
class FirstRead:
    """A reviewer that has listed the folder and just asked for its first file."""

    reviewer: Reviewer
    calls: tuple[str, ...]
    key: str
    lines: list[str]

    @property
    def shown(self) -> str:
        return "\n".join(f"{n}\t{line}" for n, line in enumerate(self.lines, start=1))

    def send(self, result: ToolResult, texts: tuple[str, ...] = TASK) -> None:
        self.reviewer.answer(Conversation(TOOLS, texts, self.calls, {self.key: result}))

    @property
    def known(self) -> TruthCall:
        return self.reviewer.truth().threads[0].calls[1]


@pytest.fixture
def first_read(assign: Assign, texts: dict[str, str]) -> FirstRead:
    reviewer = Reviewer(assign("sim/oracle"))
    listing = reviewer.answer(Conversation(TOOLS, TASK, (), {})).calls[0].key
    reading = reviewer.answer(Conversation(TOOLS, TASK, (listing,), {})).calls
    path = str(reading[0].arguments["path"])
    calls = (listing, *(use.key for use in reading))
    return FirstRead(reviewer, calls, reading[0].key, texts[path].rstrip("\n").split("\n"))


def test_what_is_cleared_later_has_still_come(first_read: FirstRead) -> None:
    first_read.send(ToolResult(first_read.shown))
    first_read.send(ToolResult("[Old tool result content cleared]"))
    assert first_read.known.returned[0].ranges == ((1, len(first_read.lines)),)


def test_a_result_marked_as_an_error_gives_no_lines(first_read: FirstRead) -> None:
    first_read.send(ToolResult(first_read.shown, is_error=True))
    assert first_read.known.returned == ()


def test_a_call_whose_result_never_came_was_asked_all_the_same(first_read: FirstRead) -> None:
    assert first_read.known.asked.action == "read"
    assert first_read.known.returned == ()


def test_results_of_tools_that_others_called_are_nothing(first_read: FirstRead) -> None:
    others = {"another": ToolResult(first_read.shown)}
    first_read.reviewer.answer(Conversation(TOOLS, TASK, first_read.calls, others))
    assert first_read.known.returned == ()


def test_what_a_fork_inherits_is_no_reading_of_its_own(assign: Assign) -> None:
    reviewer = Reviewer(assign("sim/delegates"))
    calls: tuple[str, ...] = ()
    order = ""
    while not order:
        uses = reviewer.answer(Conversation(TOOLS, TASK, calls, {})).calls
        calls += tuple(use.key for use in uses)
        order = next((str(u.arguments["prompt"]) for u in uses if u.tool == "delegate"), "")
    inherited = {key: ToolResult("1\t## 1. Part of playbook\n") for key in calls}
    reviewer.answer(Conversation(TOOLS, (*TASK, order), calls, inherited))
    threads = {thread.thread: thread.calls for thread in reviewer.truth().threads}
    assert [call.turn for call in threads["sub-1"]] == [1] * len(threads["sub-1"])
    assert not any(call.returned for calls_ in threads.values() for call in calls_)
