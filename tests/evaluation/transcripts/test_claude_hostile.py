"""Sessions that nobody meant to be read: one clear message, or counted rows, and never a fault."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from authoring.errors import UserError
from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.claude_code import is_claude_session, read_claude_session
from evaluation.transcripts.claude_stream import is_claude_stream, read_claude_stream
from evaluation.transcripts.context import context_log
from tests.evaluation.transcripts.claude_writing import (
    Row,
    answer,
    evidence,
    read,
    result,
    session,
    shown,
    text,
    use,
    user,
)

FIXTURES = Path(__file__).parent / "claude"


def plain(row: Row) -> str:
    return json.dumps({"sessionId": "s1", **row})


BASIC = [user("go"), answer("m1", use("t1")), result("t1", "line"), answer("m2", text("done"))]


def make_folder(path: Path) -> None:
    path.mkdir()


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make_folder, id="empty folder"),
        pytest.param(make_pipe, id="pipe"),
        pytest.param(make_socket, id="socket"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(b"\0" * 5000), id="NULs"),
        pytest.param(lambda path: path.write_bytes(b"\xff\xfe{}\n" * 9), id="no text"),
        pytest.param(lambda path: path.write_text("[" * 100_000), id="brackets"),
        pytest.param(lambda path: path.write_text("hello\n"), id="text"),
        pytest.param(lambda path: path.write_text('{"a": 1}\n'), id="another's rows"),
        pytest.param(lambda path: None, id="nothing"),
    ],
)
def test_what_is_no_session_is_one_message(tmp_path: Path, make: Callable[[Path], object]) -> None:
    path = tmp_path / "it.jsonl"
    make(path)
    assert not is_claude_session(path)
    assert not is_claude_stream(path)
    with pytest.raises(UserError):
        read_claude_session(path)


@pytest.mark.parametrize(
    ("torn", "unreadable"),
    [
        pytest.param('{"parentUuid":null,"type":"user","mess', 1, id="cut off"),
        pytest.param('{"parentUuid":null,"type":' + plain(user("behind")), 1, id="one behind"),
        pytest.param("\0\0\0" + plain(user("behind")), 1, id="NULs before"),
        pytest.param(plain(user("first")) + plain(user("second")), 0, id="two on a line"),
        pytest.param(plain(user("half \ud800 a pair")), 0, id="lone surrogate"),
        pytest.param('{"type":"cost-state","sessionId":"s1","totalCostUSD":NaN}', 0, id="NaN"),
        pytest.param('{"a":' * 100 + "1" + "}" * 100, 0, id="100 levels"),
        pytest.param('{"a":' * 5000 + "1" + "}" * 5000, 1, id="5,000 levels"),
        pytest.param(plain(user("x" * 3_000_000)), 0, id="long"),
        pytest.param("null", 1, id="null"),
        pytest.param("  \t ", 0, id="blank"),
    ],
)
def test_a_bad_row_is_counted_and_the_others_are_read(
    tmp_path: Path, torn: str, unreadable: int
) -> None:
    folder = session(tmp_path, [*BASIC[:2], torn, *BASIC[2:]])
    trajectory = read_claude_session(folder)
    assert evidence(trajectory).unreadable == unreadable
    log = context_log(trajectory)
    assert shown(log) == [("t1", "line")]
    assert bool(log.missing) == bool(unreadable)
    json.loads(to_atif(trajectory))


def test_a_row_behind_a_torn_one_is_read(tmp_path: Path) -> None:
    behind = '{"parentUuid":"p1","type":"us{"parentUuid":null,' + plain(BASIC[2])[1:]
    log = read(session(tmp_path, [*BASIC[:2], behind, BASIC[3]]))
    assert shown(log) == [("t1", "line")]
    assert log.missing == ("1 unreadable rows of the session",)


def test_links_in_circles_end(tmp_path: Path) -> None:
    folder = session(tmp_path, BASIC)
    (folder / "projects" / "main").mkdir()
    (folder / "projects" / "main" / "subagents").symlink_to(folder / "projects")
    assert shown(read(folder)) == [("t1", "line")]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)
NAMES = (
    "agents-2.0.76",
    "agents-2.1.332",
    "compacted-2.1.197",
    "compacted-2.1.332",
    "edits-2.1.332",
)


def rows_in(name: str, kind: str) -> list[Row]:
    files = sorted((FIXTURES / name).rglob("*.jsonl"))
    wanted = [file for file in files if (file.name == "stream.jsonl") == (kind == "stream")]
    return [json.loads(line) for file in wanted for line in file.read_text().split("\n") if line]


LINES = {
    (name, kind): [json.dumps(row) for row in rows_in(name, kind)]
    for name in NAMES
    for kind in ("session", "stream")
    if (FIXTURES / name / "stream.jsonl").exists() or kind == "session"
}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value that can be given another one."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        for key in list(one) if isinstance(one, dict) else range(len(one)):
            found.append((one, key))
            if isinstance(one[key], dict | list):
                waiting.append(one[key])
    return found


NUMBER = st.integers(0, 10_000)
CHANGES = st.one_of(
    st.tuples(st.just("drop"), NUMBER, st.none(), st.none()),
    st.tuples(st.just("twice"), NUMBER, NUMBER, st.none()),
    st.tuples(st.just("move"), NUMBER, NUMBER, st.none()),
    st.tuples(st.just("set"), NUMBER, NUMBER, VALUES),
)


def change(lines: list[str], what: str, number: int, other: Any, value: Any) -> int:
    """Change one line; how many can then no longer be read."""
    at = number % len(lines)
    match what:
        case "drop":
            del lines[at]
        case "twice":
            lines.insert(other % len(lines), lines[at])
        case "move":
            lines.insert(other % len(lines), lines.pop(at))
        case "tear":
            lines[at] = lines[at][: 1 + other % (len(lines[at]) - 1)]
            return 1
        case "set":
            row = json.loads(lines[at])
            found = places(row)
            holder, key = found[other % len(found)]
            holder[key] = value
            lines[at] = json.dumps(row)
    return 0


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    which=st.sampled_from(sorted(LINES)),
    changes=st.lists(CHANGES, min_size=1, max_size=8),
    tears=st.integers(0, 2),
    seed=NUMBER,
)
def test_no_change_of_rows_is_a_fault(
    tmp_path_factory: pytest.TempPathFactory,
    which: tuple[str, str],
    changes: list[tuple[str, int, Any, Any]],
    tears: int,
    seed: int,
) -> None:
    lines = list(LINES[which])
    for one in changes:
        change(lines, *one)
    torn = {(seed + step * 7) % len(lines) for step in range(tears)}
    for at in torn:
        change(lines, "tear", at, seed, None)
    path = tmp_path_factory.getbasetemp() / "fuzz.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    reader = read_claude_session if which[1] == "session" else read_claude_stream
    try:
        trajectory = reader(path)
    except UserError:
        return
    assert evidence(trajectory).unreadable == len(torn)
    log = context_log(trajectory)
    assert bool(log.missing) or not torn
    assert to_atif(trajectory)
