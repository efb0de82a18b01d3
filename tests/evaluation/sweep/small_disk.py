"""Runs a sweep on a disk that is nearly full, and once more when there is room.

    python small_disk.py BUILD FOLDER BYTES

FOLDER is where a disk of so many bytes is mounted. Writes one line of JSON for each of the two.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from generators.build import load_build
from tests.evaluation.sweep.made_sweeps import made_sweep, quietly

ROOM = 300_000
"""Bytes that are left at first: for a few runs, and not for all."""
RUNS = 12


def fill(ballast: Path, size: int) -> None:
    """Take the disk away, but for a rest."""
    with ballast.open("wb") as file:
        file.write(bytes(size - ROOM))


def main(build: Path, folder: Path, size: int) -> None:
    """Both sweeps."""
    ballast = folder / "ballast"
    fill(ballast, size)
    sweep = made_sweep(load_build(build), folder / "runs", "sim/nop", repetitions=RUNS)
    for _ in range(2):
        result = quietly(replace(sweep, free=lambda _: 1 << 40))  # nobody sees it coming
        told = {
            "stopped": result.stopped,
            "completed": result.outcomes["completed"],
            "left": result.left,
        }
        sys.stdout.write(json.dumps(told) + "\n")
        ballast.unlink(missing_ok=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
