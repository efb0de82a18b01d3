"""Files that Gemini CLI puts beside the user's words: those named with an @, and its notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluation.reading.attachments import AttachedFile, Attachments

FILES, FILES_END = "\n--- Content from referenced files ---", "\n--- End of content ---"
FILE = re.compile(r"\nContent from @([^\n]+):\n")
CONTEXT = "<session_context>"
"""Begins a message that the CLI writes before the user's."""
NOTES = re.compile(
    r"^--- Context from: (?P<path>[^\n]+) ---\n(?P<text>[\s\S]*?)\n?"
    r"^--- End of Context from: (?P=path) ---$",
    re.MULTILINE,
)


def in_messages(texts: Sequence[str]) -> Iterator[AttachedFile]:
    """Parts are one text to it: a head, the files with theirs, and an end."""
    whole = "".join(texts)
    if whole.startswith(CONTEXT):
        yield from (AttachedFile(one["path"], one["text"]) for one in NOTES.finditer(texts[0]))
    _, begun, rest = whole.partition(FILES)
    if begun:
        parts = FILE.split(rest.rpartition(FILES_END)[0] or rest)
        for path, text in zip(parts[1::2], parts[2::2], strict=True):
            yield AttachedFile(path, text)


ATTACHMENTS = Attachments(in_messages)
