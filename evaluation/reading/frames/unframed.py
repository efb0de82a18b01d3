"""Places lines with something around them that no tool's table and no common form knows.

Looked at only where lines were left over, so it costs nothing where all were placed. Prevents a
file that was shown whole (`git diff`, `cat -A`, a script that prints numbers) from counting as not
read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evaluation.reading.frames.diffs import diffs_in
from evaluation.reading.frames.headings import HEADED, headed_in
from evaluation.reading.frames.numberings import BLAME, NUMBER, Numberings, blamed_in
from evaluation.reading.frames.wrapped import wrapped_in
from evaluation.reading.lines.forms import ShownLine, bare
from evaluation.reading.lines.framed import Framed
from evaluation.reading.lines.json_texts import BREAK, texts_within
from evaluation.reading.lines.outputs import Frame
from evaluation.reading.lines.paths import PathResolver
from evaluation.reading.lines.placement import Placement, Span, merged
from evaluation.reading.lines.shown import holds
from generators.lines import CorpusIndex, LinePlace, is_weighty, normal_form, split_lines

NUMBERS = re.compile(f"\n{NUMBER.pattern}")
"""At the start of a line, in a text behind a line feed."""


PlaceLines = Callable[[Sequence[ShownLine], Frame], Placement]
"""Places lines as those of one output of the call."""


@dataclass(frozen=True)
class Unframed:
    """What is known of one call, to place what its output leaves over."""

    named: Collection[str]
    """The files that the call named."""
    only: str | None
    """The one of them, where it named no other."""
    frame: Frame
    paths: PathResolver
    index: CorpusIndex
    place: PlaceLines
    lines_of: Callable[[str], list[ShownLine]]
    """The lines of a text as the tool's table and the common forms read them."""

    @property
    def _whole(self) -> Frame:
        """Of lines between which the command put nothing of its own."""
        return self.frame._replace(begins=True, ends=True)

    def placed(self, text: str, placement: Placement) -> Placement:
        """The placement of an output, again, where lines that it left over are a file's."""
        lines = split_lines(text)
        if "\x1b" in text or "\ufeff" in text:
            lines = list(map(bare, lines))
        left = set(placement.leftover)
        normals = list(map(normal_form if "\t" in text else str.rstrip, lines))
        free = [not normal or normal in left for normal in normals]
        frames = _apart(
            list(diffs_in(lines, self.index, self.paths.resolve)) if holds(text, "@@ -") else [],
            list(self._others(text, lines, free)),
        )
        sure = [one for one in frames if one.is_sure]
        if sure:
            placement = self._rest(lines, sure)
        for one in frames:
            placement.join(self._frame(one))
        if holds(text, BREAK):
            self._add_texts(lines, free, placement)
        self._add_short(normals, placement)
        return placement

    def _others(self, text: str, lines: Sequence[str], free: Sequence[bool]) -> Iterator[Framed]:
        index, paths = self.index, self.paths
        if HEADED.search(f"\n{text}"):
            yield from headed_in(lines, index, paths.resolve)
        left = (line for line, is_free in zip(lines, free, strict=True) if is_free and line)
        if holds(text, ") ") and any(map(BLAME.fullmatch, left)):
            yield from blamed_in(lines, self.only, paths)
        if self._has_numbers(text):
            recounted = self.frame.recounted
            numbered = Numberings(lines, self.named, index, paths, recounted=recounted)
            yield from self._by_paths(lines, numbered.framed())
        yield from self._by_paths(lines, wrapped_in(lines, free, index))

    def _by_paths(self, lines: Sequence[str], frames: Iterable[Framed]) -> Iterator[Framed]:
        """Frames; what stands below a path that leads elsewhere is sure nowhere."""
        for one in frames:
            if one.is_sure and self.paths.leads_elsewhere(lines[one.start]):
                yield one._replace(is_sure=False)
            else:
                yield one

    def _has_numbers(self, text: str) -> bool:
        """Whether one line with a number may follow another."""
        if self.paths.may_be_in(text):
            return True
        for (before, one), (behind, following) in pairwise(NUMBERS.findall(f"\n{text}")):
            if (
                one != following
                and before.rstrip() == behind.rstrip()
                and int(one) < int(following)
            ):
                return True
        return False

    def _rest(self, lines: Sequence[str], frames: Sequence[Framed]) -> Placement:
        """Place what stands between the frames."""
        result = Placement()
        start = 0
        for one in (*frames, Framed(len(lines), len(lines))):
            if start < one.start:
                frame = self.frame._replace(
                    begins=self.frame.begins and start == 0,
                    ends=self.frame.ends and one.start == len(lines),
                )
                shown = self.lines_of("\n".join(lines[start : one.start]) + "\n")
                result.join(self.place(shown, frame))
            start = one.stop
        return result

    def _frame(self, one: Framed) -> Placement:
        """Place what one frame shows."""
        found = self.place(one.lines, self._whole)
        if one.possible:
            found.allow(one.possible, 1)
        if not one.is_sure:
            found.doubt()
            found.leftover = []
        elif one.fewest > 1:
            _doubt_few(found, one.fewest, self.index)
        return found

    def _add_texts(
        self,
        lines: Sequence[str],
        free: Sequence[bool],
        placement: Placement,
    ) -> None:
        """Place the texts that stand inside of JSON."""
        for line, is_free in zip(lines, free, strict=True):
            if not (is_free and BREAK in line and '"' in line):
                continue
            for text in texts_within(line, self.index):
                placement.join(self.place(self.lines_of(text), self._whole))

    def _add_short(self, normals: Sequence[str], placement: Placement) -> None:
        """Short lines without a place may be those of the file that was named, or of one that has
        no others (`{}`)."""
        short = self.index.kept(short_files)
        spots: dict[LinePlace, None] = {}
        shown = 0
        if not short.keys().isdisjoint(normals):
            spots = {spot: None for text in normals for spot in short.get(text, ())}
            shown = sum(text in short for text in normals)
        unplaced = {one.text for one in placement.unplaced if not is_weighty(one.text)}
        if self.only is not None and unplaced:
            unplaced.add("")  # a blank line among them has none either
            for text in unplaced.intersection(normals):
                spots |= {
                    LinePlace(self.only, n): None for n in self.index.lines_in(self.only, text)
                }
            shown += sum(text in unplaced for text in normals)
        if spots:
            placement.allow((Span(one.path, one.line, one.line) for one in spots), shown)


def short_files(index: CorpusIndex) -> dict[str, list[LinePlace]]:
    """The lines of files that have none of weight, but for blank ones."""
    found: dict[str, list[LinePlace]] = {}
    for path, lines in index.files.items():
        if any(map(is_weighty, lines)):
            continue
        for number, line in enumerate(lines, start=1):
            if line:
                found.setdefault(line, []).append(LinePlace(path, number))
    return found


def _apart(first: Sequence[Framed], others: Sequence[Framed]) -> list[Framed]:
    """Frames that share no line, in their order: first the first ones, then sure and long ones."""
    chosen: list[Framed] = []
    taken: set[int] = set()
    for one in (*first, *sorted(others, key=lambda one: (not one.is_sure, one.start - one.stop))):
        if taken.isdisjoint(range(one.start, one.stop)):
            taken.update(range(one.start, one.stop))
            chosen.append(one)
    return sorted(chosen, key=lambda one: one.start)


def _doubt_few(found: Placement, fewest: int, index: CorpusIndex) -> None:
    """Count at the upper end what is sure of too few lines in a row."""
    spans = merged(found.sure)
    found.sure = []
    for span in spans:
        count = span.last - span.first + 1
        if count >= fewest or count == len(index.files[span.path]):
            found.sure.append(span)
        else:
            found.allow((span,), count)
