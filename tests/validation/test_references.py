"""The rule that a needle breaks: a section of a reference file, as the spec names it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from authoring.spec import Breaks
from generators.registry import Span
from tests.validation.tiny import (
    Plant,
    failed,
    line_plant,
    the_check,
    tiny_detector,
    tiny_subject,
)
from validation.references import check_references
from validation.subject import Detections, Subject

RULES = "# Rules\n\n## 1. Water\n\nforbidden: swim\n\n## 2. Noise\n\nbe quiet\n\n## 3. Nothing\n"
CLEAN = {"a.md": "one\ntwo\nthree\n", "b.md": "## Water\n\nnone\n", "rules.md": RULES}
SWIM = line_plant("swim", "forbidden", "a.md", 2, "swim")
WATER = Breaks(path="rules.md", heading="Water")
AT_WATER = Span(path="rules.md", first=3, last=5)


def breaking(subject: Subject, breaks: Breaks | None, *registered: Span) -> Subject:
    """The first needle's spec names a rule; its registry lines."""
    spec, registry = subject.build.spec, subject.build.registry
    first = spec.needles[0].model_copy(update={"breaks": breaks})
    needle = registry.needles[0].model_copy(update={"relative_to": registered})
    build = replace(
        subject.build,
        spec=spec.model_copy(update={"needles": (first, *spec.needles[1:])}),
        registry=registry.model_copy(update={"needles": (needle, *registry.needles[1:])}),
    )
    return Subject(build, Detections(tiny_detector))


def reason(subject: Subject) -> str:
    return failed(check_references(subject)).get(("reference", "swim"), "")


def test_a_rule_at_its_registered_lines_passes_and_the_detector_is_asked() -> None:
    sound = breaking(tiny_subject(CLEAN, SWIM), WATER, AT_WATER)
    check = the_check(check_references(sound), "reference", "swim")
    assert (check.passed, check.evidence) == (True, (AT_WATER,))
    assert check.note == "without these lines its detector does not find it"


def test_a_detector_that_knows_the_rule_by_itself_is_told() -> None:
    loud = line_plant("swim", "loud", "a.md", 2, "loud")
    sound = breaking(tiny_subject(CLEAN, loud), WATER, AT_WATER)
    assert the_check(check_references(sound), "reference", "swim").note == (
        "its detector finds it without these lines too"
    )


def test_a_needle_whose_spec_names_no_rule_passes_with_a_note() -> None:
    check = the_check(check_references(tiny_subject(CLEAN, SWIM)), "reference", "swim")
    assert (check.passed, check.note) == (True, "its spec names no rule that it breaks")


def test_copies_break_the_rule_of_their_needle() -> None:
    second = line_plant("swim-2", "forbidden", "b.md", 3, "swim")
    subject = tiny_subject(CLEAN, SWIM, second)
    spec, registry = subject.build.spec, subject.build.registry
    needle = spec.needles[0].model_copy(update={"breaks": WATER, "copies": {"small": 2}})
    there = tuple(one.model_copy(update={"relative_to": (AT_WATER,)}) for one in registry.needles)
    build = replace(
        subject.build,
        spec=spec.model_copy(update={"needles": (needle,)}),
        registry=registry.model_copy(update={"needles": there}),
    )
    checked = check_references(Subject(build, Detections(tiny_detector)))
    assert [(one.needle, one.passed, one.evidence) for one in checked.checks] == [
        ("swim", True, (AT_WATER,)),
        ("swim-2", True, (AT_WATER,)),
    ]


@pytest.mark.parametrize(
    ("breaks", "registered", "said"),
    [
        pytest.param(
            WATER,
            (AT_WATER.model_copy(update={"last": 4}),),
            "the section 'Water' stands at rules.md:3-5, registered is rules.md:3-4",
            id="other-lines",
        ),
        pytest.param(
            WATER,
            (),
            "the section 'Water' stands at rules.md:3-5, registered is no line",
            id="not-registered",
        ),
        pytest.param(
            WATER,
            (AT_WATER, AT_WATER),
            "the section 'Water' stands at rules.md:3-5, registered is rules.md:3-5, rules.md:3-5",
            id="registered-twice",
        ),
        pytest.param(
            Breaks(path="rules.md", heading="Fire"),
            (AT_WATER,),
            "rules.md has not exactly one section 'Fire'",
            id="no-such-section",
        ),
        pytest.param(
            Breaks(path="b.md", heading="Water"),
            (Span(path="b.md", first=1, last=3),),
            "b.md is no reference file",
            id="under-review",
        ),
        pytest.param(
            Breaks(path="rules.md", heading="Nothing"),
            (Span(path="rules.md", first=11, last=11),),
            "the section 'Nothing' of rules.md holds no rule",
            id="heading-alone",
        ),
        pytest.param(
            None,
            (AT_WATER,),
            "it is registered with a rule that its spec does not name",
            id="not-in-the-spec",
        ),
    ],
)
def test_a_rule_that_is_not_there_fails(
    breaks: Breaks | None, registered: tuple[Span, ...], said: str
) -> None:
    assert reason(breaking(tiny_subject(CLEAN, SWIM), breaks, *registered)) == said


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(("rules.md", 5, 1, ("forbidden: swim", "x")), id="a-line-more"),
        pytest.param(("rules.md", 4, 1, ("never mind",)), id="another-line"),
        pytest.param(("rules.md", 4, 1, ()), id="a-line-removed"),
    ],
)
def test_a_rule_that_a_needle_changes_fails(
    edit: tuple[str, int, int, tuple[str, ...]],
) -> None:
    other = Plant("other", "loud", (("b.md", 3, 1, ("loud",)), edit), (("b.md", 3, 3),))
    last = 5 + len(edit[3]) - 1
    there = AT_WATER.model_copy(update={"last": last})
    subject = breaking(tiny_subject(CLEAN, SWIM, other), WATER, there)
    assert reason(subject) == "a needle changes the section 'Water' of rules.md"


def test_a_rule_that_a_needle_moves_stands_where_it_is_now() -> None:
    other = Plant(
        "other",
        "loud",
        (("b.md", 3, 1, ("loud",)), ("rules.md", 2, 1, ("", "x", ""))),
        (("b.md", 3, 3),),
    )
    moved = Span(path="rules.md", first=5, last=7)
    assert reason(breaking(tiny_subject(CLEAN, SWIM, other), WATER, moved)) == ""


def test_a_needle_that_no_spec_knows_fails() -> None:
    subject = tiny_subject(CLEAN, SWIM)
    needle = subject.needles[0].model_copy(update={"id": "other"})
    registry = subject.build.registry.model_copy(update={"needles": (needle,)})
    build = replace(subject.build, registry=registry)
    checked = check_references(Subject(build, Detections(tiny_detector)))
    assert failed(checked) == {("reference", "other"): "the spec has no needle of this id"}
