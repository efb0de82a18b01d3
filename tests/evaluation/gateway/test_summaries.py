"""Whose conversation goes on behind a summary, where no header says it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from evaluation.gateway.messages import Message, RequestBody, ResponseBody, ToolResult, ToolUse
from evaluation.gateway.naming import Name, Naming
from evaluation.gateway.threads import Delegation, Summary, ThreadRules
from tests.evaluation.gateway.conftest import BOUND, MESSAGES, Rig, Settings, rigged, sse

TASK = "Review all the files."
ORDER = "Look into the contracts of the north, one after the other, and report the odd ones."
ASKED = "Sum it all up"
SUMMARY = "The request was to review all the files. Of those, a.md and b.md were read, to the end."
OTHER = "The order was to look into the contracts of the north. Two of them were read in part."
MADE_OF = f"<notes>{ORDER}</notes>\n<summary>\n{SUMMARY}\n</summary>"

WHOLE = Summary(re.compile(ASKED))
"""As Gemini CLI has it."""
FRAMED = Summary(
    re.compile(ASKED),
    offers_tools=True,
    frame=re.compile("Continued:"),
    kept=re.compile("<summary>(.*?)</summary>", re.S),
)
"""As Claude Code has it."""
ANSWER = Summary(re.compile(ASKED), place="answer")
"""As OpenCode has it."""


def user(*texts: str) -> Message:
    return Message("user", "\n".join(texts), blocks=texts if len(texts) > 1 else ())


def said(text: str) -> Message:
    return Message("assistant", text)


def used(id_: str) -> tuple[Message, Message]:
    """A call of a tool, and what it gave."""
    call = Message("assistant", "", uses=(ToolUse(id_, "read", {}),))
    return call, Message("user", "", results=(ToolResult(id_, "text", is_error=False),))


@dataclass
class Run:
    """One run: its main agent has read by the call m1, and ordered a sub-agent that read by s1."""

    rule: Summary
    calls: int = 0
    naming: Naming = field(init=False)

    def __post_init__(self) -> None:
        rules = ThreadRules(delegations=(Delegation("agent", "prompt"),), summary=self.rule)
        self.naming = Naming(rules, TASK)
        order = ToolUse("t1", "agent", {"prompt": ORDER})
        self.ask(user(TASK), uses=(ToolUse("m1", "read", {}), order))
        self.ask(user(ORDER), uses=(ToolUse("s1", "read", {}),))

    def ask(
        self,
        *messages: Message,
        answer: str = "",
        uses: tuple[ToolUse, ...] = (),
        whole: bool = True,
    ) -> Name:
        """A call. One for a summary offers tools as the CLI has it."""
        self.calls += 1
        asks = messages[-1].text.startswith(ASKED) and not self.rule.offers_tools
        request = RequestBody("m", messages, () if asks else ("read",), stream=True)
        name = self.naming.name(self.calls, {}, request, generation=True)
        body = ResponseBody("m", answer, uses, "", 1, None, None, "", whole)
        self.naming.answered(self.calls, name, body, is_whole=whole)
        return name

    def sum_up(self, begun: str, id_: str, answer: str, *, whole: bool = True) -> Name:
        """An agent's call for a summary."""
        return self.ask(
            user(begun), *used(id_), user(f"{ASKED}, briefly."), answer=answer, whole=whole
        )


def framed(text: str) -> Message:
    return user("A note.", f"Continued:\n{text}.\nGo on.")


def told(name: Name) -> tuple[str, str]:
    return name.thread, name.by


MAIN, NOBODY = ("main", "summary"), ("unknown", "none")

PLACES = pytest.mark.parametrize(
    ("rule", "after"),
    [
        pytest.param(
            WHOLE, (user("Machine."), user(SUMMARY), said("Got it."), user("On.")), id="a text"
        ),
        pytest.param(FRAMED, (framed(SUMMARY),), id="in a text of the CLI's"),
        pytest.param(ANSWER, (user("So far?"), said(SUMMARY), user("Go on.")), id="an answer"),
    ],
)


@PLACES
def test_what_goes_on_behind_a_summary_is_its_threads(
    rule: Summary, after: tuple[Message, ...]
) -> None:
    run = Run(rule)
    assert run.ask(*after).thread == "unknown"
    summed = run.sum_up(TASK, "m1", SUMMARY)
    assert (summed.thread, summed.kind) == ("main", "background")
    assert run.ask(*after, uses=(ToolUse("m2", "read", {}),)) == Name(
        "main", None, "main", "summary"
    )
    assert told(run.ask(*after, *used("m2"))) == MAIN
    assert run.ask(user("Short."), *used("m2")).thread == "main"


@PLACES
def test_a_subagent_goes_on_behind_its_own(rule: Summary, after: tuple[Message, ...]) -> None:
    run = Run(rule)
    run.sum_up(TASK, "m1", OTHER)
    run.sum_up(ORDER, "s1", SUMMARY)
    assert run.ask(*after) == Name("t1", "main", "subagent", "summary")


@PLACES
def test_a_conversation_that_was_summed_up_is_summed_up_again(
    rule: Summary, after: tuple[Message, ...]
) -> None:
    run = Run(rule)
    run.sum_up(TASK, "m1", SUMMARY)
    again = run.ask(*after, said("Well."), user(ASKED), answer=OTHER)
    assert (again.thread, again.kind, again.by) == ("main", "background", "summary")


@PLACES
def test_one_that_two_threads_were_given_tells_nothing(
    rule: Summary, after: tuple[Message, ...]
) -> None:
    run = Run(rule)
    run.sum_up(TASK, "m1", SUMMARY)
    run.sum_up(ORDER, "s1", SUMMARY)
    assert told(run.ask(*after)) == NOBODY
    assert told(run.ask(*after, *used("s1"))) == ("t1", "chain")


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        (WHOLE, (user(SUMMARY), user(OTHER))),
        (FRAMED, (framed(f"Notes: {OTHER}\nSummary: {SUMMARY}"),)),
    ],
    ids=["two texts", "the notes quote another's"],
)
def test_two_that_stand_beside_each_other_tell_nothing(
    rule: Summary, after: tuple[Message, ...]
) -> None:
    run = Run(rule)
    run.sum_up(TASK, "m1", SUMMARY)
    run.sum_up(ORDER, "s1", OTHER)
    assert told(run.ask(*after)) == NOBODY


@pytest.mark.parametrize("rule", [WHOLE, FRAMED], ids=["a text", "in a text of the CLI's"])
def test_a_summary_that_quotes_anothers_is_its_own_threads(rule: Summary) -> None:
    both = f"{SUMMARY} Someone wrote: {OTHER}"
    run = Run(rule)
    run.sum_up(ORDER, "s1", OTHER)
    run.sum_up(TASK, "m1", both)
    assert told(run.ask(framed(both) if rule is FRAMED else user(both))) == MAIN


@PLACES
def test_a_chain_that_disagrees_leaves_it_untold(rule: Summary, after: tuple[Message, ...]) -> None:
    run = Run(rule)
    run.sum_up(TASK, "m1", SUMMARY)
    assert told(run.ask(*after, *used("s1"))) == NOBODY


@pytest.mark.parametrize(
    ("asked", "answer", "whole"),
    [
        pytest.param((user(TASK), *used("m1"), user("Go on.")), SUMMARY, True, id="not asked for"),
        pytest.param((user(TASK), *used("m1"), user(ASKED)), SUMMARY, False, id="broken off"),
        pytest.param(
            (user(TASK), *used("m1"), user(ASKED)), f"{SUMMARY} Or so.", True, id="longer"
        ),
        pytest.param((user(TASK), *used("m1"), user(ASKED)), SUMMARY[:-1], True, id="shorter"),
        pytest.param((user(TASK), user(ASKED)), SUMMARY, True, id="nothing to sum up"),
        pytest.param((user("Else."), said("Yes."), user(ASKED)), SUMMARY, True, id="of nobody's"),
    ],
)
@pytest.mark.parametrize(
    ("rule", "after"),
    [(WHOLE, (user(SUMMARY),)), (ANSWER, (user("So far?"), said(SUMMARY)))],
    ids=["a text", "an answer"],
)
def test_nothing_but_the_very_answer_tells(
    rule: Summary, after: tuple[Message, ...], asked: tuple[Message, ...], answer: str, whole: bool
) -> None:
    run = Run(rule)
    run.ask(*asked, answer=answer, whole=whole)
    assert told(run.ask(*after)) == NOBODY


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        pytest.param(WHOLE, (user(f"He said: {SUMMARY}"),), id="quoted"),
        pytest.param(WHOLE, (user("Go on."), said("Yes."), user(SUMMARY)), id="said later"),
        pytest.param(WHOLE, (user("Go on."), said(SUMMARY)), id="an answer"),
        pytest.param(WHOLE, (Message("system", SUMMARY),), id="not the user's side"),
        pytest.param(
            WHOLE,
            (Message("user", "", results=(ToolResult("x", SUMMARY, is_error=False),)),),
            id="what a tool returned",
        ),
        pytest.param(
            FRAMED, (user(f"Well. Continued: {SUMMARY}"),), id="not in the CLI's own text"
        ),
        pytest.param(FRAMED, (user(f"Continued: x{SUMMARY}"),), id="the end of a longer word"),
        pytest.param(ANSWER, (user(SUMMARY),), id="what the user said"),
        pytest.param(
            ANSWER, (user("So far?"), said("Yes."), said(SUMMARY)), id="not the first answer"
        ),
    ],
)
def test_a_summary_in_another_place_tells_nothing(
    rule: Summary, after: tuple[Message, ...]
) -> None:
    run = Run(rule)
    run.sum_up(TASK, "m1", SUMMARY)
    assert told(run.ask(*after)) == NOBODY


@pytest.mark.parametrize("rule", [WHOLE, ANSWER], ids=["a text", "an answer"])
def test_a_call_that_offers_tools_is_an_agents_where_one_for_a_summary_does_not(
    rule: Summary,
) -> None:
    naming = Naming(ThreadRules(summary=rule), TASK)
    messages = (user(TASK), *used("m1"), user(ASKED))
    kinds = [
        naming.name(1, {}, RequestBody("m", messages, tools, stream=True), generation=True).kind
        for tools in (("read",), ())
    ]
    assert kinds == ["main", "background"]


def test_a_short_summary_tells_nothing() -> None:
    run = Run(WHOLE)
    run.sum_up(TASK, "m1", "Two files were read.")
    assert told(run.ask(user("Two files were read."))) == NOBODY


@pytest.mark.parametrize(
    "summary", [f"{SUMMARY} I ordered: {ORDER}", MADE_OF], ids=["part", "notes"]
)
def test_a_summary_that_quotes_an_order_is_not_the_subagents_own(summary: str) -> None:
    """The notes that a CLI keeps beside the summary may quote one that is longer than it."""
    run = Run(FRAMED)
    run.sum_up(TASK, "m1", summary)
    assert told(run.ask(framed(summary))) == MAIN


def test_a_summary_of_nobodys_that_quotes_an_order_is_not_the_subagents_own() -> None:
    run = Run(WHOLE)
    summary = f"{SUMMARY} I ordered: {ORDER}"
    run.ask(user("Else."), said("Yes."), user(ASKED), answer=summary)
    assert told(run.ask(user(summary))) == NOBODY
    assert told(run.ask(user(summary), *used("m1"))) == ("main", "chain")


def order(prompt: str) -> ToolUse:
    return ToolUse("t2", "agent", {"prompt": prompt})


@pytest.mark.parametrize(
    ("rule", "prompt", "who"),
    [
        pytest.param(WHOLE, f"So far: {SUMMARY} Go on.", ("t2", "prompt"), id="quoted"),
        pytest.param(WHOLE, SUMMARY, NOBODY, id="the very same"),
        pytest.param(FRAMED, f"So far: {SUMMARY} Go on.", ("t2", "prompt"), id="quoted, no frame"),
        pytest.param(FRAMED, f"Continued: {SUMMARY} Go on.", NOBODY, id="frame and all"),
        pytest.param(ANSWER, SUMMARY, ("t2", "prompt"), id="where it stands as an answer"),
    ],
)
def test_an_order_that_holds_a_summary_is_never_the_thread_that_was_summed_up(
    rule: Summary, prompt: str, who: tuple[str, str]
) -> None:
    run = Run(rule)
    run.sum_up(TASK, "m1", SUMMARY)
    run.ask(user(TASK), *used("m1"), uses=(order(prompt),))
    assert told(run.ask(user(prompt))) == who


def test_a_subagent_that_answers_with_anothers_summary_stays_itself() -> None:
    run = Run(ANSWER)
    run.sum_up(TASK, "m1", SUMMARY)
    assert told(run.ask(user(ORDER), said(SUMMARY), user("Go on."))) == ("t1", "prompt")


@pytest.mark.parametrize(
    ("bound", "most"), [("LONGEST", len(OTHER) - 1), ("MOST", 1), ("MOST_KEPT", len(SUMMARY) + 9)]
)
def test_once_one_cannot_be_kept_none_tells(
    bound: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is lost may be of another thread, and hold one that is kept."""
    first, second = sorted((SUMMARY, OTHER), key=len)
    monkeypatch.setattr(f"evaluation.gateway.summaries.{bound}", most)
    run = Run(WHOLE)
    run.sum_up(TASK, "m1", first)
    run.sum_up(ORDER, "s1", second)
    assert told(run.ask(user(first))) == NOBODY


# --- through the gateway ------------------------------------------------------------------------


def streamed(text: str) -> list[bytes]:
    """An answer that comes in pieces."""
    delta: dict[str, Any] = {"type": "content_block_delta", "index": 0}
    begun = {"type": "content_block_start", "index": 0, "content_block": {"type": "text"}}
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
    pieces = (text[at : at + 7] for at in range(0, len(text), 7))
    return sse(
        {"type": "message_start", "message": {}},
        begun,
        *({**delta, "delta": {"type": "text_delta", "text": piece}} for piece in pieces),
        end,
        {"type": "message_stop"},
    )


def sent(*messages: tuple[str, str]) -> dict[str, Any]:
    """A request, by role and text."""
    written = [{"role": role, "content": text} for role, text in messages]
    return {"model": "m", "tools": [{"name": "read"}], "messages": written}


@pytest.mark.parametrize("is_over", [True, False], ids=["over", "its connection still open"])
def test_what_was_answered_tells_what_goes_on(tmp_path: Path, is_over: bool) -> None:
    """Some servers leave a connection open behind the last event, and the CLI goes on at once."""

    async def run() -> list[tuple[str, str, str]]:
        go = asyncio.Event()

        async def reply(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            is_asked = ASKED in (await request.text())
            text = f"<summary>{SUMMARY}</summary>" if is_asked else "Done."
            await response.write(b"".join(streamed(text)))
            if is_asked:
                await asyncio.wait_for(go.wait(), BOUND)
            return response

        async def drive(rig: Rig) -> None:
            url = f"http://workstation{MESSAGES}"
            begun = sent(("user", TASK), ("assistant", "Yes."), ("user", ASKED))
            async with rig.client.post(url, json=begun, headers=rig.headers) as summary:
                await asyncio.wait_for(summary.content.readuntil(b"message_stop"), BOUND)
                if is_over:
                    go.set()
                    await summary.read()
                await rig.post(sent(("user", f"Continued: {SUMMARY}")))
                go.set()
                await summary.read()

        rules = ThreadRules(summary=FRAMED)
        async with rigged(tmp_path, reply, Settings(rules=rules, prompt=TASK)) as rig:
            await drive(rig)
            return [(row.thread, row.kind, row.by) for row in (await rig.close()).rows]

    assert sorted(asyncio.run(run())) == [
        ("main", "background", "prompt"),
        ("main", "main", "summary"),
    ]
