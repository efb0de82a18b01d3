"""Papers of a harbour: small corpora of ordinary lines, and needles put where a test wants them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from generators.registry import Edit, Span
from tests.validation.made_builds import made_needle, made_subject
from validation.subject import Subject

NOUNS = (
    *("invoice", "delivery", "pump", "valve", "crane", "harbour", "storage", "inspection", "crew"),
    *("shipment", "licence", "engine", "hull", "anchor", "pilot", "berth", "permit", "cargo"),
)
VERBS = ("checks", "moves", "records", "signs", "loads", "repairs", "reviews", "delays", "stores")
ADJECTIVES = ("blue", "heavy", "small", "empty", "northern", "temporary", "certified", "spare")


class Change(NamedTuple):
    """What takes the place of some lines of a clean file; lines count from 0."""

    path: str
    line: int
    planted: tuple[str, ...]
    clean: int = 1
    """How many lines it replaces."""


def ordinary(rng: random.Random, form: int | None = None) -> str:
    """A line as there are many, of one of six forms."""
    adjective, verb = rng.choice(ADJECTIVES), rng.choice(VERBS)

    def noun() -> str:
        return rng.choice(NOUNS)

    match rng.randrange(6) if form is None else form:
        case 0:
            return f"The {adjective} {noun()} {verb} the {noun()} by {rng.randint(1, 28)} May."
        case 1:
            return f"| {noun()} | {rng.randint(1, 90)} | {rng.randint(100, 9000) / 100:.2f} |"
        case 2:
            return f"- {noun()}: {adjective}, {rng.randint(2, 60)} units"
        case 3:
            return f"  {noun()}_{noun()} = {rng.randint(1, 400)}"
        case 4:
            hour = f"{rng.randint(6, 21):02}:{rng.randint(0, 59):02}"
            return f"{hour} {noun()} {verb} {noun()} ({adjective})"
        case _:
            return f"Any {noun()} and {noun()} {verb} a {adjective} {noun()} with the {noun()}."


def form_of(line: str) -> int:
    """The form of an ordinary line."""
    first = line[0]
    return 4 if first.isdigit() else {"T": 0, "|": 1, "-": 2, " ": 3, "A": 5}[first]


def papers(rng: random.Random, files: int = 12) -> dict[str, list[str]]:
    """Files of 25 to 41 ordinary lines."""
    return {
        f"berth-{file:02}.txt": [ordinary(rng) for _ in range(rng.randint(25, 41))]
        for file in range(files)
    }


def places(rng: random.Random, clean: Mapping[str, Sequence[str]], count: int) -> list[Change]:
    """Random lines with at least two others between them, changed to nothing yet."""
    spots = [Change(path, line, ()) for path in clean for line in range(1, len(clean[path]) - 1, 3)]
    return rng.sample(spots, count)


def planted(clean: Mapping[str, Sequence[str]], changes: Iterable[Change]) -> Subject:
    """A build with one needle, `needle-0` and so on, for each change, in the order given."""
    numbered = list(enumerate(changes))
    texts = {path: list(lines) for path, lines in clean.items()}
    edits: dict[int, Edit] = {}
    for path in texts:
        shift = 0
        own = [(number, change) for number, change in numbered if change.path == path]
        for number, change in sorted(own, key=lambda row: row[1].line):
            first = change.line + shift
            edits[number] = Edit(
                path=path,
                first=first + 1,
                last=first + len(change.planted),
                planted=change.planted,
                clean=tuple(texts[path][first : first + change.clean]),
            )
            texts[path][first : first + change.clean] = change.planted
            shift += len(change.planted) - change.clean
    needles = [
        made_needle(
            edit.path,
            1,
            id=f"needle-{number}",
            edits=(edit,),
            evidence=(Span(path=edit.path, first=edit.first, last=max(edit.first, edit.last)),),
        )
        for number, edit in sorted(edits.items())
    ]
    return made_subject({path: "\n".join(lines) + "\n" for path, lines in texts.items()}, *needles)


Replace = Callable[[random.Random, str], str]
"""What takes the place of an ordinary line."""


def replaced(
    rng: random.Random, replace: Replace, count: int = 8, odd: int | None = None
) -> Subject:
    """Needles at random places of random papers: `odd` of them, or all, by `replace`, the others
    by lines as there are many.
    """
    clean = papers(rng)
    changes = []
    for number, change in enumerate(places(rng, clean, count)):
        line = clean[change.path][change.line]
        special = odd is None or number < odd
        new = replace(rng, line) if special else ordinary(rng, form_of(line))
        changes.append(change._replace(planted=(new,)))
    return planted(clean, changes)
