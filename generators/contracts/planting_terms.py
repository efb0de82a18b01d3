"""Changes of an amendment that take a term of the master agreement beyond the playbook."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from authoring.errors import UserError
from generators.contracts.manner import manner_of, quantity
from generators.contracts.scene import Scene
from generators.detectors.contracts.amended import AmendedBeyondLimit
from generators.detectors.contracts.changes import Change, Subject
from generators.detectors.contracts.quantities import durations
from generators.detectors.contracts.reading import Statement, read_contract
from generators.edits import apply_changes, changes_of
from generators.planters.replace_text import ReplaceText, ReplaceTextParameters
from generators.planting import Aim, Ground, Planted
from generators.registry import Span


@dataclass(frozen=True)
class Moved:
    """How a planted change reads."""

    unit: str
    ends: tuple[int, ...]
    """What a term may come to: beyond the playbook."""
    limit: int
    """What the playbook allows."""


MOVED: Mapping[Subject, Moved] = {
    "payment": Moved("day", (15,), 30),
    "cap": Moved("month", (15, 18), 12),
}
UP = {
    "shortened": "lengthened",
    "earlier": "later",
    "taken off": "added to",
    "less": "more",
    "reduced": "increased",
    "shorter": "longer",
}
DOWN = {more: less for less, more in UP.items()}


def beyond(scene: Scene, subject: Subject) -> Planted:
    """The change of a term, made so large, or turned round, that the term leaves the playbook."""
    path = scene.aim.target
    detector = AmendedBeyondLimit()
    change = _change(scene, path, subject)
    master = detector.extract(scene.master, scene.master_text)
    term = master.terms.get(subject)
    if term is None:
        raise scene.refuse(f"moves no term on {subject} of its master agreement")
    earlier = {one: _change(scene, one, subject) for one in scene.earlier}
    before = int(term.value + sum(one.by for one in earlier.values()))
    moved = MOVED[subject]
    end = _end(scene, moved, int(term.value), before)
    planted = _replaced(scene.ground, scene.aim, change, moved.unit, end - before)
    # From so much more, or less, the planted change ends at the limit.
    witness = _restated(scene, term, moved.unit, int(term.value) + moved.limit - end)
    spans = {scene.master: Span(path=str(scene.master), first=term.first, last=term.last)}
    spans |= {
        one: Span(path=str(one), first=its.first, last=its.last) for one, its in earlier.items()
    }
    return Planted(
        edits=planted.edits,
        evidence=(*planted.evidence, *spans.values()),
        witnesses={str(path): {str(scene.master): witness}}
        | {str(one): {str(path): scene.text} for one in spans},
    )


def _change(scene: Scene, path: PurePosixPath, subject: Subject) -> Change:
    facts = AmendedBeyondLimit().extract(path, scene.ground.texts[path])
    change = next((one for one in facts.changes if one.subject == subject), None)
    if change is None:
        raise scene.refuse(f"{path} moves no term on {subject} of its master agreement")
    return change


def _end(scene: Scene, moved: Moved, term: int, before: int) -> int:
    """What the term comes to: so that the change is one, and so is the one in the witness."""
    lowest = min(term, before)
    ends = [end for end in moved.ends if end != before and lowest + moved.limit - end > 0]
    if not ends:
        raise scene.refuse(f"{term} {moved.unit}s cannot be moved beyond the playbook")
    return ends[scene.drawn("end") % len(ends)]


def _replaced(ground: Ground, aim: Aim, change: Change, unit: str, by: int) -> Planted:
    """The sentence with another length and, where it has to, the other direction."""
    sentence = _sentence(ground.texts[aim.target], change.first, change.last, change.by, unit)
    wanted = _with_length(sentence, unit, abs(by))
    if (by > 0) != (change.by > 0):
        words = UP if by > 0 else DOWN
        wanted = re.sub(rf"\b(?:{'|'.join(words)})\b", lambda match: words[match[0]], wanted)
    parameters = ReplaceTextParameters(
        pattern=_pattern(sentence), replacement=wanted.replace("\\", r"\\")
    )
    return ReplaceText(parameters).plant(ground, aim)


def _restated(scene: Scene, term: Statement, unit: str, figure: int) -> str:
    """The master agreement with another figure for a term."""
    sentence = _sentence(scene.master_text, term.first, term.last, term.value, unit)
    wanted = _with_length(sentence, unit, figure)
    parameters = ReplaceTextParameters(pattern=_pattern(sentence), replacement=wanted)
    planted = ReplaceText(parameters).plant(scene.ground, Aim(scene.master))
    return apply_changes(scene.master_text, changes_of(planted.edits))


def _pattern(sentence: str) -> str:
    """A pattern that matches a sentence wherever its lines break."""
    return " ".join(re.escape(word) for word in sentence.split())


def _sentence(text: str, first: int, last: int, by: Fraction, unit: str) -> str:
    for sentence in read_contract(text).sentences:
        if (sentence.first, sentence.last) != (first, last):
            continue
        for duration in durations(sentence.text):
            stated = duration.months if unit == "month" else duration.days
            if duration.unit == unit and stated == abs(by):
                return sentence.text
    raise UserError(f"no sentence on lines {first} to {last} states {abs(by)} {unit}s")


def _with_length(sentence: str, unit: str, number: int) -> str:
    found = next(one for one in durations(sentence) if one.unit == unit)
    new = quantity(number, unit, manner_of(sentence[found.start : found.end]))
    if not found.start:
        new = new[0].upper() + new[1:]
    return sentence[: found.start] + new + sentence[found.end :]
