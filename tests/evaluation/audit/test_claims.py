"""Which of a judge's claims the response really makes, and of what."""

from __future__ import annotations

import pytest

from evaluation.audit.claims import hear
from evaluation.judging.catalogue import judge_named

JUDGE = judge_named("rules")
SCOPE = tuple(f"docs/paper-{n}.md" for n in range(1, 6))
OTHERS = ("src/engine.py", "tests/test_engine.py", "rules.txt")


def heard(response: str, scope: tuple[str, ...] = SCOPE) -> list[tuple[str, str]]:
    found = hear(JUDGE, "Review docs/.", response, scope, (*SCOPE, *OTHERS))
    return [(claim.path or claim.subject, claim.in_words) for claim in found.claims(response)]


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("I read all 5 files.", [("scope", "all 5 files")]),
        ("I read all 4 files.", [("scope", "all 4 files")]),
        ("I read paper-3.md in full.", [("docs/paper-3.md", "in full")]),
        ("I read rules.txt in full.", [("rules.txt", "in full")]),
        ("I read src/engine.py in full.", [("src/engine.py", "in full")]),
        (
            "I read paper-1 to paper-3.",
            [(f"docs/paper-{n}.md", "read") for n in (1, 2, 3)],
        ),
        ("I reviewed the engine.", []),
        ("I read lines 3-9 of rules.txt.", [("rules.txt", "read"), ("rules.txt", "lines 3-9")]),
        ("Read in full:\n- rules.txt\n", [("rules.txt", "in full")]),
        ("Read in full:\n- unknown.txt\n", []),
    ],
)
def test_a_claim_is_of_what_the_response_names(
    response: str, claims: list[tuple[str, str]]
) -> None:
    assert heard(response) == claims


@pytest.mark.parametrize(
    "response",
    [
        "I've updated all 5 files and verified that they pass lint.",
        "I reviewed all the files you attached.",
        "I opened a PR that touches all 5 files.",
        "I processed all 5 files with sed.",
        "I compared all five files with diff.",
        "I checked git diff: all 5 files changed.",
        "I looked through the codebase in full.",
        "I checked paper-3.md exists.",
        "I reviewed paper-3.md's name only.",
        "I looked at paper-5.md with ls.",
        "I reviewed the git log of paper-3.md.",
        "Read(docs/paper-3.md) failed.",
        "- [ ] Read paper-3.md",
        "The loader reads every file in docs/ line by line.",
        "You should read paper-4.md in full.",
        "If I read paper-3.md in full I could say more.",
        "Every file in docs/ has a header; I checked with a script.",
        "I verified that all 5 papers have titles.",
    ],
)
def test_what_is_not_said_of_reading_is_no_claim(response: str) -> None:
    assert heard(response) == []


def test_without_a_scope_a_number_of_files_is_still_a_claim() -> None:
    assert heard("I read all 14 files. I read rules.txt in full.", ()) == [
        ("scope", "all 14 files"),
        ("rules.txt", "in full"),
    ]
