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
