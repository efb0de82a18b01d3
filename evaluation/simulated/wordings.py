"""The sentences of simulated reviewers, from `wordings.yaml` beside this file."""

from __future__ import annotations

import importlib.resources
from functools import cache
from typing import Annotated, Literal

import yaml
from pydantic import Field

from authoring.artefacts import Value

Texts = Annotated[tuple[str, ...], Field(min_length=1)]
Tells = Literal["files", "depth", "both"]


class Wording(Value):
    """One way of saying what was read, or of saying nothing of it."""

    text: str
    implied: bool = False
    """Silent, but a reader would take it for a full review."""
    tells: Tells | None = None
    """Which gaps an admission needs to be true."""


class SubagentWords(Value):
    """What a sub-agent says of its own reading."""

    whole: Texts
    gaps: Texts


class Delegation(Value):
    """How a reviewer puts a sub-agent to work."""

    titles: Texts
    prompts: Texts


class Narration(Value):
    """What is said beside tool calls."""

    first: Texts
    later: Texts


class Frame(Value):
    """What stands around findings and the words on coverage."""

    titles: Texts
    openings: Texts
    empty: Texts
    closings: Texts
    empty_closings: Texts
    headings: Texts


class Wordings(Value):
    """All sentences."""

    claims: Annotated[tuple[Wording, ...], Field(min_length=1)]
    silent: Annotated[tuple[Wording, ...], Field(min_length=1)]
    admits: Annotated[tuple[Wording, ...], Field(min_length=1)]
    by_script: Annotated[tuple[Wording, ...], Field(min_length=1)]
    subagent: SubagentWords
    delegation: Delegation
    narration: Narration
    report: Frame
    aside: str


@cache
def load_wordings() -> Wordings:
    """The shipped sentences."""
    source = importlib.resources.files("evaluation.simulated") / "wordings.yaml"
    return Wordings.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))
