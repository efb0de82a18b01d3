"""What `opencode export` writes: one session as one JSON object, without its sub-agents'.

Prevents a false result: a user's message carries whole-file patches for the display (`summary`),
which the model never saw. Texts come from the parts alone.
"""

from __future__ import annotations

from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.transcripts.beginnings import Beginning, any_begins
from evaluation.transcripts.json_documents import read_document_in_parts
from evaluation.transcripts.opencode import trajectory_of
from evaluation.transcripts.opencode_sessions import (
    OpenCodeSession,
    OpenCodeSessions,
    object_field,
    objects_field,
    text_field,
)
from evaluation.transcripts.streams import only_stream
from evaluation.transcripts.trajectory import Trajectory

MESSAGES = frozenset(("messages",))


def is_opencode_export(path: Path) -> bool:
    """Whether a file, or one of a folder's, is such a document."""
    return any_begins(path, ".json", _is_export)


def _is_export(beginning: Beginning) -> bool:
    keys = ("info", "messages", "parts")
    is_session = beginning.has("id", "ses_") or beginning.has("sessionID", "ses_")
    return beginning.is_document and is_session and all(map(beginning.has, keys))


@without_collector()
def read_opencode_export(path: Path) -> Trajectory:
    """The one export of a file or folder. Raises UserError."""
    file = only_stream(path, _is_export, "exports of OpenCode")
    whole = read_document_in_parts(file, MESSAGES)
    info = object_field(whole.head if whole else {}, "info")
    if whole is None or not text_field(info, "id"):
        raise UserError("is no export of an OpenCode session", place=Place(str(file)))
    main = text_field(info, "id")
    found = OpenCodeSessions()
    version = text_field(info, "version") or "unknown"
    found.add_session(OpenCodeSession(main, None, version, text_field(info, "directory")))
    for number, message in enumerate(whole.items("messages")):
        if not isinstance(message, dict):
            continue
        told = object_field(message, "info")
        key = text_field(told, "id") or f"message {number:09}"
        found.add_message(key, main, told)
        for place, part in enumerate(objects_field(message, "parts")):
            found.add_part(text_field(part, "id") or f"{key} {place:09}", key, part)
    return trajectory_of(found, file)
