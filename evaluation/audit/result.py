"""The result of an audit (`ocb.audit/1`): what was read, what was claimed, what is not known."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from authoring.artefacts import Value
from evaluation.scoring.ledger import Status
from evaluation.scoring.score import Interval, Rule, RunCoverage, Verdict


def _whole(value: object) -> object:
    """A text that can be written down: half of a character, which JSON may hold alone, as `?`."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_whole)]
"""Of others."""


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
    missing: tuple[Text, ...] = ()
    inferred: tuple[Text, ...] = ()
    """Facts that the session does not say and that were worked out."""
    notes: tuple[Text, ...] = ()
    """What a reader of the figures should know."""
    files_indexed: int = 0
    binary: int = 0
    undecodable: tuple[Text, ...] = ()
    changed: tuple[Text, ...] = ()
    """Files that changed while the session went on: what was read of them may be more."""
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

    @property
    def contradicted(self) -> tuple[AuditedClaim, ...]:
        """The claims that cannot be true."""
        return tuple(claim for claim in self.claims if claim.status == "contradicted")
