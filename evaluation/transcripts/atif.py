"""A trajectory as an ATIF-v1.8 document."""

from __future__ import annotations

import orjson

from evaluation.transcripts.trajectory import Trajectory


def to_atif(trajectory: Trajectory) -> bytes:
    """The bytes of `trajectory.json`: two spaces, keys in the order of the type, LF at the end."""
    return orjson.dumps(trajectory, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
