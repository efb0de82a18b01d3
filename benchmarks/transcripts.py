"""How long it takes to read sessions into trajectories, as a multiple of only decoding their rows.

    .venv/bin/python -m benchmarks.transcripts [--megabytes 25,50,100] [--memory] [FORMAT…]

The results are those of `benchmarks.reading_sessions`: `reads` are whole files and ranges, `mixed`
are results of 3 KB. Processor time, the best of three; the last column is the exponent x of
seconds ~ size^x. With `--memory`, instead, what a process takes at the most that reads one session
and turns it into what stood in each context: the whole of it, Python too.
"""

from __future__ import annotations

import argparse
import itertools
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import orjson

from benchmarks import transcript_rows as made
from benchmarks.reading_sessions import Result, Sessions, claude_rows, corpus
from evaluation.transcripts.atif_in import read_atif
from evaluation.transcripts.catalogue import read_session
from evaluation.transcripts.claude_code import read_claude_session
from evaluation.transcripts.codex import read_codex
from evaluation.transcripts.codex_exec import read_codex_exec
from evaluation.transcripts.context import context_log
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


FORMATS = {
    "claude-code": Format(claude_rows, read_claude_session),
    "codex": Format(made.codex_rows, read_codex),
    "codex-exec": Format(made.codex_exec_rows, read_codex_exec),
    "gemini-cli": Format(made.gemini_rows, read_gemini),
    "gemini-document": Format(
        made.gemini_rows,
        read_gemini,
        b'{"sessionId":"s-1","projectHash":"x","messages":[',
        b"]}",
    ),
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
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("formats", nargs="*", default=[*FORMATS, STORE])
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.megabytes.split(",")]
    texts = corpus(SEED)
    if arguments.memory:
        _print_memory(arguments.formats, sizes, texts)
        return
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


def _print_memory(formats: list[str], sizes: list[int], texts: dict[str, str]) -> None:
    for name, fixture, size in itertools.product(formats, ("reads", "mixed"), sizes):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "session")
            results = Sessions(texts, SEED).results(fixture)
            if name == STORE:
                made.write_store(path, results, size)
            else:
                _write(path, FORMATS[name], results, size)
            with get_context("spawn").Pool(1) as pool:
                peak = pool.apply(_peak, (path,))
        print(f"{name} {fixture} {size} MB: {peak} MiB at the most")


def _peak(path: Path) -> int:
    """MiB that this process took at the most. Not by `ru_maxrss`, which a parent's size is in."""
    context_log(read_session(path).trajectory)
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


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
