"""The kinds of defect of trial records, by name: for the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.trial import form_rules, laboratory, pairs
from generators.detectors.trial.records import Record, Records, read_record

Rule = Callable[[Records], Iterator[Evidence]]
"""From parsed records to the lines of every defect of one kind."""


@dataclass(frozen=True)
class TrialDetector:
    """Reads records and applies one rule to them."""

    rule: Rule

    def extract(self, path: PurePosixPath, text: str) -> Record:
        """What one file says."""
        return read_record(path.suffix, text)

    def decide(self, facts: Mapping[PurePosixPath, Record]) -> tuple[Evidence, ...]:
        """The defects among these files, each place once."""
        ordered = {path: facts[path] for path in sorted(facts)}
        return tuple(dict.fromkeys(self.rule(Records(ordered))))


@dataclass(frozen=True)
class TrialKind:
    """One kind of defect: what it is and what finds it."""

    summary: str
    make: Callable[[], TrialDetector]


def _kind(summary: str, rule: Rule) -> TrialKind:
    return TrialKind(summary, partial(TrialDetector, rule))


TRIAL_KINDS: Mapping[str, TrialKind] = {
    "visit-outside-window": _kind(
        "a visit earlier or later than its window, counted from day 1",
        form_rules.visit_outside_window,
    ),
    "wrong-lab-unit": _kind(
        "a laboratory value with a unit that is not the laboratory's", laboratory.wrong_lab_unit
    ),
    "dose-not-by-weight": _kind(
        "a daily dose that is not the one of the subject's weight band",
        form_rules.dose_not_by_weight,
    ),
    "ineligible-subject": _kind(
        "a subject who did not meet a criterion of entry", form_rules.ineligible_subject
    ),
    "missing-repeat-test": _kind(
        "a reading that the protocol has repeated, without its repeat",
        form_rules.missing_repeat_test,
    ),
    "tablets-do-not-add-up": _kind(
        "tablets taken that are not those supplied less those brought back",
        form_rules.tablets_do_not_add_up,
    ),
    "wrong-drug-action": _kind(
        "a severe, related event after which the study drug went on", form_rules.wrong_drug_action
    ),
    "wrong-check-digit": _kind(
        "a number of a subject or a kit with a wrong check digit", form_rules.wrong_check_digit
    ),
    "storage-excursion": _kind(
        "kits left in use after a longer stretch of heat than is allowed",
        form_rules.storage_excursion,
    ),
    "late-serious-report": _kind(
        "a serious event reported later than the protocol allows", form_rules.late_serious_report
    ),
    "outdated-consent": _kind(
        "a consent form signed in a version that was not in force", form_rules.outdated_consent
    ),
    "lab-value-differs": _kind(
        "a laboratory value on a form that is not the listing's", laboratory.lab_value_differs
    ),
    "procedure-before-consent": _kind(
        "a visit before the day on which the subject gave consent", pairs.procedure_before_consent
    ),
    "tablet-count-differs": _kind(
        "tablets on the form that are not those of the dispensing log", pairs.tablet_count_differs
    ),
    "signature-outside-delegation": _kind(
        "a form signed by somebody not delegated on that day", pairs.signature_outside_delegation
    ),
    "reused-kit": _kind("one kit handed out twice", pairs.reused_kit),
}
