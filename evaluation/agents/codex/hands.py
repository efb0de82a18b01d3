"""How a simulated model acts in Codex: the CLI offers other tools to newer models than to older.

The newer ones have no command line but `exec`, which takes a script, and start sub-agents that
report by message. The older ones have `exec_command`, and fetch reports by id.
"""

from __future__ import annotations

import re

from evaluation.simulated.hands import Call, Hands

CUT = re.compile(r"…\d+ tokens truncated…")
"""In the middle of a longer output."""
MOST = 36_000
"""Bytes: an output of more than 10,000 tokens is cut, a token being counted as four."""
LIST = "find '{path}' -type f | sort"
READ = "cat '{path}'"
READ_RANGE = "sed -n '{first},{last}p' '{path}'"
SEARCH = "grep -rniF -e {pattern} -- '{path}'"
SEARCH_AROUND = "grep -rniF -C 1 -e {pattern} -- '{path}'"
PATIENCE = 60_000
"""Milliseconds for which a sub-agent is waited for in one call."""


def _script(command: str) -> Call:
    text = f'text((await tools.exec_command({{cmd: "{command}"}})).output)'
    return Call("exec", {"input": text})


def _command(command: str) -> Call:
    return Call("exec_command", {"cmd": command})


SCRIPTS = Hands(
    list_files=_script(LIST),
    read_file=_script(READ),
    read_range=_script(READ_RANGE),
    search=_script(SEARCH),
    search_around=_script(SEARCH_AROUND),
    shell=Call("exec", {"input": "text((await tools.exec_command({cmd: {quoted}})).output)"}),
    delegate=Call(
        "spawn_agent", {"task_name": "documents", "message": "{prompt}", "fork_turns": "none"}
    ),
    line="{text}",
    collect=Call("wait_agent", {"timeout_ms": PATIENCE}),
    nested=True,
    cut=CUT,
    most=MOST,
)
"""Of models from 5.6 on."""

COMMANDS = Hands(
    list_files=_command(LIST),
    read_file=_command(READ),
    read_range=_command(READ_RANGE),
    search=_command(SEARCH),
    search_around=_command(SEARCH_AROUND),
    shell=_command("{command}"),
    delegate=Call("spawn_agent", {"message": "{prompt}", "agent_type": "default"}),
    line="{text}",
    collect=Call("wait_agent", {"targets": ["{agent}"], "timeout_ms": PATIENCE}),
    agent=re.compile(r'"agent_id":"(?P<agent>[^"]+)"'),
    cut=CUT,
    most=MOST,
)
"""Of older models, and of those that this version does not know."""
