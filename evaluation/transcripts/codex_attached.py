"""The project's notes, which Codex reads by itself and puts under the user's name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluation.reading.attachments import AttachedFile, Attachments

AGENTS = re.compile(
    r"# AGENTS\.md instructions for (?P<folder>[^\n]+)\n+"
    r"(?:<INSTRUCTIONS>\n)?(?P<text>[\s\S]*?)(?:\n?</INSTRUCTIONS>|\Z)"
)


def in_messages(texts: Sequence[str]) -> Iterator[AttachedFile]:
    """Each in a block of its own."""
    for text in texts:
        found = AGENTS.match(text)
        if found is not None:
            yield AttachedFile(f"{found['folder'].strip()}/AGENTS.md", found["text"])


ATTACHMENTS = Attachments(in_messages)
