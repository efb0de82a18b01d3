"""How long it takes to measure runs, as a multiple of only decoding their wires.

    .venv/bin/python benchmarks/reading.py RUNS BUILD

RUNS is the folder of a sweep, BUILD the build that it was made on. Nothing is written.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from authoring.artefacts import read_artefact
from evaluation.agents.catalogue import make_harness
from evaluation.gateway.context import context_log
from evaluation.gateway.wire import read_wire
from evaluation.reading.engine import measure
from evaluation.run import RunPaths, RunRecord
from generators.build import load_build
from generators.lines import CorpusIndex

ROUNDS = 5


def fastest(work: Callable[[], object]) -> float:
    """Seconds of the fastest of several rounds: the one with the least disturbance."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main(runs: Path, build: Path) -> None:
    """Print one ratio a run."""
    index = CorpusIndex.of(load_build(build).texts)
    for record in sorted(runs.rglob("run.json")):
        paths = RunPaths(record.parent)
        key = read_artefact(record, RunRecord).key
        tools = make_harness(key.harness, Path(".tools")).profile.tools
        rows = tuple(read_wire(paths.wire))

        def decode() -> None:
            for row in rows:  # noqa: B023 - called in this very round of the loop
                orjson.loads(row.request)

        def read() -> None:
            measure(context_log(rows), tools, index)  # noqa: B023 - the same

        decoded, read_in = fastest(decode), fastest(read)
        print(f"{read_in / decoded:6.1f}x  {1000 * read_in:7.1f} ms  {key.model} {key.repetition}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
