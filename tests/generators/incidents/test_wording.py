from __future__ import annotations

import random
import re
from datetime import date

import orjson
import pytest
from jinja2 import UndefinedError

from generators.detectors.incidents.reading import NAMES
from generators.incidents.fleet import read_vocabulary
from generators.incidents.formats import KEYS, JsonStyle, JsonWords, json_style
from generators.incidents.log import wall
from generators.incidents.wording import Wording, read_phrases, settled

STYLE = JsonStyle(
    keys={name: name for name in KEYS},
    levels={"info": '"info"', "warn": '"warn"', "error": '"error"'},
    order=("rid", "op", "status", "took", "user"),
    stamp=wall,
    spaced=False,
)


def test_alternatives_are_settled_inside_out_and_other_brackets_stay() -> None:
    text = "[a [x|y]|b] [{{ run }}] [1|2]"
    found = {settled(text, random.Random(seed)) for seed in range(60)}
    assert found == {
        f"{one} [{{{{ run }}}}] {two}" for one in ("a x", "a y", "b") for two in ("1", "2")
    }


def test_a_log_words_a_thing_always_alike_and_draws_figures_line_by_line() -> None:
    say = Wording(random.Random(2), "{{ t }} <>").phrase("[took|needed] {{ n(1, 900) }}ms")
    lines = {say.render(t="00:00") for _ in range(30)}
    assert len(lines) > 15
    assert len({line.split()[1] for line in lines}) == 1


def test_a_name_that_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        Wording(random.Random(1), "<>").phrase("{{ nothing }}").render()


def test_hexadecimal_digits_are_neither_a_number_nor_a_word() -> None:
    wording = Wording(random.Random(3), "<>")
    for digits in (4, 5, 8):
        for _ in range(300):
            assert re.fullmatch(
                rf"(?=.*[a-f])(?=.*\d)[0-9a-f]{{{digits}}}", wording.hexadecimal(digits)
            )


def test_a_phrase_of_a_service_becomes_one_json_object() -> None:
    text = JsonWords(STYLE).chatter(
        "warn",
        "queue filling | depth={{ n(2, 2) }} kid='{{ pick('a b') }}' target='q{{ n(7, 7) }}'",
    )
    line = Wording(random.Random(1), "<>").phrase(text).render(t='"01:00"')
    assert orjson.loads(line) == {
        "time": "01:00",
        "level": "warn",
        "event": "queue filling",
        "depth": 2,
        "kid": "a b",
        "target": "q7",
    }


@pytest.mark.parametrize("seed", range(40))
def test_every_style_writes_json_whose_keys_the_detectors_know(seed: int) -> None:
    style = json_style(random.Random(seed), read_day())
    names = (*style.order, "err")
    say = Wording(random.Random(1), "<>").phrase(JsonWords(style).named("error", "done", names))
    given = {"rid": "ab12cd34", "op": "GET /x", "status": 500, "took": 7, "user": "u", "err": "e"}
    parsed = orjson.loads(say.render(given, t=style.stamp(3_600_000)))
    assert len(parsed) == 3 + len(names)
    read = {NAMES[key]: value for key, value in parsed.items() if key in NAMES}
    assert read == {"rid": "ab12cd34", "status": 500, "user": "u"}


def read_day() -> date:
    return date(2025, 3, 8)


@pytest.mark.parametrize(
    ("pool", "least"), [("service", 40), ("worker", 40), ("jobs", 30), ("hosts", 20)]
)
def test_a_kind_of_log_has_many_phrases_and_none_twice(pool: str, least: int) -> None:
    known = read_phrases(pool)
    phrases = known.get("chatter") or known.get("info") or known["auth"]
    assert len(phrases) == len(set(phrases)) >= least


def test_a_vocabulary_has_no_word_twice_and_a_service_for_each_site() -> None:
    words = read_vocabulary()
    for several in (words.sites, words.assets, words.probed, words.datasets, words.volumes):
        assert len(several) == len(set(several))
    assert len({service.name for service in words.services}) >= 24
    assert len({worker.name for worker in words.workers}) >= 24
