"""Which calls are passed on: those that an agent needs, and no other use of the operator's key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_FOLDERS = r"(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*"
"""With plain names alone: neither `..` nor anything that a server could read as it."""


@dataclass(frozen=True)
class Call:
    """A method on a path."""

    method: str
    path: str
    """Without a query. A `*` at the beginning stands for any folders with plain names."""

    def is_same(self, method: str, path: str) -> bool:
        """Whether it is this call, whatever its query."""
        folders, rest = (_FOLDERS, self.path[1:]) if self.path[0] == "*" else ("", self.path)
        asked = path.partition("?")[0]
        return method == self.method and bool(re.fullmatch(folders + re.escape(rest), asked))


def is_needed(calls: Iterable[Call], method: str, path: str) -> bool:
    """Whether a request is one of these calls."""
    return any(call.is_same(method, path) for call in calls)
