from __future__ import annotations

from pathlib import Path

import pytest

from authoring.catalogue import Catalogue
from authoring.errors import UserError
from authoring.loading import load_spec
from authoring.prompt import INSTRUCTION_VARIABLES, render, render_prompt, template_faults
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


@pytest.mark.parametrize(
    ("template", "made"),
    [
        ("{% if files > 1 %}{{ files }} files{% else %}one file{% endif %}", "2 files"),
        ("{{ 'few' if files < 10 and not files == 3 else 'many' }}", "few"),
        ("{{ folder | upper }}", "A/B"),
        ("{% raw %}{{ files }}{% endraw %}{# nothing #}", "{{ files }}"),
    ],
)
def test_a_template_may_choose_and_change_letters(template: str, made: str) -> None:
    assert render(template, {"files": 2, "folder": "a/b"}) == made
    assert template_faults(template, INSTRUCTION_VARIABLES) == ()


HOSTILE = {
    "a loop": ("{% for n in folder %}x{% endfor %}", "no loops"),
    "a call": ("{{ folder.ljust(10000000000) }}", "no calls"),
    "a product": ("{{ folder * 100000000000 }}", "no arithmetic"),
    "a power": ("{{ 9 ** 999999999 }}", "no arithmetic"),
    "a sum": ("{{ folder ~ folder }}", "no joining"),
    "a macro that calls itself": (
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "no macros",
    ),
    "a variable of its own": ("{% set a = files %}{{ a }}", "no variables of its own"),
    "a filter that pads": ("{{ folder | center(10000000000) }}", "no filter 'center'"),
    "a filter with more": ("{{ folder | trim('x') }}", "no filter 'trim'"),
    "an attribute": ("{{ files.__class__ }}", "no attributes"),
    "another template": ("{% include 'x' %}", "cannot load other templates"),
    "parentheses": ("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", "nested too deep"),
    "ifs in ifs": ("{% if 1 %}" * 100 + "{% endif %}" * 100, "nested too deep"),
    "filters of filters": ("{{ folder" + " | upper" * 300 + " }}", "nested too deep"),
    "a number of many digits": ("{{ " + "9" * 5000 + " }}", "digits"),
    "a long one": ("x" * 20_001, "longer than 20000 characters"),
}


@pytest.mark.parametrize(("template", "said"), HOSTILE.values(), ids=HOSTILE)
def test_what_could_hang_or_fill_the_memory_is_refused_before_it_is_run(
    template: str, said: str
) -> None:
    assert any(said in fault.what for fault in template_faults(template, INSTRUCTION_VARIABLES))
    with pytest.raises(UserError, match=said):
        render(template, {"files": 2, "folder": "x"})


def test_every_fault_of_a_template_is_told_at_its_line() -> None:
    template = "{{ colour }}\n{{ files * 2 }}\n{{ files * 3 }}\n{{ folder[0] }}\n"
    faults = template_faults(template, INSTRUCTION_VARIABLES)
    assert sorted((fault.line, fault.variable) for fault in faults) == [
        (1, "colour"),
        (2, ""),
        (4, ""),
    ]
