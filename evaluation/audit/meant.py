"""Whether a response means what a claim says: an audit accuses, so what is doubtful is left out.

Prevents a claim being held against a file that is not named in it, and a word about files that the
user holds ("all the files you attached") being shown as one about those that were to be reviewed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from evaluation.judging.claim import ReadingClaim

AROUND = 80
"""Characters behind a quote that are looked at."""

_RANGE = re.compile(r"\b(?:to|through|until)\b|\u2013|\u2014|\.\.|\u2026| - ", re.IGNORECASE)
_OTHER_FILES = re.compile(
    r"\s(?:that\s|which\s)?(?:you|he|she|they)\s(?:\w+\s)?(?:attached|mentioned|linked|pasted|opened"
    r"|selected|highlighted|changed|edited|touched)\b",
    re.IGNORECASE,
)


def is_meant(claim: ReadingClaim, every: Sequence[ReadingClaim], response: str) -> bool:
    """Whether the response itself makes this claim, of what the claim is about."""
    quote = claim.quote
    if claim.subject == "scope":
        return not _OTHER_FILES.match(response, quote.end, quote.end + AROUND)
    if claim.subject == "folder" or names(quote.text, claim.path):
        return True
    ends = [one for one in every if one.quote == quote and names(quote.text, one.path)]
    return len(ends) > 1 and bool(_RANGE.search(quote.text))


def names(quote: str, path: str) -> bool:
    """Whether a quote names a file: by its base name, or by its stem with any marks in between.

    A stem of one plain word names it only where marks set it off: "the engine" is no file.
    """
    pure = PurePosixPath(path)
    parts = re.findall(r"[^\W_]+", pure.stem)
    stem = r"[-_. /\\]?".join(f"0*{p.lstrip('0') or '0'}" if p.isdecimal() else p for p in parts)
    marked = r"[`*\"\[]" if len(parts) == 1 and pure.stem.isalpha() else ""
    patterns = (re.escape(pure.name), *((f"{marked}{stem}",) if parts else ()))
    return any(re.search(rf"(?<!\w){one}(?!\w)", quote, re.IGNORECASE) for one in patterns)
