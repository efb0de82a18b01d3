"""Damages kept sessions of every format, and reads them all the way: a longer search by command.

    python -m tests.evaluation.transcripts.fuzz [--minutes N] [--seed S] [--random | --grown]
                                                [--keep FOLDER] [SEED…]

First every field of every kind of row, in every seed, gives way to each odd value in turn; then
bytes and rows are damaged at random until the time is over. Or rows are written so often that what
costs a square would take too long. A finding is whatever raises anything but UserError, takes
longer than 10 seconds, or more than 1 GiB. Each is printed with the seed and the damage; what was
read then is kept in a folder.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from authoring.errors import UserError
from evaluation.reading.engine import measure
from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.catalogue import FORMATS, Format
from evaluation.transcripts.context import context_log
from generators.lines import CorpusIndex
from tests.evaluation.transcripts.fuzz_damage import damaged, grown, rows_of, systematic
from tests.evaluation.transcripts.fuzz_seeds import ROWS, SEEDS, Files, build_database
from tests.truth.corpus import corpus

LONGEST_SECONDS = 10
MOST_BYTES = 1 << 30


class TookTooLongError(BaseException):
    """No handler of the readers' may catch it."""


@dataclass
class Tally:
    """What came of the cases so far."""

    cases: int = 0
    read: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)


NORTH = "".join(f"crate {n} of the north hall holds {n * 7} pieces\n" for n in range(1, 25))
"""What seeds that are written by hand show."""
INDEX = CorpusIndex.of({**corpus(), "north.txt": NORTH})


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def reading(path: Path, one: Format) -> None:
    """The whole route of one format."""
    trajectory = one.read(path)
    table = one.choose(trajectory.agent) if one.choose else one.tools
    measure(context_log(trajectory), table, INDEX)
    to_atif(trajectory)


def check(path: Path, name: str, damage: str, tally: Tally, keep: Path | None = None) -> None:
    """By every format that a session passes for, and by the seed's own."""
    tally.cases += 1
    own = name.split(":")[0]
    for one in FORMATS:
        try:
            with limited():
                if one.sniff(path) or one.name == own:
                    reading(path, one)
                    tally.read[one.name] += 1
        except UserError:
            tally.read[f"{one.name} refused"] += 1
        except (Exception, TookTooLongError) as error:  # noqa: BLE001 - all are findings
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} {Path(place.filename).name}:{place.lineno}"
            tally.findings[where] += 1
            if tally.findings[where] == 1:
                say(f"FOUND {one.name}: {where}: {error!s:.200} in {name}, {damage}")
                sys.stdout.writelines(traceback.format_exception(error, limit=-6))
                if keep is not None:
                    kept = keep / f"finding-{len(tally.findings)}"
                    copy = shutil.copytree if path.is_dir() else shutil.copyfile
                    copy(path, kept)


class limited:  # noqa: N801 - used as a context, like those of contextlib
    """Raises where the body takes too long."""

    def __enter__(self) -> None:
        signal.signal(signal.SIGALRM, _late)
        signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _late(_signal: int, _frame: FrameType | None) -> None:
    raise TookTooLongError


def put(files: Files, folder: Path) -> Path:
    """The session of a case: a file, or a folder of them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(ROWS):
            build_database(path, rows_of(data))
        else:
            path.write_bytes(data)
    return folder / next(iter(files)) if len(files) == 1 else folder


def cases(
    seeds: Mapping[str, Files], seed: int, over: Callable[[], bool], *, in_turn: bool
) -> Iterator[tuple[str, Files, str]]:
    """All fields once, in turn over the seeds, so that a short time sees some of each; then
    damage at random."""
    if in_turn:
        yield from _in_turn(_named(name, systematic(files)) for name, files in seeds.items())
        say("every field was replaced by every value")
    chance = random.Random(seed)
    names = list(seeds)
    while not over():
        name = chance.choice(names)
        files, damage = damaged(seeds[name], chance)
        yield name, files, damage


def _named(name: str, made: Iterable[tuple[Files, str]]) -> Iterator[tuple[str, Files, str]]:
    for changed, damage in made:
        yield name, changed, damage


def _in_turn(
    every: Iterable[Iterator[tuple[str, Files, str]]],
) -> Iterator[tuple[str, Files, str]]:
    waiting = list(every)
    while waiting:
        left = []
        for one in waiting:
            case = next(one, None)
            if case is not None:
                yield case
                left.append(one)
        waiting = left


def main() -> None:
    """Run until the time is over, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for what was found")
    parser.add_argument("--random", action="store_true", help="not field by field first")
    parser.add_argument("--grown", action="store_true", help="nothing but rows many times over")
    parser.add_argument("seeds", nargs="*", metavar="SEED", help=", ".join(SEEDS))
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    if arguments.keep is not None:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    seeds = {name: SEEDS[name]() for name in arguments.seeds or SEEDS}
    tally = Tally()
    began = time.monotonic()
    over = began + 60 * arguments.minutes
    with tempfile.TemporaryDirectory() as folder:
        every = (
            _in_turn(_named(name, grown(files)) for name, files in seeds.items())
            if arguments.grown
            else cases(
                seeds,
                arguments.seed,
                lambda: time.monotonic() > over,
                in_turn=not arguments.random,
            )
        )
        for name, files, damage in every:
            path = put(files, Path(folder, "case"))
            check(path, name, damage, tally, arguments.keep)
            if time.monotonic() > over:
                break
    say(f"{tally.cases} cases in {time.monotonic() - began:.0f} s")
    for what, count in sorted(tally.read.items()):
        say(f"  {count} {what}")
    for where, count in tally.findings.most_common():
        say(f"FOUND {count} times: {where}")
    say(f"{len(tally.findings)} findings")


if __name__ == "__main__":
    main()
