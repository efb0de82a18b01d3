"""What every test may ask for: goldens, whole files in which a change of format shows itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDENS = Path(__file__).parent / "goldens"
REWRITE = "OCB_REWRITE_GOLDENS"


@pytest.fixture
def golden() -> Callable[[str, bytes], None]:
    """`golden(name, data)` compares a whole artefact with `tests/goldens/<name>`.

    With `OCB_REWRITE_GOLDENS=1` in the environment it writes the file instead; look at the diff
    before it is committed.
    """

    def compare_or_rewrite(name: str, data: bytes) -> None:
        path = GOLDENS / name
        if os.environ.get(REWRITE) == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            return
        assert path.is_file(), f"no golden {name}; {REWRITE}=1 writes it"
        expected = path.read_bytes()
        if data == expected:
            return
        # As text where it is text, so that pytest shows the lines that differ.
        assert data.decode(errors="replace") == expected.decode(errors="replace")
        assert data == expected

    return compare_or_rewrite
