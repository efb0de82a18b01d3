"""Nothing of an operator's own set-up reaches the model, for each production CLI.

Each CLI is also run bare, as its operator would: then the words do come through. Without that, a
word in a place where no CLI looks would prove nothing.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluation.agents.catalogue import PROGRAMS, make_harness
from evaluation.sandboxes.catalogue import choose
from ocb.canary import EVERYONES, Operator, lay_out, run_canary
from tests.e2e.bare_model import BareModel

TOOLS = Path(__file__).parents[2] / ".tools"


@dataclass(frozen=True)
class Bare:
    """A CLI as its operator starts it, with `{url}` of the model's server."""

    command: tuple[str, ...]
    variables: dict[str, str]
    comes_through: frozenset[str]
    """Places whose words the model then sees."""


BARE = {
    "claude-code": Bare(
        command=("{program}", "--print", "Say hello."),
        variables={
            "ANTHROPIC_BASE_URL": "{url}",
            "ANTHROPIC_API_KEY": "placeholder",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
        comes_through=frozenset(
            ("~/.claude/CLAUDE.md", "~/.claude/settings.json", "../CLAUDE.md", "../.git/HEAD")
        ),
    ),
    "codex": Bare(
        command=(
            *("{program}", "exec", "--skip-git-repo-check", "-c", "model_provider=p", "-c"),
            (
                'model_providers.p={name="p",base_url="{url}/v1",env_key="OPENAI_API_KEY",'
                'wire_api="responses",request_max_retries=0,stream_max_retries=0}'
            ),
            "Say hello.",
        ),
        variables={"OPENAI_API_KEY": "placeholder"},
        comes_through=frozenset(
            (
                *("~/.codex/AGENTS.md", "~/.codex/config.toml", "../AGENTS.md"),
                *("~/.codex/skills/helper/SKILL.md", "~/.agents/skills/helper/SKILL.md"),
                *("../.codex/skills/helper/SKILL.md", "../.agents/skills/helper/SKILL.md"),
                "~/.codex/agents/helper.toml",
            )
        ),
    ),
    "gemini-cli": Bare(
        command=("{program}", "--approval-mode", "yolo", "--prompt", "Say hello."),
        variables={
            "GOOGLE_GEMINI_BASE_URL": "{url}",
            "GEMINI_API_KEY": "placeholder",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        comes_through=frozenset(
            (
                *("~/.gemini/GEMINI.md", "~/.gemini/NOTES.md", "~/.gemini/settings.json"),
                *("~/.gemini/skills/helper/SKILL.md", "~/.gemini/agents/helper.md"),
                *("~/.gemini/extensions/helper/HELPER.md", "../GEMINI.md", "../.gemini/.env"),
            )
        ),
    ),
    "opencode": Bare(
        command=("{program}", "run", "--model", "provider/m", "Say hello."),
        variables={
            "OPENCODE_CONFIG_CONTENT": '{"provider": {"provider": {"models": {"m": {}}, "npm": '
            '"@ai-sdk/openai-compatible", "options": {"baseURL": "{url}/v1", "apiKey": "x"}}}}',
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "npm_config_registry": "{url}",  # it would install a package for plug-ins
            "npm_config_offline": "true",
        },
        comes_through=frozenset(
            (
                *("~/.config/opencode/AGENTS.md", "~/.config/opencode/plugin/helper.js"),
                *("~/.opencode/agent/helper.md", "~/notes.md", "../AGENTS.md", "../opencode.json"),
                "../.opencode/plugin/helper.js",
            )
        ),
    ),
}


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_nothing_of_the_operator_reaches_the_model(name: str, tmp_path: Path) -> None:
    result = run_canary(name, make_harness(name, TOOLS), choose("bubblewrap"), tmp_path)
    assert (result.outcome.kind, result.leaked) == ("completed", ())
    assert result.places > len(EVERYONES)


@pytest.mark.parametrize("name", sorted(BARE))
def test_without_ocb_the_same_words_do_reach_it(name: str, tmp_path: Path) -> None:
    profile = make_harness(name, TOOLS).profile
    operator = lay_out(tmp_path, (*EVERYONES, *profile.operator))
    shown = asyncio.run(run_bare(name, BARE[name], operator))
    seen = {place for place, word in operator.words.items() if word in shown}
    assert seen >= BARE[name].comes_through


async def run_bare(name: str, bare: Bare, operator: Operator) -> str:
    """All that a CLI sends when its operator starts it in a folder of theirs."""
    corpus = operator.above / "corpus"
    corpus.mkdir()
    corpus.joinpath("notes.txt").write_text("One line.\n")
    program = str(PROGRAMS[name].installed(TOOLS))
    async with BareModel() as model:

        def filled(text: str) -> str:
            return text.replace("{url}", model.url).replace("{program}", program)

        await asyncio.to_thread(
            subprocess.run,
            [filled(part) for part in bare.command],
            cwd=corpus,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(operator.home),
                **{key: filled(value) for key, value in bare.variables.items()},
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return model.received
