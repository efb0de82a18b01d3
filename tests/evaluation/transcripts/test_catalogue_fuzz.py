"""Sessions that were damaged at random: read, or refused in one message, and never for long.

`fuzz.py` beside this goes on for as long as it is told to.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.evaluation.transcripts.fuzz import Tally, check, put
from tests.evaluation.transcripts.fuzz_damage import cut, damaged, replaced, ways
from tests.evaluation.transcripts.fuzz_seeds import SEEDS

CASES = 50
every_seed = pytest.mark.parametrize("name", SEEDS)


@every_seed
def test_damaged_sessions_are_read_or_refused(name: str, tmp_path: Path) -> None:
    files, chance, tally = SEEDS[name](), random.Random(name), Tally()
    for _ in range(CASES):
        changed, damage = damaged(files, chance)
        check(put(changed, tmp_path / "case"), name, damage, tally)
    assert tally.findings == {}


@every_seed
def test_a_session_that_is_cut_anywhere_is_read_or_refused(name: str, tmp_path: Path) -> None:
    files, chance, tally = SEEDS[name](), random.Random(name), Tally()
    for _ in range(10):
        file = chance.choice(list(files))
        changed = {**files, file: cut(files[file], chance)}
        check(put(changed, tmp_path / "case"), name, f"cut {file}", tally)
    assert tally.findings == {}


def test_every_place_of_a_value_is_replaced_in_turn() -> None:
    """What the longer search goes through, into JSON inside of texts too."""
    value = {"type": "a", "list": [{"x": 1}], "text": '{"y": [2]}'}
    found = {name: replaced(value, way, None) for way, name in ways(value)}
    assert found == {
        "(a).type": {**value, "type": None},
        "(a).list": {**value, "list": None},
        "(a).list[]": {**value, "list": [None]},
        "(a).list[].x": {**value, "list": [{"x": None}]},
        "(a).text": {**value, "text": None},
        "(a).text<json>": {**value, "text": "null"},
        "(a).text<json>.y": {**value, "text": '{"y": null}'},
        "(a).text<json>.y[]": {**value, "text": '{"y": [null]}'},
    }
