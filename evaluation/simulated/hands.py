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
    """A tool call to make. In string arguments `{path}`, `{prompt}`, `{title}`, `{pattern}`,
    `{command}`, `{first}`, `{last}` and `{count}` are filled in; the last three, where they are the
    whole string, as numbers. `{quoted}` is the command as a string of JSON."""

    tool: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True)
class Hits:
    """How a search writes what it found. In each text `{path}` is filled in, as the tools take it
    and without the folder before it; `{n}` and `{text}`."""

    lines: tuple[str, ...]
    """One line that was found, or that stands around it."""
    heading: str = ""
    """What stands over the lines of one file; empty where each line names its own."""


GREP = Hits(("{path}:{n}:{text}", "{path}-{n}-{text}"))
"""`grep -n` over a folder, with lines around."""


@dataclass(frozen=True)
class Hands:
    """One harness's tools, as a reviewer uses them."""

    list_files: Call
    read_file: Call
    read_range: Call
    search: Call
    """Over all files, for the lines that hold `{pattern}`: letters, of any case."""
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
    hits: Hits = GREP
    search_around: Call | None = None
    """A search that shows a line before and after each."""
    shell: Call | None = None
    """Has a shell run `{command}`; None where there is none."""
    printed: str = ""
    """What stands before the first line that a command printed, and in that line."""
    most: int | None = None
    """Bytes that one read shows whole: a longer file is read by ranges. None: as many as it has."""
