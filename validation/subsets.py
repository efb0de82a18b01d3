"""Subsets of the review files: a needle is found exactly where all files that show it are there.

Prevents a needle that can be found without the files it stands in, one that needs files the
registry does not name, and a detector that takes a missing file for a defect. Reference files are
always in. In every subset, for every kind of defect, what is found must be the lines of the needles
that are whole in it, and not a line more; in a corpus of real files also what is found in the same
subset of the clean corpus.

Which subsets:

- `single-file`: every review file alone.
- `leave-one-out`: up to 128 review files, all but one, for every one. Beyond, for every kind: all
  but one, for each file that shows a needle of it; the other files are left out in groups, so that
  for any two of them one group holds the first and not the second. What is decided otherwise since
  one file is absent, another present, and by no third one but those that show the needles, is so
  always seen; and the number of subsets grows with the logarithm of the number of files.
- `random-subset`: for each a number of files, from one to all but one, and so many files, drawn by
  the hash of the planted corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from generators.detectors.detector import Evidence
from generators.registry import RegisteredNeedle
from generators.seeding import randomness
from validation.check import Check, Checked
from validation.natural import NaturalNeedles
from validation.subject import Subject, as_span, shown, wanted

Code = Literal["leave-one-out", "single-file", "random-subset"]
CODES: dict[str, str] = {
    "leave-one-out": "whichever file is left out, the needles that it does not show are found,"
    " the others are not, and nothing else is",
    "single-file": "in each file alone, with the reference files, exactly the needles are found"
    " that no other file is needed for",
    "random-subset": "in each of the random subsets exactly the needles are found whose files are"
    " all in it",
}
RANDOM_SUBSETS = 64
LITERAL = 128
"""So many review files are left out one by one."""
MOST_GROUPS = 16
"""Into so many groups files are divided at most, as often as it takes to tell any two apart."""
NAMED = 3
"""Files that a description names."""
MOST_FAULTS = 3
"""Subsets that a reason tells of."""


@dataclass(frozen=True)
class _Subset:
    """Some of the review files."""

    code: Code
    name: str
    files: frozenset[str]
    """Those that are in."""


@dataclass(frozen=True)
class _Fault:
    """What is wrong in one subset."""

    subset: _Subset
    needle: str | None
    """None: it is of no needle."""
    what: str
    places: frozenset[Evidence]


def check_subsets(subject: Subject, count: int = RANDOM_SUBSETS) -> Checked:
    """For each needle, and for what is no needle, one check of every code; `count` random ones."""
    shared = [*_singles(subject), *_random(subject, count)]
    faults = [
        fault
        for kind in subject.kinds
        for fault in _faults(subject, kind, [*shared, *_left_out(subject, kind)])
    ]
    names: list[str | None] = [*(needle.id for needle in subject.needles), None]
    return Checked(
        tuple(
            _check(code, name, [f for f in faults if (f.subset.code, f.needle) == (code, name)])
            for code in CODES
            for name in names
        )
    )


def _check(code: str, needle: str | None, faults: Sequence[_Fault]) -> Check:
    told = [f"{one.subset.name}: {one.what} {shown(one.places)}" for one in faults[:MOST_FAULTS]]
    more = len(faults) - len(told)
    if more:
        told.append(f"and in {more} more subsets")
    places = frozenset[Evidence]().union(*(one.places for one in faults[:MOST_FAULTS]))
    return Check(
        code=code,
        needle=needle,
        passed=not faults,
        reason="; ".join(told),
        evidence=tuple(map(as_span, sorted(places))),
    )


def _singles(subject: Subject) -> Iterator[_Subset]:
    for path in subject.review:
        yield _Subset("single-file", f"only {path}", frozenset([path]))


def _random(subject: Subject, count: int) -> Iterator[_Subset]:
    review = subject.review
    source = randomness(int(subject.build.manifest.tree, 16), "subsets")
    # One file has no subsets but itself and none.
    for number in range(1, count + 1 if len(review) > 1 else 1):
        files = frozenset(source.sample(review, source.randrange(1, len(review))))
        lacks = _named([path for path in review if path not in files])
        yield _Subset("random-subset", f"subset {number} of {count}, without {lacks}", files)


def _left_out(subject: Subject, kind: str) -> Iterator[_Subset]:
    review = subject.review
    everything = frozenset(review)
    showing = {
        span.path for needle in subject.needles if needle.kind == kind for span in needle.evidence
    }
    groups = [[path] for path in review if path in showing or len(review) <= LITERAL]
    if len(review) > LITERAL:
        groups += separating_groups([path for path in review if path not in showing])
    for group in groups:
        name = f"without {_named(group)}"
        yield _Subset("leave-one-out", name, everything.difference(group))


def separating_groups(paths: Sequence[str]) -> list[list[str]]:
    """Groups, each file in some, so that for any two files one group holds only the first.

    Files are numbered in the least base that needs no more digits than base 16; a group is those
    with the same digit at the same place.
    """
    digits = 1
    while MOST_GROUPS**digits < len(paths):
        digits += 1
    base = next(base for base in range(1, MOST_GROUPS + 1) if base**digits >= len(paths))
    return [
        group
        for place in range(digits)
        for digit in range(base)
        if (group := [path for n, path in enumerate(paths) if n // base**place % base == digit])
    ]


def _named(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(paths[:NAMED]) + more


def _faults(subject: Subject, kind: str, subsets: Iterable[_Subset]) -> Iterator[_Fault]:
    """What is wrong with the decisions on one kind of defect."""
    decide, reference = subject.detections.decide, frozenset(subject.reference)
    needles = [needle for needle in subject.needles if needle.kind == kind]
    shows = {needle.id: {one.path for one in needle.evidence} - reference for needle in needles}
    planted, clean = subject.facts[kind], subject.clean_facts[kind]
    paths = {str(path): path for path in planted}
    natural = NaturalNeedles(subject)
    for subset in subsets:
        present = [paths[name] for name in sorted(subset.files | reference)]
        found = decide(kind, {path: planted[path] for path in present})
        whole = [wanted(needle) for needle in needles if shows[needle.id] <= subset.files]
        expected = frozenset[Evidence]().union(*whole)
        stray = found - expected
        if stray and subject.of_real_files:
            stray -= natural.planted(decide(kind, {path: clean[path] for path in present}))
        if stray or not expected <= found:
            yield from _told(subset, needles, expected - found, stray)


def _told(
    subset: _Subset,
    needles: Sequence[RegisteredNeedle],
    missed: frozenset[Evidence],
    stray: frozenset[Evidence],
) -> Iterator[_Fault]:
    """Each fault by the needle it is of; what is of none, by the kind alone."""
    for needle in needles:
        own = wanted(needle)
        if own & missed:
            yield _Fault(subset, needle.id, "it is not found at", own & missed)
        if own & stray:
            yield _Fault(subset, needle.id, "it is found, in part of its files, at", own & stray)
    others = stray.difference(*map(wanted, needles))
    if others:
        yield _Fault(subset, None, f"{needles[0].kind} found at", others)
