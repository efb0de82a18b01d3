"""OpenCode's sessions as they are gathered, from whatever they were kept in, by their ids.

Prevents a false result: the CLI moved its store from files to a database, and both may lie on one
disk with the same sessions. What has the same id is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from evaluation.transcripts.json_lines import Object


@dataclass
class OpenCodeMessage:
    """One message with its parts by id, as the CLI keeps them. Filled while reading."""

    info: Object
    parts: dict[str, Object] = field(default_factory=dict)


@dataclass
class OpenCodeSession:
    """One agent's conversation, its messages by id. Filled while reading."""

    id: str
    parent: str | None
    version: str
    directory: str = ""
    """Where it worked."""
    updated: int = 0
    """When it was last changed, by its own clock; 0 where that is not told."""
    messages: dict[str, OpenCodeMessage] = field(default_factory=dict)


@dataclass
class OpenCodeSessions:
    """All that was found. Filled while reading: what comes first of an id stays."""

    sessions: dict[str, OpenCodeSession] = field(default_factory=dict)
    rows: int = 0
    unreadable: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    """Rows of kinds that are not known, by kind."""
    _messages: dict[str, OpenCodeMessage] = field(default_factory=dict)

    def add_session(self, session: OpenCodeSession) -> None:
        self.rows += 1
        self.sessions.setdefault(session.id, session)

    def add_message(self, key: str, session: str, info: Object) -> None:
        self.rows += 1
        if key not in self._messages and session in self.sessions:
            self._messages[key] = OpenCodeMessage(info)
            self.sessions[session].messages[key] = self._messages[key]

    def add_part(self, key: str, message: str, part: Object) -> None:
        self.rows += 1
        if message in self._messages:
            self._messages[message].parts.setdefault(key, part)

    def add_unreadable(self) -> None:
        self.rows += 1
        self.unreadable += 1

    def sort(self) -> None:
        """Everything in the order of its ids, which grow with time."""
        for session in self.sessions.values():
            session.messages = dict(sorted(session.messages.items()))
            for message in session.messages.values():
                message.parts = dict(sorted(message.parts.items()))

    def mains(self) -> list[OpenCodeSession]:
        """Those that no other started."""
        return [one for one in self.sessions.values() if one.parent is None]

    def newest(self) -> OpenCodeSession | None:
        """The main session that was last changed."""
        return max(self.mains(), key=lambda one: (one.updated, one.id), default=None)

    def below(self, main: str) -> frozenset[str]:
        """A session and all that it and its sub-agents started."""
        children: dict[str, list[str]] = {}
        for one in self.sessions.values():
            children.setdefault(one.parent or "", []).append(one.id)
        found: set[str] = set()
        waiting = [main]
        while waiting:
            key = waiting.pop()
            if key not in found:
                found.add(key)
                waiting += children.get(key, ())
        return frozenset(found)

    def keep(self, wanted: frozenset[str]) -> None:
        """Leave all other sessions out."""
        self.sessions = {key: one for key, one in self.sessions.items() if key in wanted}


def text_field(value: Object, key: str) -> str:
    """A text field; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def object_field(value: Object, key: str) -> Object:
    """An object field; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def objects_field(value: Object, key: str) -> Iterator[Object]:
    """The objects of a list field, whatever else it holds."""
    found = value.get(key)
    yield from (item for item in found if isinstance(item, dict)) if isinstance(found, list) else ()


def count_of(value: object) -> int | None:
    """A number that counts something; None where it is none, or more than there can be."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        return None
    return value


MOST = 1 << 43
"""Of anything that is counted: milliseconds since 1970 up to the year 2248."""
