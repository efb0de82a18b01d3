"""From an exchange that is over to its row on the wire, without the secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.gateway.bodies import read_body
from evaluation.gateway.drafts import Draft
from evaluation.gateway.headers import Header, joined
from evaluation.gateway.messages import ResponseBody, WireFormat
from evaluation.gateway.secrets import Secrets
from evaluation.gateway.wire import Ending, Protocol, WireRow


@dataclass(frozen=True)
class Answered:
    """The answer of an exchange, read."""

    text: str
    body: ResponseBody | None
    """Without its text, where nobody needs that. None where it is no answer to a generation call,
    or cannot be read."""
    end: Ending
    said: int = 0
    """Characters of what the model said, thought and called, as far as they came; counted where the
    usage is not told in whole."""


_SAID = re.compile(
    r'"(?:text|thinking|content|reasoning|reasoning_content|refusal|delta|partial_json|arguments)"'
    r' *: *"((?:[^"\\]++|\\.)*+)'
)
_SAID_AGAIN = re.compile(r'^data: *\{"type": *"response\.[a-z_.]+\.done"[^\n]*', re.MULTILINE)


def read_answer(form: WireFormat, draft: Draft) -> Answered:
    """What came back up to now, and how it ended."""
    headers = joined(draft.response_headers)
    decoded = read_body(bytes(draft.response), headers.get("content-encoding", ""))
    text = decoded.text
    if draft.arrived is None or not draft.arrived.generation or not 200 <= draft.status < 300:
        return Answered(text, None, draft.end)
    streamed = headers.get("content-type", "").startswith("text/event-stream")
    needs_text = draft.arrived.name.asks_summary
    said = form.without_text(text) if streamed and form.without_text and not needs_text else text
    body = form.read_response(said)
    end = _ended(draft.end, body, streamed=streamed)
    if body is None:
        return Answered(text, None, end, max(len(text), len(draft.response)))
    return Answered(text, body, end, 0 if _is_counted(body) else _said(text))


def _is_counted(body: ResponseBody) -> bool:
    return body.whole and bool(body.output_tokens)


def _said(text: str) -> int:
    return sum(match.end(1) - match.start(1) for match in _SAID.finditer(_SAID_AGAIN.sub("", text)))


def _ended(end: Ending, body: ResponseBody | None, *, streamed: bool) -> Ending:
    """How an answer ended, by what it says.

    The connection alone does not tell: clients hang up on the last event, which is no break, and a
    stream that the server ends early without breaking the connection is one.
    """
    if body is None:
        return "upstream_cut" if streamed and end == "complete" else end
    if body.error:
        return "error_event"
    if end == "client_gone" and body.whole:
        return "complete"
    if end == "complete" and streamed and not body.whole:
        return "upstream_cut"
    return end


def row_of(
    protocol: Protocol, draft: Draft, answered: Answered, secrets: Secrets, at: float
) -> WireRow:
    """The row of an exchange that was over at a moment; it must be booked."""
    if draft.arrived is None or draft.booked is None:
        raise ValueError("the exchange is not booked")
    name, place, mask = draft.arrived.name, draft.booked.place, secrets.mask
    return WireRow(
        call=place.call,
        attempt=place.attempt,
        protocol=protocol,
        method=draft.method,
        path=mask(draft.path),
        thread=mask(name.thread),
        parent=None if name.parent is None else mask(name.parent),
        kind=name.kind,
        by=name.by,
        sent=draft.sent,
        first_byte=draft.first_byte,
        done=at,
        status=draft.status,
        end=answered.end,
        request_headers=_masked(draft.request_headers, secrets),
        request=draft.booked.text,
        response_headers=_masked(draft.response_headers, secrets),
        response=mask(answered.text),
        base=place.base,
        keep=place.keep,
    )


def _masked(headers: tuple[Header, ...], secrets: Secrets) -> dict[str, str]:
    masked: dict[str, str] = {}
    for header in headers:
        value = secrets.mask_header(header.key, header.value)
        earlier = masked.get(header.key)
        masked[header.key] = value if earlier is None else f"{earlier}, {value}"
    return masked
