"""The words that someone in a hurry looks for."""

from __future__ import annotations

import numpy as np

from validation.shortcuts.corpus import twins
from validation.shortcuts.words import AnyWord, OneWord, hits_of, word_list


def test_the_list_has_words_for_every_domain_and_none_twice() -> None:
    words = word_list()
    assert len(words) >= 60
    assert len({word.lower() for word in words}) == len(words)
    for word in ("TODO", "FIXME", "password", "secret", "eval(", "unlimited", "error", "except:"):
        assert word in words
    for word in ("perpetual", "urgent"):
        assert word in words


def test_case_is_ignored_and_a_word_begins_where_a_word_begins() -> None:
    texts = [
        "An Error.",
        "errors",
        "terror",
        "terror, error",
        "x = eval(y)",
        "medieval(1)",
        "_error",
    ]
    hits = hits_of(texts, ["error", "eval("])
    assert list(hits["error"]) == [0, 1, 3, 6]
    assert list(hits["eval("]) == [4]


def test_lines_with_the_rarer_word_come_first() -> None:
    lines = ["a cash line", "a wine line", "a cash line too", "a plain line", "wine and cash"]
    text = {"a.txt": "\n".join(lines)}
    corpus = twins(text, text, {"a.txt": "paper"}, {}).planted
    words = [OneWord(word, hit) for word, hit in hits_of(lines, ["cash", "wine"]).items()]
    look = AnyWord(tuple(words)).look(corpus)
    # Wine has two hits, cash three.
    assert list(look.scores) == [1 / 3, 1 / 2, 1 / 3, 0, 1 / 2]
    assert look.seen(4) == "it holds 'cash', 'wine'"
    assert list(words[0].look(corpus).scores) == [1, 0, 1, 0, 1]
    assert np.isfinite(look.scores).all()
