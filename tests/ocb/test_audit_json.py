"""`ocb audit --json` is what docs/audit.md says it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import pytest
from pydantic import JsonValue

from ocb.cli.main import run
from tests.evaluation.audit.sessions import HandMade, papers

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "audit.md"
ANY = frozenset(("rule", "thread"))
"""Stand for whatever keys there are."""

Shape: TypeAlias = "Mapping[str, Shape] | Sequence[Shape] | None"
"""Of an object its keys, of an array its items; of anything else nothing is said."""


@dataclass
class Written:
    """The shape as it is written: `{key, key: {key} | null, key: [[first, last], …]}`."""

    tokens: list[str] = field(default_factory=list)

    def shape(self) -> Shape:
        first = self.tokens.pop(0)
        found: Shape = None
        if first == "{":
            keys: dict[str, Shape] = {}
            while (key := self.tokens.pop(0)) != "}":
                if key != ",":
                    keys[key] = self._behind_colon()
            found = keys
        elif first == "[":
            items: list[Shape] = []
            while self.tokens[0] != "]":
                item = self.shape()
                items += [item] if item is not None else []
                while self.tokens[0] == ",":
                    self.tokens.pop(0)
            self.tokens.pop(0)
            found = items
        while self.tokens and self.tokens[0] == "|":
            self.tokens.pop(0)
            other = self.shape()
            found = other if found is None else found
        return found

    def _behind_colon(self) -> Shape:
        if self.tokens[0] != ":":
            return None
        self.tokens.pop(0)
        return self.shape()


def documented() -> Shape:
    text = DOCUMENT.read_text()
    block = text[text.index("{schema, session:") :].split("\n\n")[0]
    return Written(re.findall(r"[{}\[\]|:,]|\"[a-z]+\"|[a-z_]+|\u2026", block)).shape()


def assert_has(value: JsonValue, shape: Shape, where: str = "audit") -> None:
    """Every key that is promised is there, and no other; what may be null may be."""
    if value is None or shape is None:
        return
    if isinstance(shape, Mapping):
        assert isinstance(value, dict), where
        if not ANY.isdisjoint(shape):
            shape = dict.fromkeys(value, next(iter(shape.values())))
        assert set(value) == set(shape), where
        for key, one in value.items():
            assert_has(one, shape[key], f"{where}.{key}")
    else:
        assert isinstance(value, list), where
        for one in value:
            assert_has(one, shape[0] if shape else None, f"{where}[]")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    papers(tmp_path / "work")
    return tmp_path / "work"


def session(root: Path, prompt: str) -> str:
    """A sub-agent reads one of five papers, and the main agent claims all."""
    order = "Review docs/doc-4.md."
    agent = HandMade(str(root), agent="a1b2c3d4", later=2).prompt(order)
    agent.reads(root / "docs" / "doc-4.md").answers("I read docs/doc-4.md in full.")
    agent.write(root.parent / "kept" / "session" / "subagents" / "agent-a1b2c3d4.jsonl")
    made = HandMade(str(root)).prompt(prompt)
    made.calls_tool(
        "Agent", {"prompt": order}, "I read docs/doc-4.md in full.",
        toolUseResult={"status": "completed", "agentId": "a1b2c3d4"},
    )  # fmt: skip
    made.later = 100
    return str(made.answers("I read all 5 files.").write(root.parent / "kept" / "session.jsonl"))


def test_the_documented_shape_is_read_whole() -> None:
    shape = documented()
    assert isinstance(shape, Mapping)
    assert list(shape) == [
        *("schema", "session", "scope", "files", "claims", "coverage", "verdict", "evidence"),
        *("origin", "subagent_claims"),
    ]
    assert shape["coverage"] == {"main": None, "subagents": None, "union": None}


@pytest.mark.parametrize("prompt", ["Review docs/.", "What do the papers say?"])
def test_json_has_the_documented_shape(
    root: Path, capsys: pytest.CaptureFixture[str], prompt: str
) -> None:
    run(["audit", session(root, prompt), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert_has(found, documented())
    assert found["subagent_claims"][0]["claims"][0].keys() == {
        *("quote", "subject", "quantity", "status", "evidence")
    }
    assert (found["origin"] is None) == (found["scope"] is None)
