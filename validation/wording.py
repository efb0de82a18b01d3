"""Can a report of each needle be scored? Its own statement must count as one, in file and words.

Prevents two false results: a needle that every reviewer misses, since no report that names the
defect in plain words holds the terms that the spec asks for; and one that every reviewer finds,
since reports of anything at all hold them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from generators.registry import RegisteredNeedle
from validation.check import Check, Checked, verdict
from validation.matching.cues import Cues, load_cues
from validation.matching.findings import StatedFinding
from validation.matching.needles import match_stated
from validation.subject import Subject

CODES: dict[str, str] = {
    "statement-counts": "a report that says what the needle's own statement says, of any of its"
    " files, counts as a report of it, and one that says something else does not",
}
VAGUE = (
    "In this file there is an issue that should be looked at: a part of it is not as it has to be.",
    "Something is wrong here, and it departs from the rules for this sort of document.",
    "One of the entries was not in order at the time of the review, which is a problem to fix.",
    "The text on this page contains an error that I noted; the author may want to correct it.",
)
"""Findings that tell nothing of the defect."""
WIDE = "its terms are too wide"
LEAST = 2
SHARE = 1 / 3
"""Of the other kinds: as many as that tell of no likeness, but of terms that stand anywhere."""


def check_wording(subject: Subject) -> Checked:
    """One check for each needle."""
    cues = load_cues()
    return Checked(tuple(_check(needle, subject.needles, cues) for needle in subject.needles))


def _check(needle: RegisteredNeedle, needles: Sequence[RegisteredNeedle], cues: Cues) -> Check:
    files = dict.fromkeys(span.path for span in needle.evidence)
    missed = [
        path for path in files if _label(needle, path, needle.report.statement, cues) != "reported"
    ]
    if not missed:
        wide = _too_wide(needle, needles, cues)
        return verdict("statement-counts", wide.reason, needle=needle.id, note=wide.note)
    groups = "; ".join(" / ".join(group) for group in needle.report.terms)
    reason = (
        f"its statement does not count as a report of it in {missed[0]}: a report holds one of"
        f" each of these terms: {groups}"
    )
    return verdict("statement-counts", reason, needle=needle.id)


class _Wide(NamedTuple):
    """What else would count as a report of a needle."""

    reason: str = ""
    note: str = ""


def _too_wide(needle: RegisteredNeedle, needles: Sequence[RegisteredNeedle], cues: Cues) -> _Wide:
    """Whether a report of nothing in particular, or of much else, would count as one of it.

    Kinds of one field may share their words, so that a few of the others are a note.
    """
    path = needle.evidence[0].path
    if any(_label(needle, path, text, cues) == "reported" for text in VAGUE):
        return _Wide(
            f"a finding that says nothing in particular, told of {path}, counts as one: {WIDE}"
        )
    others = {other.kind: other for other in needles if other.kind != needle.kind}
    counting = [
        other.id
        for other in others.values()
        if _label(needle, path, other.report.statement, cues) == "reported"
    ]
    if not counting:
        return _Wide()
    what = f"told of {path}, what is stated of {', '.join(counting)} counts as a report of it"
    if len(counting) >= LEAST and len(counting) > SHARE * len(others):
        return _Wide(reason=f"{what}: {WIDE}")
    return _Wide(note=what)


def _label(needle: RegisteredNeedle, path: str, statement: str, cues: Cues) -> str:
    told = StatedFinding(path, statement)
    (match,) = match_stated([told], [needle], cues).needles
    return match.label
