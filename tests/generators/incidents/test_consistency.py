from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache

import pytest

from generators.incidents.consistency import faults
from generators.incidents.generator import IncidentsGenerator
from generators.incidents.parameters import IncidentsParameters


@cache
def night() -> Mapping[str, str]:
    generator = IncidentsGenerator(IncidentsParameters(), random.Random(4))
    return {str(document.path): document.text for document in generator.documents()}


def changed(pattern: str, replacement: str, *, nth: int = 0) -> tuple[str, ...]:
    """What the checker says after one match, of those in all logs, reads otherwise."""
    count = 0
    texts = dict(night())
    for path in sorted(texts.keys() - {"runbook.md"}):
        text = texts[path]
        for match in re.finditer(pattern, text, re.MULTILINE):
            if count == nth:
                new = match.expand(replacement)
                texts[path] = text[: match.start()] + new + text[match.end() :]
                return faults(texts)
            count += 1
    raise AssertionError(f"nothing matches {pattern!r}")


def test_the_night_as_it_is_has_no_fault() -> None:
    assert faults(night()) == ()


@pytest.mark.parametrize(
    ("pattern", "replacement", "said", "nth"),
    [
        pytest.param(r'( /v1/\S+ HTTP/[\d.]+") 200 ', r"\1 201 ", "in the service", 0, id="status"),
        pytest.param(r'^.*"\w+ /v1/.*\n', "", "is in no log of a proxy", 0, id="no proxy line"),
        pytest.param(
            r'^\{.*"(?:GET|PUT|POST) /v1/.*\n', "", "in the service None", 0, id="no line"
        ),
        pytest.param(
            r"^.*session opened for user.*\n", "", "which is not open", 0, id="not opened"
        ),
        pytest.param(
            r"(session closed for user) \w+", r"\1 nobody", "not open", 0, id="other user"
        ),
        pytest.param(r"^(.*session opened for user.*\n)", r"\1\1", "again", 0, id="opened twice"),
        pytest.param(r"(\.example\.net\D+)\d+ h", r"\g<1>9 h", "hours left", 4, id="certificate"),
        pytest.param(r"(\d\d)\.\d percent", r"1.0 percent", "falls to 1.0", 4, id="quota"),
        pytest.param(r"^(\S+ \S+ CHG-.*\n)", r"\1\1", "stands at", 0, id="a line twice"),
        pytest.param(r"\| (\d\d:\d\d)-(\d\d:\d\d) \|", r"| \2-\1 |", "approval", 0, id="window"),
        pytest.param(
            r"^.* (?:lease p\d taken|p\d lease won|got hold on p\d|p\d: now owner"
            r"|own\(p\d\) begins)\n",
            "",
            "which is not held",
            1,
            id="no lease",
        ),
        pytest.param(r" 0(\d):(\d\d):", r" 1\1:\2:", "no time of the night", 0, id="after six"),
    ],
)
def test_a_night_that_does_not_agree_has_a_fault(
    pattern: str, replacement: str, said: str, nth: int
) -> None:
    found = changed(pattern, replacement, nth=nth)
    assert any(said in fault for fault in found), found


STEPS = {
    "started": r"\bstarted, |: begins|: opens snapshot|snapshot (?:taken|frozen)|\] in progress"
    r"|\) queued and|\) picked up",
    "whole": r"copied (\d+) of \1|(\d+)/\2 (?:blocks|extents)|part (\d+) of \3\b|holds (\d+) of \4",
    "finished": r"finished, success|completed ok|closed as successful|is complete, exit 0"
    r"|ended: good",
}


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("started", "was not started"),
        ("whole", "is not whole"),
        ("finished", "is never finished"),
    ],
)
def test_a_backup_without_one_of_its_steps_is_a_fault(step: str, said: str) -> None:
    found = changed(rf"^.*(?:{STEPS[step]}).*\n", "")
    assert any(said in fault for fault in found), found


def test_what_a_detector_finds_is_a_fault_too() -> None:
    (fault,) = changed(r"^.*GET /-/deep .*\n", "", nth=3)
    assert fault.startswith("late-health-check: logs/")
