"""Rows of JSON: whole ones, those that a strict parser refuses, and those that are none."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.reading.progress import Progress
from evaluation.transcripts.json_lines import (
    STEP,
    Line,
    Object,
    line_of,
    read_document,
    read_lines,
    telling,
)


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        pytest.param(b'{"a": 1}\r\n', [{"a": 1}], id="a row"),
        pytest.param(b'{"a": NaN, "b": 1e999}', [{"a": None, "b": None}], id="no numbers"),
        pytest.param(b'{"a": "\\ud83d"}', [{"a": "\ufffd"}], id="half a surrogate pair"),
        pytest.param(b'{"a": 1}{"b": 2}', [{"a": 1}, {"b": 2}], id="two on one line"),
        pytest.param(b'{"a": "\0\x01"}', [{"a": "\0\x01"}], id="control characters"),
        pytest.param(b'{"a": "\xff"}', [{"a": "\ufffd"}], id="no UTF-8"),
    ],
)
def test_a_row_is_read(line: bytes, rows: list[Object]) -> None:
    found = line_of(line)
    assert (found.rows, found.whole) == (rows, True)


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        pytest.param(b"[1]", [], id="no object"),
        pytest.param(b'{"a": 1}{"a":', [{"a": 1}], id="a torn one behind"),
        pytest.param(b'{"b": {"a": 2}', [{"a": 2}], id="a torn one around"),
        pytest.param(b"[" * 100_000, [], id="deep lists"),
        pytest.param(b'{"a":' * 200_000, [], id="deep objects"),
        pytest.param(b"\0" * 5_000, [], id="NUL bytes"),
    ],
)
def test_what_is_left_of_a_line_is_read(line: bytes, rows: list[Object]) -> None:
    found = line_of(line)
    assert (found.rows, found.whole) == (rows, False)


def test_lines_end_with_lf_alone(tmp_path: Path) -> None:
    path = tmp_path / "session"
    path.write_bytes('\ufeff{"a": "1\u2028\u0085\x0c"}\n\n  \n{"b": 2}'.encode())
    assert [line.rows for line in read_lines(path)] == [[{"a": "1\u2028\u0085\x0c"}], [{"b": 2}]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{\n "a": 1\n}\n', {"a": 1}),
        ('{"a": NaN}', {"a": None}),
        ('{"a": 1} {}', None),
        ("5", None),
    ],
)
def test_a_document_is_one_object(text: str, value: Object | None, tmp_path: Path) -> None:
    path = tmp_path / "document"
    path.write_text(text)
    assert read_document(path) == value


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no file"):
        read_document(tmp_path)


def test_a_row_of_more_values_than_one_can_hold_is_none() -> None:
    """Its text is short, and what it would become is not."""
    assert line_of(b'{"a":[' + b"[]," * (1 << 22) + b"[]]}") == Line([], whole=False)
    written = b'{"a":"' + b"[]," * (1 << 22) + b'\\""}'
    assert line_of(written).whole, "what stands in a text is no value"


def test_a_small_document_takes_little_memory(tmp_path: Path) -> None:
    """However large one may be."""
    path = tmp_path / "document.json"
    path.write_text('{"a": 1}')
    tracemalloc.start()
    try:
        assert read_document(path) == {"a": 1}
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_reading_tells_how_far_it_has_come_and_when_it_is_done(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"a": "%s"}\n' % (b"x" * (STEP // 2)) * 5)
    total = path.stat().st_size
    told: list[Progress] = []
    with telling(told.append):
        assert sum(1 for _ in read_lines(path)) == 5
    assert [one.done for one in told] == sorted({one.done for one in told})
    assert [STEP <= one.done < total for one in told] == [True, True, False]
    assert told[-1] == Progress("reading", total, total, "session.jsonl")


def test_a_small_file_tells_once(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"a": 1}')
    told: list[Progress] = []
    with telling(told.append):
        list(read_lines(path))
        read_document(path)
    assert told == [Progress("reading", 8, 8, "session.jsonl")] * 2


def test_nobody_is_told_who_does_not_listen(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"a": 1}')
    told: list[Progress] = []
    with telling(told.append), telling(None):
        list(read_lines(path))
    list(read_lines(path))
    assert not told
