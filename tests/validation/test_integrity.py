"""What manifest and registry say, held against files and spec: a fault fails its own check.

The checks of files on disk, and of seals, are in `test_seal.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from authoring.artefacts import sha256
from authoring.spec import Breaks, Report
from generators.build import Build
from generators.manifest import tree_hash
from generators.registry import Edit, RegisteredNeedle, Span
from tests.validation.made_builds import made_build, made_needle
from validation.integrity import CODES, check_build

PAPERS = {
    "berths/a.md": "Berth 4\nThe fee is paid late.\nIt is 300 EUR.\n",
    "berths/b.md": "Berth 5\nThe fee is paid at once.\nIt is 400 EUR.\n",
    "rules.md": "# Fees\nFees are paid on the first.\n",
}
PLACE = "berths/a.md"


@pytest.fixture
def build() -> Build:
    return made_build(PAPERS, made_needle(PLACE, 2))


def failed(build: Build) -> dict[str, str]:
    return {check.code: check.reason for check in check_build(build) if not check.passed}


def with_needles(build: Build, *needles: RegisteredNeedle) -> Build:
    """With the manifest's clean tree made to fit."""
    return replace(build, registry=build.registry.model_copy(update={"needles": needles}))


def changed(build: Build, **changes: Any) -> Build:
    (needle,) = build.registry.needles
    return with_needles(build, needle.model_copy(update=changes))


def with_edit(build: Build, **changes: Any) -> Build:
    (needle,) = build.registry.needles
    return changed(build, edits=(needle.edits[0].model_copy(update=changes),))


def in_manifest(build: Build, **changes: Any) -> Build:
    return replace(build, manifest=build.manifest.model_copy(update=changes))


def in_spec(build: Build, **changes: Any) -> Build:
    return replace(build, spec=build.spec.model_copy(update=changes))


def breaking(build: Build, path: str) -> Build:
    (asked,) = build.spec.needles
    asked = asked.model_copy(update={"breaks": Breaks(path=path, heading="Fees")})
    return in_spec(build, needles=(asked,))


def test_a_sound_build_passes_every_check(build: Build) -> None:
    assert failed(build) == {}
    assert {check.code for check in check_build(build)} == set(CODES) - {"files-as-built"}


def test_a_rule_that_a_needle_breaks_is_registered(build: Build) -> None:
    rules = Span(path="rules.md", first=1, last=2)
    assert failed(changed(breaking(build, "rules.md"), relative_to=(rules,))) == {}


@pytest.mark.parametrize(
    ("broken", "code", "reason"),
    [
        pytest.param(
            lambda build: in_manifest(build, seed=2),
            "manifest-true",
            "manifest.json: size, seed or placement are not those of spec.yaml",
            id="seed",
        ),
        pytest.param(
            lambda build: in_manifest(build, scenario="other"),
            "manifest-true",
            "spec, manifest and registry name several scenarios: harbour_papers, other",
            id="scenario",
        ),
        pytest.param(
            lambda build: in_manifest(build, encoding="o200k_base"),
            "manifest-true",
            "tokens are counted in several encodings: cl100k_base, o200k_base",
            id="encoding",
        ),
        pytest.param(
            lambda build: changed(build, kind="other-kind"),
            "needles-as-specified",
            "late-payment: kind is not that of the spec",
            id="kind",
        ),
        pytest.param(
            lambda build: changed(build, severity="minor"),
            "needles-as-specified",
            "late-payment: severity is not that of the spec",
            id="severity",
        ),
        pytest.param(
            lambda build: changed(build, report=Report(statement="Other.", terms=(("other",),))),
            "needles-as-specified",
            "late-payment: report is not that of the spec",
            id="report",
        ),
        pytest.param(
            lambda build: changed(build, id="another"),
            "needles-as-specified",
            "late-payment: in the spec, not registered; another: registered, not in the spec",
            id="another-needle",
        ),
        pytest.param(
            lambda build: in_spec(
                build,
                needles=(build.spec.needles[0].model_copy(update={"copies": {"small": 2}}),),
            ),
            "needles-as-specified",
            "late-payment-2: in the spec, not registered",
            id="a-copy",
        ),
        pytest.param(
            lambda build: breaking(build, "rules.md"),
            "needles-as-specified",
            "late-payment: relative_to is not what the spec says it breaks",
            id="no-rule",
        ),
        pytest.param(
            lambda build: changed(build, evidence=(Span(path=PLACE, first=2, last=4),)),
            "lines-in-range",
            "late-payment: berths/a.md has 3 lines, not 2 to 4",
            id="lines",
        ),
        pytest.param(
            lambda build: changed(
                build,
                evidence=(
                    Span(path=PLACE, first=2, last=2),
                    Span(path="rules.md", first=1, last=1),
                ),
            ),
            "evidence-in-review",
            "late-payment: rules.md is no review file",
            id="evidence-in-a-reference-file",
        ),
        pytest.param(
            lambda build: changed(
                breaking(build, "berths/b.md"),
                relative_to=(Span(path="berths/b.md", first=1, last=1),),
            ),
            "evidence-in-review",
            "late-payment: berths/b.md is no reference file",
            id="rule-in-a-review-file",
        ),
        pytest.param(
            lambda build: changed(build, evidence=(Span(path="berths/b.md", first=2, last=2),)),
            "evidence-at-edits",
            "late-payment: no edit of it stands at its evidence",
            id="evidence-in-another-file",
        ),
        pytest.param(
            lambda build: with_edit(build, last=3),
            "planted-there",
            "late-payment: berths/a.md:2: 1 planted lines, not up to line 3",
            id="length",
        ),
        pytest.param(
            lambda build: with_edit(build, planted=("Other.",)),
            "planted-there",
            "late-payment: berths/a.md:2: the planted lines do not stand there",
            id="text",
        ),
        pytest.param(
            lambda build: with_edit(build, clean=("The fee is paid late.",)),
            "planted-there",
            "late-payment: berths/a.md:2: the edit changes nothing",
            id="nothing-changed",
        ),
    ],
)
def test_a_fault_is_found_by_the_check_meant_for_it(
    build: Build, broken: Callable[[Build], Build], code: str, reason: str
) -> None:
    assert failed(broken(build))[code] == reason


def test_lines_beside_an_edit_are_at_it(build: Build) -> None:
    assert failed(changed(build, evidence=(Span(path=PLACE, first=3, last=3),))) == {}
    assert failed(changed(build, evidence=(Span(path=PLACE, first=1, last=1),))) == {}


@pytest.mark.parametrize("line", [1, 5])
def test_lines_two_away_are_not_at_it(line: int) -> None:
    text = "Berth 4\nPort of Vigo\nThe fee is paid late.\nIt is 300 EUR.\nSigned.\n"
    build = made_build({**PAPERS, PLACE: text}, made_needle(PLACE, 3))
    far = changed(build, evidence=(Span(path=PLACE, first=line, last=line),))
    assert set(failed(far)) == {"evidence-at-edits"}


def test_what_was_taken_away_may_be_missed_further_on() -> None:
    removal = Edit(path=PLACE, first=1, last=0, planted=(), clean=("Port of Vigo",))
    build = made_build(PAPERS, made_needle(PLACE, 3, edits=(removal,)))
    assert failed(build) == {}


def test_a_partner_needs_no_edit() -> None:
    evidence = (Span(path=PLACE, first=2, last=2), Span(path="berths/b.md", first=2, last=2))
    build = made_build(PAPERS, made_needle(PLACE, 2, evidence=evidence))
    assert failed(build) == {}


def test_a_text_that_does_not_give_the_clean_corpus_back_is_found(build: Build) -> None:
    other = with_edit(build, clean=("Another line.",))
    assert set(failed(other)) == {"clean-restorable"}


def test_a_file_of_another_role_is_found(build: Build) -> None:
    files = tuple(file.model_copy(update={"role": "review"}) for file in build.manifest.files)
    tree = tree_hash((file.path, file.mode, sha256(PAPERS[file.path].encode())) for file in files)
    assert set(failed(in_manifest(build, files=files, tree=tree))) == {"manifest-true"}
