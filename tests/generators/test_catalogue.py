from __future__ import annotations

import random
import sys
from importlib.metadata import EntryPoint

import pytest
import yaml

from authoring.catalogue import Kind
from authoring.errors import UserError
from generators.catalogue import GENERATORS, KINDS, LISTS, PLANTERS, describe, installed
from generators.planters.remove_section import RemoveSection, RemoveSectionParameters
from generators.registered import MakePlanter, Registered, Registrations, merge

EXTRA: Registered[MakePlanter] = Registered(
    Kind("extra", "from elsewhere", RemoveSectionParameters), RemoveSection
)
"""What the entry points of these tests name."""
NOT_REGISTERED = "a text"


def entry_point(name: str, attribute: str = "EXTRA") -> EntryPoint:
    return EntryPoint(name, f"extra_planters:{attribute}", "ocb.planters")


@pytest.fixture
def _extra_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "extra_planters", sys.modules[__name__])


def test_every_name_is_that_of_its_kind() -> None:
    for section in (GENERATORS, PLANTERS, KINDS):
        for name, entry in section.items():
            assert entry.kind.name == name
            assert entry.kind.summary


def test_no_two_scenarios_name_a_kind_of_defect_alike() -> None:
    assert len(KINDS) == sum(map(len, LISTS))


@pytest.mark.parametrize("name", GENERATORS)
def test_the_example_of_a_generator_is_what_it_takes(name: str) -> None:
    kind = GENERATORS[name].kind
    example = yaml.safe_load(kind.example)
    assert example["generator"] == name
    for size in example["sizes"].values():
        parameters = kind.parameters.model_validate(example.get("parameters", {}) | size)
        assert GENERATORS[name].make(parameters, random.Random(1))


@pytest.mark.parametrize("name", PLANTERS)
def test_the_example_of_a_planter_is_what_it_takes(name: str) -> None:
    kind = PLANTERS[name].kind
    example = yaml.safe_load(kind.example)
    assert example["planter"] == name
    assert PLANTERS[name].make(kind.parameters.model_validate(example.get("parameters", {})))


def test_the_catalogue_holds_what_is_registered() -> None:
    catalogue = describe()
    assert set(catalogue.generators) == set(installed().generators)
    assert set(catalogue.planters) >= {"replace-text", "remove-section"}
    assert catalogue.planters["replace-text"].parameters.model_fields.keys() == {
        "heading",
        "pattern",
        "replacement",
    }


@pytest.mark.usefixtures("_extra_package")
def test_what_other_packages_bring_stands_beside_our_own() -> None:
    merged = merge("planter", PLANTERS, [entry_point("extra")])
    assert set(merged) == {*PLANTERS, "extra"}
    assert merged["extra"] is EXTRA
    assert "extra" not in PLANTERS


@pytest.mark.usefixtures("_extra_package")
def test_a_name_taken_twice_is_an_error() -> None:
    with pytest.raises(UserError, match="the planter 'replace-text' of extra_planters:EXTRA is"):
        merge("planter", PLANTERS, [entry_point("replace-text")])
    with pytest.raises(UserError, match="'extra' of extra_planters:EXTRA is already there"):
        merge("planter", PLANTERS, [entry_point("extra"), entry_point("extra")])


@pytest.mark.usefixtures("_extra_package")
def test_an_entry_point_to_something_else_is_an_error() -> None:
    with pytest.raises(UserError, match="is no Registered value"):
        merge("planter", PLANTERS, [entry_point("extra", "NOT_REGISTERED")])


def test_an_unknown_name_is_told_with_the_nearest(registrations: Registrations) -> None:
    with pytest.raises(UserError, match="no generator 'lettrs'\n  did you mean 'letters'"):
        registrations.generator("lettrs", {}, random.Random(1))
    with pytest.raises(UserError, match="no planter 'replace-txt'"):
        registrations.planter("replace-txt", {})
    with pytest.raises(UserError, match="no kind of defect 'lost'"):
        registrations.detector("lost")


def test_parameters_reach_what_is_made_as_its_own_type(registrations: Registrations) -> None:
    generator = registrations.generator(
        "letters", {"letters": 2, "notes": 0, "country": "no"}, random.Random(1)
    )
    assert [str(document.path) for document in generator.documents()] == [
        "letters/01.md",
        "letters/02.md",
        "rules.md",
    ]
