"""Scenarios that bring their kinds of defect as data, from the spec to the seal."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import click
import orjson
import pytest

from generators.build import load_build
from generators.registry import RegisteredNeedle
from ocb.cli.main import run

PAGE = Path(__file__).parents[2] / "docs" / "authoring.md"
SECTION = re.compile(r"^## Kinds of defect of your own$(.*?)^## ", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)

PLANS = """\
plan,seats,storage_gb,monthly
free,1,2,0.00
solo,1,20,6.00
duo,2,40,11.00
team,20,200,19.00
house,90,900,33.00
firm,400,4000,49.00
school,400,900,24.00
club,60,200,14.00
"""
RULES = """\
# Rules

## Width

Text is wrapped at 100 columns or less.

## Errors

Whoever raises an exception in the place of another one names it as the cause.

## Plans

No plan costs more than 50 a month.
"""
SPEC = """\
id: click_review
title: A library for command lines, and what its makers charge
seed: 5
corpus:
  generator: directory
  parameters:
    root: files
    include: ["click/*.py", plans.csv, rules.md]
    kinds: {formatting: click/formatting.py, testing: click/testing.py}
  sizes:
    small: {}
scope:
  review: ["click/*.py", plans.csv]
  reference: [rules.md]
task:
  prompt: Check the {{ files }} files in {{ folder }} against rules.md. {{ instruction }}
  conditions: {direct: ""}
kinds:
  - name: wide-text
    summary: text is wrapped at more than 100 columns
    detector: regex
    parameters:
      files: ["click/*.py"]
      pattern: '\\bwidth: int = (?P<columns>[0-9]+)'
      group: columns
      more_than: 100
  - name: lost-cause
    summary: the end of a file is raised in the place of another exception, without it
    detector: query
    parameters:
      files: ["click/*.py"]
      language: python
      query: |
        ((except_clause (block
          (raise_statement !cause (call function: (identifier) @name)) @defect))
          (#eq? @name "EOFError"))
  - name: dear-plan
    summary: a plan costs more than 50 a month
    detector: values
    parameters: {files: [plans.csv], column: monthly, more_than: 50}
needles:
  - id: text-too-wide
    kind: wide-text
    severity: minor
    plant:
      into: {document: formatting, position: early}
      planter: edit-line
      parameters:
        pattern: (?P<start> +width. int = )78,
        replacement: \\g<start>136,
    report: {statement: Text is wrapped at 136 columns., terms: [[width, wrapped], ["136"]]}
    breaks: {path: rules.md, heading: Width}
  - id: cause-lost
    kind: lost-cause
    severity: major
    plant:
      into: {document: testing, position: middle}
      planter: code
      parameters:
        language: python
        query: (except_clause (block (raise_statement) @anchor))
        pattern: (?s) from e$
        replacement: ""
        nth: 1
    report: {statement: EOFError is raised without its cause., terms: [[cause, chained, "from e"]]}
    breaks: {path: rules.md, heading: Errors}
  - id: plan-too-dear
    kind: dear-plan
    severity: critical
    plant:
      into: {document: csv, position: late}
      planter: set-value
      parameters: {column: monthly, row: {plan: team}, value: "59.00"}
    report: {statement: The plan for teams costs 59., terms: [["59"]]}
    breaks: {path: rules.md, heading: Plans}
budget:
  file: {most: 60000}
  corpus:
    small: {most: 200000}
"""

Ocb = Callable[..., str]


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Ocb:
    def call(*arguments: object) -> str:
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert code == 0, out + err
        return out

    return call


def needles(build: Path) -> dict[str, RegisteredNeedle]:
    return {needle.id: needle for needle in load_build(build).registry.needles}


def test_the_page_s_kind_is_found_where_it_is_planted(command: Ocb, tmp_path: Path) -> None:
    section = SECTION.search(PAGE.read_text())
    assert section is not None
    kinds, needle = BLOCK.findall(section[1])
    path = tmp_path / "my-code.yaml"
    command("author", "new", "my-code", "--generator", "directory", "-o", path)
    text = path.read_text()
    for old, new in (("needles:\n", kinds + "needles:\n"), ("\n# How large", needle + "\n# How")):
        assert text.count(old) == 1
        text = text.replace(old, new)
    path.write_text(text)
    command("author", "lint", path)
    options = ("--size", "small", "-o", tmp_path / "out")
    build = Path(command("author", "build", path, *options).strip())
    assert set(needles(build)) == {"dropped-error", "cause-dropped"}
    command("validate", build, "--beside", tmp_path)
    (kind,) = load_build(build).spec.kinds
    assert kind.name == "lost-cause"
    # No default is left open.
    assert kind.parameters["unless"] is None
    assert orjson.loads((build / "validation.json").read_bytes())["level"] == "structural"


def test_a_published_package_is_planted_in_and_sealed(command: Ocb, tmp_path: Path) -> None:
    files = tmp_path / "files"
    own = Path(click.__file__).parent
    shutil.copytree(own, files / "click", ignore=shutil.ignore_patterns("__pycache__"))
    (files / "plans.csv").write_text(PLANS)
    (files / "rules.md").write_text(RULES)
    path = tmp_path / "click_review.yaml"
    path.write_text(SPEC)
    command("author", "lint", path)
    options = ("--size", "small", "-o", tmp_path / "out")
    build = Path(command("author", "build", path, *options).strip())
    shown = {name: needle.evidence[0].path for name, needle in needles(build).items()}
    assert shown == {
        "text-too-wide": "click/formatting.py",
        "cause-lost": "click/testing.py",
        "plan-too-dear": "plans.csv",
    }
    command("validate", build, "--beside", tmp_path)
    report = orjson.loads((build / "validation.json").read_bytes())
    assert report["level"] == "structural"
