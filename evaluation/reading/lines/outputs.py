"""One output of a tool while it is placed: its runs of lines, what they claim, and its frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from evaluation.reading.lines.placement import Span


class Run(Protocol):
    """Neighbouring lines of one output, by their positions in it, that all stand in the corpus."""

    @property
    def start(self) -> int:
        """The first position."""
        ...

    @property
    def stop(self) -> int:
        """The position after the last."""
        ...

    def text(self, position: int) -> str:
        """The normal form of a line."""
        ...


class Claim(NamedTuple):
    """Positions of a run that stand in a file, one after the other."""

    start: int
    stop: int
    path: str
    first: int
    """The line number of the first."""

    def number(self, position: int) -> int:
        """The line that a position has here; also beyond the claim."""
        return self.first + position - self.start

    def spans(self, start: int, stop: int) -> Iterator[Span]:
        """The lines of some of its positions."""
        if start < stop:
            yield Span(self.path, self.number(start), self.number(stop - 1))


class Origin(Protocol):
    """What one call may have shown."""

    @property
    def is_one(self) -> bool:
        """Only the file that it named can have been shown."""
        ...

    @property
    def alone(self) -> tuple[str, ...]:
        """The files that alone can have been shown, where those are few."""
        ...

    def tells(self, path: str) -> bool:
        """Whether a file may have been shown, and no other of its name from elsewhere."""
        ...

    def may_show(self, path: str) -> bool:
        """Whether the call does not rule out that a file was shown."""
        ...

    def doubts(self, claim: Claim, run: Run) -> bool:
        """Whether lines that look like a file's may be another's, in another shape."""
        ...


class Frame(NamedTuple):
    """What is known of an output as a whole."""

    begins: bool = True
    """A blank first line is the file's: one command alone printed all of this."""
    ends: bool = True
    """The same of a blank last line."""
    recounted: bool = False
    """Numbers without a path may count something else than a file's lines."""
    several: bool = False
    """More than one command may have printed it."""
    picks: bool = False
    """Neighbours in it need not be neighbours in a file: lines were picked, or sorted."""
    origin: Origin | None = None
    """What the call may have shown; None: anything."""

    @property
    def is_mixed(self) -> bool:
        """Several commands may have printed it, or one that picks lines."""
        return self.picks or self.several

    def of(self, origin: Origin) -> Frame:
        """The same, of a call that may have shown what `origin` says."""
        return Frame(*self[:-1], origin)


class Edges(NamedTuple):
    """Whether the ends of a run are ends of an output that one command printed."""

    begins: bool
    ends: bool
