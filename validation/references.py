"""The rule that a needle breaks: it stands in a reference file, where the registry says.

Prevents a defect that is none, since nothing in the corpus says what is right.
"""

from __future__ import annotations

from authoring.errors import UserError
from authoring.spec import Breaks
from generators.lines import split_lines
from generators.placement import copies_of
from generators.registry import RegisteredNeedle, Span
from generators.sections import find_section
from validation.check import Check, Checked
from validation.subject import Subject, as_evidence, shown, wanted

CODES: dict[str, str] = {
    "reference": "the rule that a needle breaks stands at its registered lines of a reference file,"
    " and no needle changes it",
}


def check_references(subject: Subject) -> Checked:
    """One check for each needle."""
    spec = subject.build.spec
    breaks = {
        copy.needle.id: copy.needle.breaks for copy in copies_of(spec.needles, spec.build.size)
    }
    return Checked(
        tuple(
            _check(subject, needle, breaks[needle.id])
            if needle.id in breaks
            else _result(needle, "the spec has no needle of this id")
            for needle in subject.needles
        )
    )


def _check(subject: Subject, needle: RegisteredNeedle, breaks: Breaks | None) -> Check:
    if breaks is None:
        if needle.relative_to:
            return _result(needle, "it is registered with a rule that its spec does not name")
        return _result(needle, "", "its spec names no rule that it breaks")
    reason = _fault(subject, needle, breaks)
    return _result(needle, reason, "" if reason else _asked(subject, needle))


def _result(needle: RegisteredNeedle, reason: str, note: str = "") -> Check:
    return Check(
        code="reference",
        needle=needle.id,
        passed=not reason,
        reason=reason,
        note=note,
        evidence=needle.relative_to,
    )


def _fault(subject: Subject, needle: RegisteredNeedle, breaks: Breaks) -> str:
    """What is wrong with the rule; empty where nothing is."""
    if breaks.path not in subject.reference:
        return f"{breaks.path} is no reference file"
    try:
        span = _section(subject.planted[breaks.path], breaks)
        before = _section(subject.clean[breaks.path], breaks)
    except UserError:
        return f"{breaks.path} has not exactly one section {breaks.heading!r}"
    if needle.relative_to != (span,):
        registered = shown(map(as_evidence, needle.relative_to)) or "no line"
        return (
            f"the section {breaks.heading!r} stands at {shown([as_evidence(span)])},"
            f" registered is {registered}"
        )
    rule = _lines(subject.planted[breaks.path], span)
    if not any(line.strip() for line in rule[1:]):
        return f"the section {breaks.heading!r} of {breaks.path} holds no rule"
    if rule != _lines(subject.clean[breaks.path], before):
        return f"a needle changes the section {breaks.heading!r} of {breaks.path}"
    return ""


def _section(text: str, breaks: Breaks) -> Span:
    section = find_section(breaks.path, split_lines(text), breaks.heading)
    return Span(path=breaks.path, first=section.first, last=section.last)


def _lines(text: str, span: Span) -> list[str]:
    return split_lines(text)[span.first - 1 : span.last]


def _asked(subject: Subject, needle: RegisteredNeedle) -> str:
    """Whether the detector itself takes the rule from these lines."""
    (span,) = needle.relative_to
    lines = subject.planted[span.path].split("\n")
    del lines[span.first - 1 : span.last]
    fact = subject.detections.facts(needle.kind, {span.path: "\n".join(lines)})
    facts = {**subject.facts[needle.kind], **fact}
    if wanted(needle) <= subject.detections.decide(needle.kind, facts):
        return "its detector finds it without these lines too"
    return "without these lines its detector does not find it"
