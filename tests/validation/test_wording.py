from __future__ import annotations

import pytest

from generators.build import Build
from tests.validation.harbour.harbour import build_harbour, registrations
from validation.subject import Detections, Subject
from validation.wording import check_wording


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_harbour(tmp_path_factory.mktemp("harbour"))


def checked(build: Build, **report: object) -> dict[str, str]:
    """The reason against each needle, once the report of the needle across files is changed."""
    needles = tuple(
        needle.model_copy(update={"report": needle.report.model_copy(update=report)})
        if needle.id == "fuel-apart"
        else needle
        for needle in build.registry.needles
    )
    registry = build.registry.model_copy(update={"needles": needles})
    whole = Build(build.paths, build.spec, registry, build.manifest, build.texts, build.witnesses)
    subject = Subject(whole, Detections(registrations().detector))
    return {check.needle or "": check.reason for check in check_wording(subject).checks}


def test_a_statement_with_a_term_of_each_group_counts(build: Build) -> None:
    assert set(checked(build).values()) == {""}


def test_a_statement_that_lacks_a_group_is_told_with_the_terms(build: Build) -> None:
    reasons = checked(build, terms=(("litres",), ("gallons", "pints")))
    assert {name for name, reason in reasons.items() if reason} == {"fuel-apart"}
    assert reasons["fuel-apart"].endswith(
        "a report holds one of each of these terms: litres; gallons / pints"
    )


def test_terms_that_a_vague_finding_holds_are_too_wide(build: Build) -> None:
    reasons = checked(build, terms=(("of",), ("for", "is")))
    assert {name for name, reason in reasons.items() if reason} == {"fuel-apart"}
    assert reasons["fuel-apart"].endswith("counts as one: its terms are too wide")


def test_terms_that_the_statements_of_other_kinds_hold_are_too_wide(build: Build) -> None:
    terms = (("litres", "berth", "log"),)
    reasons = checked(build, terms=terms)
    assert "what is stated of sailed-early, thin-reserve, no-signature" in reasons["fuel-apart"]


def test_terms_that_one_other_statement_holds_are_noted(build: Build) -> None:
    reasons = checked(build, terms=(("litres", "fuel"),))
    assert reasons["fuel-apart"] == ""


def test_a_statement_that_says_that_all_is_well_does_not_count(build: Build) -> None:
    reasons = checked(build, statement="No issue: the litres of each receipt are the same.")
    assert reasons["fuel-apart"]
