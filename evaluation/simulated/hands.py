"""How a simulated model acts in one harness: which tool lists, reads, searches and delegates.

A harness keeps its table beside its other data; the simulated model knows only this.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue


@dataclass(frozen=True)
class Call:
    """A tool call to make. In string arguments `{path}`, `{prompt}`, `{title}`, `{first}`, `{last}`
    and `{count}` are filled in; the last three, where they are the whole string, as numbers."""

    tool: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True)
class Hands:
    """One harness's tools, as a reviewer uses them."""

    list_files: Call
    read_file: Call
    read_range: Call
    search: Call
    delegate: Call | None
    """None where sub-agents cannot be had."""
    line: str = "{n}\t{text}"
    """How a line stands in what a read gives back."""
    collect: Call | None = None
    """How a sub-agent's report is fetched, where the call that starts one gives its id alone:
    `{agent}` is filled in."""
    agent: re.Pattern[str] | None = None
    """Finds that id in what the starting call gave back, as the group `agent`."""
    finish: Call | None = None
    """How a sub-agent must end, where text alone does not: `{report}` is filled in."""
    nested: bool = False
    """Whether a sub-agent can have sub-agents of its own."""
    cut: re.Pattern[str] | None = None
    """What stands where the middle of a long output was left out."""
    most: int | None = None
    """Bytes that one read shows whole: a longer file is read by ranges. None: as many as it has."""
