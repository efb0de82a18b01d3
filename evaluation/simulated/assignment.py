"""What a simulated reviewer is given before its run: the corpus and its defects, tools, a seed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from evaluation.simulated.hands import Call, Hands
from evaluation.simulated.model import ModelSpec
from evaluation.simulated.recall import lines_of
from generators.manifest import Manifest, Role
from generators.registry import Registry

SLOT = re.compile(r"\{(path|prompt|title|pattern|command|quoted|first|last|count|report|agent)\}")


@dataclass(frozen=True)
class Assignment:
    """One run of one simulated model. It knows the corpus from disk, never from the agent."""

    model: ModelSpec
    registry: Registry
    manifest: Manifest
    texts: Mapping[str, str]
    """The corpus: path to text."""
    hands: Hands
    folder: str
    """The corpus as the agent sees it; empty or `.` where its tools take relative paths."""
    seed: int
    lines: Mapping[str, tuple[str, ...]] = field(init=False)
    """The corpus by lines, files without any left out: they are in no count."""

    def __post_init__(self) -> None:
        lines = {path: tuple(lines_of(text)) for path, text in self.texts.items()}
        object.__setattr__(self, "lines", {path: found for path, found in lines.items() if found})

    @property
    def draw(self) -> str:
        """What every choice in this run is drawn with."""
        return f"{self.seed}.{self.model.draw}" if self.model.draw else str(self.seed)

    def files(self, role: Role) -> tuple[str, ...]:
        """Paths of the files of a role that have lines, sorted."""
        wanted = (file.path for file in self.manifest.files if file.role == role)
        return tuple(sorted(path for path in wanted if path in self.lines))

    def locate(self, path: str = "") -> str:
        """A path as the agent's tools take it; without one, the folder itself."""
        folder = self.folder.rstrip("/") if self.folder != "/" else ""
        if folder in ("", "."):
            return path or self.folder or "."
        return f"{folder}/{path}" if path else folder


@dataclass(frozen=True)
class Filling:
    """What goes into the open places of a call's arguments."""

    path: str = ""
    prompt: str = ""
    title: str = ""
    pattern: str = ""
    command: str = ""
    first: int = 1
    count: int = 1
    report: str = ""
    agent: str = "{agent}"
    """Known once the call that starts a sub-agent has its result; until then it stays open."""

    @property
    def last(self) -> int:
        """The last line of the range, counted from 1."""
        return self.first + self.count - 1


def fill(call: Call, filling: Filling) -> dict[str, JsonValue]:
    """The arguments of a call with its places filled in."""
    return {name: _filled(value, filling) for name, value in call.arguments.items()}


def _filled(value: JsonValue, filling: Filling) -> JsonValue:
    if isinstance(value, list):
        return [_filled(item, filling) for item in value]
    if isinstance(value, dict):
        return {name: _filled(item, filling) for name, item in value.items()}
    if not isinstance(value, str):
        return value
    numbers = {"first": filling.first, "last": filling.last, "count": filling.count}
    alone = SLOT.fullmatch(value)
    if alone and alone[1] in numbers:
        return numbers[alone[1]]
    texts = {"path": filling.path, "prompt": filling.prompt, "title": filling.title}
    texts |= {name: str(number) for name, number in numbers.items()}
    texts |= {"pattern": filling.pattern, "command": filling.command}
    texts |= {"quoted": json.dumps(filling.command)}
    texts |= {"report": filling.report, "agent": filling.agent}
    return SLOT.sub(lambda slot: texts[slot[1]], value)
