"""Looking at files without reading them: by searches, by commands, by a script of its own."""

from __future__ import annotations

import importlib.resources
import random
import shlex
from collections.abc import Sequence
from pathlib import PurePosixPath

from authoring.errors import UserError
from evaluation.simulated.assignment import Assignment, Filling
from evaluation.simulated.calls import PlannedCall, Turn, in_turns, planned
from evaluation.simulated.frequent import choose_words
from evaluation.simulated.truth import Asked

JSON = frozenset((".json", ".jsonl", ".ndjson"))
SCRIPT = '"$HOME/check.sh"'


def other_turns(run: Assignment, chosen: Sequence[str], rng: random.Random) -> tuple[Turn, ...]:
    """The turns of a model that reads no file, after its first look at the folder."""
    if run.model.way == "searches":
        return in_turns([_search(run, word, rng) for word in choose_words(run, rng)], rng)
    if run.model.way == "reshapes":
        paths = (*run.files("reference"), *chosen)
        return in_turns([_reshape(run, path) for path in paths], rng)
    return ((_write(run),), (_run(run, choose_words(run, rng)),))


def _search(run: Assignment, word: str, rng: random.Random) -> PlannedCall:
    wide = run.hands.search_around
    call = wide if wide is not None and rng.random() < 0.5 else run.hands.search
    return planned(
        call, Asked(action="search", pattern=word), Filling(path=run.locate(), pattern=word)
    )


def _reshape(run: Assignment, path: str) -> PlannedCall:
    """`jq` for JSON; for other files their words with wide spaces, as `column -t` would print them:
    that one is not on every machine."""
    tool = "jq ." if PurePosixPath(path).suffix in JSON else "awk -v OFS='  ' '{$1=$1} 1'"
    command = f"{tool} {shlex.quote(run.locate(path))}"
    return _command(run, command, Asked(action="reshape", path=path))


def _write(run: Assignment) -> PlannedCall:
    text = (importlib.resources.files("evaluation.simulated") / "script.sh").read_text("utf-8")
    return _command(run, f"cat > {SCRIPT} <<'EOF'\n{text}EOF", Asked(action="write"))


def _run(run: Assignment, words: Sequence[str]) -> PlannedCall:
    command = f"sh {SCRIPT} {shlex.join((run.locate(), *words))}"
    return _command(run, command, Asked(action="run", pattern=" ".join(words)))


def _command(run: Assignment, command: str, asked: Asked) -> PlannedCall:
    shell = run.hands.shell
    if shell is None:
        raise UserError(f"{run.model.name} works by commands, and here there is no shell")
    return planned(shell, asked, Filling(command=command))
