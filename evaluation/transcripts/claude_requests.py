"""What each model call of a Claude Code thread held, by its `api-request` rows (seen in 2.1.332).

    {"type": "api-request", "id": …, "base": <id of an earlier one>, "keep": 7, "tail": [<hash>, …]}

A call held the first `keep` messages of its base, then those of its tail. A hash is the SHA-256 of
the message as it was sent, with sorted keys and no cache marks. A run of `user` rows or the rows of
one answer, make up a message. All others are kept as `api-request-blob` rows, with the text that
the model was given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson
from pydantic import JsonValue

from evaluation.transcripts.claude_results import joined
from evaluation.transcripts.claude_rows import Row, kind_of, list_of, object_of, text_of

MOST_REBUILT = 10_000_000
"""Messages that are put together again where calls go back to older ones."""


class Request(NamedTuple):
    """One model call."""

    id: str
    base: str
    """Empty: it repeats no earlier one."""
    keep: int
    tail: tuple[str, ...]
    clears: bool
    """It asked the server to clear old tool results."""


class _Prefix(NamedTuple):
    """The results of a message that rows make up, as far as it had come."""

    calls: list[str]
    length: int


@dataclass(frozen=True)
class Held:
    """What the calls of a thread are known to have held."""

    first: Mapping[str, str | None]
    """Results that an answered call held, by their call, with the text in which they first came.
    None: as their rows have it."""
    last: Mapping[str, str | None]
    """Those that the call of the final response held, with the text they had there."""
    clears: bool
    """The call of the final response asked the server to clear old ones."""


@dataclass
class Requests:
    """The calls of one thread. Filled while its rows are read."""

    hashing: bool = False
    """Whether to keep the hashes of messages: only files with `api-request` rows need them."""
    requests: list[Request] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)
    first_row: int | None = None
    """Where the first of them stands in the thread."""
    _known: dict[str, _Prefix] = field(default_factory=dict)
    _blobs: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    _run: _Run | None = None

    def take_request(self, row: Row, place: int) -> None:
        """An `api-request` row."""
        self.hashing = True
        if self.first_row is None:
            self.first_row = place
        keep = row.get("keep")
        edits = list_of(object_of(object_of(row, "params"), "context_management"), "edits")
        kinds = [text_of(edit, "type") for edit in edits]
        self.requests.append(
            Request(
                id=text_of(row, "id"),
                base=text_of(row, "base"),
                keep=keep if isinstance(keep, int) and keep > 0 else 0,
                tail=tuple(item for item in list_of(row, "tail") if isinstance(item, str)),
                clears=any(not kind.startswith("clear_thinking") for kind in kinds),
            )
        )

    def take_blob(self, row: Row) -> None:
        """An `api-request-blob` row."""
        self._blobs[text_of(row, "hash")] = tuple(
            (text_of(block, "tool_use_id"), joined(block.get("content")))
            for block in list_of(object_of(row, "message"), "content")
            if isinstance(block, dict) and kind_of(block) == "tool_result"
        )

    def take_message(self, role: str, identity: str, content: JsonValue) -> None:
        """A row that makes up a message, or goes on with one."""
        blocks: JsonValue = content
        if isinstance(content, str):
            blocks = [{"type": "text", "text": content}]
        run = self._run
        if run is None or run.role != role or (role == "assistant" and run.identity != identity):
            run = self._run = _Run(role, identity)
        for block in blocks if isinstance(blocks, list) else ():
            run.add(block)
        self._known[run.digest()] = _Prefix(run.calls, len(run.calls))

    def held(self, final: str) -> Held | None:
        """What is known, given the call of the final response.

        None where there is no such call, or where some call held a message that nothing explains:
        then nothing is sure.
        """
        first: dict[str, str | None] = {}
        fresh = 0
        for request, messages, kept in self._in_order():
            fresh = min(fresh, kept)
            if request.id not in self.answered:
                continue
            for message in messages[fresh:]:
                results = self._results(message)
                if results is None:
                    return None
                for call, text in results:
                    first.setdefault(call, text)
            fresh = len(messages)
            if request.id == final:
                last = {
                    call: text
                    for message in messages
                    for call, text in self._results(message) or ()
                }
                return Held(first, last, request.clears)
        return None

    def _in_order(self) -> Iterator[_Sent]:
        """Each call with its messages. The list is used again for the next one."""
        known = {request.id: request for request in self.requests}
        messages: list[str] = []
        before = ""
        rebuilt = 0
        for request in self.requests:
            keep = request.keep if request.base else 0
            is_next = request.base == before or not keep
            if not is_next:
                messages = _messages(known, request.base)
                rebuilt += len(messages)
                if rebuilt > MOST_REBUILT:
                    return
            del messages[keep:]
            messages += request.tail
            before = request.id
            yield _Sent(request, messages, keep if is_next else 0)

    def _results(self, message: str) -> tuple[tuple[str, str | None], ...] | None:
        """The results that a message holds, by their calls; None where nobody can tell."""
        blob = self._blobs.get(message)
        if blob is not None:
            return blob
        prefix = self._known.get(message)
        if prefix is None:
            return None
        return tuple((call, None) for call in prefix.calls[: prefix.length])


class _Sent(NamedTuple):
    """A call and its messages."""

    request: Request
    messages: list[str]
    kept: int
    """Messages that are those of the call before it."""


def _messages(known: Mapping[str, Request], last: str) -> list[str]:
    """The messages of a call, by those that it goes back to."""
    parts: list[tuple[str, ...]] = []
    wanted: int | None = None
    seen: set[str] = set()
    while last in known and last not in seen and wanted != 0:
        seen.add(last)
        request = known[last]
        keep = request.keep if request.base else 0
        parts.append(request.tail if wanted is None else request.tail[: max(0, wanted - keep)])
        wanted = keep if wanted is None else min(wanted, keep)
        last = request.base
    return [message for part in reversed(parts) for message in part]


class _Run:
    """Rows that are one message, with its hash as far as it has come."""

    def __init__(self, role: str, identity: str) -> None:
        self.role = role
        self.identity = identity
        self.calls: list[str] = []
        self._hash = hashlib.sha256(b'{"content":[')
        self._blocks = 0

    def add(self, block: JsonValue) -> None:
        """The next of its blocks."""
        if isinstance(block, dict):
            if kind_of(block) == "tool_result":
                self.calls.append(text_of(block, "tool_use_id"))
            if "cache_control" in block:
                block = {key: value for key, value in block.items() if key != "cache_control"}
        if self._blocks:
            self._hash.update(b",")
        self._blocks += 1
        self._hash.update(orjson.dumps(block, option=orjson.OPT_SORT_KEYS))

    def digest(self) -> str:
        """As it stands in requests."""
        whole = self._hash.copy()
        whole.update(b'],"role":"%s"}' % self.role.encode())
        return whole.hexdigest()
