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
    wrong.write_text(SPEC.replace("seed: 3\n", "seed: 3\nseed: 4\n"))
    done = command("author", "lint", "--json", wrong)
    assert done.code == 2
    assert orjson.loads(done.out) == {
        "specs": [
            {
                "spec": str(wrong),
                "problems": [
                    {
                        "code": "duplicate-key",
                        "line": 4,
                        "column": 1,
                        "what": "key 'seed' stands twice, first in line 3",
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
    assert sections == ["scenarios:", "generators:", "planters:", "kinds:", "detectors:"]
    named = orjson.loads(command("author", "list", "--json").out)
    for section in ("scenarios", "generators", "planters", "kinds", "detectors"):
        for entry in named[section]:
            assert any(line.split()[:1] == [entry["name"]] for line in lines)
            assert entry["summary"]
    assert {entry["name"] for entry in named["planters"]} >= {"replace-text", "remove-section"}
    assert {entry["name"] for entry in named["generators"]} >= {"contracts"}
    assert {entry["name"] for entry in named["detectors"]} >= {"query", "regex", "values"}


def test_list_shows_parameters_with_type_and_default(command: Ocb) -> None:
    lines = command("author", "list").out.splitlines()
    assert f"      {'msa':<24} whole number, default 6. Master agreements, one a vendor." in lines
    named = orjson.loads(command("author", "list", "--json").out)
    (edit_line,) = (one for one in named["planters"] if one["name"] == "edit-line")
    assert edit_line["parameters"][0] == {
        "name": "pattern",
        "type": "text",
        "required": True,
        "default": None,
        "summary": "A regular expression that matches the whole of a line.",
    }
    assert edit_line["example"].startswith("planter: edit-line\n")


def test_new_prints_the_spec_that_it_wrote(command: Ocb, tmp_path: Path) -> None:
    path = tmp_path / "deals.yaml"
    done = command("author", "new", "deals", "--generator", "contracts", "-o", path)
    assert (done.code, done.out) == (0, f"{path}\n")
    assert done.err == f"also written: {tmp_path / 'schema.json'}\n"
    assert command("author", "lint", path).code == 0
    again = command("author", "new", "deals", "--generator", "contracts", "-o", path)
    assert (again.code, again.out) == (2, "")
    assert again.err == f"ocb: {path}: is there already\n  give another name with -o\n"


def test_schema_prints_what_new_writes(command: Ocb, tmp_path: Path) -> None:
    command("author", "new", "a", "--generator", "contracts", "-o", tmp_path / "a.yaml")
    assert command("author", "schema").out == (tmp_path / "schema.json").read_text()


def test_realism_prints_figures_and_tells_a_broken_bar_by_its_exit_code(
    command: Ocb, spec: Path, tmp_path: Path
) -> None:
    options = ("--size", "small", "-o", tmp_path / "out")
    built = Path(command("author", "build", spec, *options).out.strip())
    done = command("author", "realism", built)
    told = orjson.loads(command("author", "realism", built, "--json").out)
    assert (done.code, told["broken"]) == (0, 0)
    (one,) = told["builds"]
    assert [kind["kind"] for kind in one["kinds"]] == sorted(
        ["amendment", "dpa", "msa", "nda", "order_form", "playbook", "sow"]
    )
    (msa,) = (kind for kind in one["kinds"] if kind["kind"] == "msa")
    assert msa["counterpart"]["files"] > 10
    assert f"{msa['corpus']['gzip_ratio']:.3f}" in done.out
    first, *others = sorted((built / "corpus" / "contracts").glob("*-msa.md"))
    for other in others:
        other.write_text(first.read_text())
    done = command("author", "realism", built)
    assert done.code == 1
    assert "at most 0.600: BROKEN" in done.out
    assert "most alike: contracts/" in done.out
