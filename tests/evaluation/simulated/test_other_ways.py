"""Plans of reviewers that search, reshape or leave it to a script."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.simulated.assignment import Assignment
from evaluation.simulated.calls import PlannedCall
from evaluation.simulated.hands import Call, Hands
from evaluation.simulated.plan import make_plan
from evaluation.simulated.wordings import load_wordings

Assign = Callable[..., Assignment]


def calls_of(run: Assignment) -> list[PlannedCall]:
    """All but the first, which lists the folder."""
    (plan,) = make_plan(run, load_wordings())
    first, *others = (call for turn in plan.turns for call in turn)
    assert first.asked.action == "list"
    return others


def test_a_search_is_for_one_word_over_the_whole_folder(assign: Assign) -> None:
    seeds = [calls_of(assign("sim/search-claims", seed=seed)) for seed in range(10)]
    for calls in seeds:
        assert len(calls) == 3
        for call in calls:
            assert (call.tool, call.asked.action, call.asked.path) == ("search", "search", "")
            assert call.arguments["path"] == "."
            assert call.arguments["pattern"] == call.asked.pattern != ""
    around = [call.arguments.get("around") for calls in seeds for call in calls]
    assert {1, None} == set(around), "with lines around, and without"


def test_a_model_that_reshapes_has_each_file_printed_and_reads_none(
    assign: Assign, texts: dict[str, str]
) -> None:
    calls = calls_of(assign("sim/jq-claims"))
    assert sorted(call.asked.path for call in calls) == sorted(texts)
    assert {(call.tool, call.asked.action) for call in calls} == {("shell", "reshape")}


@pytest.mark.parametrize(
    ("path", "tool"),
    [
        ("papers/a.json", "jq"),
        ("papers/a.jsonl", "jq"),
        ("papers/a.ndjson", "jq"),
        ("papers/a.md", "awk"),
        ("papers/json", "awk"),
    ],
)
def test_json_goes_through_jq_and_other_files_through_awk(
    assign: Assign, texts: dict[str, str], path: str, tool: str
) -> None:
    run = assign("sim/jq-claims", folder="/home/dev/my review")
    manifest = run.manifest
    files = [file.model_copy(update={"path": path}) for file in manifest.files[1:2]]
    run = replace(
        run, manifest=manifest.model_copy(update={"files": tuple(files)}), texts={path: "1\n"}
    )
    (call,) = calls_of(run)
    words = shlex.split(str(call.arguments["command"]))
    assert (words[0], words[-1]) == (tool, f"/home/dev/my review/{path}")


def test_a_script_checks_every_file_and_prints_little(
    assign: Assign, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    write, run = calls_of(assign("sim/script-admits", folder=str(folder)))
    assert (write.asked.action, run.asked.action) == ("write", "run")
    printed = [
        subprocess.run(
            ["sh", "-c", str(call.arguments["command"])],
            env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
        for call in (write, run)
    ]
    assert [one.stderr for one in printed] == ["", ""]
    assert printed[0].stdout == ""
    lines = printed[1].stdout.split("\n")
    total = sum(len(file.read_bytes().split(b"\n")) - 1 for file in folder.rglob("*.md"))
    assert [line.replace(" ", "") for line in lines[:2]] == [
        "fileschecked:11",
        f"lineschecked:{total}",
    ]
    words = run.asked.pattern.split()
    assert len(words) == 3
    assert [line.split('"')[1] for line in lines if line.startswith("lines with")] == words
    assert sum(line.startswith(f"{folder}/") for line in lines) == 6, "two of each word"


def test_a_command_inside_of_a_script_of_another_language_is_a_string_of_json(
    assign: Assign, hands: Hands
) -> None:
    shell = Call("exec", {"input": "run({quoted})"})
    plain = calls_of(assign("sim/script-claims"))
    quoted = calls_of(assign("sim/script-claims", hands=replace(hands, shell=shell)))
    for one, other in zip(plain, quoted, strict=True):
        text = str(other.arguments["input"])
        assert "\n" not in text
        assert text.startswith('run("')
        assert json.loads(text[4:-1]) == one.arguments["command"]


@pytest.mark.parametrize("model", ["sim/jq-claims", "sim/script-admits", "sim/script-claims"])
def test_without_a_shell_there_is_no_plan(assign: Assign, hands: Hands, model: str) -> None:
    with pytest.raises(UserError, match="there is no shell"):
        calls_of(assign(model, hands=replace(hands, shell=None)))
