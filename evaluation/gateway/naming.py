"""Which thread and kind a call belongs to: by the CLI's own headers, else by what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.gateway.messages import RequestBody, ResponseBody
from evaluation.gateway.orders import Held, Orders, held_in
from evaluation.gateway.summaries import Summaries
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import CallKind, NamedBy
from evaluation.reading.context import MAIN

UNKNOWN = "unknown"

MOST_MAIN = 64
"""Names of the main thread that are kept; one session has one."""

LATEST = 2
"""Messages at the end of a request by which one for a summary is told."""


@dataclass(frozen=True)
class Name:
    """Whose call it is."""

    thread: str
    parent: str | None
    kind: CallKind
    by: NamedBy
    asks_summary: bool = False
    """The answer will stand in the place of its thread's history, and tell the thread by then."""


@dataclass(frozen=True)
class _Told:
    """Which thread a call belongs to, and how that was told."""

    thread: str
    parent: str | None
    by: NamedBy
    held: Held | None = None
    """What it was told by, where that was no header."""


class Naming:
    """Names the calls of one run, and learns from their answers.

    A call that asks for no answer, or offers no tools (a title, a summary), or that the CLI marks
    as none of an agent's, or that asks for a summary as the CLI does, is background: it carries the
    thread that it names, and is no agent's context.
    """

    def __init__(self, rules: ThreadRules, prompt: str = "") -> None:
        self._rules = rules
        self._mains: set[str] = set()
        """What the main thread is called in headers, where it has a name of its own."""
        self._orders = Orders(rules.delegations, prompt)
        self._summaries = Summaries(rules.summary)
        self._by_header = bool(rules.thread_header)

    @property
    def needs_messages(self) -> bool:
        """Whether a call's thread is told by what it holds."""
        return not self._by_header

    @property
    def latest(self) -> int | None:
        """How many of a request's last messages are looked at; None: all."""
        if self.needs_messages:
            return None
        return LATEST if self._rules.summary else 0

    def name(
        self,
        call: int,
        headers: Mapping[str, str],
        request: RequestBody | None,
        *,
        generation: bool,
    ) -> Name:
        """Name a call. Header names are lower case; None: its body cannot be read."""
        told = self._by_headers(headers) if self._by_header else self._by_held(request)
        kind: CallKind = "main" if told.thread == MAIN else "subagent"
        asks_summary = generation and self._asks_for_summary(request)
        if not generation or asks_summary or self._is_background(headers, request):
            kind = "background"
        elif request is None or told.thread == UNKNOWN:
            kind = "unknown"
        elif told.held is not None:
            self._orders.took(call, told.thread, told.held)
        tells = asks_summary and self.needs_messages
        return Name(told.thread, told.parent, kind, told.by, asks_summary=tells)

    def _is_background(self, headers: Mapping[str, str], request: RequestBody | None) -> bool:
        mark = self._rules.background
        if mark is not None and mark.value.search(headers.get(mark.header, "")):
            return True
        return request is not None and not request.tools

    def _asks_for_summary(self, request: RequestBody | None) -> bool:
        rule = self._rules.summary
        if rule is None or request is None or (request.tools and not rule.offers_tools):
            return False
        *earlier, last = request.messages or (None,)
        # Where all messages are looked at, there must be something to be summed up.
        is_later = any(one.role == "assistant" for one in earlier) or not self.needs_messages
        if last is None or not earlier or not is_later or last.role != "user":
            return False
        return bool(last.texts) and rule.asked.match(last.texts[-1]) is not None

    def _by_held(self, request: RequestBody | None) -> _Told:
        if request is None:
            return _Told(UNKNOWN, None, "none")
        held = held_in(request.messages)
        owner = self._orders.find(held, self._summaries.find(request.messages))
        if owner is None:
            return _Told(UNKNOWN, None, "none")
        return _Told(owner.thread, owner.parent, owner.by, held)

    def _by_headers(self, headers: Mapping[str, str]) -> _Told:
        thread = self._thread(headers)
        if thread == UNKNOWN:
            return _Told(UNKNOWN, None, "none")
        return _Told(thread, None if thread == MAIN else self._parent(headers), "header")

    def _thread(self, headers: Mapping[str, str]) -> str:
        rules = self._rules
        named = headers.get(rules.thread_header, "")
        if rules.main_without == "parent":
            if headers.get(rules.parent_header):
                return _own(named)
            if named and len(self._mains) < MOST_MAIN:
                self._mains.add(named)
            return MAIN
        return MAIN if named in ("", rules.main_value) else _own(named)

    def _parent(self, headers: Mapping[str, str]) -> str:
        parent = headers.get(self._rules.parent_header, "")
        is_main = parent in ("", self._rules.main_value) or parent in self._mains
        return MAIN if is_main else parent

    def answered(self, call: int, name: Name, answer: ResponseBody, *, is_whole: bool) -> None:
        """What came back up to now: the calls of tools in it are this thread's, and those that
        start an agent are orders."""
        if name.asks_summary and answer.whole:
            self._summaries.enter(None if name.thread == UNKNOWN else name.thread, answer.text)
        elif self.needs_messages and name.kind != "background":
            self._orders.answered(call, name.thread, answer.uses, is_whole=is_whole)

    def broke_off(self, call: int) -> None:
        """A call is over without a whole answer."""
        self._orders.broke_off(call)


def _own(named: str) -> str:
    """The thread of a sub-agent; not one that bears a name which says something else here."""
    return named if named not in ("", MAIN) else UNKNOWN
