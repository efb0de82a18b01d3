"""What is particular to the built-in loop, as data."""

from __future__ import annotations

from evaluation.agents.fixed.chat import PARENT_HEADER, THREAD_HEADER
from evaluation.agents.harness import Profile
from evaluation.gateway.threads import ThreadRules
from evaluation.reading.context import MAIN
from evaluation.simulated.hands import Call, Hands
from evaluation.transcripts.fixed import TOOLS

VERSION = "1.0.0"
"""Of the loop, its tools and its wording: a change of any of them is a new version."""

PROFILE = Profile(
    name="fixed",
    version=VERSION,
    protocol="openai-chat",
    needs_sandbox=False,
    tools=TOOLS,
    offered=("list_files", "read_file", "search", "delegate"),
    threads=ThreadRules(thread_header=THREAD_HEADER, parent_header=PARENT_HEADER, main_value=MAIN),
    hands=Hands(
        list_files=Call("list_files", {}),
        read_file=Call("read_file", {"path": "{path}"}),
        read_range=Call("read_file", {"path": "{path}", "offset": "{first}", "limit": "{count}"}),
        search=Call("search", {"pattern": "{pattern}", "path": "{path}"}),
        delegate=Call("delegate", {"title": "{title}", "prompt": "{prompt}"}),
        line="{n}\t{text}",
    ),
    neutral_model="assistant-1",
    readers=frozenset(("read_file", "search")),
    settings=frozenset(("temperature", "top_p", "max_tokens", "seed", "reasoning_effort")),
)
