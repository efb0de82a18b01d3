"""How long it takes to score sessions, as a multiple of only decoding their rows.

    .venv/bin/python -m benchmarks.reading [--fixtures reads,mixed,shell] [--copies 1,2] [--full]

To score is to read a session file, to gather what its threads were given, and to measure that
against a corpus that was indexed before. The sessions are made here, in Claude Code's rows, over a
corpus of 100,000 lines in 400 files: `reads` are whole files and ranges; `mixed` are results of
3 KB (ranges, `sed -n`, `grep -rn`, logs); `shell` is `cat`, `sed -n` and `grep -n`. Each is made
with the text of a result once in its row, and twice as Claude Code itself writes it; at 25, 50 and
100 MB, with --full at 300 MB too. Each is measured in a process of its own.

Ratios are of processor time. The first is to decoding the file's rows with orjson and letting go of
each; `in memory` is to the same without reading the file. `grep` is `LC_ALL=C grep -c -F -x -f
CORPUS_LINES` over the text of the results without what tools put before lines. Memory is the peak
of the whole of `ocb audit` over the session. Exponents x are of seconds and of MB ~ size^x, and of
seconds ~ lines^x for sessions over corpora of three sizes. At last, 10,000 sessions of 50 KB, one
after another.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import orjson

from benchmarks.reading_sessions import FILES, FIXTURES, LINES, Sessions, claude_session, corpus
from benchmarks.reading_sessions import write_corpus as write_files
from evaluation.audit.audit import Request, audit
from evaluation.audit.session import open_session
from evaluation.judging.catalogue import DEFAULT, judge_named
from evaluation.reading.engine import Reading, measure
from evaluation.transcripts.catalogue import read_session
from evaluation.transcripts.context import context_log
from evaluation.transcripts.json_lines import BUFFER
from generators.lines import CorpusIndex

SEED = 7
ROUNDS = 3
SIZES = (25, 50, 100)
FULL = 300
CORPORA = (FILES // 4, FILES // 2, FILES)
SMALL = 50_000
SMALL_SESSIONS = 10_000
MB = 1_000_000
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Linux counts in KiB, macOS in bytes."""


@dataclass(frozen=True)
class Taken:
    """Seconds of the processor, but for the last two."""

    index: float
    decode: float
    """Decoding each row of the file and letting go of it."""
    decode_in_memory: float
    first: float
    """Scoring, with what is made once per corpus when it is first needed."""
    score: float
    """Scoring again: the next three together."""
    read: float
    context: float
    measure: float
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


def write_session(fixture: str, copies: int, size: int, files: int, folder: Path) -> None:
    """Write `session.jsonl` and `plain`: the rows, and the text of their results."""
    results = Sessions(corpus(SEED, files), SEED).results(fixture)
    with (folder / "session.jsonl").open("wb") as rows, (folder / "plain").open("w") as plain:
        for row, text in claude_session(results, size * MB, copies):
            rows.write(row + b"\n")
            plain.write(text)


def decode(path: Path) -> None:
    """Decode the rows of a file."""
    with path.open("rb", BUFFER) as file:
        for row in file:
            orjson.loads(row)


def fastest_of_rows(rows: Sequence[bytes]) -> float:
    """Seconds of decoding rows in memory and letting go of each."""

    def decode_rows() -> None:
        for row in rows:
            orjson.loads(row)

    return fastest(decode_rows)


def score(path: Path, index: CorpusIndex) -> Reading:
    """Score a session."""
    session = read_session(path)
    return measure(context_log(session.trajectory), session.tools, index)


def take_time(folder: Path) -> Taken:
    """Score a session."""
    texts = corpus(SEED)
    path = folder / "session.jsonl"
    start = time.process_time()
    index = CorpusIndex.of(texts)
    indexed = time.process_time() - start
    decoded = fastest(lambda: decode(path))
    in_memory = fastest_of_rows(path.read_bytes().splitlines())
    readings: list[Reading] = []
    first = seconds(lambda: readings.append(score(path, index)))
    scored = fastest(lambda: score(path, index))
    read = fastest(lambda: read_session(path))
    session = read_session(path)
    gathered = fastest(lambda: context_log(session.trajectory))
    log = context_log(session.trajectory)
    measured = fastest(lambda: measure(log, session.tools, index))
    lines = sum(len(file.sure) for file in readings[0].union.files.values())
    grepped = _grep(texts, folder)
    return Taken(
        indexed, decoded, in_memory, first, scored, read, gathered, measured, grepped, lines
    )


def _grep(texts: dict[str, str], folder: Path) -> float:
    patterns = folder / "corpus"
    patterns.write_text("".join(texts.values()))
    command = ["grep", "-c", "-F", "-x", "-f", str(patterns), str(folder / "plain")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=os.environ | {"LC_ALL": "C"}, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def take_corpus(folder: Path, files: int) -> float:
    """Score a session, against a corpus of so many files; seconds."""
    index = CorpusIndex.of(corpus(SEED, files))
    score(folder / "session.jsonl", index)
    return fastest(lambda: score(folder / "session.jsonl", index))


def take_memory(folder: Path) -> int:
    """Audit a session as the command does; MB of memory, at most."""
    root = folder / "root"
    write_files(corpus(SEED), root)
    session = open_session(folder / "session.jsonl")
    audit(Request(session, root, scope=("**",)), judge_named(DEFAULT))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT // MB


def take_small(folder: Path) -> float:
    """Score many small sessions; sessions a second."""
    texts = corpus(SEED)
    made = Sessions(texts, SEED)
    paths = []
    for number in range(SMALL_SESSIONS):
        path = folder / f"{number}.jsonl"
        rows = claude_session(made.results(FIXTURES[number % len(FIXTURES)]), SMALL)
        path.write_bytes(b"".join(row + b"\n" for row, _ in rows))
        paths.append(path)
    index = CorpusIndex.of(texts)

    def score_all() -> None:
        for path in paths:
            score(path, index)

    return SMALL_SESSIONS / seconds(score_all)


def in_a_process(step: str, *arguments: str) -> str:
    """One step in a process of its own, so that its peak of memory is known."""
    command = [sys.executable, "-m", "benchmarks.reading", "--step", step, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def take(step: str, *arguments: str) -> None:
    """Do one step, and print what it found."""
    match step, arguments:
        case "write", (fixture, copies, size, files, folder):
            write_session(fixture, int(copies), int(size), int(files), Path(folder))
        case "time", (folder,):
            print(json.dumps(asdict(take_time(Path(folder)))))
        case "corpus", (folder, files):
            print(take_corpus(Path(folder), int(files)))
        case "memory", (folder,):
            print(take_memory(Path(folder)))
        case "small", (folder,):
            print(take_small(Path(folder)))


def report(fixture: str, copies: int, sizes: Sequence[int]) -> None:
    """Print a line for each size of a fixture, and the exponents."""
    print(f"{fixture}, text {'once' if copies == 1 else 'twice'} in a row")
    taken: list[Taken] = []
    peaks: list[int] = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            in_a_process("write", fixture, str(copies), str(size), str(FILES), folder)
            one = Taken(**json.loads(in_a_process("time", folder)))
            peaks.append(int(in_a_process("memory", folder)))
        taken.append(one)
        print(
            f"  {size:4} MB: decode {one.decode:.2f} s (in memory {one.decode_in_memory:.2f});"
            f" score {one.score:.2f} s = {one.score / one.decode:.1f}x (in memory"
            f" {one.score / one.decode_in_memory:.1f}x): read {one.read:.2f}, context"
            f" {one.context:.2f}, measure {one.measure:.2f}; first {one.first:.2f} s;"
            f" grep {one.grep / one.score:.1f} times that; {one.lines:,} lines;"
            f" audit peaks at {peaks[-1]} MB",
            flush=True,
        )
    by_corpus = [_by_corpus(fixture, copies, files) for files in CORPORA]
    print(
        f"  exponents: seconds {_slope(sizes, [one.score for one in taken]):.2f}, memory"
        f" {_slope(sizes, peaks):.2f}; of the corpus, seconds {_slope(CORPORA, by_corpus):.2f};"
        f" index of {FILES * LINES:,} lines {taken[0].index:.2f} s"
    )


def _by_corpus(fixture: str, copies: int, files: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        in_a_process("write", fixture, str(copies), str(min(SIZES)), str(files), folder)
        return float(in_a_process("corpus", folder, str(files)))


def _slope(sizes: Sequence[int], found: Sequence[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(found), 1)[0])


def report_small() -> None:
    """Print how many small sessions are scored in a second."""
    with tempfile.TemporaryDirectory() as folder:
        rate = float(in_a_process("small", folder))
    print(f"{SMALL_SESSIONS:,} sessions of {SMALL // 1000} KB: {rate:.0f} a second")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measures how long scoring sessions takes.")
    parser.add_argument("--fixtures", default=",".join(FIXTURES), help="separated by commas")
    parser.add_argument("--copies", default="1,2", help="of the text in a row, with commas")
    parser.add_argument("--full", action="store_true", help="300 MB too")
    parser.add_argument("--step", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        take(*asked.step)
        return
    kinds = itertools.product(asked.fixtures.split(","), map(int, asked.copies.split(",")))
    for fixture, copies in kinds:
        report(fixture, copies, (*SIZES, FULL) if asked.full else SIZES)
    report_small()


if __name__ == "__main__":
    main()
