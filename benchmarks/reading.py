"""How long it takes to measure sessions, as a multiple of only decoding their rows.

    .venv/bin/python -m benchmarks.reading [--fixtures reads,mixed,shell] [--full]

Three sessions over one corpus of 100,000 lines in 400 files, which are made here: `reads` are whole
files and ranges, numbered as Claude Code does; `mixed` are results of 3 KB (ranges, `sed -n`,
`grep -rn`, logs); `shell` is `cat`, `sed -n` and `grep -n`. The text stands once in a row. Each is
measured at 25, 50 and 100 MB in a process of its own, with --full at 300 MB too. Ratios are to
decoding each row and letting go of it, and to decoding all and keeping them; memory is that of
reading the rows one by one. The last line gives the exponent x of seconds ~ size^x. `grep` is
`LC_ALL=C grep -c -F -x -f CORPUS_LINES` over the text of the results without what tools put before
lines.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import orjson

from benchmarks.reading_sessions import FIXTURES, Sessions, corpus, rows
from evaluation.reading.context import MAIN, ContextLog, ContextText, FinalResponse, Thread
from evaluation.reading.engine import Reading, measure
from evaluation.transcripts.claude_code import TOOLS
from generators.lines import CorpusIndex

SEED = 7
ROUNDS = 3
SIZES = (25, 50, 100)
FULL = 300
MB = 1_000_000
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Linux counts in KiB, macOS in bytes."""


@dataclass(frozen=True)
class Taken:
    """Seconds of the processor, but for the last."""

    index: float
    decode: float
    """Decoding each row and letting go of it."""
    decode_all: float
    """Decoding all rows and keeping them, as the engine's input does."""
    first: float
    """Measuring, with what is made once per corpus when it is first needed."""
    read: float
    """Measuring again."""
    together: float
    """Decoding and measuring."""
    grep: float
    lines: int
    """That entered surely."""


def fastest(work: Callable[[], object]) -> float:
    """Seconds of the fastest of several rounds: the one with the least disturbance."""
    return min(seconds(work) for _ in range(ROUNDS))


def seconds(work: Callable[[], object]) -> float:
    """Seconds of the processor for one round."""
    start = time.process_time()
    work()
    return time.process_time() - start


def context(session: Iterable[bytes]) -> ContextLog:
    """The engine's input, from the rows of a session."""
    texts: list[ContextText] = []
    pairs = iter(session)
    for called, answered in zip(pairs, pairs, strict=True):
        use = orjson.loads(called)["message"]["content"][0]
        shown = orjson.loads(answered)["message"]["content"][0]
        texts.append(ContextText(MAIN, 1, use["id"], use["name"], use["input"], shown["content"]))
    return ContextLog((Thread(MAIN, "main"),), tuple(texts), FinalResponse("done", 1))


def write_session(fixture: str, size: int, folder: Path) -> None:
    """Write `session` and `plain`: the rows, and the text of their results."""
    texts = corpus(SEED)
    total = 0
    with (folder / "session").open("wb") as session, (folder / "plain").open("w") as plain:
        for number, result in enumerate(Sessions(texts, SEED).results(fixture)):
            for row in rows(number, result):
                total += session.write(row + b"\n")
            plain.write(result.plain)
            if total >= size * MB:
                return


def take_time(folder: Path) -> Taken:
    """Measure a session, its rows in memory."""
    texts = corpus(SEED)
    session = (folder / "session").read_bytes().splitlines()
    start = time.process_time()
    index = CorpusIndex.of(texts)
    indexed = time.process_time() - start

    def decode() -> None:
        for row in session:
            orjson.loads(row)

    decoded = fastest(decode)
    kept = fastest(lambda: list(map(orjson.loads, session)))
    log = context(session)
    readings: list[Reading] = []
    first = seconds(lambda: readings.append(measure(log, TOOLS, index)))
    read = fastest(lambda: measure(log, TOOLS, index))
    together = seconds(lambda: measure(context(session), TOOLS, index))
    patterns = folder / "corpus"
    patterns.write_text("".join(texts.values()))
    grep = ["grep", "-c", "-F", "-x", "-f", str(patterns), str(folder / "plain")]
    subprocess.run(grep, env=os.environ | {"LC_ALL": "C"}, check=True, stdout=subprocess.DEVNULL)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    grepped = children.ru_utime + children.ru_stime
    lines = sum(len(file.sure) for file in readings[0].union.files.values())
    return Taken(indexed, decoded, kept, first, read, together, grepped, lines)


def take_memory(folder: Path) -> int:
    """Measure a session, its rows read one by one; MB of memory, at most."""
    index = CorpusIndex.of(corpus(SEED))
    with (folder / "session").open("rb") as session:
        measure(context(session), TOOLS, index)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT // MB


def in_a_process(step: str, *arguments: str) -> str:
    """One step in a process of its own, so that its peak of memory is known."""
    command = [sys.executable, "-m", "benchmarks.reading", "--step", step, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def take(step: str, *arguments: str) -> None:
    """Do one step, and print what it found."""
    match step, arguments:
        case "write", (fixture, size, folder):
            write_session(fixture, int(size), Path(folder))
        case "time", (folder,):
            print(json.dumps(asdict(take_time(Path(folder)))))
        case "memory", (folder,):
            print(take_memory(Path(folder)))


def report(fixture: str, sizes: Sequence[int]) -> None:
    """Print a line for each size of a fixture, and the exponent."""
    print(fixture)
    taken = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            in_a_process("write", fixture, str(size), folder)
            one = Taken(**json.loads(in_a_process("time", folder)))
            peak = int(in_a_process("memory", folder))
        taken.append(one)
        print(
            f"  {size:4} MB: decode {one.decode:.2f} s, rows kept {one.decode_all:.2f} s;"
            f" engine {one.read:.2f} s = {one.read / one.decode:.1f}x,"
            f" {one.read / one.decode_all:.1f}x (first {one.first:.2f} s); both"
            f" {one.together:.2f} s; grep {one.grep / one.read:.1f} times the engine;"
            f" {one.lines:,} lines; peak {peak} MB"
        )
    slope = np.polyfit(np.log(sizes), np.log([one.read for one in taken]), 1)[0]
    print(f"  exponent {slope:.2f}; index {taken[0].index:.2f} s, once per corpus")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measures how long reading sessions takes.")
    parser.add_argument("--fixtures", default=",".join(FIXTURES), help="separated by commas")
    parser.add_argument("--full", action="store_true", help="300 MB too")
    parser.add_argument("--step", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        take(*asked.step)
        return
    for fixture in asked.fixtures.split(","):
        report(fixture, (*SIZES, FULL) if asked.full else SIZES)


if __name__ == "__main__":
    main()
