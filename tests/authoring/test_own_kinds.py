from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field

from authoring.artefacts import Value
from authoring.catalogue import Catalogue, Kind
from authoring.errors import SpecError
from authoring.json_schema import spec_schema
from authoring.loading import load_spec
from authoring.spec import ScenarioSpec
from tests.authoring.test_json_schema import as_editors_read

KINDS = """\
kinds:
  - name: long-line
    summary: a line is too long
    detector: length
    parameters: {most: 80}
"""


class Length(Value):
    most: Annotated[int, Field(gt=0)]
    """Characters."""
    tabs: bool = False


@pytest.fixture(name="known")
def known_fixture(catalogue: Catalogue) -> Catalogue:
    """With one detector that is told by parameters."""
    return replace(catalogue, detectors={"length": Kind("length", "lines by length", Length)})


@pytest.fixture
def own_text(spec_text: str) -> str:
    """A spec that brings a kind of defect, and names it."""
    text = spec_text.replace("needles:\n", f"{KINDS}needles:\n")
    return text.replace("kind: lost-line", "kind: long-line")


def load(tmp_path: Path, text: str, catalogue: Catalogue) -> ScenarioSpec:
    path = tmp_path / "spec.yaml"
    path.write_text(text)
    return load_spec(path, catalogue)


def test_a_needle_may_name_a_kind_that_its_spec_brings(
    tmp_path: Path, own_text: str, known: Catalogue
) -> None:
    spec = load(tmp_path, own_text, known)
    (kind,) = spec.kinds
    assert (kind.name, kind.detector) == ("long-line", "length")
    assert kind.parameters == {"most": 80, "tabs": False}
    assert spec.needles[0].kind == "long-line"


WRONG: dict[str, tuple[str, str, list[str]]] = {
    "a needle's kind": (
        "kind: long-line", "kind: long-lin",
        ["26:11: there is no kind of defect 'long-lin'; did you mean 'long-line'? [unknown-kind]"],
    ),
    "an installed name": (
        "name: long-line", "name: lost-line",
        [
            "20:11: the kind of defect 'lost-line' is already there; rename it [duplicate-kind]",
            ("26:11: there is no kind of defect 'long-line';"
            " did you mean 'lost-line'? [unknown-kind]"),
        ],
    ),
    "a name twice": (
        "needles:", ("  - {name: long-line, summary: s, detector: length, parameters: {most: 1}}\n"
        "needles:"),
        ["24:12: the kind of defect 'long-line' is already there; rename it [duplicate-kind]"],
    ),
    "no such detector": (
        "detector: length", "detector: lenght",
        ["22:15: there is no detector 'lenght'; did you mean 'length'? [unknown-detector]"],
    ),
    "no detector": (
        "    detector: length\n", "", ["20:5: key 'detector' is missing [missing-key]"],
    ),
    "an unknown parameter": (
        "{most: 80}", "{most: 80, tab: true}",
        ["23:28: unknown key 'tab'; did you mean 'tabs'? [unknown-key]"],
    ),
    "a parameter's type": (
        "{most: 80}", '{most: "80"}',
        [("23:24: most wants a whole number, without quotes; it is the quoted text '80' "
         "[wrong-type]")],
    ),
    "a parameter that is missing": (
        "{most: 80}", "{}", ["23:5: key 'most' is missing [missing-key]"],
    ),
    "no parameters": (
        "    parameters: {most: 80}\n", "", ["20:5: key 'most' is missing [missing-key]"],
    ),
    "a bad name": (
        "name: long-line", "name: Long Line",
        ["20:11: name: string should match pattern '^[a-z][a-z0-9_-]{0,62}$' [bad-value]",
         "26:11: there is no kind of defect 'long-line'; did you mean 'lost-line'? [unknown-kind]"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_kind_is_told_where_it_stands(
    tmp_path: Path, own_text: str, known: Catalogue, old: str, new: str, expected: list[str]
) -> None:
    assert old in own_text
    with pytest.raises(SpecError) as caught:
        load(tmp_path, own_text.replace(old, new, 1), known)
    prefix = f"{tmp_path}/spec.yaml:"
    assert [str(one).removeprefix(prefix) for one in caught.value.problems] == expected


def test_the_schema_knows_the_detectors_and_that_a_spec_may_bring_kinds(
    own_text: str, spec_text: str, known: Catalogue
) -> None:
    schema = spec_schema(known)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    most = schema["$defs"]["detectors.length"]["properties"]["most"]
    assert most["description"] == "Characters."
    # Editors take an unquoted 1.10 for a number.
    own_text, spec_text = (text.replace("1.10", "'1.10'") for text in (own_text, spec_text))
    assert validator.is_valid(as_editors_read(own_text))
    assert validator.is_valid(as_editors_read(spec_text))
    for text in (
        own_text.replace("most: 80", "least: 80"),
        own_text.replace("{most: 80}", "{}"),
        own_text.replace("detector: length", "detector: lenght"),
        spec_text.replace("kind: lost-line", "kind: long-line"),
    ):
        assert not validator.is_valid(as_editors_read(text))
