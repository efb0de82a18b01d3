"""What a sweep costs beside its agents: memory and time over many runs, and over a real CLI.

    .venv/bin/python benchmarks/sweeps.py many [--runs 500,1000,2000] [--model sim/nop]
    .venv/bin/python benchmarks/sweeps.py cli [--runs 40] [--tools .tools] [--model …]

`many` makes sweeps of the built-in loop, each in a process of its own: seconds, peak memory, and
the exponents x and y of seconds ~ runs^x and memory ~ runs^y. The second start over what is there
is timed apart. The bar: x near 1, y near 0, up to 10,000 runs.

`cli` runs Claude Code through ocb in bubblewrap, two at a time, and the same commands under
`xargs -P 2` against the same simulated server: no gateway, no sandbox, nothing recorded. The bar:
without scoring at most 1.25 times as long.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import multiprocessing
import resource
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from authoring.errors import OcbError
from authoring.loading import load_spec
from evaluation.agents.catalogue import make_harness
from evaluation.agents.claude_code.harness import FOLDER, start
from evaluation.agents.harness import Harness, Job
from evaluation.judging.catalogue import judge_named
from evaluation.run import Limits
from evaluation.sandboxes.catalogue import choose
from evaluation.sandboxes.sandbox import Command, Exit, Inside
from evaluation.scoring.scorer import Scorer
from evaluation.simulated.assignment import Assignment
from evaluation.simulated.model import parse_model
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.server import SimulatedServer
from evaluation.sweep.making import score_again
from evaluation.sweep.plan import SweepPlan, task_prompt
from generators.build import Build, load_build
from generators.catalogue import describe
from ocb import __version__
from ocb.building import BuildFailure, BuildOrder, make_build
from ocb.shipped import find_spec
from ocb.sweeps import (
    Sealed,
    Sweep,
    SweepResult,
    execute,
    planned_agent,
    planned_build,
    subject_of,
)

SCENARIO = "expense_audit"
AT_ONCE = 2
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Linux counts in KiB, macOS in bytes."""
CLI = "claude-code"


def small_build(parent: Path) -> Build:
    """The build that all runs are on."""
    path = find_spec(SCENARIO)
    spec = load_spec(path, describe())
    made = make_build(BuildOrder(spec, path.parent, "small", seed=None, placement=0, parent=parent))
    if isinstance(made, BuildFailure):
        raise SystemExit(made.message)
    return load_build(Path(made.path))


def sweep_of(build: Build, harness_name: str, tools: Path, asked: Asked) -> Sweep:
    """So many runs of one model."""
    harness = make_harness(harness_name, tools)
    return Sweep(
        plan=SweepPlan(
            builds=(planned_build(build),),
            agents=(planned_agent(harness_name, harness, (asked.model,)),),
            repetitions=asked.runs,
            limits=Limits(seconds=600, turns=400),
        ),
        builds={build.manifest.build: Sealed(build, None)},
        harnesses={harness_name: harness},
        sandbox=choose("bubblewrap") if harness.profile.needs_sandbox else None,
        judge=judge_named("rules"),
        concurrency=AT_ONCE,
        parent=asked.parent,
    )


@dataclass(frozen=True)
class Asked:
    """One sweep."""

    build: Path
    parent: Path
    runs: int
    model: str


@dataclass(frozen=True)
class Many:
    """What a sweep of many runs took."""

    runs: int
    seconds: float
    again: float
    """Seconds of a second start, with all runs there."""
    peak: int
    """Bytes that the process held at most."""


def measure_many(asked: Asked) -> Many:
    """In this process, which does nothing else."""
    build = load_build(asked.build)
    sweep = sweep_of(build, "fixed", Path(), asked)
    first = time.perf_counter()
    check_all(execute(sweep, lambda _: None), asked.runs)
    second = time.perf_counter()
    check_all(execute(sweep, lambda _: None), asked.runs)
    third = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT
    return Many(asked.runs, second - first, third - second, peak)


def check_all(result: SweepResult, runs: int) -> None:
    """Every run must have come to its end."""
    if result.stopped or result.outcomes != {"completed": runs}:
        raise SystemExit(f"{result.stopped} {dict(result.outcomes)}")


def many(numbers: Sequence[int], model: str) -> None:
    """Sweeps of several sizes."""
    print(f"{'runs':>7}{'seconds':>10}{'a run, ms':>12}{'again, s':>10}{'peak, MiB':>11}")
    rows: list[Many] = []
    for number in numbers:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            build = small_build(Path(folder) / "build").paths.root
            asked = Asked(build, Path(folder) / "runs", number, model)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                row = pool.apply(measure_many, (asked,))
        rows.append(row)
        each = row.seconds / row.runs * 1000
        print(
            f"{row.runs:>7}{row.seconds:>10.1f}{each:>12.1f}{row.again:>10.1f}"
            f"{row.peak / 2**20:>11.0f}",
            flush=True,
        )
    if len(rows) > 1:
        sizes = [row.runs for row in rows]
        seconds = exponent(sizes, [row.seconds for row in rows])
        again = exponent(sizes, [row.again for row in rows])
        memory = exponent(sizes, [row.peak for row in rows])
        print(f"seconds ~ runs^{seconds:.2f}, again ~ runs^{again:.2f}, memory ~ runs^{memory:.2f}")


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of log(value) over log(size), by least squares."""
    x, y = [math.log(size) for size in sizes], [math.log(value) for value in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return above / sum((a - mean_x) ** 2 for a in x)


def cli(runs: int, tools: Path, model: str) -> None:
    """The real CLI, through ocb and without it."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        build = small_build(folder / "build")
        asked = Asked(build.paths.root, folder / "runs", runs, model)
        sweep = sweep_of(build, CLI, tools, asked)
        bare = under_xargs(build, sweep.harnesses[CLI], tools, asked, folder / "bare")
        begin = time.perf_counter()
        result = execute(sweep, lambda _: None)
        through = time.perf_counter() - begin
        check_all(result, runs)
        scoring = score_all(sweep, result)
    print(f"{runs} runs of {model}, {AT_ONCE} at a time")
    print(f"  xargs        {bare:7.1f} s {bare / runs:6.2f} a run")
    print(f"  ocb          {through:7.1f} s {through / runs:6.2f} a run")
    print(f"  scoring      {scoring:7.1f} s {scoring / runs:6.2f} a run, among it")
    print(f"  ratio        {through / bare:7.2f}")
    print(f"  less scoring {(through - scoring / AT_ONCE) / bare:7.2f}")


def score_all(sweep: Sweep, result: SweepResult) -> float:
    """Seconds of scoring every run once more."""
    (sealed,), (harness,) = sweep.builds.values(), sweep.harnesses.values()
    scorer = Scorer(subject_of(sealed.build), harness, sweep.judge, __version__)
    records = list(result.records())
    begin = time.perf_counter()
    for record in records:
        score_again(scorer, sealed.build, record, sweep.paths.run(record.key))
    return time.perf_counter() - begin


def under_xargs(build: Build, harness: Harness, tools: Path, asked: Asked, folder: Path) -> float:
    """Seconds of the same commands, as a shell would run them."""
    folder.mkdir()
    shutil.copytree(build.paths.corpus, folder / "review")
    seconds = asyncio.run(served_xargs(build, harness, tools, asked, folder))
    answers = [path.read_text() for path in folder.glob("*.out")]
    good = ('"subtype":"success"' in answer and '"is_error":false' in answer for answer in answers)
    if (number := sum(good)) != asked.runs:
        raise SystemExit(f"xargs: {number} of {asked.runs} runs came to an answer")
    return seconds


async def served_xargs(
    build: Build, harness: Harness, tools: Path, asked: Asked, folder: Path
) -> float:
    """The commands beside their server."""
    async with SimulatedServer() as server:
        for number in range(1, asked.runs + 1):
            command = bare_command(build, harness, tools, server, (asked, number), folder)
            (folder / f"{number}.sh").write_text(command)
        begin = time.perf_counter()
        process = await asyncio.create_subprocess_shell(
            f"ls *.sh | xargs -P {AT_ONCE} -n 1 sh", cwd=folder
        )
        await process.wait()
        return time.perf_counter() - begin


@dataclass(frozen=True)
class Bare:
    """In the place of a sandbox: the host itself."""

    inside: Inside
    name: str = "none"

    async def run(self, command: Command) -> Exit:
        """It only says where things are."""
        raise NotImplementedError


def bare_command(
    build: Build,
    harness: Harness,
    tools: Path,
    server: SimulatedServer,
    which: tuple[Asked, int],
    folder: Path,
) -> str:
    """One command with its own home and its own reviewer."""
    asked, number = which
    home, corpus, token = folder / f"home-{number}", folder / "review", f"sk-{number:048}"
    home.mkdir()
    assignment = Assignment(
        model=parse_model(asked.model),
        registry=build.registry,
        manifest=build.manifest,
        texts=build.texts,
        hands=harness.profile.hands,
        folder=str(corpus),
        seed=number,
    )
    server.register(token, Reviewer(assignment))
    job = Job(
        prompt=task_prompt(build, "direct", str(corpus)),
        model=harness.profile.neutral_model,
        corpus=corpus,
        home=home,
        native=home,
        token=token,
        socket=home / "none",
        url=server.url,
        seconds=600,
        turns=400,
    )
    begun = start(job, Bare(Inside(str(home), str(corpus), server.url)))
    program = str((tools / f"{CLI}-{harness.profile.version}").absolute())
    argv = [part.replace(FOLDER, program) for part in begun.argv]
    environment = [f"{name}={value}" for name, value in begun.environment.items()]
    words = shlex.join(["env", "-i", *environment, *argv])
    return (
        f"cd {shlex.quote(str(corpus))} && {words} < /dev/null > ../{number}.out 2> ../{number}.err"
    )


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="What a sweep costs beside its agents.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    of_many = kinds.add_parser("many")
    of_many.add_argument("--runs", default="500,1000,2000")
    of_many.add_argument("--model", default="sim/nop")
    of_cli = kinds.add_parser("cli")
    of_cli.add_argument("--runs", type=int, default=40)
    of_cli.add_argument("--tools", type=Path, default=Path(".tools"))
    of_cli.add_argument("--model", default="sim/partial-claims")
    asked = parser.parse_args()
    try:
        if asked.kind == "many":
            many([int(number) for number in asked.runs.split(",")], asked.model)
        else:
            cli(asked.runs, asked.tools, asked.model)
    except OcbError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
