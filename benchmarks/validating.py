"""How long validation takes beside building the same scenarios, and how it grows with the corpus.

    .venv/bin/python benchmarks/validating.py [--sizes small,standard,long] [SPEC…]

Without a SPEC all shipped scenarios: first all at `standard` by one command, as a user would, then
each size by itself in one process. Seconds are those of the processors, so that a busy machine
counts less; the ratio is to building the same in the same run. The last line of a scenario gives
the exponent x of seconds ~ tokens^x over its sizes, the start of Python taken off: 1 is linear.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generators.build import read_manifest
from generators.build_paths import BuildPaths
from ocb.shipped import shipped_specs

SIZES = ("small", "standard", "long")
KIB = 1024
MIB = 1024 * KIB
MAXRSS_UNIT = 1 if sys.platform == "darwin" else KIB
"""Linux counts in KiB, macOS in bytes."""
CODE = "from ocb.cli.main import main; main()"


class Taken(NamedTuple):
    """What one command took."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of all its processes together."""
    out: str


def run(*arguments: str) -> Taken:
    """One `ocb` command in processes of its own."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], check=False, capture_output=True, text=True
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        print(done.stdout.rstrip(), done.stderr.rstrip(), sep="\n")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(wall, cpu, done.stdout)


def measure_all(names: Sequence[str], folder: Path) -> None:
    """Print what one command takes that validates all of them at `standard`."""
    built = run("author", "build", *names, "-o", str(folder))
    checked = run("validate", *built.out.split())
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * MAXRSS_UNIT
    print(
        f"all {len(names)} at standard by one command on {os.cpu_count()} cores:"
        f" {checked.wall:.1f} s, {checked.wall / built.wall:.1f} times building them;"
        f" largest process {peak / MIB:.0f} MiB"
    )


def measure_scenario(name: str, sizes: Sequence[str], folder: Path, idle: float) -> None:
    """Print a line for each size of one scenario, and its exponent."""
    print(name)
    tokens, seconds = [], []
    for size in sizes:
        built = run("author", "build", name, "--size", size, "--jobs", "1", "-o", str(folder))
        root = built.out.strip()
        checked = run("validate", root, "--jobs", "1")
        files = read_manifest(BuildPaths(Path(root))).files
        tokens.append(sum(file.tokens for file in files))
        seconds.append(checked.cpu - idle)
        print(
            f"  {size:<9} {len(files):5} files {tokens[-1]:10,} tokens {checked.cpu:8.2f} s,"
            f" {checked.cpu / built.cpu:.1f} times building it"
        )
    if len(sizes) > 1:
        slope = np.polyfit(np.log(tokens), np.log(seconds), 1)[0]
        print(f"  exponent over tokens: {slope:.2f}")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measures how long validation takes.")
    parser.add_argument("--sizes", default=",".join(SIZES), help="separated by commas")
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    asked = parser.parse_args()
    names = asked.specs or list(shipped_specs())
    with tempfile.TemporaryDirectory() as folder:
        # First: the peak is that of the largest process that was waited for so far.
        measure_all(names, Path(folder) / "all")
        idle = run("validate", "--help").cpu
        for name in names:
            measure_scenario(name, asked.sizes.split(","), Path(folder) / "sizes", idle)


if __name__ == "__main__":
    main()
