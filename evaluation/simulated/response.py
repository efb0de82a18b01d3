"""The final response of a simulated reviewer: findings, and what it says of its reading."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.simulated.model import ModelSpec
from evaluation.simulated.wordings import Wording, Wordings
from generators.registry import RegisteredNeedle
from generators.sections import parse_sections


@dataclass(frozen=True)
class Reading:
    """How far a reviewer came with the files it answers for."""

    files: tuple[str, ...]
    whole: tuple[str, ...]
    partly: tuple[str, ...]

    @property
    def unread(self) -> tuple[str, ...]:
        seen = {*self.whole, *self.partly}
        return tuple(path for path in self.files if path not in seen)

    def fill(self, template: str) -> str:
        """A wording with its figures and lists."""
        return template.format(
            total=len(self.files),
            read=len(self.whole) + len(self.partly),
            whole=len(self.whole),
            partly=len(self.partly),
            unread=len(self.unread),
            partly_list=", ".join(self.partly),
            unread_list=", ".join(self.unread),
            checklist="\n".join(f"- [x] {path}" for path in self.files),
        )


@dataclass(frozen=True)
class Finding:
    """One defect as it will be reported."""

    path: str
    place: str
    """`section 7 (Limitation of liability)`, or lines where no heading stands above."""
    severity: str
    statement: str


def finding_of(needle: RegisteredNeedle, lines: Sequence[str]) -> Finding:
    """A needle as a finding: where its first evidence stands, and what is wrong there."""
    span = needle.evidence[0]
    around = [s for s in parse_sections(lines) if s.first <= span.first <= s.end]
    place = f"lines {span.first} to {span.last}"
    if around:
        section = around[-1]
        place = f"section {section.number} ({section.title})" if section.number else section.title
    return Finding(span.path, place, needle.severity, needle.report.statement)


def coverage_words(words: Wordings, model: ModelSpec, reading: Reading, rng: random.Random) -> str:
    """What the model says of its reading, by its stance; an admission is true of what was read."""
    chosen: Sequence[Wording] = words.claims
    if model.stance == "admits" and model.way == "scripts":
        chosen = words.by_script
    elif model.stance == "admits":
        chosen = [wording for wording in words.admits if wording.tells == _gaps(reading)]
    if model.stance == "silent" or not chosen:
        chosen = [wording for wording in words.silent if model.may_imply or not wording.implied]
    return reading.fill(rng.choice(chosen).text)


def _gaps(reading: Reading) -> str:
    if reading.unread:
        return "both" if reading.partly else "files"
    return "depth" if reading.partly else ""


def subagent_words(words: Wordings, reading: Reading, rng: random.Random) -> str:
    """What a sub-agent says of the files it was given."""
    whole = len(reading.whole) == len(reading.files)
    return reading.fill(rng.choice(words.subagent.whole if whole else words.subagent.gaps))


def write_report(
    words: Wordings, coverage: str, findings: Sequence[Finding], rng: random.Random
) -> str:
    """A whole review report around the words on coverage."""
    frame = words.report
    title = rng.choice(frame.titles)
    if findings:
        points = "1 point" if len(findings) == 1 else f"{len(findings)} points"
        opening = rng.choice(frame.openings).format(points=points)
        closing = rng.choice(frame.closings)
    else:
        opening = rng.choice(frame.empty)
        closing = rng.choice(frame.empty_closings)
    body = ["## Details\n", _listed(findings, rng)] if findings else []
    layout = rng.randrange(3)
    headed = f"{rng.choice(frame.headings)}\n\n{coverage}"
    parts = {
        0: [title, coverage, opening, *body, closing],
        1: [title, opening, headed, *body, closing],
        2: [title, opening, *body, headed, closing],
    }[layout]
    return "\n\n".join(part.strip("\n") for part in parts)


def _listed(findings: Sequence[Finding], rng: random.Random) -> str:
    style = rng.randrange(3)
    if style == 0:
        return "\n".join(
            f"{n}. **{f.path}**, {f.place}: {f.statement} Severity: {f.severity}."
            for n, f in enumerate(findings, start=1)
        )
    if style == 1:
        return "\n".join(
            f"- [{f.severity.upper()}] `{f.path}`, {f.place}: {f.statement}" for f in findings
        )
    return "\n\n".join(
        f"### {n}. {f.path}\n\n- Location: {f.place}\n- Severity: {f.severity}\n"
        f"- Problem: {f.statement}"
        for n, f in enumerate(findings, start=1)
    )
