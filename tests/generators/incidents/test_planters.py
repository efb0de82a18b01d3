from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from authoring.errors import UserError
from authoring.spec import Parameters, Position
from generators.catalogue import installed
from generators.edits import apply_changes, changes_of
from generators.planting import Aim, Ground, Planted

BOOK = """\
# Runbook: a night

Services refuse it (403) after 5 minutes.

| account | window | what for |
| `svc-sync` | 02:00-02:30 | mirrors |
"""
ACCESS = """\
1741392600.000 10.0.0.1 aaaa0001 "GET /v1/x/1 HTTP/1.1" 200 900 0.010 "c/1"
1741392700.000 10.0.0.1 aaaa0002 "GET /v1/x/2 HTTP/1.1" 502 170 0.020 "c/1"
1741392800.000 10.0.0.1 aaaa0003 "DELETE /v1/x/3 HTTP/1.1" 503 171 0.020 "c/1"
1741392900.000 10.0.0.1 aaaa0004 "GET /robots.txt HTTP/1.1" 503 171 0.020 "c/1"
"""
SERVICE = """\
{"t":"00:00:00.001","lvl":"I","ev":"up","svc":"x","ver":"1.1","node":"a-app1"}
{"t":"00:10:00.000","lvl":"I","ev":"end","rid":"aaaa0001","st":200,"ms":9,"user":"ada"}
{"t":"00:11:40.000","lvl":"E","ev":"end","rid":"aaaa0002","st":502,"ms":19,"user":"cy","err":"eof"}
{"t":"00:13:20.000","lvl":"E","ev":"end","rid":"aaaa0003","st":503,"ms":19,"user":"cy","err":"eof"}
{"t":"01:30:00.000","lvl":"I","ev":"up","svc":"x","ver":"1.2","node":"a-app1"}
{"t":"01:34:00.000","lvl":"I","ev":"end","rid":"aaaa0008","st":200,"ms":9,"user":"ada"}
{"t":"01:36:00.000","lvl":"I","ev":"end","rid":"aaaa0009","st":200,"ms":9,"user":"ada"}
{"t":"01:37:00.000","lvl":"W","ev":"end","rid":"aaaa000a","st":403,"ms":9,"user":"bob"}
"""
AUTH = """\
Mar  8 01:11:00.000 a-db1 sshd[13]: Accepted publickey for ada from 10.8.0.1 port 6 ssh2
Mar  8 01:12:00.000 a-db1 sshd[13]: pam_unix(sshd:session): session opened for user ada
Mar  8 01:20:00.000 a-db1 sudo[14]: ada : TTY=pts/0 ; PWD=/home/ada ; USER=root ; COMMAND=/bin/id
Mar  8 01:25:00.000 a-db1 sshd[13]: pam_unix(sshd:session): session closed for user ada
Mar  8 01:29:00.000 a-jump usermod[15]: lock user 'bob' password
Mar  8 01:40:00.000 a-db2 sshd[17]: Accepted publickey for cy from 10.8.0.2 port 9 ssh2
Mar  8 01:40:01.000 a-db2 sshd[17]: pam_unix(sshd:session): session opened for user cy
Mar  8 01:41:00.000 a-db2 sshd[17]: Disconnected from user cy 10.8.0.2 port 9
Mar  8 02:10:00.000 a-db1 sshd[18]: Accepted publickey for svc-sync from 10.9.0.1 port 5 ssh2
"""
CHANGES = """\
2025-03-08 01:05:00.000 CHG-4001 approved | a-db1 | ada | 01:15-01:40 | look
2025-03-08 01:28:00.000 DEP-302 announced | a-app1 | ada | x 1.2
"""
KINDS = {
    "runbook.md": "runbook",
    "access.log": "access",
    "service.jsonl": "service",
    "auth.log": "auth",
    "changes.log": "changes",
    "worker.log": "worker",
}
WORKER = """\
00:00:01.000 p1 7
00:00:02.000 p2 3
00:00:03.000 p1 8
00:00:04.000 p2 4
00:00:05.000 p1 9
00:00:06.000 p1 10
00:00:09.000 end p1
"""


def ground(**others: str) -> Ground:
    texts = {
        "runbook.md": BOOK,
        "access.log": ACCESS,
        "service.jsonl": SERVICE,
        "auth.log": AUTH,
        "changes.log": CHANGES,
        "worker.log": WORKER,
    } | {f"{name}.log": text for name, text in others.items()}
    paths = {name: PurePosixPath(name) for name in texts}
    return Ground(
        texts={paths[name]: text for name, text in texts.items()},
        kinds={path: KINDS[name] for name, path in paths.items()},
    )


def plant(
    planter: str,
    target: str,
    parameters: Parameters | None = None,
    depth: Position | None = None,
    **others: str,
) -> Planted:
    aim = Aim(PurePosixPath(target), depth)
    return installed().planter(planter, parameters or {}).plant(ground(**others), aim)


def planted_lines(planted: Planted, path: str, text: str) -> list[str]:
    own = [change for change in changes_of(planted.edits) if change.path == path]
    return apply_changes(text, own).splitlines()


def shown(planted: Planted) -> list[str]:
    return [f"{span.path}:{span.first}-{span.last}" for span in planted.evidence]


SERIES: Parameters = {"line": r"\S+ (p1) \d+", "shown": "both"}


@pytest.mark.parametrize(
    ("parameters", "left", "evidence"),
    [
        pytest.param(
            SERIES | {"count": 2},
            ["p1 7", "p2 3", "p2 4", "p1 10", "end p1"],
            ["worker.log:1-1", "worker.log:4-4"],
            id="two of four, the ends stay",
        ),
        pytest.param(
            {"line": r"\S+ (p2) 3", "shows": r"\S+ (p2) 4"},
            ["p1 7", "p1 8", "p2 4", "p1 9", "p1 10", "end p1"],
            ["worker.log:3-3"],
            id="another line shows it",
        ),
    ],
)
def test_lines_of_a_series_are_lost_and_those_of_others_stay(
    parameters: Parameters, left: list[str], evidence: list[str]
) -> None:
    planted = plant("lose-lines", "worker.log", parameters, "early")
    lines = planted_lines(planted, "worker.log", WORKER)
    assert [line.split(" ", 1)[1] for line in lines] == left
    assert shown(planted) == evidence


def test_two_lines_of_a_series_change_places_and_keep_their_times() -> None:
    planted = plant("swap-lines", "worker.log", {"line": r"\S+ (p1) \d+"}, "early")
    assert planted_lines(planted, "worker.log", WORKER)[:3] == [
        "00:00:01.000 p1 8",
        "00:00:02.000 p2 3",
        "00:00:03.000 p1 7",
    ]
    assert shown(planted) == ["worker.log:1-1", "worker.log:3-3"]


def test_a_line_comes_again_below_others_of_its_series_at_the_time_of_that_place() -> None:
    again: Parameters = {"line": r"\S+ (p1) \d+", "after": 1}
    planted = plant("store-again", "worker.log", again, "early")
    lines = planted_lines(planted, "worker.log", WORKER)
    assert lines.pop(4).endswith(" p1 7")
    assert lines == WORKER.splitlines()
    time = planted_lines(planted, "worker.log", WORKER)[4].split()[0]
    assert "00:00:04.250" <= time <= "00:00:04.750"
    assert shown(planted) == ["worker.log:1-1", "worker.log:5-5"]


@pytest.mark.parametrize(
    ("planter", "parameters"),
    [
        ("swap-lines", {"line": r"\S+ end (p1)"}),
        ("store-again", {"line": r"\S+ (p1) \d+", "after": 3}),
    ],
)
def test_a_series_that_is_too_short_takes_neither(planter: str, parameters: Parameters) -> None:
    with pytest.raises(UserError, match=r"worker\.log: there is no series"):
        plant(planter, "worker.log", parameters)


def test_a_series_that_counts_anew_before_its_next_line_shows_nothing() -> None:
    lease = "00:00:01.000 p1 on\n00:10:00.000 p1 kept\n00:20:00.000 p1 on\n00:30:00.000 p1 kept\n"
    parameters: Parameters = {"line": r"\S+ (p1) kept", "opened": r"\S+ (p1) on"}
    with pytest.raises(UserError, match="there is no series that is long enough"):
        plant("lose-lines", "worker.log", parameters, worker=lease)
    longer = lease + "00:40:00.000 p1 kept\n"
    planted = plant("lose-lines", "worker.log", parameters, worker=longer)
    assert [edit.clean for edit in planted.edits] == [("00:30:00.000 p1 kept",)]
    assert shown(planted) == ["worker.log:4-4"]


@pytest.mark.parametrize("minute", range(6))
def test_of_lost_lines_those_are_taken_that_show_in_the_wanted_third_alone(minute: int) -> None:
    """Without line 3, lines 2 and 7 would show it, and 7 is beyond the third."""
    series = {1: 7, 2: 8, 3: 9, 7: 10}
    text = "".join(
        f"00:0{minute}:{n:02}.000 " + (f"p1 {series[n]}\n" if n in series else f"idle {n}\n")
        for n in range(1, 13)
    )
    parameters: Parameters = {"line": r"\S+ (p1) \d+", "shown": "both"}
    planted = plant("lose-lines", "worker.log", parameters, "early", worker=text)
    assert shown(planted) == ["worker.log:1-1", "worker.log:2-2"]


def test_a_figure_is_raised_above_the_one_before_it_in_its_series() -> None:
    text = "00:01 df /a 10.0G\n00:02 df /b 90.0G\n00:03 df /a 12.0G\n"
    planted = plant(
        "raise-figure",
        "worker.log",
        {"line": r".* (/\w) (?P<figure>\d+\.\d)G", "by": [20, 30]},
        worker=text,
    )
    (edit,) = planted.edits
    assert edit.clean == ("00:03 df /a 12.0G",)
    raised = float(edit.planted[0].removeprefix("00:03 df /a ").removesuffix("G"))
    assert 30 <= raised <= 40
    assert shown(planted) == ["worker.log:3-3"]


def test_a_line_is_repeated_before_what_ends_its_series_and_time_still_goes_on() -> None:
    planted = plant("repeat-line", "worker.log", {"line": r"\S+ (p1) (?:\d+)", "count": 3})
    lines = planted_lines(planted, "worker.log", WORKER)
    assert [line.split(" ", 1)[1] for line in lines[5:]] == [*["p1 10"] * 4, "end p1"]
    times = [line.split()[0] for line in lines]
    assert times == sorted(set(times))
    assert shown(planted) == [f"worker.log:{n}-{n}" for n in (1, 3, 5, 6, 7, 8, 9)]


def test_a_series_without_room_before_its_end_is_not_repeated() -> None:
    text = "00:00:01.000 p1 7\n00:00:01.030 end p1\n"
    with pytest.raises(UserError, match="there is no series with room before its end"):
        plant("repeat-line", "worker.log", {"line": r"\S+ (p1) \d+", "count": 3}, worker=text)


def test_a_clock_goes_back_for_some_lines_and_is_right_again() -> None:
    text = "".join(f"01:0{minute}:00.000 line {minute}\n" for minute in range(8))
    parameters: Parameters = {"seconds": [20, 40], "lines": 2, "only": "line [^4]"}
    planted = plant("step-clock-back", "worker.log", parameters, "late", worker=text)
    (edit,) = planted.edits
    assert edit.clean == ("01:05:00.000 line 5", "01:06:00.000 line 6")
    first, second = (line.split()[0] for line in edit.planted)
    assert "01:03:20.000" <= first <= "01:03:40.000"
    assert int(second[3:5]) == int(first[3:5]) + 1
    assert second[5:] == first[5:]
    assert shown(planted) == ["worker.log:5-6"]


def test_a_login_without_sudo_becomes_that_of_an_account_out_of_its_window() -> None:
    planted = plant("login-as-account", "auth.log")
    lines = planted_lines(planted, "auth.log", AUTH)
    assert lines[5] == (
        "Mar  8 01:40:00.000 a-db2 sshd[17]: "
        "Accepted publickey for svc-sync from 10.9.0.1 port 9 ssh2"
    )
    assert lines[6].endswith("session opened for user svc-sync")
    assert lines[7].endswith("Disconnected from user svc-sync 10.9.0.1 port 9")
    assert [line for line in lines if " cy" in line] == []
    assert lines[:5] == AUTH.splitlines()[:5]
    assert shown(planted) == ["auth.log:6-6"]


def test_a_failed_request_is_a_success_at_the_proxy_and_would_be_one_in_the_witness() -> None:
    planted = plant("fail-behind-proxy", "access.log", depth="early")
    (edit,) = planted.edits
    assert edit.first == 2
    assert '" 200 ' in edit.planted[0]
    assert edit.planted[0].endswith(' 0.020 "c/1"')
    size = int(edit.planted[0].split()[7])
    assert size > 900
    assert shown(planted) == ["access.log:2-2", "service.jsonl:3-3"]
    varied = planted.witnesses["access.log"]["service.jsonl"].splitlines()
    assert varied[2] == (
        '{"t":"00:11:40.000","lvl":"I","ev":"end","rid":"aaaa0002","st":200,"ms":19,"user":"cy"}'
    )
    assert varied[:2] + varied[3:] == SERVICE.splitlines()[:2] + SERVICE.splitlines()[3:]
    assert planted.witnesses["service.jsonl"] == {"access.log": ACCESS}


def test_what_was_deleted_has_no_body() -> None:
    only = "".join(ACCESS.splitlines(keepends=True)[2:])
    planted = plant("fail-behind-proxy", "access.log", access=only)
    assert '" 204 0 ' in planted.edits[0].planted[0]
    assert '"st":204' in planted.witnesses["access.log"]["service.jsonl"]


def test_a_host_comes_up_with_the_version_before_and_the_witness_announces_it() -> None:
    planted = plant("start-old-version", "service.jsonl")
    (edit,) = planted.edits
    assert edit.planted == (
        '{"t":"01:30:00.000","lvl":"I","ev":"up","svc":"x","ver":"1.1","node":"a-app1"}',
    )
    assert shown(planted) == ["service.jsonl:5-5", "changes.log:2-2"]
    assert planted.witnesses["service.jsonl"]["changes.log"].endswith("| x 1.1\n")
    assert planted.witnesses["changes.log"] == {"service.jsonl": SERVICE}


def test_a_locked_account_is_served_after_the_grace_and_not_before() -> None:
    planted = plant("serve-locked-account", "service.jsonl", depth="early")
    (edit,) = planted.edits
    assert edit.first == 7
    assert edit.planted[0].endswith('"st":200,"ms":9,"user":"bob"}')
    assert shown(planted) == ["service.jsonl:7-7", "auth.log:5-5"]
    witness = planted.witnesses["service.jsonl"]["auth.log"]
    assert witness == AUTH.replace(AUTH.splitlines()[4] + "\n", "")


def test_a_ticket_moves_to_another_host_and_the_log_of_logins_stays() -> None:
    planted = plant("move-ticket", "auth.log")
    (edit,) = planted.edits
    assert edit.path == "changes.log"
    assert edit.planted[0] in {
        CHANGES.splitlines()[0].replace("a-db1", host) for host in ("a-db2", "a-jump")
    }
    assert shown(planted) == ["auth.log:3-3", "changes.log:1-1"]
    assert planted.witnesses["auth.log"] == {"changes.log": CHANGES}
    witness = planted.witnesses["changes.log"]["auth.log"]
    assert witness == AUTH.replace(AUTH.splitlines()[2] + "\n", "")


NOWHERE: Mapping[str, tuple[str, str]] = {
    "login-as-account": ("access.log", "login of a person"),
    "fail-behind-proxy": ("auth.log", "failed request"),
    "start-old-version": ("auth.log", "start of an announced version"),
    "serve-locked-account": ("auth.log", "request after an account was locked"),
    "move-ticket": ("access.log", "command under a ticket"),
}


@pytest.mark.parametrize("planter", NOWHERE)
def test_a_log_without_the_anchor_is_refused(planter: str) -> None:
    target, what = NOWHERE[planter]
    with pytest.raises(UserError, match=f"{target}: there is no {what}"):
        plant(planter, target)
