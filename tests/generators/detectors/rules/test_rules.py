from __future__ import annotations

import pytest
import yaml

from authoring.errors import UserError
from authoring.spec import KindSpec, Parameters
from generators.catalogue import installed
from generators.detectors.rules.catalogue import RULES, TypedRule
from generators.detectors.rules.regex_rule import RegexRule


def kind(name: str = "own", detector: str = "regex", **parameters: object) -> KindSpec:
    given: Parameters = {"pattern": "x", **parameters}  # type: ignore[dict-item]
    return KindSpec(name=name, summary="of a spec", detector=detector, parameters=given)


def test_every_rule_is_called_as_its_kind_is() -> None:
    assert {rule.kind.name for rule in RULES.values()} == set(RULES)
    assert all(rule.kind.summary for rule in RULES.values())


@pytest.mark.parametrize("name", RULES)
def test_the_example_of_a_rule_is_a_kind_that_a_spec_may_bring(name: str) -> None:
    own = KindSpec.model_validate(yaml.safe_load(RULES[name].kind.example))
    assert own.detector == name
    known = installed().with_kinds([own])
    detector = known.detector(own.name)
    assert type(detector) is RULES[name].make
    assert known.catalogue().kinds[own.name].summary == own.summary


def test_own_kinds_stand_beside_those_that_are_installed() -> None:
    known = installed().with_kinds([kind("one"), kind("two")])
    assert set(known.kinds) == {*installed().kinds, "one", "two"}
    assert isinstance(known.detector("two"), RegexRule)
    with pytest.raises(UserError, match="no kind of defect 'twoo'\n  did you mean 'two'"):
        known.detector("twoo")
    assert "one" not in installed().kinds
    assert set(known.catalogue().detectors) == set(RULES)


def test_a_kind_that_is_there_already_is_an_error() -> None:
    with pytest.raises(UserError, match="'silent-except' of the spec is already there"):
        installed().with_kinds([kind("silent-except")])
    with pytest.raises(UserError, match="'own' of the spec is already there"):
        installed().with_kinds([kind(), kind()])


def test_a_kind_that_cannot_be_made_is_told_and_no_traceback() -> None:
    with pytest.raises(UserError, match="no detector 'regx'\n  did you mean 'regex'"):
        installed().with_kinds([kind(detector="regx")])
    with pytest.raises(UserError, match="kind own: pattern: Value error, is not a regular"):
        TypedRule.of(kind(pattern="("))
    with pytest.raises(UserError, match=r"kind own: Value error, give either path"):
        TypedRule.of(KindSpec(name="own", summary="", detector="values", parameters={}))
