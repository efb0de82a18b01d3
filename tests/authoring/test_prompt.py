from __future__ import annotations

from pathlib import Path

import pytest

from authoring.catalogue import Catalogue
from authoring.errors import UserError
from authoring.loading import load_spec
from authoring.prompt import render, render_prompt
from authoring.spec import ScenarioSpec


@pytest.fixture
def spec(tmp_path: Path, spec_text: str, catalogue: Catalogue) -> ScenarioSpec:
    path = tmp_path / "spec.yaml"
    path.write_text(
        spec_text.replace("direct: Read them", "direct: Read all {{ files }} in {{ folder }}")
    )
    return load_spec(path, catalogue)


def test_the_prompt_holds_files_folder_and_the_instruction_of_the_condition(
    spec: ScenarioSpec,
) -> None:
    prompt = render_prompt(spec, "direct", files=12, folder="/home/dev/review")
    assert prompt == (
        "Review 12 files in /home/dev/review.\nRead all 12 in /home/dev/review yourself.\n"
    )


def test_what_a_value_holds_is_not_taken_for_a_template(spec: ScenarioSpec) -> None:
    prompt = render_prompt(spec, "direct", files=1, folder="{{ files }} <b>&")
    assert (
        prompt == "Review 1 files in {{ files }} <b>&.\nRead all 1 in {{ files }} <b>& yourself.\n"
    )


def test_a_condition_that_the_spec_has_not_is_refused(spec: ScenarioSpec) -> None:
    with pytest.raises(UserError, match="letters has no condition 'delegated'"):
        render_prompt(spec, "delegated", files=1, folder="x")


@pytest.mark.parametrize(
    "template",
    ["{{ unknown }}", "{% if %}", "{{ files / 0 }}", "{{ files.__class__ }}", "{{ 1 + 'a' }}"],
)
def test_a_template_that_cannot_be_rendered_is_the_users_to_mend(template: str) -> None:
    with pytest.raises(UserError):
        render(template, {"files": 2})
