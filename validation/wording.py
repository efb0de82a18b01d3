"""Can a report of each needle be scored? Its own statement must count as one, in file and words.

Prevents a false result: a needle that every reviewer misses, since no report that names the defect
in plain words holds the terms that the spec asks for.
"""

from __future__ import annotations

from generators.registry import RegisteredNeedle
from validation.check import Check, Checked, verdict
from validation.matching.cues import Cues, load_cues
from validation.matching.findings import StatedFinding
from validation.matching.needles import match_stated
from validation.subject import Subject

CODES: dict[str, str] = {
    "statement-counts": "a report that says what the needle's own statement says, of any of its"
    " files, counts as a report of it",
}


def check_wording(subject: Subject) -> Checked:
    """One check for each needle."""
    cues = load_cues()
    return Checked(tuple(_check(needle, cues) for needle in subject.needles))


def _check(needle: RegisteredNeedle, cues: Cues) -> Check:
    files = dict.fromkeys(span.path for span in needle.evidence)
    missed = [path for path in files if _label(needle, path, cues) != "reported"]
    if not missed:
        return verdict("statement-counts", "", needle=needle.id)
    groups = "; ".join(" / ".join(group) for group in needle.report.terms)
    reason = (
        f"its statement does not count as a report of it in {missed[0]}: a report holds one of"
        f" each of these terms: {groups}"
    )
    return verdict("statement-counts", reason, needle=needle.id)


def _label(needle: RegisteredNeedle, path: str, cues: Cues) -> str:
    told = StatedFinding(path, needle.report.statement)
    (match,) = match_stated([told], [needle], cues).needles
    return match.label
