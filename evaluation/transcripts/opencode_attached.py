"""Files that OpenCode puts beside the user's words, who named them: it reads them by itself.

Each takes two texts: the call, and what it gave. Where there are several, all calls may come first,
and what they gave in the order in which they ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluation.reading.attachments import AttachedFile, Attachments
from evaluation.transcripts.json_lines import line_of

CALLED = re.compile(
    r"Called the Read tool with the following input: (?P<input>\{.*\})\s*", re.DOTALL
)
GIVEN = ("<file>\n", "<path>", "<content>", "Read file ")
"""How the text of a file begins."""
PATH = re.compile(r"<path>([^\n]*)</path>\n")


def in_messages(texts: Sequence[str]) -> Iterator[AttachedFile]:
    """Nothing of what the user said, who may have been the first or the last to speak."""
    paths: list[str] = []
    waiting = 0
    for text in texts:
        called = CALLED.fullmatch(text)
        if called is not None:
            paths = [*paths, _path(called["input"])] if waiting else [_path(called["input"])]
            waiting += 1
        elif waiting and text.startswith(GIVEN):
            waiting -= 1
            told = PATH.match(text)
            named = told[1] if told else paths[0] if len(paths) == 1 else ""
            yield AttachedFile(named or None, text)


def _path(written: str) -> str:
    rows = line_of(written.encode("utf-8", "replace")).rows
    path = rows[0].get("filePath") if rows else None
    return path if isinstance(path, str) else ""


ATTACHMENTS = Attachments(in_messages)
