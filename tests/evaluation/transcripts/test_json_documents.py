"""Documents in parts: the same as read at once, item by item, wherever a buffer ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from authoring.errors import UserError
from evaluation.transcripts import json_documents
from evaluation.transcripts.json_documents import read_document_in_parts
from evaluation.transcripts.json_lines import Telling

LISTS = frozenset(("steps",))


def lay(folder: Path, data: str | bytes) -> Path:
    path = folder / "document.json"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def parts(path: Path) -> tuple[Any, list[Any], int] | None:
    found = read_document_in_parts(path, LISTS)
    if found is None:
        return None
    return found.head, list(found.items("steps")), found.loose.get("steps", 0)


ODD_TEXT = 'a "quoted" \\ [ ] { } , \u2028 \ud7ff'


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1 << 20])
@pytest.mark.parametrize("indent", [None, 2])
def test_it_is_the_same_wherever_a_buffer_ends(
    size: int, indent: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_documents, "CHUNK", size)
    steps = [
        {"message": ODD_TEXT * n, "calls": [{"arguments": {ODD_TEXT: [n, []]}}]} for n in (0, 1, 9)
    ]
    head = {"agent": {"steps": [1, {"steps": []}]}, ODD_TEXT: [[{}]], "steps": [], "last": "]}"}
    path = lay(tmp_path, json.dumps({**head, "steps": steps}, indent=indent))
    assert parts(path) == (head, steps, 0)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=9,
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    head=st.dictionaries(st.text(max_size=5), VALUES, max_size=4),
    items=st.lists(VALUES, max_size=5),
    size=st.integers(1, 40),
    ascii_only=st.booleans(),
)
def test_any_document_is_the_same_in_parts(
    head: dict[str, Any],
    items: list[Any],
    size: int,
    ascii_only: bool,
    tmp_path: Path,
) -> None:
    head.pop("steps", None)
    text = json.dumps({**head, "steps": items}, ensure_ascii=ascii_only)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_documents, "CHUNK", size)
        found = parts(lay(tmp_path, text))
    held = [item for item in items if isinstance(item, dict | list)]
    assert found == ({**head, "steps": []}, held, len(items) - len(held))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param(" \n", id="blanks"),
        pytest.param("[]", id="a list"),
        pytest.param("5", id="a number"),
        pytest.param('{"steps":[{"a":1}', id="cut behind an item"),
        pytest.param('{"steps":[{"a":"', id="cut in a text"),
        pytest.param('{"steps":[]}}', id="one bracket more"),
        pytest.param('{"steps":[]} {"steps":[]}', id="two"),
        pytest.param('x {"steps":[]}', id="something before it"),
        pytest.param("]", id="a bracket that closes nothing"),
        pytest.param('{"a" "b"}', id="no JSON around the list"),
    ],
)
def test_what_is_no_document_is_none(text: str, tmp_path: Path) -> None:
    assert parts(lay(tmp_path, text)) is None


@pytest.mark.parametrize(
    ("item", "read"),
    [
        pytest.param('{"a":"\\ud83d"}', {"a": "\ufffd"}, id="half a character"),
        pytest.param('{"a":NaN}', {"a": None}, id="no number"),
        pytest.param('{"a":"\0"}', {"a": "\0"}, id="a NUL"),
        pytest.param('{"a" 1}', None, id="no JSON"),
        pytest.param("[" * 9000 + "]" * 9000, None, id="too deep"),
    ],
)
def test_an_item_that_a_strict_parser_refuses(item: str, read: Any, tmp_path: Path) -> None:
    path = lay(tmp_path, f'\ufeff{{"steps":[{{}},{item},{{}}]}}')
    assert parts(path) == ({"steps": []}, [{}, read, {}], 0)


def test_a_head_that_is_too_large_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_documents, "MOST_HEAD", 40)
    path = lay(tmp_path, json.dumps({"agent": ["x"] * 50, "steps": []}))
    assert parts(path) is None


def test_a_folder_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no file"):
        read_document_in_parts(tmp_path, LISTS)


def test_an_item_that_is_too_large_is_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_documents, "LONGEST", 40)
    path = lay(tmp_path, json.dumps({"steps": [{"a": 1}, {"a": "x" * 50}, {"a": 2}]}))
    assert parts(path) == ({"steps": []}, [{"a": 1}, {"a": 2}], 1)


def test_a_text_without_an_end_is_not_read_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_documents, "LONGEST", 40)
    monkeypatch.setattr(json_documents, "CHUNK", 8)
    read: list[int] = []
    monkeypatch.setattr(Telling, "read", lambda _, count: read.append(count))
    assert parts(lay(tmp_path, '{"steps":[{"a":"' + "x" * 10_000)) is None
    assert sum(read) < 200
