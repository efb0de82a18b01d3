"""Changes of an amendment that take a term of the master agreement beyond the playbook."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from authoring.errors import UserError
from generators.contracts.scene import Scene
from generators.contracts.wording import formal
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
    """How a planted change reads, for each term that it may start from."""

    unit: str
    by: Mapping[int, int]
    """By the figure of the master agreement: how far it is moved beyond the playbook."""
    safe: int
    """A figure from which every such change stays within the playbook."""


MOVED: Mapping[Subject, Moved] = {
    "payment": Moved("day", {30: -15, 45: -30, 60: -45}, 90),
    "cap": Moved("month", {6: 9, 9: 6, 12: 6}, 3),
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
    own = detector.extract(path, scene.text)
    master = detector.extract(scene.master, scene.master_text)
    change = next((one for one in own.changes if one.subject == subject), None)
    term = master.terms.get(subject)
    moved = MOVED[subject]
    if change is None or term is None or int(term.value) not in moved.by:
        raise scene.refuse(f"moves no term on {subject} of its master agreement")
    by = moved.by[int(term.value)]
    planted = _replaced(scene.ground, scene.aim, change, moved.unit, by)
    witness = _restated(scene, term, moved)
    master_path = str(scene.master)
    return Planted(
        edits=planted.edits,
        evidence=(*planted.evidence, Span(path=master_path, first=term.first, last=term.last)),
        witnesses={str(path): {master_path: witness}, master_path: {str(path): scene.text}},
    )


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


def _restated(scene: Scene, term: Statement, moved: Moved) -> str:
    """The master agreement with a term from which the planted change stays within the playbook."""
    sentence = _sentence(scene.master_text, term.first, term.last, term.value, moved.unit)
    wanted = _with_length(sentence, moved.unit, moved.safe)
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
    new = formal(number, unit)
    if not found.start:
        new = new[0].upper() + new[1:]
    return sentence[: found.start] + new + sentence[found.end :]
