"""What a prompt asks to have reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.audit.places import Places
from evaluation.audit.prompt import Asked, asked_scope

FILES = (
    "README.md",
    "a.md",
    "contracts/x-1.md",
    "contracts/x-2.md",
    "docs/a.md",
    "docs/b.md",
    "docs/sub/c.md",
    "playbook.md",
    "src/a.py",
    "src/b.py",
    "src/notes.txt",
)
PLACES = Places(FILES, Path("/nowhere/tree"), "/home/dev/review")
DOCS = ("docs/a.md", "docs/b.md", "docs/sub/c.md")
SRC = ("src/a.py", "src/b.py", "src/notes.txt")
CODE = ("src/a.py", "src/b.py")
CONTRACTS = ("contracts/x-1.md", "contracts/x-2.md")


def asked(*prompts: str) -> Asked | None:
    return asked_scope(prompts, PLACES)


@pytest.mark.parametrize(
    ("prompt", "files", "quote"),
    [
        ("Review all files under docs/.", DOCS, "Review all files under docs/"),
        ("please check src/*.py", CODE, "check src/*.py"),
        ("Go through a.md and b.md", ("a.md", "docs/b.md"), "Go through a.md and b.md"),
        ("Audit the contracts folder.", CONTRACTS, "Audit the contracts"),
        ("Review @docs/a.md and @src/", ("docs/a.md", *SRC), "Review @docs/a.md and @src/"),
        ("Can you review docs?", DOCS, "review docs"),
        ("Review the papers in docs and src for errors.", (*DOCS, *SRC), None),
        ("Check for bugs in src/*.py", CODE, "Check for bugs in src/*.py"),
        ("Review all *.py files in src", CODE, None),
        ("Review all Python files under src/", CODE, None),
        ("Review `docs/**/*.md`", DOCS, None),
        ("Review these files:\n\n- docs/a.md\n- src/a.py\n\nThen fix src/b.py", None, None),
        ("Review:\n1. docs/a.md\n2. src/a.py", ("docs/a.md", "src/a.py"), None),
        ("Review /home/dev/review/contracts against /home/dev/review/playbook.md.", None, None),
        ("Read playbook.md, then review docs/ except docs/sub/c.md", DOCS[:2], "review docs/"),
        ("Read docs/a.md and write what it says to README.md", ("docs/a.md",), "Read docs/a.md"),
        ("Do not review src/, review docs/a.md", ("docs/a.md",), "review docs/a.md"),
        ("Please do a code review of src/a.py:10-40", ("src/a.py",), None),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_exists_and_is_asked_to_be_reviewed_is_the_scope(
    prompt: str, files: tuple[str, ...] | None, quote: str | None
) -> None:
    found = asked(prompt)
    assert found is not None
    assert found.quote in prompt
    if quote is not None:
        assert found.quote == quote
    if files is not None:
        assert found.files == tuple(sorted(files))
    else:
        assert found.files in (("docs/a.md", "src/a.py"), CONTRACTS)


@pytest.mark.parametrize(
    "prompt",
    [
        "Fix docs/a.md",
        "Write a summary to docs/a.md",
        "Review the whole repository",
        "Review everything.",
        "Review missing.md and nowhere/*.md",
        "Check that docs/a.md names the owner",
        "Check out src/",
        "Don't read src/a.py",
        "Compare docs/a.md with docs/b.md",
        "Update README.md after a review",
        "* fix docs/\n* tidy src/",
        "<system-reminder>Review docs/</system-reminder>",
        "# AGENTS.md instructions for /home/dev\nReview docs/ each time.",
        "",
    ],
)
def test_what_is_not_asked_to_be_reviewed_is_no_scope(prompt: str) -> None:
    assert asked(prompt) is None


def test_the_latest_prompt_that_asks_for_a_review_counts() -> None:
    found = asked("Review docs/", "Now review src/a.py")
    assert found == (("src/a.py",), "review src/a.py", True)


def test_a_prompt_that_only_says_go_on_is_no_other_request() -> None:
    found = asked("Review docs/a.md", "continue", "Go on.")
    assert found == (("docs/a.md",), "Review docs/a.md", True)


def test_a_later_request_for_something_else_is_told() -> None:
    found = asked("Review docs/a.md", "Now fix the third finding")
    assert found == (("docs/a.md",), "Review docs/a.md", False)
