"""How long it takes to read sessions into trajectories, as a multiple of only decoding their rows.

    .venv/bin/python -m benchmarks.transcripts [--megabytes 25,50,100] [FORMAT…]

The results are those of `benchmarks.reading_sessions`: `reads` are whole files and ranges, `mixed`
are results of 3 KB. Processor time, the best of three; the last column is the exponent x of
seconds ~ size^x.
"""

from __future__ import annotations

import argparse
import itertools
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from benchmarks import transcript_rows as made
from benchmarks.reading_sessions import Result, Sessions, corpus
from evaluation.transcripts.atif_in import read_atif
from evaluation.transcripts.claude_code import read_claude_session
from evaluation.transcripts.codex import read_codex
from evaluation.transcripts.codex_exec import read_codex_exec
from evaluation.transcripts.gemini_cli import read_gemini
from evaluation.transcripts.opencode import read_opencode
from evaluation.transcripts.opencode_export import read_opencode_export
from evaluation.transcripts.opencode_stream import read_opencode_stream
from evaluation.transcripts.trajectory import Trajectory

SEED = 7
ROUNDS = 3
MB = 1_000_000


@dataclass(frozen=True)
class Format:
    """One format, as it is written and read."""

    rows: Callable[[int, Result], Iterator[bytes]]
    read: Callable[[Path], Trajectory]
    head: bytes = b""
    """What stands before the rows, where they are the items of one document."""
    tail: bytes = b""


def claude_rows(number: int, result: Result) -> Iterator[bytes]:
    """A call and its result in Claude Code's session, with the copy for the display."""
    common = {
        "isSidechain": False,
        "timestamp": f"2026-11-30T12:00:00.{number % 1000:03}Z",
        "userType": "external",
        "entrypoint": "cli",
        "cwd": "/home/dev/review",
        "sessionId": "11111111-2222-3333-4444-555555555555",
        "version": "2.1.197",
        "gitBranch": "main",
    }
    call, asked, given = (f"{kind}{number:024}" for kind in ("toolu_01", "a-", "u-"))
    message = {
        "model": "claude-sonnet-5-5",
        "id": f"msg_01{number:022}",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": call, "name": result.tool, "input": result.arguments}
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "cache_read_input_tokens": 40_960, "output_tokens": 60},
    }
    row = {"parentUuid": f"u-{number - 1:024}", "type": "assistant", "uuid": asked}
    yield orjson.dumps({**row, "message": message, "requestId": f"req_{number}", **common})
    shown = {"tool_use_id": call, "type": "tool_result", "content": result.text}
    row = {"parentUuid": asked, "type": "user", "uuid": given}
    display = {"stdout": result.plain, "stderr": "", "interrupted": False, "isImage": False}
    content = {"role": "user", "content": [shown]}
    yield orjson.dumps({**row, "message": content, **common, "toolUseResult": display})


FORMATS = {
    "claude-code": Format(claude_rows, read_claude_session),
    "codex": Format(made.codex_rows, read_codex),
    "codex-exec": Format(made.codex_exec_rows, read_codex_exec),
    "gemini-cli": Format(made.gemini_rows, read_gemini),
    "opencode-run": Format(made.opencode_rows, read_opencode_stream),
    "opencode-export": Format(
        made.export_rows,
        read_opencode_export,
        b'{"info":{"id":"ses_1","version":"1.18.7","directory":"/"},"messages":[',
        b"]}",
    ),
    "atif": Format(
        made.atif_rows,
        read_atif,
        b'{"schema_version":"ATIF-v1.8","agent":{"name":"claude-code","version":"1"},"steps":[',
        b"]}",
    ),
}
STORE = "opencode"
"""A database, which is written and decoded in its own way."""


def main() -> None:
    """Print a line for each format, fixture and size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", default="25,50,100")
    parser.add_argument("formats", nargs="*", default=[*FORMATS, STORE])
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.megabytes.split(",")]
    texts = corpus(SEED)
    for name, fixture in itertools.product(arguments.formats, ("reads", "mixed")):
        taken: list[float] = []
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "session")
                results = Sessions(texts, SEED).results(fixture)
                if name == STORE:
                    rows = made.write_store(path, results, size)
                    decode = _best(made.decode_store, path)
                    taken.append(_best(read_opencode, path))
                else:
                    rows = _write(path, FORMATS[name], results, size)
                    decode = _best(_decode_all if FORMATS[name].head else _decode, path)
                    taken.append(_best(FORMATS[name].read, path))
            print(
                f"{name} {fixture} {size} MB {rows} rows: decoded in {decode:.2f} s, "
                f"read in {taken[-1]:.2f} s, {taken[-1] / decode:.2f}x"
            )
        if len(sizes) > 1:
            grown = math.log(taken[-1] / taken[0]) / math.log(sizes[-1] / sizes[0])
            print(f"{name} {fixture}: seconds ~ size^{grown:.2f}")


def _write(path: Path, one: Format, results: Iterator[Result], size: int) -> int:
    written = rows = 0
    with path.open("wb") as file:
        file.write(one.head)
        for number, result in enumerate(results, start=1):
            for row in one.rows(number, result):
                between = b"," if one.head and rows else b""
                written += file.write(between + row + (b"" if one.head else b"\n"))
                rows += 1
            if written > size * MB:
                break
        file.write(one.tail)
    return rows


def _decode_all(path: Path) -> None:
    orjson.loads(path.read_bytes())


def _decode(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)


def _best(action: Callable[[Path], object], path: Path) -> float:
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        action(path)
        taken.append(time.process_time() - began)
    return min(taken)


if __name__ == "__main__":
    main()
