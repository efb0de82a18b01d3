"""How a CLI says which of its threads a call belongs to, as data in the harness's folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Delegation:
    """A tool by which one agent starts another, where headers do not name the threads."""

    tool: str
    prompt: str
    """The argument that holds what the sub-agent is told."""


@dataclass(frozen=True)
class ThreadRules:
    """Where the thread of a call is written. Header names are lower case."""

    thread_header: str = ""
    """Its value names the thread. Empty: this CLI sends none, and threads are told by prompt, then
    by chain of tool-call ids."""
    parent_header: str = ""
    """Its value names the parent thread; absent on a sub-agent, the parent is the main agent."""
    main_value: str = ""
    """A value of `thread_header` that also means the main agent."""
    main_without: Literal["thread", "parent"] = "thread"
    """The header whose absence tells the main agent: some CLIs name their main thread too, and only
    sub-agents have a parent."""
    delegations: tuple[Delegation, ...] = ()
    """Tools whose prompt is the first user text of the sub-agent that they start."""
