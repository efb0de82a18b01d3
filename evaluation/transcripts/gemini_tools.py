"""What each of Gemini CLI's tools adds to the text of a file, in all versions since 0.2x."""

from __future__ import annotations

import re

from evaluation.reading.context import ATTACHED, ToolOutput, ToolTable

DELEGATE, REPORT = "invoke_agent", "complete_task"
REPORTS = frozenset((REPORT,))
"""In the arguments of which a sub-agent gives its report, under a name of its own."""

_READ = re.compile(
    r"\A\nIMPORTANT: The file content has been truncated\.\nStatus: [^\n]*\nAction: [^\n]*\n\n"
    r"--- FILE CONTENT \(truncated\) ---\n"
)
_SHELL = re.compile(
    r"\A(?:Tool output was too large and has been truncated\.\n(?s:.*?)"
    r"\nTruncated part of the output:\n)?"
    r"(?:Output too large\. Showing first [^\n]*\n)?(?:<untrusted_context>\n)?"
    r"(?:Command: (?s:.*?)\nDirectory: [^\n]*\n)?(?:Output|Stdout): (?:\(empty\)\Z)?"
    # Each at most once, in this order: a log may end with lines that look like these. An error
    # alone is as much the last line of what the command printed as the CLI's.
    r"|\n(?=[SEBP][\w ]{4,18}: )(?:Stderr: [^\n]*(?:\n|\Z))?"
    r"(?:Error: (?:\(none\)|[^\n]*(?=\nExit Code: [^\n]*\nSignal: [^\n]*\nBackground PIDs: ))"
    r"(?:\n|\Z))?"
    r"(?:Exit Code: [^\n]*(?:\n|\Z))?(?:Signal: [^\n]*(?:\n|\Z))?"
    r"(?:Background PIDs: [^\n]*(?:\n|\Z))?(?:Process Group PGID: [^\n]*(?:\n|\Z))?"
    r"(?:</untrusted_context>)?\s*\Z"
    r"|\n</untrusted_context>\s*\Z"
)
_GREP_LINE = re.compile(r"L(?P<n>\d{1,9})[:-] ?")
_GREP_FILE = re.compile(r"File: (?P<path>.+)")

_MANY = re.compile(r"--- (?P<path>.+) ---")
_MANY_END = re.compile(r"\n--- End of content ---\s*\Z")

_GREP = ToolOutput(number=_GREP_LINE, heading=_GREP_FILE)
TOOLS: ToolTable = {
    ATTACHED: ToolOutput(path_argument="path"),
    "read_file": ToolOutput(path_argument="file_path", added=_READ),
    "read_many_files": ToolOutput(heading=_MANY, added=_MANY_END),
    "run_shell_command": ToolOutput(added=_SHELL),
    **dict.fromkeys(("grep_search", "search_file_content"), _GREP),
    "read_background_output": ToolOutput(),
    # These print names, and no text of a file.
    **dict.fromkeys(("glob", "list_directory"), ToolOutput(credit="none")),
    **dict.fromkeys(
        # What these give back, a model wrote.
        (DELEGATE, "generalist", "codebase_investigator", REPORT, "update_topic"),
        ToolOutput(credit="none"),
    ),
}
"""What each tool adds. `replace` and `write_file` echo what the agent wrote, so they are left out,
and count at the upper end only."""
