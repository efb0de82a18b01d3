"""Sessions over a made-up corpus, to time reading with. Everything follows from a seed.

The rows are those of Claude Code 2.1.197, field for field. It writes each result twice: as the
model was given it, and for the screen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import orjson
from pydantic import JsonValue

LINES = 250
"""In a file."""
FILES = 400
"""100,000 lines in all."""
WORDS = 6000
BOILERPLATE = 150
FIXTURES = ("reads", "mixed", "shell")


@dataclass(frozen=True)
class Result:
    """What a tool gave back."""

    tool: str
    arguments: dict[str, JsonValue]
    text: str
    plain: str
    """The same without what the tool put before each line."""


def corpus(seed: int, files: int = FILES) -> dict[str, str]:
    """Code and prose: one line in six is blank or stands in many files; one file in twenty is not
    ASCII, one in twenty is indented with tabs."""
    rng = random.Random(seed)
    letters = "etaoinshrdlucmfwypvbgk"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 10))) for _ in range(WORDS)]
    shared = ["", "", "", "    }", "        return None", "---"]
    shared += [" ".join(rng.choices(words, k=6)) for _ in range(BOILERPLATE)]
    texts: dict[str, str] = {}
    for number in range(files):
        lines: list[str] = []
        indent = "\t" if number % 20 == 7 else "    "
        for _ in range(LINES):
            if rng.random() < 1 / 6:
                lines.append(rng.choice(shared))
                continue
            own = f"{' '.join(rng.choices(words, k=rng.randint(3, 11)))} {rng.randint(0, 9999)}"
            lines.append(indent * rng.randint(0, 2) + own)
        if number % 20 == 3:
            lines[0] += " \u2014 d\u00e9j\u00e0 vu"
        folder = f"part-{number // 20:02}"
        texts[f"{folder}/{words[number]}-{number:03}.md"] = "".join(f"{li}\n" for li in lines)
    return texts


class Sessions:
    """Makes the results of one session after another."""

    def __init__(self, texts: dict[str, str], seed: int) -> None:
        self._rng = random.Random(seed)
        self._paths = sorted(texts)
        self._lines = {path: text.split("\n")[:-1] for path, text in texts.items()}

    def results(self, fixture: str) -> Iterator[Result]:
        """Results without end."""
        kinds: dict[str, tuple[tuple[Callable[[], Result], ...], tuple[int, ...]]] = {
            "reads": ((self._whole, self._range), (60, 40)),
            "mixed": (
                (self._range, self._sed, self._grep_many, self._log),
                (45, 30, 15, 10),
            ),
            "shell": (
                (self._cat, self._sed, self._grep_one, self._grep_many),
                (35, 35, 15, 15),
            ),
        }
        makers, weights = kinds[fixture]
        while True:
            yield self._rng.choices(makers, weights)[0]()

    def _some(self) -> str:
        return self._rng.choice(self._paths)

    def _read(self, path: str, first: int, last: int) -> Result:
        lines = self._lines[path][first - 1 : last]
        numbered = [f"{number}\t{line}" for number, line in enumerate(lines, start=first)]
        arguments: dict[str, JsonValue] = {"file_path": f"/home/dev/review/{path}"}
        if last == len(self._lines[path]):
            numbered.append(f"{last + 1}\t")
        if first > 1 or last < len(self._lines[path]):
            arguments |= {"offset": first, "limit": last - first + 1}
        return Result("Read", arguments, "\n".join(numbered), _ended(lines))

    def _whole(self) -> Result:
        path = self._some()
        return self._read(path, 1, len(self._lines[path]))

    def _range(self) -> Result:
        first = self._rng.randint(1, LINES - 60)
        return self._read(self._some(), first, first + self._rng.randint(40, 60))

    def _bash(self, command: str, text: str, plain: str) -> Result:
        return Result("Bash", {"command": command, "description": "Read"}, text, plain)

    def _cat(self) -> Result:
        path = self._some()
        text = _ended(self._lines[path])
        return self._bash(f"cat {path}", text, text)

    def _sed(self) -> Result:
        path, first = self._some(), self._rng.randint(1, LINES - 70)
        last = first + self._rng.randint(50, 70)
        text = _ended(self._lines[path][first - 1 : last])
        return self._bash(f"sed -n '{first},{last}p' {path}", text, text)

    def _grep_one(self) -> Result:
        path = self._some()
        found = sorted(self._rng.sample(range(1, LINES + 1), 60))
        lines = [self._lines[path][number - 1] for number in found]
        shown = [f"{number}:{line}" for number, line in zip(found, lines, strict=True)]
        return self._bash(f"grep -n 'e' {path}", _ended(shown), _ended(lines))

    def _grep_many(self) -> Result:
        shown: list[str] = []
        plain: list[str] = []
        for path in sorted(self._rng.sample(self._paths, 8)):
            for number in sorted(self._rng.sample(range(1, LINES + 1), 5)):
                line = self._lines[path][number - 1]
                shown.append(f"{path}:{number}:{line}")
                plain.append(line)
        return self._bash("grep -rn 'st' .", _ended(shown), _ended(plain))

    def _log(self) -> Result:
        rng = self._rng
        lines = [
            f"2026-11-{rng.randint(1, 30):02} 12:{rng.randint(0, 59):02}:07 INFO  app.worker-"
            f"{rng.randint(1, 9)}: job {rng.randint(0, 10**6)} done in {rng.random():.3f} s"
            for _ in range(40)
        ]
        return self._bash("tail -n 40 /var/log/app.log", _ended(lines), _ended(lines))


def _ended(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


PROMPT = "Read what is in this folder and tell what you found."
ANSWER = "I read what was asked for."
USAGE: dict[str, JsonValue] = {
    "input_tokens": 9,
    "cache_creation_input_tokens": 512,
    "cache_read_input_tokens": 40_960,
    "output_tokens": 60,
    "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
    "service_tier": "standard",
    "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 512},
    "inference_geo": "",
    "iterations": [],
    "speed": "standard",
}


def claude_rows(number: int, result: Result, copies: int = 2) -> Iterator[bytes]:
    """A call and its result, with the text of the result once or twice."""
    call, asked = f"toolu_01{number:022}", _uuid("a", number)
    use: dict[str, JsonValue] = {
        "type": "tool_use",
        "id": call,
        "name": result.tool,
        "input": result.arguments,
    }
    yield _answer(number, asked, [use], "tool_use")
    shown: dict[str, JsonValue] = {
        "tool_use_id": call,
        "type": "tool_result",
        "content": result.text,
    }
    if result.tool == "Read":
        lines = result.plain.count("\n")
        place = {"numLines": lines, "startLine": 1, "totalLines": LINES}
        file = {"filePath": result.arguments["file_path"], "content": result.plain, **place}
        display: dict[str, JsonValue] = {"type": "text", "file": file}
    else:
        flags = {"interrupted": False, "isImage": False, "noOutputExpected": False}
        display = {"stdout": result.text, "stderr": "", **flags}
    row: dict[str, JsonValue] = {
        "parentUuid": asked,
        "isSidechain": False,
        "promptId": _uuid("p", 1),
        "type": "user",
        "message": {"role": "user", "content": [shown]},
        "uuid": _uuid("b", number),
        "timestamp": _time(number),
    }
    kept = {"toolUseResult": display} if copies > 1 else {}
    yield orjson.dumps({**row, **kept, "sourceToolAssistantUUID": asked, **COMMON})


def claude_session(
    results: Iterator[Result], size: int, copies: int = 2
) -> Iterator[tuple[bytes, str]]:
    """The rows of a session of at least so many bytes, each with the text without what tools put
    before lines."""
    prompt = {
        "parentUuid": None,
        "isSidechain": False,
        "type": "user",
        "message": {"role": "user", "content": PROMPT},
        "uuid": _uuid("b", 0),
        "timestamp": _time(0),
    }
    written = 0
    yield orjson.dumps({**prompt, **COMMON}), ""
    for number in count(1):
        if written > size:
            said: dict[str, JsonValue] = {"type": "text", "text": ANSWER}
            yield _answer(number, _uuid("a", number), [said], "end_turn"), ""
            return
        result = next(results)
        asked, given = claude_rows(number, result, copies)
        yield asked, ""
        yield given, result.plain
        written += len(asked) + len(given) + 2


COMMON: dict[str, JsonValue] = {
    "userType": "external",
    "entrypoint": "cli",
    "cwd": "/home/dev/review",
    "sessionId": "11111111-2222-3333-4444-555555555555",
    "version": "2.1.197",
    "gitBranch": "main",
}


def _answer(number: int, uuid: str, content: list[JsonValue], reason: str) -> bytes:
    message = {
        "id": f"msg_01{number:022}",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": USAGE,
        "stop_details": None,
    }
    row = {"parentUuid": _uuid("b", number - 1), "isSidechain": False, "message": message}
    more = {"type": "assistant", "uuid": uuid, "timestamp": _time(number)}
    return orjson.dumps({**row, "requestId": f"req_01{number:022}", **more, **COMMON})


def _uuid(kind: str, number: int) -> str:
    return f"{kind * 8}-0000-4000-8000-{number:012}"


def _time(number: int) -> str:
    minutes, seconds = divmod(number // 10, 60)
    return f"2026-11-30T{minutes // 60:02}:{minutes % 60:02}:{seconds:02}.{number % 10}00Z"


def write_corpus(texts: dict[str, str], folder: Path) -> None:
    """The files of a corpus, in a folder."""
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
