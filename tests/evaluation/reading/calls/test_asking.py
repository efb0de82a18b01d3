"""What a call says of its result: commands of one plain file are read in a shorter way."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import JsonValue

from evaluation.reading.calls.asking import Asked, asked_of
from evaluation.reading.calls.naming import Calls
from evaluation.reading.context import MAIN, ContextText, ToolOutput
from evaluation.reading.lines.outputs import Frame
from evaluation.reading.lines.paths import PathResolver

ROOT = "/home/dev/review"
FILES = ("docs/a.md", "docs/10.md", "README.md", "pkg/README.md", "pkg/exec/sort.md")


def asked(
    arguments: Mapping[str, JsonValue], *, root: str = ROOT, folder: str = "", before: str = ""
) -> Asked:
    paths = PathResolver(FILES)
    paths.stand_in(root)
    calls = Calls(paths, folder)
    if before:
        asked_of(ContextText(MAIN, 1, "t0", "Bash", {"command": before}, ""), ToolOutput(), calls)
    return asked_of(ContextText(MAIN, 2, "t1", "Bash", arguments, ""), ToolOutput(), calls)


COMMANDS = (
    "cat docs/a.md",
    "cat -n docs/a.md",
    "head docs/a.md",
    "tail -n 20 docs/a.md",
    "head -20 ./docs/../README.md",
    "sed -n '3,40p' docs/10.md",
    "sed -n '3p' docs/10.md",
    f"cat {ROOT}/pkg/README.md",
    "cat README.md",
    "cat other/README.md",
    "cat ../README.md",
    "cat docs",
    "cat .",
    "tail -n 20",
    "head -n docs/a.md",
    "cat 10.md",
    "cat -n",
)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("before", ["", "cd pkg && ls"], ids=["at the root", "after a cd"])
@pytest.mark.parametrize("root", [ROOT, ""], ids=["known root", "unknown root"])
@pytest.mark.parametrize("folder", ["", f"{ROOT}/pkg"], ids=["", "begun below"])
def test_a_plain_command_says_what_its_longer_form_says(
    command: str, before: str, root: str, folder: str
) -> None:
    plain = asked({"command": command}, root=root, folder=folder, before=before)
    # A space more than the shorter way knows changes nothing in a shell.
    longer = asked(
        {"command": command.replace(" ", "  ", 1)}, root=root, folder=folder, before=before
    )
    assert (plain.named, plain.frame, plain.may_tell_of_files) == (
        longer.named,
        longer.frame,
        longer.may_tell_of_files,
    )


def test_no_word_of_a_path_is_a_command() -> None:
    found = asked({"command": "cat pkg/exec/sort.md", "description": "Sort all"})
    assert found.frame == Frame()
    assert [one.files for one in found.named] == [{"pkg/exec/sort.md"}]


def test_a_folder_that_the_call_names_counts() -> None:
    found = asked({"command": "cat README.md", "workdir": f"{ROOT}/pkg"})
    assert [one.files for one in found.named] == [{"pkg/README.md"}]
