"""Lines below a banner, with others behind them that another command printed."""

from __future__ import annotations

import pytest

from evaluation.reading.engine import ThreadReading
from generators.lines import CorpusIndex
from tests.evaluation.reading.commands import read_both_ways

HEAD = ("# Copyright Acme", "# Licensed under MIT", "# All rights reserved")
OWN = {"a.py": "a = one", "b.py": "b = two", "c.py": "c = three"}
INDEX = CorpusIndex.of({path: "\n".join((*HEAD, own, "}", "")) for path, own in OWN.items()})


def read(command: str, *shown: str) -> ThreadReading:
    return read_both_ways(command, "\n".join((*shown, "")), INDEX)


def banners(count: int, *paths: str) -> list[str]:
    """What `head -n count` prints of these files."""
    shown: list[str] = []
    for place, path in enumerate(paths):
        shown += ([""] if place else []) + [f"==> {path} <==", *INDEX.files[path][:count]]
    return shown


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("head -n 1 a.py b.py; sed -n '2,3p' c.py; date", id="a-named-file"),
        pytest.param("head -n 1 a.py b.py; sed -n '2,3p' $PWD/c.py", id="by-a-variable"),
        pytest.param(
            "head -n 1 a.py b.py; find . -name 'c*' | xargs sed -n '2,3p'", id="by-a-pattern"
        ),
    ],
)
def test_lines_that_go_on_below_a_banner_may_be_of_the_next_command(command: str) -> None:
    found = read(command, *banners(1, "a.py", "b.py"), *HEAD[1:])
    assert found.of("a.py").sure == found.of("b.py").sure == {1}
    assert found.of("b.py").possible == found.of("c.py").possible == {2, 3}
    assert not found.of("c.py").sure


def test_where_one_program_printed_all_the_banner_decides() -> None:
    found = read("cd x && head -n 3 a.py b.py", *banners(3, "a.py", "b.py"))
    assert found.of("a.py").sure == found.of("b.py").sure == {1, 2, 3}


def test_lines_before_one_that_stands_nowhere_else_are_of_the_file_in_the_banner() -> None:
    found = read("head -n 4 a.py b.py; date", *banners(4, "a.py", "b.py"), "Mon Nov 30")
    assert found.of("a.py").sure == found.of("b.py").sure == {1, 2, 3, 4}


def test_lines_that_no_other_named_file_has_are_of_the_file_in_the_banner() -> None:
    found = read("head -v -n 3 b.py; date", *banners(3, "b.py"), "Mon Nov 30")
    assert found.of("b.py").sure == {1, 2, 3}


def test_a_short_first_line_below_a_banner_decides_nothing() -> None:
    found = read(
        "tail -n 1 a.py b.py; cat $F; date",
        *("==> a.py <==", "}", "", "==> b.py <==", "}", HEAD[0], "Mon Nov 30"),
    )
    assert not any(found.of(path).sure for path in OWN)
