"""Which file each needle goes into: its third of all review files, moved on by the placement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import NamedTuple

from authoring.errors import UserError, nearest
from authoring.spec import POSITIONS, NeedleSpec, Position, Size
from generators.depth import distance, rotated, third_of
from generators.document import Document
from generators.edits import changes_of
from generators.line_ends import with_cr, with_lf
from generators.lines import split_lines
from generators.merging import refuse_contact
from generators.planting import Aim, Ground, Planted, Planter
from generators.seeding import draw

SHOWN = 5
MOST_PLANTED = 3
"""One file in so many may hold an edit, from `standard` up: most of a corpus is in order."""
MOST_ON_TOP = 2
"""Needles that a file may have more than another one, and still be taken for the right depth."""

MakePlanter = Callable[[NeedleSpec], Planter]


@dataclass(frozen=True)
class Site:
    """The corpus that is planted in, and how."""

    ground: Ground
    reviewed: frozenset[PurePosixPath]
    """The files under review: no other takes a needle."""
    size: Size
    seed: int
    placement: int

    @classmethod
    def of(
        cls,
        documents: Iterable[Document],
        reviewed: Iterable[str],
        *,
        size: Size,
        seed: int,
        placement: int,
    ) -> Site:
        """From the documents of a generator, and which of them are under review."""
        documents = tuple(documents)
        ground = Ground(
            texts={document.path: document.text for document in documents},
            kinds={document.path: document.kind for document in documents},
        )
        return cls(ground, frozenset(map(PurePosixPath, reviewed)), size, seed, placement)

    @property
    def most(self) -> int:
        """How many files may hold an edit: all in `small`, a third of them in every other size."""
        return len(self.reviewed) if self.size == "small" else len(self.reviewed) // MOST_PLANTED


class Copy(NamedTuple):
    """A needle to be planted once, under an id of its own."""

    needle: NeedleSpec
    number: int
    """Of the copies of one needle, from 0."""
    original: str
    """The id in the spec."""


def copies_of(needles: Sequence[NeedleSpec], size: Size) -> tuple[Copy, ...]:
    """Every needle as often as a size has it: `id`, `id-2`, `id-3` and so on."""
    return tuple(
        Copy(
            needle.model_copy(update={"id": f"{needle.id}-{number + 1}" if number else needle.id}),
            number,
            needle.id,
        )
        for needle in needles
        for number in range(needle.copies.get(size, 1))
    )


def third(
    paths: Sequence[PurePosixPath], of_kind: Collection[PurePosixPath], position: Position
) -> Sequence[PurePosixPath]:
    """Those of a kind in the early, middle or late third of all sorted paths.

    Where that third holds none of the kind, the third of those of the kind; of fewer than three
    the nearest one. A corpus whose kinds of document lie beside each other never needs that.
    """
    part = third_of(len(paths), position)
    found = [path for path in paths[part.start : part.stop] if path in of_kind]
    return found or _own_third([path for path in paths if path in of_kind], position)


def _own_third(paths: Sequence[PurePosixPath], position: Position) -> Sequence[PurePosixPath]:
    count = len(paths)
    part = third_of(count, position)
    if part or not paths:
        return paths[part.start : part.stop]
    return [paths[(2 * POSITIONS.index(position) + 1) * count // 6]]


def plant_all(copies: Sequence[Copy], planter_of: MakePlanter, site: Site) -> dict[str, Planted]:
    """Plant each copy on the clean corpus, in order; by needle id.

    Raises UserError where a needle finds no place, and where more than a third of the files under
    review would hold an edit.
    """
    round_ = _Round(site)
    thirds = [_third_for(copy, site) for copy in copies]
    for index, copy in enumerate(copies):
        groups = round_.by_preference(copy, thirds[index], thirds[index + 1 :])
        round_.plant(copy, planter_of(copy.needle), groups)
    round_.check_share()
    return round_.planted


def _third_for(copy: Copy, site: Site) -> Sequence[PurePosixPath]:
    kind = copy.needle.plant.into.document
    of_kind = {path for path in site.reviewed if site.ground.kinds[path] == kind}
    if not of_kind:
        known = {site.ground.kinds[path] for path in site.reviewed}
        raise UserError(
            f"needle {copy.needle.id}: the corpus holds no document {kind!r}",
            remedy=nearest(kind, known),
        )
    paths = sorted(site.reviewed, key=lambda path: str(path).encode())
    return third(paths, of_kind, _turned(copy, copy.needle.plant.into.position, site))


def _turned(copy: Copy, position: Position, site: Site) -> Position:
    return rotated(position, site.placement + copy.number)


class _Group(NamedTuple):
    """Files of a third that are equally good."""

    paths: Sequence[PurePosixPath]
    needles: int
    """How many each of them holds or shows."""
    too_many: bool
    """Whether more files would be changed than is wanted."""

    def may_stand_for(self, first: _Group) -> bool:
        """Whether it may be taken for the right depth in place of the first group that would do."""
        if self.too_many != first.too_many:
            return False
        return self.needles <= first.needles + MOST_ON_TOP


class _Round:
    """One round of planting: what is planted so far, and what that leaves for the next needle."""

    def __init__(self, site: Site) -> None:
        self.planted: dict[str, Planted] = {}
        self._site = site
        self._with_lf = with_lf(site.ground)
        self._edited: set[PurePosixPath] = set()
        self._needles: Counter[PurePosixPath] = Counter()
        """How many needles a file holds or shows."""
        self._targets: set[tuple[str, PurePosixPath]] = set()

    def by_preference(
        self,
        copy: Copy,
        paths: Sequence[PurePosixPath],
        later: Sequence[Sequence[PurePosixPath]],
    ) -> list[_Group]:
        """The files of a third, best first.

        Files with fewer needles come first. Where the files that may be changed run short, those
        that are changed already come before all others. Within a group the seed decides, for each
        needle in another order.
        """
        short = not self._may_open(paths, later)

        def rank(path: PurePosixPath) -> tuple[bool, int]:
            return short and path not in self._edited, self._needles[path]

        free = [path for path in paths if (copy.original, path) not in self._targets]
        name, seed = copy.needle.id, self._site.seed
        free.sort(key=lambda path: (rank(path), draw(seed, "target", name, str(path))))
        return [
            _Group(tuple(group), needles, too_many)
            for (too_many, needles), group in groupby(free, key=rank)
        ]

    def _may_open(
        self, paths: Sequence[PurePosixPath], later: Sequence[Sequence[PurePosixPath]]
    ) -> bool:
        """Whether another file may be changed, with one kept for each third that has none yet."""
        if self._edited.isdisjoint(paths):
            return True
        waiting = {tuple(third) for third in later if self._edited.isdisjoint(third)}
        return self._site.most - len(self._edited) > len(waiting)

    def plant(self, copy: Copy, planter: Planter, groups: Sequence[_Group]) -> None:
        """Plant in the best file that takes the needle at the right depth, else at the nearest."""
        into = copy.needle.plant.into
        reasons: list[str] = []
        places = self._places(copy, planter, groups, reasons)
        found = min(places, key=lambda place: place.off, default=None)
        if found is not None:
            self._keep(copy, found)
            return
        more = [f"  and {len(reasons) - SHOWN} more files"] if len(reasons) > SHOWN else []
        position = _turned(copy, into.position, self._site)
        why = reasons[:SHOWN] + more or ["  each of them holds a copy of it"]
        raise UserError(
            f"needle {copy.needle.id}: no {position} {into.document} takes it:\n" + "\n".join(why)
        )

    def _places(
        self, copy: Copy, planter: Planter, groups: Sequence[_Group], reasons: list[str]
    ) -> Iterator[_Found]:
        """Where the needle may go, best file first, up to the first place of the right depth.

        A file with a few more needles is tried for the right depth; one too many is not.
        """
        wanted = copy.needle.plant.into.depth
        depth = _turned(copy, wanted, self._site) if wanted else None
        first: _Group | None = None
        for group in groups:
            if first and not group.may_stand_for(first):
                return
            for path in group.paths:
                try:
                    found = self._try(copy.needle.id, planter, Aim(path, depth))
                except UserError as error:
                    reasons.append(f"  {error}")
                    continue
                yield found
                if not found.off:
                    return
                first = first or group

    def _try(self, name: str, planter: Planter, aim: Aim) -> _Found:
        """Plant where it is wanted; where another needle is in the way, elsewhere in the file."""
        refused: list[UserError] = []
        for depth in _nearest_first(aim.depth):
            planted = planter.plant(self._with_lf, Aim(aim.target, depth))
            planted = with_cr(planted, self._site.ground)
            try:
                refuse_contact(name, planted, self.planted)
            except UserError as error:
                refused.append(error)
            else:
                return _Found(planted, aim.target, _off(planted, aim, self._site.ground))
        raise refused[0]

    def _keep(self, copy: Copy, found: _Found) -> None:
        planted = found.planted
        edited = {PurePosixPath(edit.path) for edit in planted.edits}
        self.planted[copy.needle.id] = planted
        self._edited |= edited
        self._needles.update(edited | {PurePosixPath(span.path) for span in planted.evidence})
        self._targets.add((copy.original, found.target))

    def check_share(self) -> None:
        """Raises UserError where too many files hold an edit."""
        count, most, all_files = len(self._edited), self._site.most, len(self._site.reviewed)
        if count > most:
            raise UserError(
                f"{count} of the {all_files} files under review would hold a defect; at most a"
                f" third, {most}, may",
                remedy="let needles share a kind of document and a position, or plant fewer",
            )


def _nearest_first(depth: Position | None) -> Sequence[Position | None]:
    if depth is None:
        return (None,)
    wanted = POSITIONS.index(depth)
    return sorted(POSITIONS, key=lambda position: abs(POSITIONS.index(position) - wanted))


class _Found(NamedTuple):
    """A place that takes the needle."""

    planted: Planted
    target: PurePosixPath
    off: int
    """How many lines the evidence stands outside of the wanted third of the file."""


def _off(planted: Planted, aim: Aim, ground: Ground) -> int:
    path = str(aim.target)
    spans = [span for span in planted.evidence if span.path == path]
    if aim.depth is None or not spans:
        return 0
    changes = [change for change in changes_of(planted.edits) if change.path == path]
    count = len(split_lines(ground.texts[aim.target])) + sum(change.shift for change in changes)
    return max(distance((span.first + span.last) // 2, count, aim.depth) for span in spans)
