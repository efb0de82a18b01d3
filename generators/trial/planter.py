"""`trial-record`: one entry of a trial's records breaks the protocol, all around it staying right.

What it changes is computed from the records: a date just beyond its window, a weight just over the
edge of its band. Fixed texts would be out of place in most files.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Literal, Self

from pydantic import model_validator

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.depth import line_at_depth
from generators.detectors.trial.records import Records, read_record
from generators.edits import Change, edits_of
from generators.lines import split_lines
from generators.planting import Aim, Ground, Planted
from generators.seeding import draw
from generators.trial import file_defects, form_defects
from generators.trial.alteration import Alteration, Scene, changes_for, rewritten

SUMMARY = "one entry of a trial's records breaks the protocol"
EXAMPLE = """\
planter: trial-record
parameters:
  defect: visit-late
"""

Defect = Literal[
    "visit-late",
    "weight-over-edge",
    "criterion-missed",
    "repeat-missing",
    "tablets-wrong",
    "drug-went-on",
    "unit-exchanged",
    "old-consent",
    "report-late",
    "check-digit-wrong",
    "consent-after-visit",
    "count-differs",
    "kit-again",
    "value-copied-wrongly",
    "signed-by-leaver",
]
Criterion = Literal["age", "washout", "alcohol"]
"""Criteria of entry whose value stands on the form alone."""
Find = Callable[[Scene], Iterator[Alteration]]

DEFECTS: Mapping[Defect, Find] = {
    "visit-late": form_defects.visit_late,
    "weight-over-edge": form_defects.weight_over_edge,
    "repeat-missing": form_defects.repeat_missing,
    "tablets-wrong": form_defects.tablets_wrong,
    "drug-went-on": form_defects.drug_went_on,
    "unit-exchanged": form_defects.unit_exchanged,
    "old-consent": file_defects.old_consent,
    "report-late": file_defects.report_late,
    "check-digit-wrong": file_defects.check_digit_wrong,
    "consent-after-visit": file_defects.consent_after_visit,
    "count-differs": file_defects.count_differs,
    "kit-again": file_defects.kit_again,
    "value-copied-wrongly": file_defects.value_copied_wrongly,
    "signed-by-leaver": file_defects.signed_by_leaver,
}


class TrialRecordParameters(Value):
    """Which defect."""

    defect: Defect
    criterion: Criterion | None = None
    """For `criterion-missed` alone: which criterion of entry."""

    @model_validator(mode="after")
    def _criterion_where_it_belongs(self) -> Self:
        if (self.defect == "criterion-missed") != (self.criterion is not None):
            raise ValueError("criterion-missed needs a criterion, and no other defect takes one")
        return self

    @property
    def find(self) -> Find:
        """What finds the places for it."""
        if self.criterion is not None:
            return partial(form_defects.criterion_missed, criterion=self.criterion)
        return DEFECTS[self.defect]


class TrialRecord:
    """Changes one entry of one file; where two files show it, the other one stays as it is."""

    def __init__(self, parameters: TrialRecordParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path = aim.target
        records = Records.of(ground.texts)
        if records.protocol is None:
            raise UserError("the corpus holds no protocol", place=Place(str(path)))
        source = random.Random(draw(0, "trial-record", self._parameters.defect, str(path)))
        record = read_record(path.suffix, ground.texts[path])
        scene = Scene(path, record, records, records.protocol, source)
        found = {one.line: one for one in self._parameters.find(scene)}
        if not found:
            raise UserError(f"takes no {self._parameters.defect}", place=Place(str(path)))
        lines = split_lines(ground.texts[path])
        line = line_at_depth(lines, sorted(found), aim.depth) if aim.depth else None
        chosen = found[line if line is not None else source.choice(sorted(found))]
        return _planted(ground, aim, chosen)


def _planted(ground: Ground, aim: Aim, alteration: Alteration) -> Planted:
    changes = list(changes_for(alteration.rewrites, ground.texts))
    if alteration.removed:
        line = split_lines(ground.texts[aim.target])[alteration.removed - 1]
        changes.append(Change(str(aim.target), alteration.removed, (line,), ()))
    target = str(aim.target)
    witnesses: dict[str, dict[str, str]] = {}
    for path in {rewrite.path for rewrite in alteration.varied}:
        partner = [rewrite for rewrite in alteration.varied if rewrite.path == path]
        witnesses.setdefault(target, {})[str(path)] = rewritten(path, partner, ground.texts)
        witnesses[str(path)] = {target: ground.texts[aim.target]}
    return Planted(
        edits=edits_of(changes),
        evidence=tuple(shown.span() for shown in alteration.shown),
        witnesses=witnesses,
    )
