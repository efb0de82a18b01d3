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
    ("command", "files"),
    [
        pytest.param("F=README.md; cd pkg; cat $F", {"pkg/README.md"}, id="a value"),
        pytest.param("F=README.md; (cd pkg && cat $F)", {"pkg/README.md"}, id="in a subshell"),
        pytest.param("F=NDA.md; cd pkg; cat $F", set(), id="a value that leads nowhere"),
        pytest.param(
            "for f in README.md; do (cd pkg && cat $f); done", {"pkg/README.md"}, id="a loop"
        ),
        pytest.param(
            'for d in . pkg; do cat "$d/README.md"; done',
            {"README.md", "pkg/README.md"},
            id="below each of a list",
        ),
        pytest.param(
            "for d in . pkg; do (cd $d; cat README.md); done",
            {"README.md", "pkg/README.md"},
            id="in each of a list",
        ),
        pytest.param(
            "for d in */; do cat ${d}README.md; done", {"pkg/README.md"}, id="below a pattern"
        ),
        pytest.param(
            "for f in docs/*; do (cd pkg; cat ../$f); done",
            {"docs/a.md", "docs/b.md"},
            id="a pattern is spread where the loop stands",
        ),
        pytest.param("D=docs; F=$D/a.md; cd pkg; cat ../$F", {"docs/a.md"}, id="in another value"),
        pytest.param(
            'x=(NDA.md README.md); cat "${x[@]}"', {"NDA.md", "README.md"}, id="a list of values"
        ),
        pytest.param(
            "N='NDA.md README.md'; for f in $N; do cat $f; done",
            {"NDA.md", "README.md"},
            id="words of a value",
        ),
        pytest.param(
            "F=NDA.md; test -f x && F=README.md; cat $F",
            {"NDA.md", "README.md"},
            id="either of two values",
        ),
        pytest.param(
            "for f in NDA.md; do cat $f; done; for f in README.md; do echo $f; done | xargs cat",
            {"NDA.md", "README.md"},
            id="two loops with one name",
        ),
        pytest.param(
            "F=NDA.md; python3 -c \"print(open('$F').read())\"", {"NDA.md"}, id="in a program"
        ),
        pytest.param("export F=NDA.md; ./show.sh", {"NDA.md"}, id="for another program"),
    ],
)
def test_a_variable_names_a_file_from_where_it_is_used(command: str, files: set[str]) -> None:
    found = named(command)
    assert found.files == files
    assert not found.is_open


@pytest.mark.parametrize(
    "command",
    [
        "F=README.md; cd pkg; python3 -c \"print(open('$F').read())\"",
        "F=docs/README.md; cd pkg; cat ${F#docs/}",
        "cd $D; F=README.md; cat $F",
        "F=NDA.md; while read x; do cat $F; F=README.md; done",
    ],
)
def test_a_variable_that_is_used_as_nobody_can_tell_leaves_it_open(command: str) -> None:
    found = named(command)
    assert found.is_open
    assert found.only is None


NUMBERS = ("2023", "head", "conf.yml", "404")


@pytest.mark.parametrize(
    ("command", "files"),
    [
        pytest.param("cat 2023", {"2023"}, id="a number"),
        pytest.param("cat -n 2023", {"2023"}, id="behind an option without a value"),
        pytest.param("head -2 2023", {"2023"}, id="behind a count"),
        pytest.param("head -n 2023 conf.yml", {"conf.yml"}, id="a count"),
        pytest.param("head -c 404 conf.yml", {"conf.yml"}, id="a count of characters"),
        pytest.param("tail --lines 404 conf.yml", {"conf.yml"}, id="a count behind a long option"),
        pytest.param("grep -A 404 x conf.yml", {"conf.yml"}, id="a count of lines around"),
        pytest.param("grep -n 404 conf.yml", {"conf.yml"}, id="searched for"),
        pytest.param("grep -n x 404", {"404"}, id="searched through"),
        pytest.param("sleep 404; cat conf.yml", {"conf.yml"}, id="of a program that opens nothing"),
        pytest.param("head -3 head", {"head"}, id="called as the command"),
        pytest.param("head -3 conf.yml", {"conf.yml"}, id="the command itself"),
        pytest.param("git grep conf.yml 404", {"404"}, id="a pattern behind two words"),
    ],
)
def test_a_file_may_be_called_like_a_count_or_a_command(command: str, files: set[str]) -> None:
    paths = PathResolver(NUMBERS)
    paths.stand_in(ROOT)
    (found,) = Calls(paths).of_command(said_in({"command": command}), "main")
    assert found.files == files


TWO = {"README.md", "pkg/README.md"}


@pytest.mark.parametrize(
    ("command", "files"),
    [
        pytest.param("test -f x || cd pkg; cat README.md", TWO),
        pytest.param("test -f x || { cd pkg; }; cat README.md", TWO),
        pytest.param("if test -f x; then cd pkg; fi; cat README.md", TWO),
        pytest.param("if test -f x; then ls; else cd pkg; fi; cat README.md", TWO),
        pytest.param("while test -f x; do cd pkg; done; cat README.md", TWO),
        pytest.param("case $x in y*) cd pkg;; esac; cat README.md", TWO),
        pytest.param("cd x && cd y || cd ../pkg; cat README.md", {"pkg/README.md"}),
        pytest.param("if x; then cd pkg; else cd docs; fi; cat ../NDA.md", {"NDA.md"}),
        pytest.param("if x; then cd pkg; cat README.md; fi", {"pkg/README.md"}),
        pytest.param("if x; then cd pkg; fi; cd ../review/pkg; cat README.md", {"pkg/README.md"}),
        pytest.param("test -f x && cd pkg && cat README.md", {"pkg/README.md"}),
        pytest.param("(cd docs; ls) || cd pkg; cat ../pkg/README.md", {"pkg/README.md"}),
        pytest.param("test -f x || (cd pkg; cat README.md)", {"pkg/README.md"}),
        pytest.param("{ cd pkg; cat README.md; }", {"pkg/README.md"}),
        pytest.param("pushd pkg; popd; cat README.md", {"README.md"}),
    ],
)
def test_a_folder_that_need_not_have_been_entered_leaves_two_places(
    command: str, files: set[str]
) -> None:
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


@pytest.mark.parametrize(
    ("command", "elsewhere"),
    [
        pytest.param("cd ../other && cat README.md", {"README.md"}, id="outside of the corpus"),
        pytest.param("cd docs; head -3 README.md", {"README.md"}, id="where there is none"),
        pytest.param("cat main.py", {"main.py"}, id="at the root"),
        pytest.param("cd pkg; cat README.md", set(), id="where it is"),
        pytest.param("make main.py", set(), id="of a program that opens nothing"),
        pytest.param("grep main.py NDA.md", set(), id="searched for"),
        pytest.param("xargs grep main.py", set(), id="searched for behind another word"),
        pytest.param("test -f x || cd pkg; cat README.md", set(), id="at one of two places"),
    ],
)
def test_a_name_alone_is_of_the_folder_where_the_command_stands(
    command: str, elsewhere: set[str]
) -> None:
    assert named(command).elsewhere == elsewhere


def test_where_no_root_is_known_a_name_alone_may_be_any_file() -> None:
    assert named("cat main.py README.md", root="").elsewhere == set()


def test_a_name_alone_may_be_of_a_folder_that_an_earlier_call_left() -> None:
    """It is said to lie elsewhere only where no place that the shell may have has it."""
    paths = PathResolver(FILES)
    paths.stand_in(ROOT)
    calls = Calls(paths)
    calls.of_command(said_in({"command": "cd docs && ls"}), "main")
    found = calls.of_command(said_in({"command": "cat a.md"}), "main")
    assert [one.files for one in found] == [set(), {"docs/a.md"}]
    assert not any(one.elsewhere for one in found)
    (none,) = calls.of_command(said_in({"command": "cat main.py"}), "other")
    assert none.elsewhere == {"main.py"}
    calls.of_command(said_in({"command": "cd $D"}), "other")
    (lost,) = calls.of_command(said_in({"command": "cat main.py"}), "other")
    assert lost.elsewhere == set()


def test_values_that_grow_without_end_are_not_told() -> None:
    assert named("F=NDA.md; " + "F=$F$F; " * 500 + "cat $F").files == {"NDA.md"}
