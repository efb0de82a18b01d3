"""The hardening baseline: a Markdown file whose sections set the limits."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

TITLE = re.compile(r"\A# .*\bbaseline\b", re.IGNORECASE)


def section(path: PurePosixPath, text: str, heading: str) -> str:
    """What stands under a heading of the baseline, on one line; empty for any other file."""
    if path.suffix != ".md" or not TITLE.match(text):
        return ""
    _, found, rest = text.partition(f"\n## {heading}\n")
    return " ".join(rest.partition("\n## ")[0].split()) if found else ""
