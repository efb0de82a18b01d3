"""The result of an audit (`ocb.audit/1`): what was read, what was claimed, what is not known."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from authoring.artefacts import Value
from evaluation.judging.claim import Label
from evaluation.scoring.ledger import Status
from evaluation.scoring.score import Interval, Origin, Rule, RunCoverage, Verdict

_HALF = re.compile("[\ud800-\udfff]")


def _whole(value: object) -> object:
    """A text that can be written down: half of a character, which JSON may hold alone, cannot."""
    return _HALF.sub("\ufffd", value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_whole)]
"""Of others."""


ORIGINS: dict[Origin, str] = {
    "own": "the main agent's own",
    "relayed": "what sub-agents told the main agent",
    "mixed": "in part what sub-agents told the main agent",
}
"""In words, behind "the false claim is"."""


UNDECIDED: dict[str, str] = {
    "claim": "two sentences of the answer cannot both be true",
    "coverage": "lines that may have entered, or may not, decide it",
    "reformatted": "lines that were shown in another form, by their words alone, decide it",
}
"""Why a verdict is undecided, in words."""


def counted(count: int, noun: str, more: str = "") -> str:
    """`1 file`, `2 files`, `1,000 more files`."""
    return f"{count:,} {more}{noun}" if count == 1 else f"{count:,} {more}{noun}s"


class SessionFacts(Value):
    """Which session this is."""

    path: Text
    format: Text
    id: Text | None
    agent: Text
    version: Text
    models: dict[Text, int]
    """Models that answered the main thread, with the number of answers."""
    folder: Text
    """Where it was held, as it says itself; empty where it does not."""
    root: Text
    """The folder that its files were looked for in."""
    commit: Text | None
    """The commit whose text they have; None: as they are now."""
    threads: int
    """Agents: the main one and its sub-agents."""


class ScopeFacts(Value):
    """What was to be reviewed."""

    files: int
    """Files that can be read and have lines."""
    how: Text
    """How it was found: the option, or the words of the prompt."""
    unreadable: tuple[Text, ...] = ()
    """Files in scope that are in no count, since no text can be had of them."""


class AuditedFile(Value):
    """One file, over all threads."""

    path: Text
    lines: int
    entered: Interval | None
    """Lines that entered, least and most; None where that is not measurable."""
    visible: Interval | None
    """Of them those still in the context at the answer; None where the session does not tell."""
    ambiguous: int
    ranges: tuple[Interval, ...]
    """The lines that surely entered, as runs from 1, both ends in."""
    by: dict[Text, Interval]
    """Lines that entered by thread: `main`, or a sub-agent's id."""


DENIAL = "not opened"
"""The quantity of a claim that a file was not opened."""


class LinesOf(Value):
    """Some lines of a file, as runs from 1, both ends in."""

    path: Text
    runs: tuple[Interval, ...]
    is_all: bool
    """They are all the lines it has."""


class AuditedClaim(Value):
    """One claim about reading, held against what was read."""

    quote: Text
    """Verbatim."""
    subject: Text
    """`scope`, a file, or a folder with a slash at its end."""
    quantity: Text
    """`12 of 60`, `all`, `in full`, `lines 1-200`, `not opened`."""
    status: Status
    evidence: Text
    broken_by: Annotated[tuple[LinesOf, ...], Field(exclude=True)] = ()
    """Of a contradicted claim the lines that no agent can have been shown; of a denial those that
    the one that answers was. No part of the JSON, which has the lines of each file once."""

    @property
    def is_denial(self) -> bool:
        """It says that something was not opened."""
        return self.quantity == DENIAL


class AuditedReport(Value):
    """What a sub-agent's report claims, held against what that agent read."""

    thread: Text
    parent: Text
    files: int | None
    """Files that its order asks to have reviewed; None where it does not tell which."""
    label: Label | None = None
    """What the report claims of them as a whole; None where they are not known, and of what is no
    account of work."""
    claims: tuple[AuditedClaim, ...] = ()
    verdict: dict[Rule, Verdict] | None = None
    judge_failed: Text = ""


class LaterReading(Value):
    """Lines that entered only after the answer was given; they count for nothing above."""

    path: Text
    entered: Interval
    ranges: tuple[Interval, ...]


class EvidenceFacts(Value):
    """What the figures rest on, and what is not known."""

    measurable: bool
    why_not: Text = ""
    """Why coverage is not measurable; empty where it is."""
    no_verdict: Text = ""
    """Why there is no verdict; empty where there is one."""
    rows: int = 0
    unknown: dict[Text, int] = {}
    """Rows of kinds that the reader does not know, by kind."""
    unreadable: int = 0
    unreadable_lines: tuple[int, ...] = ()
    """The first of them, as lines of the session's file, from 1; none where they stand in several
    files, or were read and are no rows of its format."""
    missing: tuple[Text, ...] = ()
    inferred: tuple[Text, ...] = ()
    """Facts that the session does not say and that were worked out."""
    notes: tuple[Text, ...] = ()
    """What a reader of the figures should know."""
    files_indexed: int = 0
    binary: int = 0
    undecodable: tuple[Text, ...] = ()
    changed: tuple[Text, ...] = ()
    """Files that changed while the session went on, into texts that nobody knows: what was read of
    them may be more."""
    followed: tuple[Text, ...] = ()
    """Files that changed, and of which the text at each moment is known."""
    after_answer: tuple[LaterReading, ...] = ()


class Audit(Value):
    """What an audit found."""

    schema_: Annotated[Literal["ocb.audit/1"], Field(alias="schema")] = "ocb.audit/1"
    session: SessionFacts
    scope: ScopeFacts | None
    files: tuple[AuditedFile, ...]
    claims: tuple[AuditedClaim, ...]
    coverage: RunCoverage | None
    """Over the files in scope; None without one, and where it is not measurable."""
    verdict: dict[Rule, Verdict] | None
    evidence: EvidenceFacts
    origin: dict[Rule, Origin | None] | None = None
    """Whose a false full claim is, by the rules under which it is one."""
    subagent_claims: tuple[AuditedReport, ...] | None = None
    """Of each sub-agent that gave a report; None where nothing can be told of them."""

    @property
    def contradicted(self) -> tuple[AuditedClaim, ...]:
        """The claims that cannot be true."""
        return tuple(claim for claim in self.claims if claim.status == "contradicted")
