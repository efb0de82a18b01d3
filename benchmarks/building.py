"""How long it takes to build scenarios, and how the time grows with what is built.

    .venv/bin/python benchmarks/building.py [--sizes small,standard,…] [SPEC…]

Without a SPEC all shipped scenarios are built: first at `standard` by one command, as a user would,
then size by size. Each build runs in a process of its own, whose peak memory is printed; the
seconds leave out the start of the process. The last line of a scenario gives the exponents x and y
of seconds ~ files^x and seconds ~ tokens^y over its sizes: 1 is linear.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from authoring.loading import load_spec
from authoring.spec import SIZES, Size
from generators.catalogue import describe
from generators.tokens import count_tokens
from ocb.building import BuildFailure, BuildOrder, make_build
from ocb.shipped import find_spec, shipped_specs

KIB = 1024
MIB = 1024 * KIB
MAXRSS_UNIT = 1 if sys.platform == "darwin" else KIB
"""Linux counts in KiB, macOS in bytes."""


@dataclass(frozen=True)
class Measured:
    """One build."""

    size: Size
    files: int
    tokens: int
    seconds: float
    peak: int
    """Bytes that the process held at most."""


def measure(order: BuildOrder) -> Measured | BuildFailure:
    """Build in this process, which does nothing else."""
    count_tokens("The tokenizer is read once a process, however much is built.")
    start = time.perf_counter()
    made = make_build(order)
    seconds = time.perf_counter() - start
    if isinstance(made, BuildFailure):
        return made
    return Measured(made.size, made.files, made.tokens, seconds, peak_memory())


def peak_memory() -> int:
    """Bytes that this process held at most."""
    status = Path("/proc/self/status")
    if status.is_file():
        # What getrusage says goes on from the parent's peak, since a process starts as its copy.
        found = re.search(r"^VmHWM:\s+(\d+) kB", status.read_text(), re.MULTILINE)
        if found:
            return int(found[1]) * KIB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of log seconds over log size, by least squares. NaN for one size."""
    xs, ys = [math.log(size) for size in sizes], [math.log(second) for second in seconds]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    if not spread:
        return math.nan
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread


def measure_scenario(path: Path, sizes: Sequence[Size], folder: Path) -> None:
    """Print a line for each size of one scenario, and its exponents."""
    spec = load_spec(path, describe())
    print(spec.id)
    context = multiprocessing.get_context("spawn")
    done: list[Measured] = []
    for size in sizes:
        if size not in spec.corpus.sizes:
            continue
        order = BuildOrder(spec, path.parent, size, seed=None, placement=0, parent=folder)
        with context.Pool(1, maxtasksperchild=1) as pool:
            one = pool.apply(measure, (order,))
        if isinstance(one, BuildFailure):
            print(f"  {size:<9} failed: {one.message}")
            continue
        done.append(one)
        print(
            f"  {size:<9} {one.files:5} files {one.tokens:10,} tokens"
            f" {one.seconds:8.2f} s {one.peak / MIB:7.0f} MiB"
        )
    if len(done) > 1:
        seconds = [one.seconds for one in done]
        print(
            f"  exponent: {exponent([one.files for one in done], seconds):.2f} over files,"
            f" {exponent([one.tokens for one in done], seconds):.2f} over tokens"
        )


def measure_command(specs: Sequence[str], folder: Path) -> None:
    """Print what one command takes that builds all of them at `standard`."""
    code = "from ocb.cli.main import main; main()"
    arguments = ["author", "build", *specs, "-o", str(folder)]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=False, capture_output=True, text=True
    )
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * MAXRSS_UNIT
    print(
        f"all {len(specs)} at standard by one command on {os.cpu_count()} cores: {seconds:.1f} s,"
        f" largest process {peak / MIB:.0f} MiB"
    )
    if done.returncode:
        print(done.stderr.rstrip())


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measures how long scenarios take to build.")
    parser.add_argument("--sizes", default=",".join(SIZES), help="separated by commas")
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    asked = parser.parse_args()
    names: list[str] = asked.specs or list(shipped_specs())
    sizes = [cast("Size", size) for size in asked.sizes.split(",") if size in SIZES]
    with tempfile.TemporaryDirectory() as folder:
        # First: the peak is that of the largest process that was waited for so far.
        measure_command(names, Path(folder) / "command")
        for name in names:
            measure_scenario(find_spec(name), sizes, Path(folder) / "sizes")


if __name__ == "__main__":
    main()
