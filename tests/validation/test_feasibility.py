"""Feasibility by hand-made tables, whose sums can be done on paper."""

from __future__ import annotations

from typing import Any

import pytest

from authoring.errors import UserError
from tests.validation.made_builds import made_needle, made_subject
from validation.check import Check, Checked
from validation.feasibility import (
    CODES,
    CorpusTokens,
    FeasibilityFigures,
    FileTokens,
    check_feasibility,
    corpus_tokens,
    feasibility,
    full_reading,
    reads_of,
)
from validation.reading_costs import HarnessCost, ModelWindow, Tables


def harness(name: str = "plain", **changes: Any) -> HarnessCost:
    values: dict[str, Any] = {
        "name": name,
        "version": "1",
        "measured": "2026-05-01",
        "fixed_tokens": 1000,
        "tokens_per_line": 2,
        "tokens_per_read": 30,
    }
    return HarnessCost.model_validate(values | changes)


def model(name: str, window: int, **changes: Any) -> ModelWindow:
    values: dict[str, Any] = {
        "name": name,
        "vendor": "house",
        "window": window,
        "source": "us",
        "date": "2026-05-01",
    }
    return ModelWindow.model_validate(values | changes)


def tables(*models: ModelWindow, **harnesses: HarnessCost) -> Tables:
    costs = harnesses or {"plain": harness()}
    return Tables(costs, {one.name: one for one in models})


def file(tokens: int, lines: int = 100, characters: int = 4000) -> FileTokens:
    return FileTokens(f"{tokens}.md", lines, tokens, characters)


TWO = CorpusTokens((file(1000, lines=50), file(3000, lines=150)), prompt=200)


def test_a_full_reading_is_texts_line_numbers_and_calls() -> None:
    reading = full_reading(TWO, harness())
    assert reading.reads == 2
    assert reading.tokens == 4000 + 200 * 2 + 2 * 30
    assert reading.overhead == 1.115


def test_every_call_sends_the_history_again() -> None:
    # First 1,200; then with the first file (1,130); then with the second too (3,330).
    assert full_reading(TWO, harness()).sent == 1200 + 2330 + 5660


def test_the_parts_of_a_long_file_are_sent_one_by_one() -> None:
    size = CorpusTokens((file(1000, lines=100),), prompt=0)
    reading = full_reading(size, harness(read_lines=50, tokens_per_line=0, tokens_per_read=0))
    assert reading.reads == 2
    assert reading.sent == 1000 + 1500 + 2000


@pytest.mark.parametrize(
    ("size", "limits", "reads"),
    [
        pytest.param(file(9_000, lines=2000), {"read_lines": 2000}, 1, id="lines-at-the-limit"),
        pytest.param(file(9_000, lines=2001), {"read_lines": 2000}, 2, id="lines"),
        pytest.param(file(9_000, characters=8001), {"read_characters": 4000}, 3, id="characters"),
        pytest.param(
            file(10_000),
            {"read_tokens": 13_500, "page_tokens": 9_000},
            1,
            id="tokens-at-the-limit",
        ),
        pytest.param(file(10_001), {"read_tokens": 13_500}, 2, id="tokens-by-the-vendor"),
        pytest.param(
            file(20_000), {"read_tokens": 13_500, "page_tokens": 9_000}, 3, id="tokens-in-pages"
        ),
        pytest.param(
            file(9_000), {"read_tokens": 13_500, "page_tokens": 9_000}, 1, id="more-than-a-page"
        ),
        pytest.param(
            file(9_000, lines=5000, characters=9000),
            {"read_lines": 2000, "read_characters": 1000},
            9,
            id="the-tightest",
        ),
        pytest.param(file(9_000, lines=99_999), {}, 1, id="no-limit"),
    ],
)
def test_a_file_takes_as_many_reads_as_its_tightest_limit(
    size: FileTokens, limits: dict[str, Any], reads: int
) -> None:
    assert reads_of(size, harness(**limits)) == reads


@pytest.mark.parametrize(
    ("window", "fits"),
    [
        # 200 + 1,000 + 4,460 x 1.35 = 7,221; three quarters of 9,628 are 7,221.
        pytest.param(9628, True, id="just-fits"),
        pytest.param(9627, False, id="one-less"),
    ],
)
def test_three_quarters_of_a_window_may_be_filled(window: int, fits: bool) -> None:
    found = feasibility(TWO, "small", "plain", tables(model("small", window)))
    assert (found.needed, found.feasible) == (7221, fits)
    assert (found.vendor_factor, found.measured) == (1.35, False)
    assert found.share == 7221 / window


def test_a_measured_factor_is_taken_instead() -> None:
    known = tables(model("small", 9000, vendor_factor=1.0))
    found = feasibility(TWO, "small", "plain", known)
    assert (found.needed, found.measured, found.feasible) == (5660, True, True)


def test_a_window_that_is_not_known_gives_no_answer() -> None:
    found = feasibility(TWO, "other", "plain", tables(model("small", 9000)))
    assert (found.window, found.feasible, found.share) == (None, None, 0.0)
    assert found.needed == 7221


def test_a_harness_that_was_never_measured_is_refused() -> None:
    with pytest.raises(UserError, match="'plane' was never measured"):
        feasibility(TWO, "small", "plane", tables(model("small", 9000)))


PAPERS = {
    "berths/a.md": "Berth 4\nThe fee is paid late.\nIt is 300 EUR.\n",
    "berths/b.md": "Berth 5\nThe fee is paid at once.\nIt is 400 EUR.\n",
    "rules.md": "Fees are paid on the first.\n",
}


def checked(known: Tables, texts: dict[str, str] | None = None, size: str = "small") -> Checked:
    subject = made_subject(texts or PAPERS, made_needle("berths/a.md", 2), size=size)
    return check_feasibility(subject, known)


def check(found: Checked, code: str) -> Check:
    (one,) = [one for one in found.checks if one.code == code]
    return one


def figures(found: Checked) -> FeasibilityFigures:
    assert isinstance(found.figures, FeasibilityFigures)
    return found.figures


def test_a_corpus_that_fits_passes_every_check() -> None:
    found = checked(tables(model("large", 100_000), model("small", 1000)))
    assert [one.passed for one in found.checks] == [True, True, True]
    assert {one.code for one in found.checks} == set(CODES)
    assert check(found, "feasible").note == "1 of 2 models can hold it"
    assert {pair.model: pair.feasible for pair in figures(found).pairs} == {
        "large": True,
        "small": False,
    }


@pytest.mark.parametrize(
    ("size", "passes"),
    [
        pytest.param("small", False, id="small"),
        pytest.param("standard", False, id="standard"),
        pytest.param("long", False, id="long"),
        pytest.param("large", True, id="large"),
    ],
)
def test_what_no_model_holds_fails_where_the_size_promises_it(size: str, passes: bool) -> None:
    one = check(checked(tables(model("tiny", 1000), model("toy", 900)), size=size), "feasible")
    assert one.passed is passes
    told = one.note if passes else one.reason
    assert told.startswith("no model in the table can hold a full reading: tiny through plain ")


def test_a_harness_asks_the_models_of_its_vendors() -> None:
    known = tables(
        model("ours", 90_000),
        model("theirs", 90_000, vendor="them"),
        theirs=harness("theirs", vendors=["them"]),
        any=harness("any"),
    )
    pairs = [(pair.harness, pair.model) for pair in figures(checked(known)).pairs]
    assert pairs == [("any", "ours"), ("any", "theirs"), ("theirs", "theirs")]


def test_every_prompt_is_counted_and_the_longest_taken() -> None:
    found = figures(checked(tables(model("large", 100_000))))
    assert set(found.prompts) == {"direct", "delegated"}
    assert found.prompts["delegated"] > found.prompts["direct"] > 10
    needed = found.pairs[0].needed
    assert needed == -(-(1000 + found.prompts["delegated"] + found.readings[0].tokens * 1.35) // 1)


def test_text_that_looks_like_a_special_token_is_plain_text() -> None:
    # As one special token it would be 1; as text it is <, |, endo, ft, ext, |, >.
    size = corpus_tokens({"a.md": "<|endoftext|>"}, 0)
    assert size.tokens == 7
    found = checked(tables(model("large", 100_000)), PAPERS | {"c.md": "<|endoftext|> " * 5})
    assert all(one.passed for one in found.checks)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        pytest.param(
            PAPERS | {"c.md": "seven " * 9_001},
            "harbour_papers, size small, is outside of its budget: c.md: 9002 tokens, allowed 0 to"
            " 9000",
            id="a-file",
        ),
        pytest.param(
            PAPERS | {f"{n}.md": "seven " * 8_990 for n in range(11)},
            "harbour_papers, size small, is outside of its budget: the corpus:",
            id="the-corpus",
        ),
    ],
)
def test_what_is_outside_of_the_budget_is_named(texts: dict[str, str], told: str) -> None:
    one = check(checked(tables(model("large", 10_000_000)), texts), "token-budget")
    assert not one.passed
    assert one.reason.startswith(told)


def test_files_beyond_a_single_read_are_named_with_their_reads() -> None:
    known = tables(model("large", 100_000), plain=harness(read_lines=2))
    found = checked(known)
    assert check(found, "single-read").note == (
        "not shown whole by one read: berths/a.md (2 reads through plain), "
        "berths/b.md (2 reads through plain)"
    )
    assert [one.reads for one in figures(found).long_files] == [2, 2]
