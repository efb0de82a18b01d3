from __future__ import annotations

import hashlib

from generators.manifest import tree_hash

A, B = "a" * 64, "b" * 64


def test_the_tree_hash_is_that_of_the_sorted_rows() -> None:
    rows = f"a.md\0000644\0{A}\nb/c.md\0000644\0{B}\n".encode()
    expected = hashlib.sha256(rows).hexdigest()
    assert tree_hash([("b/c.md", "0644", B), ("a.md", "0644", A)]) == expected


def test_the_tree_hash_tells_path_mode_and_content_apart() -> None:
    base = ("a", "0644", A)
    others = [("b", "0644", A), ("a", "0755", A), ("a", "0644", B)]
    assert tree_hash([base]) not in {tree_hash([other]) for other in others}
