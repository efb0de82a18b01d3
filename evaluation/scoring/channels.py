"""The two channels side by side: a disagreement is shown, never averaged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.reading.context import ContextLog
from evaluation.reading.engine import Reading, ThreadReading
from evaluation.scoring.coverage import ranges
from evaluation.scoring.score import Channels, Difference


@dataclass(frozen=True)
class Channel:
    """One channel's account and what was measured from it."""

    log: ContextLog
    reading: Reading


def compare(wire: Channel | None, transcript: Channel | None) -> Channels:
    """Thread by thread, file by file, line by line, and the final response."""
    if wire is None or transcript is None:
        return Channels(wire=wire is not None, transcript=transcript is not None, agree=None)
    differences = tuple(_differences(wire, transcript))
    return Channels(wire=True, transcript=True, agree=not differences, differences=differences)


def _differences(wire: Channel, transcript: Channel) -> Iterator[Difference]:
    for thread in sorted({*wire.reading.threads, *transcript.reading.threads}):
        ours, theirs = wire.reading.threads.get(thread), transcript.reading.threads.get(thread)
        if ours is None or theirs is None:
            only = "transcript" if ours is None else "wire"
            yield Difference(thread=thread, what=f"a thread of the {only} alone")
        else:
            yield from _lines(thread, ours, theirs)
    said, written = (
        log.final.text.strip() if log.final else "" for log in (wire.log, transcript.log)
    )
    if said != written:
        yield Difference(thread="main", what="another final response in the transcript")


def _lines(thread: str, ours: ThreadReading, theirs: ThreadReading) -> Iterator[Difference]:
    for path in sorted({*ours.files, *theirs.files}):
        sent, written = ours.of(path), theirs.of(path)
        if sent.sure != written.sure:
            only_wire = ranges(sent.sure - written.sure)
            only_transcript = ranges(written.sure - sent.sure)
            yield Difference(
                thread=thread,
                what=f"{path}: lines {only_wire} by wire alone, {only_transcript} by "
                "transcript alone",
            )
        elif sent.possible != written.possible:
            yield Difference(thread=thread, what=f"{path}: other lines are ambiguous")
        elif sent.reformatted != written.reformatted:
            yield Difference(thread=thread, what=f"{path}: other lines were reformatted")
