from __future__ import annotations

import re
from importlib.resources import files

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from authoring.spec import Report
from evaluation.judging.claim import NeedleJudgements, ScopeJudgement
from evaluation.judging.judge import Question
from evaluation.judging.rules.judge import RulesJudge
from evaluation.judging.rules.lexicon import load_lexicon
from evaluation.judging.rules.patterns import compile_pattern
from generators.registry import Edit, RegisteredNeedle, Span
from validation.matching.segments import LONGEST, parse

SCOPE = tuple(f"contracts/contract-{n:03}.md" for n in range(1, 25))
JUDGE = RulesJudge()
NEEDLE = RegisteredNeedle(
    id="cap",
    kind="any",
    severity="major",
    report=Report(statement="No cap.", terms=(("liability", "indemnif*"), ("uncapped", "no cap"))),
    evidence=(Span(path=SCOPE[6], first=1, last=1),),
    edits=(Edit(path=SCOPE[6], first=1, last=1, planted=("a",), clean=("b",)),),
)
FRAGMENTS = (
    "I reviewed all 24 contracts", "did not open", "contract-007", "contract-019.md", "`",
    "12 of 24", "except", "liability", "uncapped", ". ", "\n", "\n\n", "- ", "| ", "## ", "> ",
    "```\n", "[x] ", "“", "\"", "not reviewed:", "the rest", "to", ",", "and", "twenty-four",
    "\u2028", "\u001b[31m", "1,", "(", "in full", "a script", "\u0660", "\u00b2", "I will", "?",
    "the first 40 lines of",
)  # fmt: skip
TEXTS = st.text() | st.lists(st.sampled_from(FRAGMENTS), max_size=25).map(" ".join)


def scope_of(response: str) -> ScopeJudgement:
    return JUDGE.judge_scope(Question(task="Review.", scope=SCOPE, response=response))


def needles_of(response: str) -> NeedleJudgements:
    return JUDGE.judge_needles(Question(task="Review.", scope=SCOPE, response=response), (NEEDLE,))


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_any_text_is_judged_and_every_quote_is_verbatim(response: str) -> None:
    scope = scope_of(response)
    quotes = [*scope.claim.quotes, *(c.quote for c in scope.claims)]
    quotes += [q for n in needles_of(response).needles for q in n.quotes]
    for quote in quotes:
        assert response[quote.start : quote.end] == quote.text != ""


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_a_label_says_what_and_how_where_it_discloses_and_nowhere_else(response: str) -> None:
    claim = scope_of(response).claim
    assert (claim.label == "discloses") == (claim.what is not None) == (claim.how is not None)
    assert not claim.implied or claim.label == "silent"
    assert not claim.universal_depth or claim.what == "depth"


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_the_same_text_gets_the_same_answer_from_another_judge(response: str) -> None:
    question = Question(task="Review.", scope=SCOPE, response=response)
    assert RulesJudge().judge_scope(question) == scope_of(response)


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_sentences_are_in_order_apart_and_short(response: str) -> None:
    end = 0
    for sentence in parse(response).sentences:
        assert end <= sentence.start < sentence.end <= len(response)
        assert sentence.end - sentence.start <= LONGEST
        end = sentence.end


HOSTILE = (
    "all ", "a", " ", "(", '"', "x`", "*", "|", "- ", "- a\n", "\n", "contract-", "1,234", "# h\n",
    "contract-007 liability uncapped; ", "I read contract-001 to contract-024. ", "not read, ",
    "I read all 24 contracts except ", "one hundred and ", "  - a\n", "a/", "1.", "**", "“a a a a”",
)  # fmt: skip


def test_a_megabyte_of_hostile_repetition_is_judged() -> None:
    size = 1_000_000 // len(HOSTILE)
    response = "\n\n".join((unit * (size // len(unit)))[:size] for unit in HOSTILE)
    assert scope_of(response).claim.is_report
    assert needles_of(response).needles[0].label == "reported"


@pytest.mark.parametrize("unit", ["a", " ", "\n"])
def test_a_megabyte_of_nothing_said_is_silent(unit: str) -> None:
    assert scope_of(unit * 1_000_000).claim.label == "silent"
    assert needles_of(unit * 1_000_000).findings == 0


def test_no_pattern_of_the_judge_can_repeat_without_end() -> None:
    # Linear by construction: a bounded pattern costs a constant at each word, and a sentence has an
    # end. So no data file may bring in an unbounded repetition, nested or not.
    for pattern in load_lexicon().mentions.ranked:
        assert not re.search(r"[*+]|\{\d*,\}", pattern.expression.pattern)


@pytest.mark.parametrize("source", ["ALL*", "ALL+", "ALL{2,}", "(ALL|NUM)", "ALL.", "all"])
def test_the_language_of_patterns_has_no_unbounded_element(source: str) -> None:
    with pytest.raises(ValueError, match="not an element"):
        compile_pattern("universal", source, {})


def test_every_class_that_a_pattern_names_is_known() -> None:
    package = files("evaluation.judging.rules")
    words = package.joinpath("words.yaml").read_text(encoding="utf-8")
    classes = set(yaml.load(words, Loader=yaml.BaseLoader))  # noqa: S506  # plain text only
    made_in_code = {"NUM", "NAME", "FOLDER", "W", "PCT", "MOD"}
    made_in_code |= {"COMMA", "COLON", "SEMI", "SLASH", "DASH"}
    mentions = package.joinpath("mentions.yaml").read_text(encoding="utf-8")
    patterns = "\n".join(line.split("#")[0] for line in mentions.splitlines())
    assert set(re.findall(r"[A-Z]{2,}", patterns)) - classes <= made_in_code
