from __future__ import annotations

import pytest

from authoring.errors import UserError
from authoring.spec import Scope
from generators.planters.patterns import within_time
from generators.scope import glob_pattern, roles

GLOBS = [
    ("*.md", "a.md", True),
    ("*.md", "x/a.md", False),
    ("**/*.md", "a.md", True),
    ("**/*.md", "x/y/a.md", True),
    ("x/**", "x/a.md", True),
    ("x/**", "x/y/a.md", True),
    ("x/**", "xy/a.md", False),
    ("x/**/a.md", "x/a.md", True),
    ("x/**/a.md", "x/y/z/a.md", True),
    ("x/*/a.md", "x/a.md", False),
    ("a?.md", "ab.md", True),
    ("a?.md", "a/.md", False),
    ("[ab].md", "b.md", True),
    ("[!ab].md", "b.md", False),
    ("[!ab].md", "c.md", True),
    ("a.md", "axmd", False),
    ("a+(b).md", "a+(b).md", True),
    ("*.md", "a.md\n", False),
    ("x/*a*b*", "x/cabcb/", False),
    ("x/*a*b*", "x/cacbc", True),
    ("***/b", "a/a/b", True),
    ("a**b", "a/x/b", True),
    ("**/a/**/b", "a/b", True),
    ("**/a/**/b", "x/a/a/x/b", True),
    ("**/a/**/b", "xa/b", False),
]


@pytest.mark.parametrize(("glob", "path", "matches"), GLOBS)
def test_a_glob_matches_whole_paths(glob: str, path: str, matches: bool) -> None:
    assert bool(glob_pattern(glob).fullmatch(path)) is matches


@pytest.mark.parametrize("glob", ["*a" * 100 + "*z", "**" + "*?" * 100 + "z", "**/" * 100 + "z"])
@pytest.mark.parametrize("path", ["a" * 4000, "a/" * 2000])
def test_no_glob_tries_every_way_to_share_a_path(glob: str, path: str) -> None:
    with within_time(glob, 10):
        assert not glob_pattern(glob).fullmatch(path)


def test_every_file_has_one_role() -> None:
    scope = Scope(review=("c/**",), reference=("*.md",))
    assert roles(["c/a.md", "p.md"], scope) == {"c/a.md": "review", "p.md": "reference"}


def test_files_with_no_role_or_two_are_all_named() -> None:
    scope = Scope(review=("c/**",), reference=("**/p.md",))
    with pytest.raises(UserError) as caught:
        roles(["c/a.md", "c/p.md", "x.md", "y.md"], scope)
    assert str(caught.value).splitlines() == [
        "x.md: matches no glob of scope",
        "y.md: matches no glob of scope",
        "c/p.md: matches both scope.review and scope.reference",
        "  every file has exactly one role",
    ]


def test_a_corpus_without_a_file_under_review_is_refused() -> None:
    with pytest.raises(UserError, match="no file is under review"):
        roles(["p.md"], Scope(review=("c/**",), reference=("p.md",)))


def test_a_glob_that_is_none_is_refused() -> None:
    with pytest.raises(UserError, match="is no glob"):
        roles(["a"], Scope(review=("[z-a]",)))
