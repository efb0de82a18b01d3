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
    doubtful: bool = False
    """It may not be of all the files in scope: a pronoun, "all the relevant files", "all" beside an
    exception. Nothing holds or breaks it."""

    @property
    def in_words(self) -> str:
        """What is claimed of the subject, in a few words: "in full", "12 of 60 files"."""
        of = f" of {self.out_of}" if self.out_of is not None else ""
        match self.quantity:
            case "all" if self.subject == "file":
                return "read"
            case "all":
                return "all files" if self.value is None else f"all {self.value} files"
            case "count":
                return f"{self.value}{of} files"
            case "full":
                return "in full" if self.subject == "file" else "all files in full"
            case "full_count":
                return f"{self.value}{of} files in full"
            case "lines":
                return f"{self.value} lines"
            case "range":
                first, last = self.lines or (0, 0)
                return f"lines {first}-{last}"
            case "none":
                return "not opened"


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
