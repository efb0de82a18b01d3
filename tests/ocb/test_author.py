from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from generators.build import load_build
from ocb.cli.main import run

Ocb = Callable[..., "Done"]

SPEC = """\
id: few-contracts
title: A few contracts
seed: 3
corpus:
  generator: contracts
  parameters: {vendors: 4}
  sizes:
    small: {msa: 3, sow: 1, nda: 1, dpa: 1, order_form: 1, amendment: 1}
scope:
  review: ["contracts/*"]
  reference: [playbook.md]
task:
  prompt: "{{ instruction }} Report on the {{ files }} files in {{ folder }}."
  conditions: {direct: Read.}
needles:
  - id: other-signature
    kind: uncapped-liability
    severity: minor
    plant:
      into: {document: msa, position: early}
      planter: replace-text
      parameters: {pattern: "^# .*", replacement: "# Agreement Without Limits"}
    report:
      statement: The title says that there is no limit.
      terms: [[limit]]
budget:
  file: {most: 20000}
  corpus: {small: {most: 90000}}
"""


class Done:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Ocb:
    def call(*arguments: object) -> Done:
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Done(code, out, err)

    return call


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "few.yaml"
    path.write_text(SPEC)
    return path


def test_build_prints_the_folder_made_and_nothing_else(
    command: Ocb, spec: Path, tmp_path: Path
) -> None:
    done = command("author", "build", spec, "--size", "small", "-o", tmp_path / "out")
    assert done.code == 0
    folder = Path(done.out.removesuffix("\n"))
    assert folder.parent == tmp_path / "out"
    assert load_build(folder).manifest.scenario == "few-contracts"
    assert done.err.startswith("few-contracts: 9 files, ")
    assert (
        command("author", "build", spec, "--size", "small", "-o", tmp_path / "out").out == done.out
    )


def test_build_as_json_holds_what_was_built(command: Ocb, spec: Path, tmp_path: Path) -> None:
    options = ("--size", "small", "--seed", 5, "--placement", 2, "--json")
    done = command("author", "build", spec, *options, "-o", tmp_path)
    (built,) = orjson.loads(done.out)["builds"]
    build = load_build(Path(built["path"]))
    assert (built["seed"], built["placement"], built["size"]) == (5, 2, "small")
    assert built["tree"] == build.manifest.tree
    assert built["tokens"] == sum(file.tokens for file in build.manifest.files)
    assert (built["files"], built["needles"]) == (9, 1)


@pytest.mark.parametrize("sub", ["build", "lint"])
def test_a_spec_that_is_not_there_exits_with_2(command: Ocb, sub: str) -> None:
    done = command("author", sub, "none.yaml")
    assert done.code == 2
    assert (
        "none.yaml: cannot be read: No such file or directory [file-not-readable]"
        in done.out + done.err
    )
    done = command("author", sub, "no-such-scenario")
    assert done.code == 2
    assert "'no-such-scenario' is no file and no shipped scenario" in done.err


def test_build_of_a_wrong_spec_tells_every_problem_and_writes_nothing(
    command: Ocb, spec: Path, tmp_path: Path
) -> None:
    spec.write_text(
        SPEC.replace("title:", "titel:").replace("generator: contracts", "generator: contract")
    )
    done = command("author", "build", spec, "-o", tmp_path / "out")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        f"ocb: {spec}:1:1: key 'title' is missing [missing-key]",
        f"{spec}:2:1: unknown key 'titel'; did you mean 'title'? [unknown-key]",
        (
            f"{spec}:5:14: there is no generator 'contract'; did you mean 'contracts'?"
            " [unknown-generator]"
        ),
    ]
    assert not (tmp_path / "out").exists()


def test_a_size_that_the_spec_has_not_is_told(command: Ocb, spec: Path, tmp_path: Path) -> None:
    done = command("author", "build", spec, "-o", tmp_path / "out")
    assert (done.code, done.out) == (2, "")
    assert done.err == "ocb: few-contracts has no size 'standard'\n  valid: small\n"


def test_lint_says_fine_or_every_problem(command: Ocb, spec: Path, tmp_path: Path) -> None:
    done = command("author", "lint", spec)
    assert (done.code, done.out, done.err) == (0, f"{spec}: fine\n", "")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(SPEC.replace("seed: 3", "seed: '3'").replace("severity:", "sevrity:"))
    done = command("author", "lint", spec, wrong)
    assert done.code == 2
    assert [line.rsplit(" ", 1)[1] for line in done.out.splitlines()] == [
        "fine",
        "[wrong-type]",
        "[missing-key]",
        "[unknown-key]",
    ]


def test_lint_as_json(command: Ocb, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("a: 1\na: 2\n")
    done = command("author", "lint", "--json", wrong)
    assert done.code == 2
    assert orjson.loads(done.out) == {
        "specs": [
            {
                "spec": str(wrong),
                "problems": [
                    {
                        "code": "duplicate-key",
                        "line": 2,
                        "column": 1,
                        "what": "key 'a' stands twice, first in line 1",
                        "remedy": "",
                    }
                ],
            }
        ]
    }


def test_a_name_in_a_spec_cannot_steer_the_terminal(command: Ocb, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(SPEC.replace("id: few-contracts", 'id: "\\e[2Jx"'))
    for sub in ("lint", "build"):
        done = command("author", sub, wrong)
        assert done.code == 2
        assert "\x1b" not in done.out + done.err


def test_list_names_what_a_spec_may_name(command: Ocb) -> None:
    done = command("author", "list")
    assert done.code == 0
    lines = done.out.splitlines()
    sections = [line for line in lines if not line.startswith(" ")]
    assert sections == ["scenarios:", "generators:", "planters:", "kinds:"]
    named = orjson.loads(command("author", "list", "--json").out)
    for section in ("scenarios", "generators", "planters", "kinds"):
        for entry in named[section]:
            assert any(line.split()[:1] == [entry["name"]] for line in lines)
            assert entry["summary"]
    assert {entry["name"] for entry in named["planters"]} >= {"replace-text", "remove-section"}
    assert {entry["name"] for entry in named["generators"]} >= {"contracts"}
