"""The rows of Gemini CLI's session files, gathered into messages.

A journal of edits (0.40 and later) writes a message again whenever more of it is known, and whole
histories anew when old tool results are masked or the conversation is compressed. Before that a
session was one JSON object.

Prevents a false result: what entered a context is what was written first. A later row may hold a
stub in the place of a file's text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import JsonValue

from evaluation.transcripts.beginnings import Beginning, beginning_of
from evaluation.transcripts.gemini_attached import CONTEXT
from evaluation.transcripts.json_documents import read_document_in_parts
from evaluation.transcripts.json_lines import read_lines
from evaluation.transcripts.trajectory import Metrics, ToolCall, tool_call

KINDS = frozenset(("user", "gemini", "info", "warning", "error"))
MESSAGES = frozenset(("messages",))
KEYS = frozenset(("sessionId", "$set", "$rewindTo", "messages"))
"""One of which every row has that is no message."""
FOLDER = re.compile(r"^- \*\*Workspace Directories:\*\*\n +- (?P<path>.+)$", re.MULTILINE)
MASKED = "<tool_output_masked>"
"""Begins what is left of an old tool result."""

Row = Mapping[str, JsonValue]


@dataclass(slots=True)
class Call:
    """One tool call, as far as it is known."""

    call: ToolCall
    agent: str | None = None
    """The session of the sub-agent that it started."""
    result: str | None = None
    """As the model was given it first; None: none came."""
    failed: bool = False
    cleared: bool = False
    """Taken out of the history later on."""


@dataclass(slots=True)
class Message:
    """One message, while the rows that speak of it are gathered."""

    kind: str
    """`user`, `gemini`, or what the CLI told its user."""
    timestamp: str | None
    text: str = ""
    model: str | None = None
    """The one that was asked; the CLI does not keep who answered."""
    usage: Metrics | None = None
    calls: dict[str, Call] = field(default_factory=dict)
    place: int = 0
    """Among the messages of the session, counted from 1."""
    said: int = 0
    """The row that gave it its text."""


@dataclass
class Session:
    """One thread."""

    id: str
    is_subagent: bool = False
    folder: str = ""
    """Where it worked, as the CLI told its model."""
    messages: dict[str, Message] = field(default_factory=dict)
    """By id, in the order in which they were first written."""
    rows: int = 0
    unreadable: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    """Rows of kinds that are not known, by kind."""
    _clock: int = 0
    _rewound: dict[int, int] = field(default_factory=dict)
    """The last row that went back to a place."""

    def take(self, row: Row) -> None:
        """One row of a journal, or a whole session of old."""
        self._clock += 1
        if not row.keys().isdisjoint(KEYS):
            self._apply(row)
        elif "type" in row:
            self.enter(row)
        else:
            self.unknown["(none)"] += 1

    def _apply(self, row: Row) -> None:
        self.id = _text(row, "sessionId") or self.id
        self.is_subagent = self.is_subagent or row.get("kind") == "subagent"
        changes = row.get("$set")
        if isinstance(changes, dict):
            self._apply({key: value for key, value in changes.items() if key != "$set"})
        for message in objects(row.get("messages")):
            self.enter(message)
        if isinstance(row.get("$rewindTo"), str):
            self._rewind(str(row["$rewindTo"]))
        if "type" in row:
            self.enter(row)

    def _rewind(self, to: str) -> None:
        message = self.messages.get(to)
        self._rewound[message.place if message else 1] = self._clock

    def end(self) -> None:
        """All rows were taken. What was said from a place on that they went back to is no answer
        any more; what entered did enter."""
        last = 0
        for message in self.messages.values():
            last = max(last, self._rewound.get(message.place, 0))
            if message.said < last:
                message.text = ""

    def enter(self, row: Row) -> None:
        """What a row says of a message."""
        id_, kind = _text(row, "id"), _text(row, "type")
        if not (id_ and kind):
            return
        if kind not in KINDS and id_ not in self.messages:
            self.unknown[kind] += 1
        message = self.messages.get(id_)
        if message is None:
            message = self.messages[id_] = Message(kind, _text(row, "timestamp") or None)
            message.place = len(self.messages)
        text = "".join(_texts(row.get("content")))
        if text:
            message.text, message.said = text, self._clock
        if not self.folder and message.text.startswith(CONTEXT):
            told = FOLDER.search(message.text)
            self.folder = told["path"] if told else ""
        message.model = _text(row, "model") or message.model
        message.usage = _usage(row.get("tokens")) or message.usage
        for call in objects(row.get("toolCalls")):
            _enter_call(message.calls, call)


def is_session(beginning: Beginning) -> bool:
    """Whether a file begins as a session: a journal, or one object of old."""
    if any("sessionId" in row and "projectHash" in row for row in beginning.rows[:1]):
        return True
    keys = ("sessionId", "projectHash", "messages")
    return beginning.is_document and all(map(beginning.has, keys))


def read_sessions(files: Iterable[Path]) -> list[Session]:
    """The sessions of all files that are some, each with all that its files say of it."""
    found: dict[str, Session] = {}
    for path in files:
        session = _read_file(path)
        if session is not None:
            known = found.setdefault(session.id, session)
            if known is not session:  # gone on with in another file
                known.messages = {**known.messages, **session.messages}
                known.rows += session.rows
                known.unreadable += session.unreadable
                known.unknown += session.unknown
    return list(found.values())


def _read_file(path: Path) -> Session | None:
    """None for another kind of file."""
    session = Session(path.stem)
    beginning = beginning_of(path)
    if beginning.rows[:1] and "messages" not in beginning.rows[0]:
        for line in read_lines(path):
            session.rows += len(line.rows) or 1
            session.unreadable += not line.whole
            for row in line.rows:
                session.take(row)
        session.end()
        return session
    whole = read_document_in_parts(path, MESSAGES) if beginning.is_document else None
    if whole is None or not isinstance(whole.head.get("messages"), list):
        return None
    session.take(whole.head)
    for message in whole.items("messages"):
        if isinstance(message, dict):
            session.enter(message)
    session.rows = len(session.messages)
    return session


def objects(value: JsonValue) -> list[dict[str, JsonValue]]:
    """The objects of a list, whatever else it holds; of anything else, none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(row: Row, key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _texts(content: JsonValue) -> Iterator[str]:
    """The texts of a content: one text, or a list of parts."""
    if isinstance(content, str):
        yield content
    for part in objects(content):
        if part.get("thought") is not True:
            yield _text(part, "text")


def _usage(tokens: JsonValue) -> Metrics | None:
    if not isinstance(tokens, dict):
        return None
    asked = _sum(tokens, ("input", "tool"))
    written = _sum(tokens, ("output", "thoughts"))
    return Metrics(prompt_tokens=asked, completion_tokens=written)


def _sum(tokens: Row, keys: Iterable[str]) -> int | None:
    counts = [count for key in keys if isinstance(count := tokens.get(key), int)]
    return sum(counts) if counts else None


def _enter_call(calls: dict[str, Call], row: Row) -> None:
    id_, name = _text(row, "id"), _text(row, "name")
    if not (id_ and name):
        return
    call = calls.get(id_)
    if call is None:
        call = calls[id_] = Call(tool_call(id_, name, row.get("args")))
    call.agent = _text(row, "agentId") or call.agent
    came = _result(id_, row.get("result"))
    if came is not None and (call.result is None or is_masked(call.result)):
        call.result = came
        call.failed = row.get("status") == "error"
    elif is_masked(came):
        call.cleared = True


def is_masked(result: str | None) -> bool:
    """Whether the CLI has taken the text of a result out."""
    return result is not None and result.lstrip().startswith(MASKED)


def _result(call: str, result: JsonValue) -> str | None:
    """The text that answers a call. Once a history was written anew, the results of all calls of
    an answer stand at each of them."""
    responses = [
        response
        for part in objects(result)
        if isinstance(response := part.get("functionResponse"), dict)
    ]
    own = [response for response in responses if response.get("id") == call] or responses
    return "\n".join(map(_said, own)) if own else None


def _said(response: Row) -> str:
    said = response.get("response")
    for key in ("output", "error"):
        if isinstance(said, dict) and isinstance(text := said.get(key), str):
            return text
    try:
        return "" if said is None else orjson.dumps(said).decode()
    except TypeError:  # too deep to be written
        return ""
