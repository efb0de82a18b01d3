from __future__ import annotations

from pathlib import Path

import pytest

from authoring.errors import SpecError
from authoring.yaml_source import MOST_BYTES, Mapping, Scalar, read_yaml


def refusal(tmp_path: Path, data: bytes) -> list[tuple[str, int, int]]:
    """Code, line and column of each problem."""
    path = tmp_path / "a.yaml"
    path.write_bytes(data)
    with pytest.raises(SpecError) as caught:
        read_yaml(path)
    assert {problem.place.file for problem in caught.value.problems} == {str(path)}
    return [(p.code, p.place.line, p.place.column) for p in caught.value.problems]


REFUSED = {
    "empty": (b"", [("yaml-syntax", 1, 1)]),
    "only a comment": (b"# nothing\n", [("yaml-syntax", 1, 1)]),
    "duplicate key": (b"a: 1\nb: 2\na: 3\n", [("duplicate-key", 3, 1)]),
    "duplicate key, quoted": (b"a: 1\n'a': 3\n", [("duplicate-key", 2, 1)]),
    "duplicate key in a flow": (b"k: {a: 1, a: 2}\n", [("duplicate-key", 1, 11)]),
    "anchor and alias": (
        b"a: &x [1]\nb: *x\n",
        [("alias-not-allowed", 1, 4), ("alias-not-allowed", 2, 4)],
    ),
    "anchor bomb": (
        b"a: &a [x, x]\nb: &b [*a, *a]\n",
        [
            ("alias-not-allowed", 1, 4),
            ("alias-not-allowed", 2, 4),
            ("alias-not-allowed", 2, 8),
            ("alias-not-allowed", 2, 12),
        ],
    ),
    "tag": (b"a: !!python/name:os.system x\n", [("tag-not-allowed", 1, 4)]),
    "two documents": (b"a: 1\n---\nb: 2\n", [("yaml-syntax", 2, 1)]),
    "not YAML": (b"a: b: c\n", [("yaml-syntax", 1, 5)]),
    "bad indent": (b"a:\n  - 1\n - 2\n", [("yaml-syntax", 3, 2)]),
    "a list as key": (b"? [a]\n: 1\n", [("yaml-syntax", 1, 3)]),
    "NUL": (b"a: 1\nb: \x00\n", [("yaml-syntax", 2, 4)]),
    "escape out of range": (b'a: "\\UFFFFFFFF"\n', [("yaml-syntax", 1, 7)]),
    "half a surrogate pair": (b'a: "\\uD800"\n', [("yaml-syntax", 1, 4)]),
    "41 levels, flow": (b"[" * 100_000, [("yaml-syntax", 1, 41)]),
    "41 levels, block": (b"- " * 41 + b"x", [("yaml-syntax", 1, 81)]),
    "not UTF-8": (b"a: 1\nb: \xff\n", [("file-not-readable", 2, 4)]),
    "too long": (b"#" * (MOST_BYTES + 1), [("file-not-readable", 0, 0)]),
}


@pytest.mark.parametrize(("data", "expected"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_told_with_line_and_column(
    tmp_path: Path, data: bytes, expected: list[tuple[str, int, int]]
) -> None:
    assert refusal(tmp_path, data) == expected


def test_forty_levels_and_a_full_mebibyte_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    deep = b"- " * 39 + b"x\n"
    path.write_bytes(deep + b"#" * (MOST_BYTES - len(deep)))
    assert read_yaml(path).path == str(path)


def test_a_missing_file_and_a_folder_are_not_readable(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(SpecError) as caught:
            read_yaml(path)
        assert [problem.code for problem in caught.value.problems] == ["file-not-readable"]
        assert caught.value.exit_code == 2


def test_scalars_stay_the_text_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("version: 1.10\ncountry: no\nid: 1\nquoted: '1'\nnothing:\nwhen: 2024-01-01\n")
    root = read_yaml(path).root
    assert isinstance(root, Mapping)
    scalars = [entry.value for entry in root.entries]
    assert all(isinstance(scalar, Scalar) for scalar in scalars)
    assert [(s.text, s.plain) for s in scalars if isinstance(s, Scalar)] == [
        ("1.10", True),
        ("no", True),
        ("1", True),
        ("1", False),
        ("", True),
        ("2024-01-01", True),
    ]


@pytest.mark.parametrize("inside", ["\u2028", "\u2029", "\u0085"], ids=["2028", "2029", "0085"])
def test_lines_are_counted_by_line_feeds_alone(tmp_path: Path, inside: str) -> None:
    assert refusal(tmp_path, f"x: 'a{inside}b'\na: 1\na: 2\n".encode()) == [("duplicate-key", 3, 1)]


def test_a_bom_moves_no_column(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"\xef\xbb\xbfa: &x 1\n") == [("alias-not-allowed", 1, 4)]


def test_crlf_lines_are_counted_once(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"a: 1\r\nb: 2\r\na: 3\r\n") == [("duplicate-key", 3, 1)]
