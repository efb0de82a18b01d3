"""Ablation by detectors: with all needles in, with all of them out, and with one alone.

Prevents a needle that is not there, that stands elsewhere, that stands in the clean corpus as well,
or that is there only as long as another one is. In a corpus of real files a defect that nobody
planted is a *natural needle*: it stands in the clean corpus too, is listed, and fails nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.registry import RegisteredNeedle, restore
from validation.check import Check, Checked, verdict
from validation.natural import NaturalNeedles
from validation.shifts import without
from validation.subject import Subject, as_evidence, as_span, shown, wanted

CODES: dict[str, str] = {
    "positive": "in the planted corpus each needle is found at its registered lines",
    "no-natural-needle": "in the planted corpus nothing else of the needles' kinds is found",
    "negative": "in the clean corpus nothing is found",
    "natural-crowd": "natural needles of a kind are no more than three times its planted ones",
    "path-blind": "a needle of one file is found under the path of another of its kind as well",
    "swap": "with one needle planted and all others taken out, exactly that one is found",
}


CROWD = 3
"""Natural needles for each planted one of a kind, at the most."""
PEERS = 3
"""Paths under which a needle's file is tried."""


def check_ablation(subject: Subject) -> Checked:
    """`positive` and `swap` for each needle, the other two for each kind of defect.

    Raises UserError where the planted lines are not those of the registry, so that there is no
    clean corpus to be had.
    """
    natural = NaturalNeedles(subject)
    checks: list[Check] = []
    for kind in subject.kinds:
        needles = [needle for needle in subject.needles if needle.kind == kind]
        found = subject.detections.decide(kind, subject.facts[kind])
        checks += (_positive(needle, found) for needle in needles)
        others = found.difference(*map(wanted, needles))
        allowed = natural.allowed(kind, (needle.id for needle in subject.needles))
        checks.append(_nothing_else(kind, others, allowed))
        checks.append(_negative(subject, kind, natural))
        checks.append(_crowd(subject, kind, len(needles)))
    checks += (_swap(subject, needle, natural) for needle in subject.needles)
    checks += (_path_blind(subject, needle) for needle in subject.needles)
    return Checked(tuple(checks))


def _positive(needle: RegisteredNeedle, found: frozenset[Evidence]) -> Check:
    missed = wanted(needle) - found
    near = [one for one in found if one.path in {miss.path for miss in missed}]
    where = f"; it fires at {shown(near)}" if near else ""
    return Check(
        code="positive",
        needle=needle.id,
        passed=not missed,
        reason=f"the {needle.kind} detector finds nothing at {shown(missed)}{where}"
        if missed
        else "",
        evidence=tuple(map(as_span, sorted(wanted(needle)))),
    )


def _nothing_else(kind: str, others: frozenset[Evidence], allowed: frozenset[Evidence]) -> Check:
    stray, natural = others - allowed, others & allowed
    return Check(
        code="no-natural-needle",
        passed=not stray,
        reason=f"{kind} also found at {shown(stray)}" if stray else "",
        note=f"natural needles of kind {kind}: {shown(natural)}" if natural else "",
        evidence=tuple(map(as_span, sorted(others))),
    )


def _negative(subject: Subject, kind: str, natural: NaturalNeedles) -> Check:
    hits = subject.natural[kind]
    reason = note = ""
    if hits and subject.of_real_files:
        note = f"natural needles of kind {kind} in the clean corpus: {shown(hits)}"
        doubled = ", ".join(natural.doubled(kind))
        reason = f"the clean corpus holds {kind} where it was planted: {doubled}" if doubled else ""
    elif hits:
        reason = f"on the clean corpus the {kind} detector fires at {shown(hits)}"
    return Check(
        code="negative",
        passed=not reason,
        reason=reason,
        note=note,
        evidence=tuple(map(as_span, sorted(hits))),
    )


def _crowd(subject: Subject, kind: str, planted: int) -> Check:
    """Whether what nobody planted drowns the planted needles: a report of any would be true."""
    found = len(subject.natural[kind]) if subject.of_real_files else 0
    reason = (
        f"{found} natural needles of kind {kind} stand beside {planted} planted: mend the corpus,"
        " or tell the kind more narrowly"
    )
    return verdict("natural-crowd", reason if found > CROWD * planted else "")


def _path_blind(subject: Subject, needle: RegisteredNeedle) -> Check:
    """Whether the detector would see the same defect in another file of the same sort.

    The two files exchange their paths; the others stay. Prevents a detector that was told where to
    look, and so would find nothing in all the other files that show the same.
    """
    paths = {span.path for span in needle.evidence}
    path = min(paths)
    peers = _peers(subject, path) if len(paths) == 1 else []
    there = wanted(needle)
    if not there <= subject.detections.decide(needle.kind, subject.facts[needle.kind]):
        peers = []  # `positive` says so
    for peer in peers:
        texts = {path: subject.planted[peer], peer: subject.planted[path]}
        facts = {**subject.facts[needle.kind], **subject.detections.facts(needle.kind, texts)}
        at_peer = {one._replace(path=PurePosixPath(peer)) for one in there}
        if at_peer <= subject.detections.decide(needle.kind, facts):
            return verdict("path-blind", "", needle=needle.id)
    reason = (
        f"the {needle.kind} detector does not find the text of {path} under the path of"
        f" {' or '.join(peers)}"
    )
    return verdict("path-blind", reason if peers else "", needle=needle.id)


def _peers(subject: Subject, path: str) -> list[str]:
    """A few files of the same sort, spread over all that there are."""
    kinds = {file.path: file.kind for file in subject.build.manifest.files}
    others = [one for one in subject.review if kinds[one] == kinds[path] and one != path]
    return others[:: max(1, len(others) // PEERS)][:PEERS]


def _swap(subject: Subject, needle: RegisteredNeedle, natural: NaturalNeedles) -> Check:
    faults = list(_faults_alone(subject, needle, natural))
    return Check(
        code="swap",
        needle=needle.id,
        passed=not faults,
        reason=f"planted alone: {'; '.join(faults)}" if faults else "",
        evidence=needle.evidence,
    )


def _faults_alone(
    subject: Subject, needle: RegisteredNeedle, natural: NaturalNeedles
) -> Iterator[str]:
    """What is wrong with a corpus that holds this needle and no other."""
    others = [other for other in subject.needles if other.id != needle.id]
    expected: set[Evidence] = set()
    for span in needle.evidence:
        there = without(span, others)
        if there is None:
            yield f"{shown([as_evidence(span)])} holds lines that another needle changes"
        else:
            expected.add(as_evidence(there))
    paths = {edit.path for edit in needle.edits}
    changed = restore({path: subject.planted[path] for path in paths}, _only(paths, others))
    for kind in subject.kinds:
        allowed = natural.allowed(kind, [needle.id])
        found = subject.found_beside(kind, changed)
        own = expected if kind == needle.kind else set()
        if missed := own - found:
            yield f"the {kind} detector finds nothing at {shown(missed)}"
        if stray := found - own - allowed:
            yield f"{kind} found at {shown(stray)}"


def _only(paths: set[str], needles: list[RegisteredNeedle]) -> Iterator[RegisteredNeedle]:
    """Needles, without their edits to other files."""
    for needle in needles:
        edits = tuple(edit for edit in needle.edits if edit.path in paths)
        if edits:
            yield needle.model_copy(update={"edits": edits})
