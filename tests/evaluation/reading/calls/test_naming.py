"""Which files a call names, by what its shell would have made of its words."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import JsonValue

from evaluation.reading.calls.naming import Calls, Named, said_in
from evaluation.reading.lines.paths import PathResolver

FILES = (
    "README.md",
    "Acme NDA.md",
    "NDA.md",
    "a,b.md",
    "docs/a.md",
    "docs/b.md",
    "pkg/README.md",
    "src/[id].ts",
    "src/deep/main.py",
)
ROOT = "/home/dev/review"


def named(
    command: str,
    root: str = ROOT,
    folder: str = "",
    others: Mapping[str, JsonValue] | None = None,
) -> Named:
    paths = PathResolver(FILES)
    paths.stand_in(root)
    arguments = {"command": command, **(others or {})}
    (only,) = Calls(paths, folder).of_command(said_in(arguments), "main")
    return only


@pytest.mark.parametrize(
    ("command", "files"),
    [
        pytest.param("cat docs/a.md", {"docs/a.md"}, id="a relative path"),
        pytest.param(f"cat {ROOT}/docs/a.md", {"docs/a.md"}, id="an absolute one"),
        pytest.param("cat ~/review/docs/a.md", {"docs/a.md"}, id="from the home folder"),
        pytest.param("cat ./docs/../NDA.md", {"NDA.md"}, id="a path that is not plain"),
        pytest.param("cat vendor/README.md", set(), id="a relative one that ends alike"),
        pytest.param("cat ../other/README.md", set(), id="one that leaves the corpus"),
        pytest.param(f"cat {ROOT}/vendor/README.md", set(), id="an absolute one that ends alike"),
        pytest.param("cat a.md", set(), id="the end of a path"),
        pytest.param('cat "Acme NDA.md"', {"Acme NDA.md"}, id="a space in quotes"),
        pytest.param("cat Acme\\ NDA.md", {"Acme NDA.md"}, id="a space behind a backslash"),
        pytest.param("cat 'a,b.md'", {"a,b.md"}, id="a comma"),
        pytest.param("cat */README.md", {"pkg/README.md"}, id="a star is one folder"),
        pytest.param("cat docs/?.md", {"docs/a.md", "docs/b.md"}, id="a question mark"),
        pytest.param("cat docs/{a,b}.md", {"docs/a.md", "docs/b.md"}, id="braces"),
        pytest.param("cat docs/[!a].md", {"docs/b.md"}, id="a set"),
        pytest.param("cat 'src/[id].ts'", {"src/[id].ts"}, id="a name that looks like a pattern"),
        pytest.param("cat src/**/*.py", {"src/deep/main.py"}, id="two stars"),
        pytest.param("git show HEAD:pkg/README.md", {"pkg/README.md"}, id="of a commit"),
        pytest.param("cd pkg && cat README.md", {"pkg/README.md"}, id="after cd"),
        pytest.param("cd docs; cat ../NDA.md", {"NDA.md"}, id="after cd, upwards"),
        pytest.param("(cd docs && ls); cat README.md", {"README.md"}, id="after a subshell"),
        pytest.param("cd /tmp && cat README.md", set(), id="after cd elsewhere"),
        pytest.param("cd / && cat home/dev/review/NDA.md", {"NDA.md"}, id="after cd far up"),
        pytest.param('cd "$D" && cat README.md', set(), id="after cd to a variable"),
        pytest.param("cat $d/README.md", set(), id="below a variable"),
        pytest.param('for f in docs/*; do cat "$f"; done', {"docs/a.md", "docs/b.md"}, id="a loop"),
        pytest.param("F=docs/a.md; cat $F", {"docs/a.md"}, id="a variable's value"),
        pytest.param("sed -n 1,9p NDA.md > README.md", {"NDA.md"}, id="not what is written to"),
        pytest.param("cat < NDA.md", {"NDA.md"}, id="what is read from"),
        pytest.param("grep -rh x --exclude=NDA.md docs", set(), id="not what is left out"),
        pytest.param("grep -n README.md NDA.md", {"NDA.md"}, id="not what is searched for"),
        pytest.param("wc -l NDA.md; cat README.md", {"README.md"}, id="not what is counted"),
        pytest.param("ls docs/* | xargs cat", {"docs/a.md", "docs/b.md"}, id="what is handed on"),
        pytest.param("rg -g 'b.*' x", {"docs/b.md"}, id="by the name that files have"),
        pytest.param("find . -not -name NDA.md -name 'NDA*'", {"NDA.md"}, id="not what is not"),
        pytest.param(
            "python3 -c \"print(open('docs/a.md').read())\"", {"docs/a.md"}, id="in a program"
        ),
        pytest.param('bash -lc "cat docs/a.md"', {"docs/a.md"}, id="a command in a command"),
        pytest.param("cat docs/[z-a].md", set(), id="a set that runs back"),
        pytest.param("cat " + "*" * 200 + "x", set(), id="many stars"),
        pytest.param("cat 'docs/a.md", {"docs/a.md"}, id="a quote that does not end"),
        pytest.param("grep -F fee NDA.md", {"NDA.md"}, id="a pattern behind an option"),
        pytest.param("grep -e fee -n NDA.md", {"NDA.md"}, id="a pattern that is an option's"),
        pytest.param("awk -F, '{print $1}' NDA.md", {"NDA.md"}, id="a program"),
        pytest.param("cat -T NDA.md", {"NDA.md"}, id="an option without a value"),
    ],
)
def test_a_command_names_what_its_shell_would_open(command: str, files: set[str]) -> None:
    assert named(command).files == files


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        pytest.param({"workdir": f"{ROOT}/pkg"}, {"pkg/README.md"}, id="absolute"),
        pytest.param({"dir_path": "pkg"}, {"pkg/README.md"}, id="relative"),
        pytest.param({"workdir": "/srv"}, set(), id="elsewhere"),
        pytest.param({"description": "like NDA.md"}, {"README.md"}, id="a remark names nothing"),
    ],
)
def test_a_call_says_where_its_command_begins(
    arguments: dict[str, JsonValue], files: set[str]
) -> None:
    assert named("cat README.md", others=arguments).files == files


def test_a_path_goes_from_where_the_agent_works() -> None:
    assert named("cat README.md", folder=f"{ROOT}/pkg").files == {"pkg/README.md"}
    assert named("cat review/NDA.md", folder="/home/dev").files == {"NDA.md"}


def test_the_root_may_have_a_longer_name() -> None:
    assert named("cat /srv/review/NDA.md", root="/private/srv/review").files == {"NDA.md"}
    assert named("cat /srv/other/NDA.md", root="/srv/review").files == set()


def test_where_no_root_is_known_the_end_of_a_path_tells() -> None:
    assert named("cat /x/pkg/README.md", root="").files == {"pkg/README.md"}
    assert named("cat a.md", root="").files == {"docs/a.md"}
    assert named("cd /x/docs && cat a.md", root="").files == {"docs/a.md"}
    assert named("cd / && cat x/docs/a.md", root="").files == {"docs/a.md"}
    assert named("cat /x/docs/*.md", root="").files == {"docs/a.md", "docs/b.md"}
    assert named("cat ../x/README.md", root="").files == set()


def test_a_shell_may_stand_where_the_last_call_left_it() -> None:
    paths = PathResolver(FILES)
    paths.stand_in(ROOT)
    calls = Calls(paths)
    calls.of_command(said_in({"command": "cd pkg && ls"}), "main")
    found = calls.of_command(said_in({"command": "cat README.md"}), "main")
    assert [one.files for one in found] == [{"README.md"}, {"pkg/README.md"}]
    (other,) = calls.of_command(said_in({"command": "cat README.md"}), "sub")
    assert other.files == {"README.md"}
    (told,) = calls.of_command(said_in({"command": "cat README.md", "workdir": ROOT}), "main")
    assert told.files == {"README.md"}


def test_arguments_in_a_list_are_words() -> None:
    paths = PathResolver(FILES)
    (found,) = Calls(paths).of_command(said_in({"command": ["cat", "Acme NDA.md"]}), "main")
    assert found.files == {"Acme NDA.md"}


def test_a_file_of_the_same_name_elsewhere_is_remembered() -> None:
    found = named("cat NDA.md ../other/README.md")
    assert found.elsewhere == {"README.md"}
    assert found.only is None, "another file was named"
