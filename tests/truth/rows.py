"""Keeps files of JSON rows, each of them shortened."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def keep_rows(
    source: Path, target: Path, shorten: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """A file of rows, shortened."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open(encoding="utf-8", newline="\n") as rows:
        lines = [json.dumps(shorten(json.loads(row)), ensure_ascii=False) for row in rows if row]
    target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
