"""Sessions as Claude Code writes them, made by hand: prompts, reads, answers."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

BEGAN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""Of the first row; each row is a second later."""


@dataclass
class HandMade:
    """A session, row by row."""

    folder: str
    rows: list[dict[str, object]] = field(default_factory=list)
    calls: int = 0
    agent: str = ""
    """The sub-agent whose session it is; empty for the main agent's."""
    later: int = 0
    """Seconds by which all of it is later."""

    def prompt(self, text: str) -> HandMade:
        return self._row("user", {"role": "user", "content": text})

    def note(self, text: str) -> HandMade:
        """What the CLI says under the user's name."""
        return self._row("user", {"role": "user", "content": text}, isMeta=True)

    def reads(self, path: Path, first: int = 1, last: int | None = None) -> HandMade:
        """The Read tool shows some lines of a file, numbered."""
        lines = path.read_text().split("\n")[: -1 if last is None else last][first - 1 :]
        text = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, start=first))
        asked: dict[str, object] = {"file_path": str(path)}
        if first > 1 or last is not None:
            asked |= {"offset": first, "limit": len(lines)}
        return self.calls_tool("Read", asked, text)

    def edits(self, path: Path, old: str, new: str) -> HandMade:
        """The Edit tool puts a text in the place of another, in the file too."""
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
        arguments = {"file_path": str(path), "old_string": old, "new_string": new}
        return self.calls_tool("Edit", arguments, f"The file {path} has been updated.")

    def calls_tool(
        self,
        tool: str,
        arguments: Mapping[str, object],
        text: str,
        *,
        is_error: bool = False,
        **display: object,
    ) -> HandMade:
        self.calls += 1
        call = f"toolu_{self.agent}{self.calls:04}"
        use = {"type": "tool_use", "id": call, "name": tool, "input": dict(arguments)}
        self._answer([use])
        result: dict[str, object] = {
            "type": "tool_result", "tool_use_id": call, "content": text,
        }  # fmt: skip
        if is_error:
            result["is_error"] = True
        return self._row("user", {"role": "user", "content": [result]}, **display)

    def answers(self, text: str) -> HandMade:
        return self._answer([{"type": "text", "text": text}])

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(row)}\n" for row in self.rows))
        return path

    def _answer(self, content: Sequence[Mapping[str, object]]) -> HandMade:
        message = {
            "id": f"msg_{self.agent}{len(self.rows):04}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-5-5",
            "content": list(content),
            "stop_reason": None,
            "usage": {"input_tokens": 10, "output_tokens": 10},
        }
        return self._row("assistant", message)

    def _row(self, kind: str, message: Mapping[str, object], **more: object) -> HandMade:
        number = len(self.rows)
        time = (BEGAN + timedelta(seconds=number + self.later)).isoformat().replace("+00:00", "Z")
        row: dict[str, object] = {
            "parentUuid": self.rows[-1]["uuid"] if self.rows else None,
            "isSidechain": bool(self.agent),
            "userType": "external",
            "cwd": self.folder,
            "sessionId": "5e551011-0000-4000-8000-000000000001",
            "version": "2.1.332",
            "type": kind,
            "message": dict(message),
            "uuid": f"00000000-0000-4000-8000-{self.later:04}{number:08}",
            "timestamp": time,
            **({"agentId": self.agent} if self.agent else {}),
            **more,
        }
        self.rows.append(row)
        return self


def papers(folder: Path, count: int = 5, lines: int = 30) -> Path:
    """`docs/doc-1.md` and so on, each line of its own text, written long before the session."""
    docs = folder / "docs"
    docs.mkdir(parents=True)
    for number in range(1, count + 1):
        paper = docs / f"doc-{number}.md"
        paper.write_text("".join(f"line {n} of paper {number}\n" for n in range(1, lines + 1)))
        age(paper)
    return docs


def age(path: Path) -> None:
    """As if it was last written a day before the session."""
    time = BEGAN.timestamp() - 86_400
    os.utime(path, (time, time))
