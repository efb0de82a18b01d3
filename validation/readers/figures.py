"""What a reader was asked and what it found, as `validation.json` holds it."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from authoring.artefacts import Value
from authoring.spec import Identifier
from validation.readers.metering import Account
from validation.readers.sampling import Corpus, Mode

Part = Annotated[float, Field(ge=0, le=1)]


class Share(Value):
    """So many of so many samples."""

    hits: int
    samples: Annotated[int, Field(ge=1)]
    rate: Part
    least: Part
    """Wilson's interval, 95 %."""
    most: Part

    def __str__(self) -> str:
        return f"{self.hits} of {self.samples} samples (95 %: {self.least:.0%} to {self.most:.0%})"


class NeedleReading(Value):
    """What a reader made of one needle."""

    needle: Identifier
    planted: Share | None
    """The samples that reported it. None where one of them, here or on the twin, is missing."""
    twin: Share | None
    """The samples that reported it where it does not stand: false alarms."""
    partly: int
    """Of the planted samples without a report of it, those that named its place or its defect."""
    at_its_lines: int
    """Of the samples that reported it, those that named one of its registered lines."""


class FailedSample(Value):
    """A sample that could not be had."""

    needle: Identifier | None
    """None: the whole corpus was given."""
    corpus: Corpus
    number: int
    reason: str


class ReaderFigures(Value):
    """One reader over one build."""

    reader: str
    """Who was asked: `anthropic:claude-sonnet-4-5`."""
    models: tuple[str, ...]
    """Who answered, in the server's words."""
    on: date
    """When the build was read; what the cache answered is older."""
    mode: Mode
    samples: int
    """Of the planted corpus, and as many of the twin: for every needle, or of the whole corpus."""
    threshold: float
    false_alarms: float
    findings_per_sample: float | None
    """On average over the planted samples: a reader that names everything finds everything."""
    needles: tuple[NeedleReading, ...]
    failed: tuple[FailedSample, ...]
    calls: Account
