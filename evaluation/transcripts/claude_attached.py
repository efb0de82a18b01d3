"""Files that Claude Code puts into what it sends: mentioned, changed, selected, read by itself.

All of them stand in blocks of their own under the user's name, or behind the text of a tool result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import orjson

from evaluation.reading.attachments import AttachedFile, Attachments
from evaluation.transcripts.claude_tools import REMINDER

OPENED, CLOSED = "<system-reminder>\n", "</system-reminder>"
CALLED = re.compile(r"Called the Read tool with the following input: (?P<input>\{.*\})", re.DOTALL)
READ = re.compile(r"Result of calling the Read tool:(?P<text>.*)", re.DOTALL)
CHANGED = re.compile(
    r"Note: (?P<path>[^\n]+?) (?:was modified|changed on disk)[^\n]*"
    r"Here are the relevant changes \(shown with line numbers\):\n(?P<text>.*)",
    re.DOTALL,
)
SELECTED = re.compile(
    r"The user selected (?:the )?lines \d+ to \d+ from (?P<path>[^\n]+?):?\n(?P<text>.*)",
    re.DOTALL,
)
NOTES = re.compile(r"(?:\A|\n\n)Contents of (?P<path>[^\n]+?)(?: \([^\n]*\))?:\n\n")
INSTRUCTIONS = "Codebase and user instructions are shown below."


def in_messages(texts: Sequence[str]) -> Iterator[AttachedFile]:
    """A read takes two blocks: the call, and what it gave."""
    path: str | None = None
    for text in texts:
        said = _reminder(text)
        if said is None:
            continue
        called, read = CALLED.fullmatch(said), READ.fullmatch(said)
        if called is not None:
            path = _path(called["input"])
        elif read is not None:
            yield AttachedFile(path, _unquoted(read["text"]))
            path = None
        elif INSTRUCTIONS in said or said.startswith("Contents of "):
            yield from _notes(said)
        else:
            yield from _shown(said)


def in_result(texts: Sequence[str]) -> Iterator[AttachedFile]:
    """Reminders behind what a tool gave."""
    for text in texts:
        if text.rstrip().endswith(CLOSED):
            yield from in_messages([found[0].strip() for found in REMINDER.finditer(text)])


def _reminder(text: str) -> str | None:
    """What stands in a reminder that is a whole block; None of anything else."""
    if not text.startswith(OPENED):
        return None
    said = text.rstrip()
    return said[len(OPENED) : -len(CLOSED)].rstrip("\n") if said.endswith(CLOSED) else None


def _shown(said: str) -> Iterator[AttachedFile]:
    for form in (CHANGED, SELECTED):
        found = form.fullmatch(said)
        if found is not None:
            yield AttachedFile(found["path"], found["text"])


def _notes(said: str) -> Iterator[AttachedFile]:
    parts = NOTES.split(said)
    for path, text in zip(parts[1::2], parts[2::2], strict=True):
        yield AttachedFile(path, text)


def _path(written: str) -> str | None:
    try:
        given = orjson.loads(written)
    except orjson.JSONDecodeError:
        return None
    path = given.get("file_path") if isinstance(given, dict) else None
    return path if isinstance(path, str) else None


def _unquoted(text: str) -> str:
    """2.0 writes it as JSON."""
    if text.startswith(' "'):
        try:
            return str(orjson.loads(text))
        except orjson.JSONDecodeError:
            pass
    return text.removeprefix("\n")


ATTACHMENTS = Attachments(in_messages, in_result)
