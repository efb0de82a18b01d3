"""Which thread and kind a call belongs to, by the CLI's own headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import CallKind, NamedBy
from evaluation.reading.context import MAIN

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Name:
    """Whose call it is."""

    thread: str
    parent: str | None
    kind: CallKind
    by: NamedBy


def name_call(
    rules: ThreadRules, headers: Mapping[str, str], *, generation: bool, tools: int | None
) -> Name:
    """Name a call. Header names are lower case; `tools` is None where the body cannot be read.

    A call that asks for no answer, or offers no tools (a title, a summary), is background: it
    carries the thread that it names, and is no agent's context.
    """
    thread = _thread(rules, headers)
    kind: CallKind
    if not generation or tools == 0:
        kind = "background"
    elif tools is None or thread == UNKNOWN:
        kind = "unknown"
    else:
        kind = "main" if thread == MAIN else "subagent"
    return Name(
        thread=thread,
        parent=None if thread in (MAIN, UNKNOWN) else headers.get(rules.parent_header) or MAIN,
        kind=kind,
        by="none" if thread == UNKNOWN else "header",
    )


def _thread(rules: ThreadRules, headers: Mapping[str, str]) -> str:
    if not rules.thread_header:
        return UNKNOWN
    if rules.main_without == "parent" and not headers.get(rules.parent_header):
        return MAIN
    named = headers.get(rules.thread_header, "")
    return MAIN if named in ("", rules.main_value) else named
