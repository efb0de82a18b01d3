"""Does a scenario tell diligence apart? Which needles could be found by how much reading.

Prevents a scenario in which a reader of a few files, or of the first lines of every file, could
find nearly all needles or nearly none, by luck. A needle could be found in a reading that holds all
lines that show it; reference files are always read.

Three laws, with exact chances; each limit of the last two is one that needles at random places
would break in fewer than one build of a thousand:

- Over random readings of 0, 25, 50, 75 and 100 % of the review files the share that could be found
  is 0 and 1 at the ends, and between them within 5 standard errors of an expectation that rises: a
  needle in m of n files has the chance C(n-m, k-m) / C(n, k) in a reading of k. The variance
  follows from the same chance of every two needles together.
- Needles are not bunched in few files: files drawn at random for each needle would not be so few
  (an occupancy problem), and no file would hold so many of them (over all files together). A file
  against which all needles of a sort are held, as letters against one ledger, is no such place.
- They are not bunched in first lines: moved to a random place of the same files, or to a random
  line of a random file each, not so many would stand in the first 10, 40 or 100 lines.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from authoring.artefacts import Value
from generators.lines import split_lines
from generators.registry import RegisteredNeedle
from generators.seeding import randomness
from validation.chances import (
    at_least,
    count_chances,
    inclusion,
    least_likely_within,
    most_likely_within,
    occupied_chances,
)
from validation.check import Checked, verdict
from validation.subject import Subject

CODES: dict[str, str] = {
    "gradient": "how many needles could be found follows how much is read: none without reading,"
    " all with everything read, not bunched in few files or in first lines",
}
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
HEADS = (10, 40, 100)
READINGS = 100
"""Random readings of each share."""
LEVEL = 0.001
ERRORS = 5.0
"""Standard errors that a mean over readings may lie off."""
TINY = 1e-9
"""For rounding."""


class ShareRead(Value):
    """What random readings of a share of the review files could find; shares of the needles."""

    share: float
    files: int
    """How many files that is."""
    expected: float
    """Exact, over all readings."""
    mean: float
    """Over the readings that were drawn."""
    least: float
    most: float
    deviation: float
    """Exact standard deviation of one reading."""
    deviation_apart: float
    """What it would be if no two needles shared a file: bunching shows as the difference."""


class HeadRead(Value):
    """What a reading of the first lines of every file could find."""

    lines: int
    share_of_lines: float
    """Of all lines under review."""
    found: float
    """Share of the needles."""
    expected: float
    """Were the lines of each needle at a random place of the same files."""
    most: float
    """The largest share that this reaches with a chance of one in a thousand."""
    most_anywhere: float
    """The same for needles at a random line of a random file each."""


class Gradient(Value):
    """How what could be found follows what is read."""

    needles: int
    files: int
    """Under review."""
    holding: int
    """Files that show a needle, but for one against which all needles of a sort are held."""
    holding_least: int
    """As few as needles at random places would have with a chance of one in a thousand."""
    fullest: str
    """That of them that shows most needles."""
    fullest_needles: int
    fullest_chance: float
    """That some file shows so many, at random places: at most."""
    readings: int
    """Of each share."""
    shares: tuple[ShareRead, ...]
    heads: tuple[HeadRead, ...]


@dataclass(frozen=True)
class _Shown:
    """Where a needle shows itself in the files under review: first and last line by path."""

    needle: str
    lines: Mapping[str, tuple[int, int]]
    changed: frozenset[str]
    """Those of the files that planting changed."""
    shared: frozenset[str] = frozenset()
    """Files that are there for more needles: a ledger against which all letters are held."""

    @property
    def files(self) -> frozenset[str]:
        return frozenset(self.lines)

    @property
    def places(self) -> frozenset[str]:
        """The files of which there might have been others."""
        return self.files - self.shared

    def chance_in_head(self, count: int, lengths: Mapping[str, int]) -> float:
        """That the first lines would hold it, were its lines at a random place of each file."""
        chance = 1.0
        for path, (first, last) in self.lines.items():
            height = last - first
            places = lengths[path] - height
            chance *= max(0, min(count, lengths[path]) - height) / places
        return chance


def check_gradient(subject: Subject, readings: int = READINGS) -> Checked:
    """For each needle one check of the ends, and one of all together; figures: `Gradient`."""
    lengths = {path: len(split_lines(subject.planted[path])) for path in subject.review}
    needles = [_shown(needle, frozenset(subject.reference)) for needle in subject.needles]
    ends = [verdict("gradient", _end(one, lengths), needle=one.needle) for one in needles]
    if not needles or not all(check.passed for check in ends):
        return Checked((*ends, verdict("gradient", "", note="not measured: see the needles")))
    source = randomness(int(subject.build.manifest.tree, 16), "readings")
    kinds = {file.path: file.kind for file in subject.build.manifest.files}
    figures = _Field(lengths, _without_shared(needles, kinds)).measured(readings, source)
    reason = "; ".join(faults(figures))
    return Checked((*ends, verdict("gradient", reason, note=_note(figures))), figures)


def _shown(needle: RegisteredNeedle, reference: frozenset[str]) -> _Shown:
    lines: dict[str, tuple[int, int]] = {}
    for span in needle.evidence:
        if span.path not in reference:
            first, last = lines.get(span.path, (span.first, span.last))
            lines[span.path] = min(first, span.first), max(last, span.last)
    changed = frozenset(edit.path for edit in needle.edits) & lines.keys()
    return _Shown(needle.id, lines, changed or frozenset(lines))


def _without_shared(needles: Sequence[_Shown], kinds: Mapping[str, str]) -> list[_Shown]:
    """The same needles, with the files of a sort of which all that are held against one have the
    same: where each of them was planted says nothing of it.
    """
    partners: dict[str, list[str]] = {}
    for one in needles:
        for path in one.files - one.changed:
            partners.setdefault(kinds[path], []).append(path)
    only = {paths[0] for paths in partners.values() if len(paths) > 1 and len(set(paths)) == 1}
    return [replace(one, shared=frozenset(only) - one.changed) for one in needles]


def _end(one: _Shown, lengths: Mapping[str, int]) -> str:
    """What is wrong with a needle where nothing is read, or all."""
    if not one.lines:
        return "it could be found without reading a file under review"
    beyond = [path for path, (_, last) in one.lines.items() if last > lengths.get(path, 0)]
    return f"reading every file would not show it: {', '.join(beyond)}" if beyond else ""


@dataclass(frozen=True)
class _Field:
    """The files under review with their lines, and the needles in them."""

    lengths: Mapping[str, int]
    needles: Sequence[_Shown]

    def measured(self, readings: int, source: random.Random) -> Gradient:
        """All figures; `source` draws the readings."""
        files = len(self.lengths)
        held = Counter(path for one in self.needles for path in one.places)
        fullest, most = max(held.items(), key=lambda item: (item[1], item[0]))
        sizes = [len(one.places) for one in self.needles]
        return Gradient(
            needles=len(self.needles),
            files=files,
            holding=len(held),
            holding_least=least_likely_within(occupied_chances(files, sizes), LEVEL),
            fullest=fullest,
            fullest_needles=most,
            fullest_chance=min(1.0, files * at_least([size / files for size in sizes], most)),
            readings=readings,
            shares=tuple(self._read(share, readings, source) for share in SHARES),
            heads=tuple(self._headed(count) for count in HEADS),
        )

    def _read(self, share: float, readings: int, source: random.Random) -> ShareRead:
        files, paths = len(self.lengths), list(self.lengths)
        taken = round(share * files)
        found: list[float] = []
        for _ in range(readings):
            read = set(source.sample(paths, taken))
            found.append(self._share(one.files <= read for one in self.needles))
        return ShareRead(
            share=share,
            files=taken,
            expected=self._share(inclusion(files, taken, len(one.files)) for one in self.needles),
            mean=sum(found) / readings,
            least=min(found),
            most=max(found),
            deviation=self._deviation(taken, apart=False),
            deviation_apart=self._deviation(taken, apart=True),
        )

    def _share(self, found: Iterable[float]) -> float:
        return sum(found) / len(self.needles)

    def _most(self, chances: Sequence[float]) -> float:
        """The largest share that needles found with these chances reach, but for bad luck."""
        return most_likely_within(count_chances(chances), LEVEL) / len(self.needles)

    def _deviation(self, taken: int, *, apart: bool) -> float:
        """Exact, of the share found in one reading of so many files."""
        most = 2 * max(len(one.files) for one in self.needles)
        chances = [inclusion(len(self.lengths), taken, wanted) for wanted in range(most + 1)]
        total = 0.0
        for one in self.needles:
            for other in self.needles:
                sizes = len(one.files), len(other.files)
                together = len(one.files | other.files)
                if apart and one is not other:
                    together = sum(sizes)
                total += chances[together] - chances[sizes[0]] * chances[sizes[1]]
        return sqrt(max(total, 0.0)) / len(self.needles)

    def _headed(self, count: int) -> HeadRead:
        needles, lengths = self.needles, [length for length in self.lengths.values() if length]
        found = sum(all(last <= count for _, last in one.lines.values()) for one in needles)
        moved = [one.chance_in_head(count, self.lengths) for one in needles]
        anywhere = sum(min(count, length) / length for length in lengths) / len(lengths)
        return HeadRead(
            lines=count,
            share_of_lines=sum(min(count, length) for length in lengths) / sum(lengths),
            found=found / len(needles),
            expected=self._share(moved),
            most=self._most(moved),
            most_anywhere=self._most([anywhere] * len(needles)),
        )


def _note(figures: Gradient) -> str:
    heads = ", ".join(
        f"the first {one.lines} lines of every file ({one.share_of_lines:.0%} of all lines)"
        f" {one.found:.0%}"
        for one in figures.heads
    )
    return (
        f"{figures.holding} of {figures.files} files show the {figures.needles} needles;"
        f" {heads} of them"
    )


def faults(figures: Gradient) -> Iterator[str]:
    """Which of the three laws are broken, in words."""
    for one in figures.shares:
        error = one.deviation / sqrt(figures.readings)
        if abs(one.mean - one.expected) > ERRORS * error + TINY:
            yield (
                f"{one.share:.0%} of the files show {one.mean:.0%} of the needles,"
                f" not {one.expected:.0%}"
            )
    if figures.holding < figures.holding_least:
        yield (
            f"the {figures.needles} needles stand in {figures.holding} of {figures.files} files;"
            f" at random places they would stand in {figures.holding_least} or more"
        )
    if figures.fullest_chance < LEVEL:
        yield (
            f"{figures.fullest} alone shows {figures.fullest_needles} of the"
            f" {figures.needles} needles"
        )
    for head in figures.heads:
        most = min(head.most, head.most_anywhere)
        if head.found > most:
            yield (
                f"the first {head.lines} lines of the files show {head.found:.0%} of the needles;"
                f" at random places at most {most:.0%} would stand there"
            )
