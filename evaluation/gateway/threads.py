"""How a CLI says which of its threads a call belongs to, as data in the harness's folder.

The wire names the threads as follows, and the session's reader must name them alike, since both
channels are compared thread by thread:

- the main agent is `main`;
- where a header names the thread, a sub-agent is what the header says;
- where none does, a sub-agent is the id of the tool call that ordered it, as the wire has it; where
  that call has no id, or the id of an earlier order, it is `sub-` and the number of the order,
  counted from 1 over all orders of the run (those with ids included) as they were answered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Delegation:
    """A tool by which one agent starts another, where headers do not name the threads."""

    tool: str
    prompt: str
    """The argument that holds what the sub-agent is told."""


@dataclass(frozen=True)
class BackgroundMark:
    """How a CLI says that a call is none of an agent's, though it offers tools."""

    header: str
    value: re.Pattern[str]
    """Found in the header of such a call."""


@dataclass(frozen=True)
class Summary:
    """How a CLI puts a summary in the place of a conversation."""

    asked: re.Pattern[str]
    """How it asks for one: what the last text of the last message begins with. What a tool returned
    is no such text; nor is a first message, which another agent may have written."""
    offers_tools: bool = False
    """Such a call offers tools, as an agent's own calls do. Where it does not, one that does is an
    agent's, whatever it says."""
    place: Literal["user", "answer"] = "user"
    """Where the summary then stands: in what the user says before the first answer, or as the first
    answer itself."""
    frame: re.Pattern[str] | None = None
    """What a text begins with that holds the summary; None: the summary is all of the text."""
    kept: re.Pattern[str] | None = None
    """Finds the part of the model's answer that goes on, as group 1; None, or where it finds none:
    all of the answer."""


@dataclass(frozen=True)
class ThreadRules:
    """Where the thread of a call is written. Header names are lower case."""

    thread_header: str = ""
    """Its value names the thread. Empty: this CLI sends none, and threads are told by prompt, by
    summary, then by chain of tool-call ids."""
    parent_header: str = ""
    """Its value names the parent thread; absent on a sub-agent, the parent is the main agent."""
    main_value: str = ""
    """A value of `thread_header` that also means the main agent."""
    main_without: Literal["thread", "parent"] = "thread"
    """The header whose absence tells the main agent: some CLIs name their main thread too, and only
    sub-agents have a parent."""
    delegations: tuple[Delegation, ...] = ()
    """Tools whose prompt is the first user text of the sub-agent that they start, or stands whole
    in it. Used where no header names the threads."""
    background: BackgroundMark | None = None
    """None: no header says it. A call that offers no tools is background in any case."""
    summary: Summary | None = None
    """None: this CLI makes none, or by calls that need no telling: they offer no tools, and a
    header names the thread of what follows."""
