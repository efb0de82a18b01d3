from __future__ import annotations

import random
from datetime import date

import pytest

from generators.detectors.incidents.reading import time_of
from generators.incidents.log import Log, Stamp, after_date, epoch, nginx_local, syslog, wall
from generators.incidents.planters.anchors import retimed
from generators.incidents.wording import Wording

DAY = date(2025, 3, 8)
AT = ((1 * 60 + 14) * 60 + 3) * 1000 + 218


@pytest.mark.parametrize(
    ("stamp", "text", "later"),
    [
        pytest.param(wall, "01:14:03.218", "02:00:00.007", id="time of day"),
        pytest.param(
            after_date("2025-03-08 ", ","),
            "2025-03-08 01:14:03,218",
            "2025-03-08 02:00:00,007",
            id="comma",
        ),
        pytest.param(
            nginx_local(DAY),
            "08/Mar/2025:01:14:03 +0000",
            "08/Mar/2025:02:00:00 +0000",
            id="nginx",
        ),
        pytest.param(syslog(DAY), "Mar  8 01:14:03.218", "Mar  8 02:00:00.007", id="syslog"),
        # 8 March 2025 began 1741392000 seconds after 1970.
        pytest.param(epoch(DAY, "."), "1741396443.218", "1741399200.007", id="seconds"),
        pytest.param(epoch(DAY, ""), "1741396443218", "1741399200007", id="milliseconds"),
    ],
)
def test_a_time_is_written_read_and_written_anew_alike(stamp: Stamp, text: str, later: str) -> None:
    assert stamp(AT) == text
    line = f'{{"t":{text},"n":1}}'
    whole_seconds = "+0000" in text
    assert time_of(line) == (AT // 1000 * 1000 if whole_seconds else AT)
    assert retimed(line, 2 * 3600 * 1000 + 7) == f'{{"t":{later},"n":1}}'


@pytest.mark.parametrize(
    "line",
    [
        "10.20.30.40 said 12:30 and went",
        "id 17413964432189 is longer than a time",
        "x" * 90 + " 01:14:03",
        "25:00:00 is no time",
    ],
)
def test_what_is_no_time_is_not_read_as_one(line: str) -> None:
    assert time_of(line) is None


def test_no_two_lines_of_a_log_have_one_millisecond_and_none_goes_back() -> None:
    log = Log("logs/x.log", "worker", wall)
    say = Wording(random.Random(1), "{{ t }} <>").phrase("{{ word }}")
    for at, word in ((5, "a"), (5, "b"), (3, "c"), (900, "d")):
        log.write(at, say, {"word": word})
    assert log.document().text == (
        "00:00:00.005 a\n00:00:00.006 b\n00:00:00.007 c\n00:00:00.900 d\n"
    )
