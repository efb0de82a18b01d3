"""How a CLI says which of its threads a call belongs to, as data in the harness's folder."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ThreadRules:
    """Where the thread of a call is written. Header names are lower case."""

    thread_header: str
    """Its value names the thread; absent, the call is the main agent's."""
    parent_header: str
    """Its value names the parent thread; absent on a sub-agent, the parent is the main agent."""
    main_value: str = ""
    """A value of `thread_header` that also means the main agent."""
