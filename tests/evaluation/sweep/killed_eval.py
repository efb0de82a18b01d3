"""Kills `ocb eval` with SIGKILL at random moments, starts it again each time, and lets it finish.

    python killed_eval.py BUILD RUNS KILLS

Writes one line of JSON: how many kills met a sweep at work, and what was lost or made twice. The
processes are forked, so that each is at work at once.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from evaluation.agents import catalogue
from evaluation.agents.fixed.harness import Fixed
from evaluation.agents.harness import Ended, Job
from evaluation.sandboxes.sandbox import Sandbox
from ocb.cli import eval as _loaded_before_the_fork  # noqa: F401
from ocb.cli.main import run as run_ocb

REPETITIONS = 30
SEED = 41


class FailsAtFirst(Fixed):
    """Each fourth run fails at its first attempt, and each twelfth always."""

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        run = job.native.parent
        number = int(run.name[1:4], 16)
        is_first = not run.with_name(run.name[1:13]).exists()
        if number % 12 == 0 or (number % 4 == 0 and is_first):
            return Ended(ok=False, seconds=0.25, fault=f"exit code {number % 97}")
        return await super().run(job, sandbox)


def arguments(build: str, runs: str) -> list[str]:
    models = ("--model", "sim/nop", "--model", "sim/partial-claims")
    many = ("--repetitions", str(REPETITIONS), "--concurrency", "3")
    return ["eval", "--build", build, *models, *many, "--allow-unvalidated", "-o", runs]


def started(command: list[str]) -> tuple[int, int]:
    """A process with this command, and what it says on stderr."""
    said, saying = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(said)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(saying, 2)
        os._exit(run_ocb(command))
    os.close(saying)
    return process, said


def is_at_work(said: int) -> bool:
    """Wait until a run was made; False where the process ended before."""
    text = b""
    while b" s\n" not in text and b" s, to be made again\n" not in text:
        if not select.select([said], [], [], 20)[0] or not (more := os.read(said, 65536)):
            return False
        text += more
    return True


def kill(command: list[str], rng: random.Random) -> bool:
    """Start it and kill it: one in five before it has done anything. Whether it was at work."""
    process, said = started(command)
    at_work = rng.random() < 0.2 or is_at_work(said)
    time.sleep(rng.uniform(0, 0.12))
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(said)
    return at_work


def finish(command: list[str]) -> int:
    process, said = started(command)
    while os.read(said, 65536):
        pass
    os.close(said)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def whole_attempts(runs: Path) -> Iterator[tuple[str, int]]:
    """Every attempt that came to its end, by run and number, with the file of its wire."""
    for record in runs.glob("*/*/run.json"):
        attempt = json.loads(record.read_bytes())["attempt"]
        digest = record.parent.name.lstrip(".")[:12]
        yield f"{digest} attempt {attempt}", (record.parent / "wire.jsonl.zst").stat().st_ino


def main(build: str, runs: str, kills: int) -> None:
    """The whole of it."""
    catalogue.HARNESSES["fixed"] = lambda _tools: FailsAtFirst()  # type: ignore[index]
    rng = random.Random(SEED)
    command = arguments(build, runs)
    known: dict[str, int] = {}
    at_work, wrong = 0, []
    for _ in range(kills):
        at_work += kill(command, rng)
        now = dict(whole_attempts(Path(runs)))
        wrong += [f"{name} was lost" for name in known if name not in now]
        wrong += [
            f"{name} was made twice" for name in now if known.get(name, now[name]) != now[name]
        ]
        known = now
    code = finish(command)
    now = dict(whole_attempts(Path(runs)))
    wrong += [name for name in known if now.get(name) != known[name]]
    told = {"code": code, "at work": at_work, "before": len(known), "wrong": wrong}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
