"""What each tool of OpenCode adds to file text, in all versions that left sessions behind."""

from __future__ import annotations

import re

from evaluation.reading.context import ATTACHED, ToolOutput, ToolTable

_NUMBER = re.compile(r"(?P<n>\d{1,9})(?:[|:] |:[0-9a-zA-Z]{2,3}\|)")
"""The last form is a plugin's, which puts a mark of the line's text behind the number."""
_READ = re.compile(
    # Up to 1.1; without a line feed behind `<content>` up to 1.2.
    r"\A<file>\n|\A<path>[^\n]*</path>\n<type>file</type>\n<content>\n?"
    r"|\n\n\((?:End of file - total|File has more lines\.|Output (?:truncated|capped) at|"
    r"Showing lines) [^\n]*\)\n</(?:content|file)>(?=\n\n<system-reminder>\n|\s*\Z)"
    r"|\A<(?:file|content)>\n?\n\n?</(?:file|content)>\s*\Z"
)
_PAGE = re.compile(
    # What the newer interface of late versions of 1 gives of a file: all of it, or a part.
    r'\A\{"(?:uri":"file:(?:[^"\\]|\\.)*","name":"(?:[^"\\]|\\.)*|type":"text-page)",'
    r'"content":"(?P<text>(?:[^"\\]|\\.)*)"'
)
_READ_2 = re.compile(r"\ARead file [^\n]*, (?:lines \d+-\d+|0 lines)\n?|\n\n\([^\n]*\)\s*\Z")
_BASH = re.compile(
    r"\A\.\.\.output truncated\.\.\.\n\nFull output saved to: [^\n]*\n\n"
    r"|\n\n<(?:shell_metadata|bash_metadata)>\n.*\n</(?:shell_metadata|bash_metadata)>\Z",
    re.DOTALL,
)
# Notes that lie beside a file are shown with it, without numbers.
_NOTES = re.compile(r"Instructions from: (?P<path>/.*)")
_GREP = ToolOutput(
    heading=re.compile(r"(?P<path>/.*):"), number=re.compile(r"  Line (?P<n>\d{1,9}): ")
)
_WRITTEN = dict.fromkeys(
    # What these give back, a model wrote.
    ("task", "todowrite", "todoread", "subagent", "question", "skill"),
    ToolOutput(credit="none"),
)

TOOLS: ToolTable = {
    "read": ToolOutput(
        path_argument="filePath", number=_NUMBER, added=_READ, heading=_NOTES, escaped=_PAGE
    ),
    ATTACHED: ToolOutput(path_argument="path", number=_NUMBER, added=_READ, heading=_NOTES),
    "grep": _GREP,
    "bash": ToolOutput(added=_BASH),
    # These print names, and no text of a file.
    **dict.fromkeys(("glob", "list"), ToolOutput(credit="none")),
    **_WRITTEN,
}
"""Of version 1. `edit` and `write` echo what the agent wrote, so they are left out, and count at
the upper end only."""

TOOLS_2: ToolTable = {
    **TOOLS,
    "read": ToolOutput(path_argument="path", number=_NUMBER, added=_READ_2),
    ATTACHED: ToolOutput(path_argument="path", number=_NUMBER, added=_READ_2),
    "shell": ToolOutput(added=_BASH),
}
"""Of version 2, which calls some tools and arguments otherwise."""


def tools_of(version: str) -> ToolTable:
    """The table of a version."""
    return TOOLS_2 if version.startswith("2.") else TOOLS
