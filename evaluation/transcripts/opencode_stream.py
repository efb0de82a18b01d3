"""What `opencode run --format json` prints: parts of the main session once they are finished.

The prompt is not among them, nor is anything that a sub-agent read.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.transcripts.beginnings import Beginning, any_begins
from evaluation.transcripts.json_lines import Object, read_lines
from evaluation.transcripts.opencode import trajectory_of
from evaluation.transcripts.opencode_sessions import (
    OpenCodeSession,
    OpenCodeSessions,
    object_field,
    text_field,
)
from evaluation.transcripts.streams import only_stream
from evaluation.transcripts.trajectory import Trajectory

PARTS = frozenset(("step_start", "step_finish", "tool_use", "text", "reasoning"))
QUIET = frozenset(("error",))


def is_opencode_stream(path: Path) -> bool:
    """Whether a file, or one of a folder's, is such a stream."""
    return any_begins(path, ".jsonl", _is_stream)


def _is_stream(beginning: Beginning) -> bool:
    return any(
        text_field(row, "sessionID").startswith("ses_") and text_field(row, "type") in PARTS
        for row in beginning.rows
    )


@without_collector()
def read_opencode_stream(path: Path) -> Trajectory:
    """The one stream of a file or folder. Raises UserError."""
    file = only_stream(path, _is_stream, "streams of OpenCode")
    found = OpenCodeSessions()
    for line in read_lines(file, '{"type":'):
        if not line.whole:
            found.add_unreadable()
        for row in line.rows:
            _take(row, found)
    if not found.sessions:
        raise UserError("is no stream of OpenCode", place=Place(str(file)))
    trajectory = trajectory_of(found, file, told=False)
    extra = trajectory.extra
    if extra is None or extra.evidence is None:
        return trajectory
    evidence = replace(extra.evidence, unshown=("*",))  # the prompt is not shown either
    return replace(trajectory, extra=replace(extra, evidence=evidence))


def _take(row: Object, found: OpenCodeSessions) -> None:
    """One event. Parts stand in the order in which they were finished; an answer's calls follow
    its `step_start`."""
    kind, session = text_field(row, "type"), text_field(row, "sessionID")
    part = object_field(row, "part")
    if kind not in PARTS:
        found.rows += 1
        if kind not in QUIET:
            found.unknown[kind or "(none)"] += 1
        return
    if session not in found.sessions:
        found.add_session(OpenCodeSession(session, None, "unknown"))
    message = text_field(part, "messageID") or session
    info: Object = {"role": "assistant", "time": {"created": row.get("timestamp")}}
    if part.get("synthetic") is True:
        # By these words the CLI goes on after a compaction: the answer before them is a summary.
        info["role"] = "user"
        for before in [*found.sessions[session].messages.values()][-1:]:
            before.info["summary"] = True
    found.add_message(message, session, info)
    found.add_part(text_field(part, "id") or f"{found.rows:09}", message, part)
