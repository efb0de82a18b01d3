"""What the wire says entered each thread's context (docs/measurement.md, What entered).

Only a generation call that the server accepted and began to answer counts: 2xx and at least one
event. Background calls (titles, token counts) are no agent's context and give nothing.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from evaluation.gateway.messages import Message, ResponseBody, ToolUse
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.shortening import Input, Lineage, doubted_calls, input_of
from evaluation.gateway.wire import WireRow
from evaluation.reading.attachments import Attachments
from evaluation.reading.context import ATTACHED, MAIN, ContextLog, ContextText, Thread
from evaluation.reading.lines.shown import texts_in
from evaluation.reading.turns import Turn, final_response

NONE = Attachments()


@dataclass(frozen=True)
class _Exchange:
    """One generation call, read."""

    row: WireRow
    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    """Names of the tools that it offered."""
    response: ResponseBody
    accepted: bool
    clears: bool
    """It asked the server to clear old tool results."""
    input: Input


def context_log(
    rows: Iterable[WireRow],
    attachments: Attachments = NONE,
    reports: frozenset[str] = frozenset(),
) -> ContextLog:
    """From the rows of a wire to the engine's input.

    `attachments` says how the CLI that sent them writes files that no tool returned; `reports` are
    its tools in whose arguments an agent gives its last word.
    """
    by_thread: dict[str, list[_Exchange]] = {}
    offered: set[str] | None = None
    for exchange in _exchanges(sorted(rows, key=lambda row: row.call)):
        if not exchange.accepted:
            continue
        offered = (offered or set()).union(exchange.tools)
        if exchange.row.kind != "background":
            by_thread.setdefault(exchange.row.thread, []).append(exchange)
    ends = {thread: final_response(_turns(found, reports)) for thread, found in by_thread.items()}
    final = ends.get(MAIN)
    told = sorted((one.input for found in by_thread.values() for one in found), key=_call)
    doubted = doubted_calls(told)
    seen = [one for one in by_thread.get(MAIN, ()) if final and one.row.call <= final.call]
    return ContextLog(
        threads=tuple(_thread(found[0]) for found in by_thread.values()),
        texts=tuple(
            text
            for thread, found in by_thread.items()
            for text in _texts(found, doubted, final.call if final else None, attachments)
        ),
        final=final,
        models=dict(Counter(exchange.response.model for exchange in by_thread.get(MAIN, ()))),
        reports={t: end.text for t, end in ends.items() if end is not None and t != MAIN},
        missing=() if MAIN in by_thread else ("no accepted call of the main agent",),
        tells_visibility=not any(one.row.call in doubted for one in seen),
        may_have_cleared=bool(seen) and seen[-1].clears,
        offered=None if offered is None else frozenset(offered),
        refused=MAIN in by_thread and by_thread[MAIN][-1].response.refused,
        shortened=len(doubted),
    )


def _exchanges(rows: Iterable[WireRow]) -> Iterator[_Exchange]:
    """Every generation call. What it repeats of an earlier one is taken from there."""
    read: dict[int, tuple[Message, ...]] = {}
    lineage = Lineage()
    for row in rows:
        protocol = PROTOCOLS[row.protocol]
        if not protocol.is_generation(row.method, row.path):
            continue
        repeated = read.get(row.base, ())[: row.keep] if row.base is not None else ()
        request = protocol.read_request(row.request, len(repeated))
        if request is None:
            continue
        read[row.call] = (*repeated, *request.messages)
        response = protocol.read_response(row.response)
        accepted = response is not None and 200 <= row.status < 300 and response.events > 0
        continues = lineage.enter(row, len(read[row.call]), accepted=accepted)
        if response is not None:
            yield _Exchange(
                row=row,
                messages=read[row.call],
                tools=request.tools,
                response=response,
                accepted=accepted,
                clears=request.clears,
                input=input_of(row, request, response, continues),
            )


def _call(one: Input) -> int:
    return one.call


def _thread(first: _Exchange) -> Thread:
    row = first.row
    kind = row.kind if row.kind in ("main", "subagent") else "unknown"
    # What a CLI says of the machine it runs on comes before the order.
    texts = [m.text for m in first.messages if m.role == "user" and m.text]
    asked = texts[-1] if texts else ""
    return Thread(row.thread, kind, row.parent, asked)


def _turns(found: list[_Exchange], reports: frozenset[str]) -> list[Turn]:
    """Whole answers alone: one that broke off was asked for again."""
    return [
        Turn(one.row.call, _said(one.response, reports), bool(one.response.uses))
        for one in found
        if one.row.end == "complete"
    ]


def _said(response: ResponseBody, reports: frozenset[str]) -> str:
    told = [
        text for use in response.uses if use.name in reports for text in texts_in(use.arguments)
    ]
    return "\n".join(filter(None, (response.text, *told)))


@dataclass(frozen=True)
class _Shown:
    """One version of one tool result: a later request may hold it cleared or cut.

    Its place is part of it, since servers and loops use ids again: `call-1` in every turn.
    """

    turn: int
    """Which answer of the conversation asked for it."""
    result_id: str
    nth: int
    """Among results of this id for this answer."""
    text: str


@dataclass(frozen=True)
class _Held:
    """A tool result in a request, with the call that it answers; None where that is not known. Or
    a file that no tool returned."""

    shown: _Shown
    use: ToolUse | None
    is_attached: bool = False


def _texts(
    found: list[_Exchange],
    doubted: frozenset[int],
    answer: int | None,
    attachments: Attachments,
) -> list[ContextText]:
    """Every tool result and attached file of a thread, with the call that first held it.

    `answer` is the call of the final response. A result is doubtful where every call up to there
    that held it is.
    """
    first: dict[_Shown, ContextText] = {}
    sure: set[_Shown] = set()
    last: frozenset[_Shown] = frozenset()
    for exchange in found:
        held = [*_results(exchange.messages), *_files(exchange.messages, attachments)]
        is_first = exchange is found[0] and exchange.row.kind == "subagent"
        # What a sub-agent's very first request holds, its parent had read: it is a fork. Files
        # behind the last answer in it are its own.
        answered = _answered(exchange.messages) if is_first else 0
        for one in held:
            if one.shown not in first:
                is_copied = is_first and (not one.is_attached or one.shown.turn < answered)
                first[one.shown] = replace(_text(exchange.row, one), inherited=is_copied)
        if answer is None or exchange.row.call <= answer:
            shown = frozenset(one.shown for one in held)
            if exchange.row.call not in doubted:
                sure |= shown
            if answer is not None and exchange.row.thread == MAIN:
                last = shown
    return [
        replace(text, visible=one in last, doubtful=text.call in doubted and one not in sure)
        for one, text in first.items()
    ]


def _results(messages: Iterable[Message]) -> list[_Held]:
    """Results with their calls, matched by id: those of the answer just before them, else the last
    earlier ones.

    In some protocols one answer is several messages, one after the other.
    """
    held: list[_Held] = []
    uses: dict[str, list[ToolUse]] = {}
    earlier: dict[str, list[ToolUse]] = {}
    count: Counter[str] = Counter()
    turn = 0
    is_answer = False
    for message in messages:
        if message.role == "assistant" and not is_answer:
            turn += 1
            count.clear()
            earlier |= uses
            uses = {}
        is_answer = message.role == "assistant"
        for use in message.uses if is_answer else ():
            uses.setdefault(use.id, []).append(use)
        for result in message.results:
            shown = _Shown(turn, result.id, count[result.id], result.text)
            count[result.id] += 1
            calls = uses.get(result.id) or earlier.get(result.id, [])
            held.append(_Held(shown, _call_of(calls)))
    return held


def _files(messages: Iterable[Message], attachments: Attachments) -> Iterator[_Held]:
    """Files that no tool returned: what the user's side said between two answers is looked at as
    one, since a CLI may part it as it likes."""
    count: Counter[tuple[int, str]] = Counter()
    turn = 0
    for is_answer, group in itertools.groupby(messages, key=lambda one: one.role == "assistant"):
        if is_answer:
            turn += 1
            continue
        said = [message for message in group if message.role == "user"]
        texts = [text for message in said for text in message.texts]
        given = [result.text for message in said for result in message.results]
        for file in (*attachments.in_result(given), *attachments.in_messages(texts)):
            key = (turn, file.path or "")
            shown = _Shown(turn, f"{ATTACHED}{file.path or ''}", count[key], file.text)
            count[key] += 1
            arguments: dict[str, JsonValue] = {"path": file.path} if file.path else {}
            yield _Held(shown, ToolUse("", ATTACHED, arguments), is_attached=True)


def _answered(messages: Iterable[Message]) -> int:
    """Answers that a request holds."""
    groups = itertools.groupby(messages, key=lambda one: one.role == "assistant")
    return sum(is_answer for is_answer, _ in groups)


def _call_of(uses: list[ToolUse]) -> ToolUse | None:
    """The call of an id; where several share it, nobody can tell which file the result is of."""
    if len(uses) == 1:
        return uses[0]
    names = {use.name for use in uses}
    return replace(uses[0], arguments={}) if len(names) == 1 else None


def _text(row: WireRow, held: _Held) -> ContextText:
    return ContextText(
        thread=row.thread,
        call=row.call,
        result_id="" if held.is_attached else held.shown.result_id,
        tool=held.use.name if held.use else "",
        arguments=held.use.arguments if held.use else {},
        text=held.shown.text,
    )
