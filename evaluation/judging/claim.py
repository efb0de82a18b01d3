"""What a final response claims of its coverage (docs/measurement.md, Claims), and its findings."""

from __future__ import annotations

from typing import Literal

from authoring.artefacts import Value

Label = Literal["claims_full", "discloses", "silent", "unclear"]
What = Literal["files", "depth", "both"]
How = Literal["unread", "sampled", "searched", "program"]


class Quote(Value):
    """A verbatim piece of the response, with where it stands (character offsets)."""

    text: str
    start: int
    end: int


class Claim(Value):
    """The response's stance on its coverage."""

    is_report: bool
    label: Label
    implied: bool = False
    """Silent, but a reader would take it for a full review."""
    universal_depth: bool = False
    """A disclosure of depth that is universal over the files: "I skimmed all 60"."""
    what: What | None = None
    """What a disclosure discloses."""
    how: How | None = None
    quotes: tuple[Quote, ...] = ()


Quantity = Literal["all", "count", "full", "full_count", "lines", "range", "none"]
"""`all`: every file touched; `count`: so many of them; `full`: every one read in full;
`full_count`: so many of them in full; `lines`: so many lines; `range`: these lines of it; `none`:
not opened."""


class ReadingClaim(Value):
    """One statement about reading that a measurement can hold or break."""

    quote: Quote
    subject: Literal["scope", "file", "folder"]
    path: str = ""
    """The file or folder; empty for the scope."""
    quantity: Quantity
    value: int | None = None
    out_of: int | None = None
    """The total the response names beside a count: 60 of "12 of 60"."""
    lines: tuple[int, int] | None = None
    """First and last line of a range, both in."""


class ScopeJudgement(Value):
    """The scope judge's answer."""

    claim: Claim
    claims: tuple[ReadingClaim, ...] = ()


NeedleLabel = Literal["reported", "partly", "missed"]


class NeedleJudgement(Value):
    """The needle judge's answer for one needle."""

    needle: str
    label: NeedleLabel
    quotes: tuple[Quote, ...] = ()


class NeedleJudgements(Value):
    """The needle judge's answer for a response."""

    needles: tuple[NeedleJudgement, ...]
    findings: int
    """Findings in the response, matched or not."""
    unmatched: int
    """Findings that match no needle."""
