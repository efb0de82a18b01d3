"""Keeps what CLIs wrote as small fixtures, with the truth beside it.

    tests/evaluation/transcripts/<cli>/<case>-<version>/    (or <version>/, see `fixture`)
    ├── truth.json     what was sent, by a plain search
    ├── stream.jsonl   what it printed; another name in some CLIs
    └── …              the session, as the CLI's reader takes it

What a maker tells its model, and what is written for the display alone, is cut: it is long, and
says nothing of reading.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.truth.accounts import ThreadTruth, Truth
from tests.truth.cases import READING
from tests.truth.driver import EXPORT
from tests.truth.matrix import Outcome
from tests.truth.rows import keep_rows
from tests.truth.shown_lines import Lines

FOLDER = Path(__file__).parent.parent / "evaluation" / "transcripts"
TRUTH = "truth.json"


def fixture(cli: str, case: str, version: str) -> Path:
    """Where a session is kept; of most CLIs the one that goes through every way under its version
    alone."""
    name = version if case == READING and cli != "claude-code" else f"{case}-{version}"
    return folder_of(cli) / name


def folder_of(cli: str) -> Path:
    """Where the sessions of a CLI are kept."""
    return FOLDER / cli.removesuffix("-code").removesuffix("-cli")


def keep(outcome: Outcome) -> Path:
    """Keep one session in the place of an earlier one."""
    driven, driver = outcome.driven, outcome.driven.driver
    folder = fixture(driver.name, driven.case.name, driven.version)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    driver.keep(driven.place.home, folder)
    if driven.case.is_streamed:
        keep_rows(driven.place.stdout(0), folder / driver.stream, driver.shorten)
    if driven.place.export.exists():
        shutil.copyfile(driven.place.export, folder / EXPORT)
    (folder / TRUTH).write_text(json.dumps(_written(outcome.truth)) + "\n")
    return folder


def read_truth(folder: Path) -> Truth:
    """What was sent in a session that is kept."""
    read = json.loads((folder / TRUTH).read_text())
    return Truth(
        threads={
            mark: ThreadTruth(*(_lines(one[kind]) for kind in ThreadTruth._fields))
            for mark, one in read["threads"].items()
        },
        visible=_lines(read["visible"]),
        final=read["final"],
        names=read["names"],
    )


def _written(truth: Truth) -> Mapping[str, Any]:
    return {
        "threads": {
            mark: {kind: _ranges(getattr(one, kind)) for kind in ThreadTruth._fields}
            for mark, one in truth.threads.items()
        },
        "visible": _ranges(truth.visible),
        "final": truth.final,
        "names": truth.names,
    }


def _ranges(lines: Lines) -> dict[str, list[list[int]]]:
    """First and last lines, by path."""
    return {
        path: [
            [run[0], run[-1]]
            for _, found in groupby(enumerate(n for _, n in of), key=lambda one: one[1] - one[0])
            if (run := [n for _, n in found])
        ]
        for path, of in groupby(sorted(lines), key=lambda one: one[0])
    }


def _lines(ranges: Mapping[str, Iterable[tuple[int, int]]]) -> Lines:
    return frozenset(
        (path, line)
        for path, runs in ranges.items()
        for first, last in runs
        for line in range(first, last + 1)
    )
