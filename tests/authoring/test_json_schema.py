from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from authoring.catalogue import Catalogue
from authoring.json_schema import NAMING, schema_bytes, spec_schema
from generators.catalogue import GENERATORS, KINDS, PLANTERS, Registrations
from ocb.shipped import shipped_specs

SPECS = Path(__file__).parents[2] / "scenario_specs"
SHIPPED = SPECS / "schema.json"


class EditorLoader(yaml.SafeLoader):
    """YAML 1.2, as editors read it: `no` and `on` are text, and so is a date."""


EditorLoader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if not tag.endswith((":bool", ":timestamp")) or first in "tTfF"
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def as_editors_read(text: str) -> Any:
    return yaml.load(text, Loader=EditorLoader)  # noqa: S506 - a SafeLoader


Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """What ocb brings, without the packages of others."""
    return Registrations(GENERATORS, PLANTERS, KINDS).catalogue()


@pytest.fixture(scope="module")
def validator(catalogue: Catalogue) -> Draft202012Validator:
    schema = spec_schema(catalogue)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture
def spec() -> dict[str, Any]:
    path = SPECS.parent / "generators" / "contracts" / "scaffold" / "spec.yaml"
    read: dict[str, Any] = as_editors_read(path.read_text())
    return read


def test_the_shipped_schema_is_current(catalogue: Catalogue) -> None:
    """Written by `ocb author schema > scenario_specs/schema.json`, without packages of others."""
    assert SHIPPED.read_bytes() == schema_bytes(catalogue)


@pytest.mark.parametrize("path", shipped_specs().values(), ids=shipped_specs())
def test_every_shipped_spec_names_the_schema_and_holds_to_it(
    validator: Draft202012Validator, path: Path
) -> None:
    text = path.read_text()
    assert text.startswith(f"{NAMING}{SHIPPED.name}\n")
    assert [error.message for error in validator.iter_errors(as_editors_read(text))] == []


WRONG: dict[str, Change] = {
    "a key that is unknown": lambda spec: spec.update(titel="x"),
    "a key that is missing": lambda spec: spec.pop("task"),
    "a generator that is unknown": lambda spec: spec["corpus"].update(generator="contract"),
    "a parameter of the generator": lambda spec: spec["corpus"]["parameters"].update(vendrs=3),
    "a parameter in a size": lambda spec: spec["corpus"]["sizes"]["small"].update(msa="many"),
    "a size that is unknown": lambda spec: spec["corpus"]["sizes"].update(tiny={}),
    "a planter that is unknown": lambda spec: spec["needles"][0]["plant"].update(planter="x"),
    "a planter's parameter that is missing": lambda spec: spec["needles"][0]["plant"].update(
        planter="edit-line", parameters={"pattern": "x"}
    ),
    "a kind that is unknown": lambda spec: spec["needles"][0].update(kind="x"),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_what_lint_refuses_the_schema_refuses(
    validator: Draft202012Validator, spec: dict[str, Any], change: Change
) -> None:
    assert validator.is_valid(spec)
    change(spec)
    assert not validator.is_valid(spec)


def test_every_parameter_says_what_it_is_for(catalogue: Catalogue) -> None:
    definitions = spec_schema(catalogue)["$defs"]
    pattern = definitions["planters.edit-line"]["properties"]["pattern"]
    assert pattern["description"] == "A regular expression that matches the whole of a line."
    assert "required" not in definitions["generators.contracts"]
    assert "pattern" in definitions["planters.edit-line"]["required"]
