from __future__ import annotations

import pytest

from validation.matching.names import names_of, pieces
from validation.matching.numbers import number_at
from validation.matching.segments import parse
from validation.matching.terms import term_of, text_of

SCOPE = (
    "contracts/2022-003-acme-logistics-msa.md",
    "contracts/2022-004-contoso-msa.md",
    "contracts/contract-1.md",
    "contracts/contract-017.md",
    "contracts/old/contract-1-annex.md",
    "contracts/lease.md",
    "contracts/12.md",
)
FIRST, CONTOSO, ONE, SEVENTEEN, ANNEX, LEASE, TWELVE = SCOPE


def named(text: str, scope: tuple[str, ...] = SCOPE) -> list[str]:
    names = names_of(scope)
    found = pieces(text, 0, len(text))
    result: list[str] = []
    at = 0
    while at < len(found):
        here = names.file_at(text, found, at)
        result += here.paths if here else ()
        at += here.length if here else 1
    return result


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        pytest.param("contracts/contract-017.md", [SEVENTEEN], id="path"),
        pytest.param("./contracts/contract-017.md", [SEVENTEEN], id="dotted-path"),
        pytest.param("/home/dev/review/contracts/contract-017.md", [SEVENTEEN], id="absolute-path"),
        pytest.param("`contract-017.md`", [SEVENTEEN], id="base-name"),
        pytest.param("Contract-017", [SEVENTEEN], id="stem-in-capitals"),
        pytest.param("contract 17", [SEVENTEEN], id="other-separator-and-zeros"),
        pytest.param("contract-017's cap", [SEVENTEEN], id="genitive"),
        pytest.param("contract-017.", [SEVENTEEN], id="at-the-end-of-a-sentence"),
        pytest.param("contract-17, contract-1", [SEVENTEEN, ONE], id="1-is-not-17"),
        pytest.param("contract-170", [], id="longer-number"),
        pytest.param("subcontract-017", [], id="longer-word"),
        pytest.param("sub-contract-017", [], id="joined-before"),
        pytest.param("contract-017-draft", [], id="joined-after"),
        pytest.param("contract-1-annex", [ANNEX], id="the-longer-name-wins"),
        pytest.param("contract-017.txt", [], id="another-ending"),
        pytest.param("archive/contract-017.md", [], id="another-folder"),
        pytest.param("2022-003-acme-logistics-msa", [FIRST], id="long-stem"),
        pytest.param("2022-003 (Acme)", [FIRST], id="register-number"),
        pytest.param("MSA-2022-003", [], id="register-number-joined"),
        pytest.param("in 2022 3 contracts ended", [], id="register-number-apart"),
        pytest.param("signed 2022-03-01", [], id="date"),
        pytest.param("the lease ends", [], id="plain-word"),
        pytest.param("**lease**", [LEASE], id="plain-word-set-off"),
        pytest.param("12 files", [], id="number"),
        pytest.param("12.md", [TWELVE], id="number-with-ending"),
    ],
)
def test_a_file_is_named_by_path_base_name_or_stem_and_not_by_a_part(
    text: str, paths: list[str]
) -> None:
    assert named(text) == paths


def test_a_register_number_that_two_files_share_names_neither() -> None:
    assert named("2022-003", ("2022-003-a.md", "2022-003-b.md")) == []


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("twenty four contracts", 24, 2),
        ("one hundred and twenty files", 120, 4),
        ("two hundred", 200, 2),
        ("a dozen files", 12, 2),
        ("two dozen", 24, 2),
        ("twelve", 12, 1),
        ("four six", 4, 1),
        ("three thousand four hundred", 3400, 4),
    ],
)
def test_number_words_are_numbers(text: str, value: int, words: int) -> None:
    found = number_at(text.split(), 0)
    assert found is not None
    assert (found.value, found.length) == (value, words)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param("One. Two! Three?", ["One.", "Two!", "Three?"], id="stops"),
        pytest.param("See a.md. Next.", ["See a.md.", "Next."], id="file-name"),
        pytest.param("Sold by Acme Inc. in 2021.", ["Sold by Acme Inc. in 2021."], id="inc"),
        pytest.param("Some, e.g. two.", ["Some, e.g. two."], id="e.g."),
        pytest.param("Pay 2.5 percent.", ["Pay 2.5 percent."], id="decimal"),
        pytest.param("one\ntwo", ["one\ntwo"], id="wrapped-line"),
        pytest.param("one\n\ntwo", ["one", "two"], id="paragraphs"),
        pytest.param("# One\ntwo", ["One", "two"], id="heading"),
        pytest.param("- one\n- two", ["one", "two"], id="items"),
        pytest.param("1. one\n2) two", ["one", "two"], id="numbered"),
        pytest.param("| a | b |\n|---|---|\n| c | d |", ["| a | b |", "| c | d |"], id="table"),
        pytest.param("---\n", [], id="rule"),
        pytest.param("```markdown\nOne.\n```", ["One."], id="report-wrapped-as-markdown"),
    ],
)
def test_a_response_is_cut_into_sentences(text: str, sentences: list[str]) -> None:
    assert [text[s.start : s.end] for s in parse(text).sentences] == sentences


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        pytest.param("```\na\n```\nb", ["code", "text"], id="closed"),
        pytest.param("````\n```\na\n````\nb", ["code", "code", "text"], id="longer-fence"),
        pytest.param("``` a ``` b", ["text"], id="ticks-in-a-line"),
        pytest.param("~~~\na", ["code"], id="never-closed"),
    ],
)
def test_a_fence_holds_code_until_it_is_closed(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in parse(text).blocks] == kinds


@pytest.mark.parametrize(
    ("text", "parents"),
    [
        pytest.param("# A\n\n- b\n- c", [None, 0, 0], id="heading"),
        pytest.param("A:\n\n- b\n  - c\n- d", [None, 0, 1, 0], id="lead-in-and-nesting"),
        pytest.param("# A\n## B\n# C\nd", [None, 0, None, 2], id="levels"),
        pytest.param("| a |\n|---|\n| b |", [None, 0], id="table-header"),
        pytest.param("- a\n\nb", [None, None], id="text-after-a-list"),
    ],
)
def test_a_block_is_governed_by_what_stands_above_it(text: str, parents: list[int | None]) -> None:
    assert [block.parent for block in parse(text).blocks] == parents


@pytest.mark.parametrize(
    ("term", "text", "held"),
    [
        ("cap", "capped", True),
        ("cap", "capital", False),
        ("liability", "liabilities", True),
        ("30 days", "thirty (30) days", True),
        ("30 days", "a 30-day term", True),
        ("thirty days", "30 days", True),
        ("indemnif*", "no indemnification", True),
        ("indemnif*", "no reindemnification", False),
        ("notice per*", "the notice periods", True),
        ("no cap", "no  \n cap", True),
        ("no cap", "no such cap", False),
        ("5", "line 25", False),
        ("5", "section 5", True),
        ("1,000", "1000 units", True),
        ("10%", "ten percent", True),
        ("auto-renewal", "auto renewal", True),
        ("3x", "3x the fees", True),
        ("§ 5", "section 5", True),
        ("law", "lawful", False),
        ("not", "notes", False),
        ("note", "as noted", True),
    ],
)
def test_terms_match_by_word_without_endings_and_numbers_by_value(
    term: str, text: str, held: bool
) -> None:
    assert text_of(text).holds_one([term_of(term)]) == held
