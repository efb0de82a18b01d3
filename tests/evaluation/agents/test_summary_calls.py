"""The call by which each CLI shortens a conversation is none of an agent's: the real shapes."""

from __future__ import annotations

import pytest

from evaluation.agents.claude_code.profile import PROFILE as CLAUDE
from evaluation.agents.codex.profile import PROFILE as CODEX
from evaluation.agents.gemini_cli.profile import PROFILE as GEMINI
from evaluation.agents.harness import Profile
from evaluation.agents.opencode.profile import PROFILE as OPENCODE
from evaluation.gateway.messages import Message, RequestBody, ToolResult, ToolUse
from evaluation.gateway.naming import Naming

TASK = "Review all the files."
TEXT_ONLY = """\
CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.

- Do NOT use Read, Bash, or ANY other tool.
- Your entire response must be plain text.

"""
ASKED = "Your task is to create a detailed summary of "
PART = "the RECENT portion of the conversation — the messages that follow."
WHOLE = "the conversation so far, paying close attention to the requests."
CODEX_ASKED = "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary."
GEMINI_ASKED = "First, reason in your scratchpad. Then, generate the <state_snapshot>."
OPENCODE_ASKED = "Provide a detailed prompt for continuing our conversation above."


def kind(
    profile: Profile, said: str, result: str = "text", tools: int = 1, header: str = ""
) -> str:
    """Of a call whose last message holds the result of a tool, and then what is said."""
    messages = (
        Message("user", TASK),
        Message("assistant", "", uses=(ToolUse("r1", "read", {}),)),
        Message("user", said, results=(ToolResult("r1", result, is_error=False),)),
    )
    request = RequestBody("m", messages, ("read",) * tools, stream=True)
    naming = Naming(profile.threads, TASK)
    naming.name(1, {}, RequestBody("m", messages[:1], ("read",), stream=True), generation=True)
    headers = {"x-codex-turn-metadata": header} if header else {}
    return naming.name(2, headers, request, generation=True).kind


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(ASKED + WHOLE, id="2.0"),
        pytest.param(TEXT_ONLY + ASKED + WHOLE, id="2.1"),
        pytest.param(TEXT_ONLY + ASKED + PART, id="2.1, of a part"),
        pytest.param(TEXT_ONLY + ASKED + "this conversation. It will be", id="2.1, up to a place"),
    ],
)
def test_claude_codes_is_told_by_what_it_asks_though_it_offers_tools(said: str) -> None:
    assert kind(CLAUDE, said) == "background"


@pytest.mark.parametrize(
    ("said", "result"),
    [
        pytest.param("", TEXT_ONLY + ASKED + WHOLE, id="a file that holds the prompt"),
        pytest.param(
            f"The coordinator sent a message while you were working:\n{TEXT_ONLY}{ASKED}{WHOLE}",
            "text",
            id="a message of another agent",
        ),
        pytest.param(
            f"<system-reminder>\n{ASKED}{WHOLE}\n</system-reminder>", "text", id="a reminder"
        ),
        pytest.param(ASKED + "a.md and b.md.", "text", id="a task of the user's"),
        pytest.param(TEXT_ONLY + "Say what you found.", "text", id="another task of the user's"),
    ],
)
def test_what_only_looks_like_it_is_the_agents_own_call(said: str, result: str) -> None:
    assert kind(CLAUDE, said, result) == "main"


@pytest.mark.parametrize(
    ("profile", "said", "tools", "header"),
    [
        pytest.param(CODEX, CODEX_ASKED, 0, '{"turn_id":"t"}', id="Codex 0.118"),
        pytest.param(CODEX, CODEX_ASKED, 12, '{"request_kind":"compaction"}', id="Codex 0.171"),
        pytest.param(GEMINI, GEMINI_ASKED, 0, "", id="Gemini CLI"),
        pytest.param(OPENCODE, OPENCODE_ASKED, 0, "", id="OpenCode"),
    ],
)
def test_other_clis_say_it_in_a_header_or_offer_no_tools(
    profile: Profile, said: str, tools: int, header: str
) -> None:
    assert kind(profile, said, tools=tools, header=header) == "background"
    assert kind(profile, said, tools=1, header='{"request_kind":"turn"}') == "main"
