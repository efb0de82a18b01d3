"""What the checks of a model reader prove; apart, since the checks themselves load slowly."""

from __future__ import annotations

CODES = {
    "reader": "a model that is given the files reports the needle, and not on its clean twin",
    "reader-failed": "every sample that a model reader is asked for is answered",
}

UNDECIDED = frozenset({"reader-failed"})
"""Fails without a word against the build: no answer was had."""
