"""Can a model read all of it? Tokens of files, corpus and prompt, and the room they need.

Prevents a false result: an agent called an overclaimer that could not have read everything, since
it does not fit into the model's context window.

A pair of model and harness is feasible when prompt, fixed tokens of the harness and the cost of a
full reading, the last times the vendor's factor, fill at most three quarters of the window
(docs/measurement.md, Feasibility). A full reading shows every line of every file once, a file a
call.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from authoring.artefacts import Value
from authoring.errors import UserError
from authoring.prompt import render_prompt
from authoring.spec import Condition, Size
from generators.budget import check_budget
from generators.lines import split_lines
from generators.tokens import count_tokens
from validation.check import Check, Checked, verdict
from validation.leaks import FOLDER
from validation.reading_costs import (
    VENDOR_FACTOR,
    HarnessCost,
    ModelWindow,
    Tables,
    load_tables,
)
from validation.subject import Subject

__all__ = [
    "CODES",
    "CorpusTokens",
    "Feasibility",
    "FeasibilityFigures",
    "FileTokens",
    "Reading",
    "Tables",
    "check_feasibility",
    "corpus_tokens",
    "feasibility",
    "full_reading",
    "load_tables",
]

ROOM = 0.75
"""Share of a window that a full reading may fill; the rest is for thought and answer."""
PROMISED: frozenset[Size] = frozenset({"small", "standard", "long"})
"""Sizes that some model must be able to read; `large` is reported apart."""
SHOWN = 3
"""Files that a sentence names before it gives the count."""

CODES = {
    "token-budget": "every file and the corpus hold as many tokens as the spec's budget says",
    "feasible": "some model of the table can hold a full reading (`large` promises none)",
    "single-read": "files that one read does not show whole are named, with the reads they need",
}


@dataclass(frozen=True)
class FileTokens:
    """The size of one file."""

    path: str
    lines: int
    tokens: int
    characters: int


@dataclass(frozen=True)
class CorpusTokens:
    """The size of all that is to be read, and of what asks for it."""

    files: tuple[FileTokens, ...]
    prompt: int
    """Tokens of the longest task prompt."""

    @property
    def tokens(self) -> int:
        """Of all files together."""
        return sum(file.tokens for file in self.files)


class Reading(Value):
    """What a full reading costs through one harness, in tokens of cl100k_base."""

    harness: str
    version: str
    reads: int
    """Calls that read; more than one for a file beyond the limit of a single read."""
    tokens: int
    """Of all that a reading adds to a context: texts, line numbers, calls, wrappers."""
    overhead: float
    """Those, as a multiple of the corpus."""
    sent: int
    """Input tokens of all calls together, with the history sent again in each: what is paid for
    where nothing is cached."""


class Feasibility(Value):
    """Whether one model can hold a full reading through one harness."""

    harness: str
    model: str
    needed: int
    """Tokens, by the vendor's count where that is measured or guessed."""
    window: int | None
    """None: not known."""
    vendor_factor: float
    measured: bool
    """Whether the vendor's factor is measured."""
    feasible: bool | None
    """None: the window is not known."""

    @property
    def share(self) -> float:
        """Of the window that would be filled; 0 where it is not known."""
        return self.needed / self.window if self.window else 0.0


class LongFile(Value):
    """A file that one read does not show whole."""

    path: str
    harness: str
    reads: int


class FeasibilityFigures(Value):
    """All that was counted and computed."""

    tokens: int
    """Of the corpus, in the encoding of the spec."""
    prompts: dict[Condition, int]
    """Tokens of each condition's prompt."""
    readings: tuple[Reading, ...]
    pairs: tuple[Feasibility, ...]
    long_files: tuple[LongFile, ...]


def corpus_tokens(texts: Mapping[str, str], prompt: int) -> CorpusTokens:
    """Counted anew. Text such as `<|endoftext|>` is plain text."""
    return CorpusTokens(
        tuple(
            FileTokens(path, len(split_lines(text)), count_tokens(text), len(text))
            for path, text in sorted(texts.items())
        ),
        prompt,
    )


def reads_of(file: FileTokens, harness: HarnessCost, factor: float = VENDOR_FACTOR) -> int:
    """How many calls show a file whole. `factor`: the vendor's tokens for one of ours."""
    reads = [1]
    if harness.read_lines:
        reads.append(math.ceil(file.lines / harness.read_lines))
    if harness.read_characters:
        reads.append(math.ceil(file.characters / harness.read_characters))
    counted = file.tokens * factor
    if harness.read_tokens and counted > harness.read_tokens:
        reads.append(math.ceil(counted / (harness.page_tokens or harness.read_tokens)))
    return max(reads)


def full_reading(
    size: CorpusTokens, harness: HarnessCost, factor: float = VENDOR_FACTOR
) -> Reading:
    """What it costs to read every file whole. `factor` decides only how many reads that takes."""
    context = harness.fixed_tokens + size.prompt
    tokens = sent = 0.0
    reads = 0
    for file in size.files:
        count = reads_of(file, harness, factor)
        reads += count
        cost = file.tokens + file.lines * harness.tokens_per_line + count * harness.tokens_per_read
        # Each of its calls sends what is there so far; on average half of the file is.
        sent += count * (context + tokens) + cost * (count - 1) / 2
        tokens += cost
    sent += context + tokens
    return Reading(
        harness=harness.name,
        version=harness.version,
        reads=reads,
        tokens=math.ceil(tokens),
        overhead=round(tokens / size.tokens, 3) if size.tokens else 0.0,
        sent=math.ceil(sent),
    )


def feasibility(size: CorpusTokens, model: str, harness: str, tables: Tables) -> Feasibility:
    """Whether a model can hold a full reading. Raises UserError for a harness never measured."""
    return _feasibility(size, model, tables.model(model), tables.harness(harness))


def _feasibility(
    size: CorpusTokens, name: str, model: ModelWindow | None, harness: HarnessCost
) -> Feasibility:
    measured = model.vendor_factor if model else None
    factor = measured or VENDOR_FACTOR
    reading = full_reading(size, harness, factor)
    needed = math.ceil(size.prompt + harness.fixed_tokens + reading.tokens * factor)
    return Feasibility(
        harness=harness.name,
        model=name,
        needed=needed,
        window=model.window if model else None,
        vendor_factor=factor,
        measured=measured is not None,
        feasible=needed <= ROOM * model.window if model else None,
    )


def check_feasibility(subject: Subject, tables: Tables) -> Checked:
    """Count, compare with the budget, and try every model through every harness that asks it."""
    prompts = _prompts(subject)
    size = corpus_tokens(subject.planted, max(prompts.values(), default=0))
    harnesses = sorted(tables.harnesses.values(), key=lambda one: one.name)
    figures = FeasibilityFigures(
        tokens=size.tokens,
        prompts=prompts,
        readings=tuple(full_reading(size, harness) for harness in harnesses),
        pairs=tuple(
            _feasibility(size, model.name, model, harness)
            for harness in harnesses
            for model in tables.models.values()
            if not harness.vendors or model.vendor in harness.vendors
        ),
        long_files=tuple(_long_files(size.files, harnesses)),
    )
    return Checked(
        (
            verdict("token-budget", _budget(subject, size)),
            _feasible(subject.build.spec.build.size, figures.pairs),
            verdict("single-read", "", note=_long(figures.long_files)),
        ),
        figures,
    )


def _prompts(subject: Subject) -> dict[Condition, int]:
    spec = subject.build.spec
    files = len(subject.review)
    return {
        condition: count_tokens(render_prompt(spec, condition, files=files, folder=FOLDER))
        for condition in spec.task.conditions
    }


def _budget(subject: Subject, size: CorpusTokens) -> str:
    try:
        check_budget(subject.build.spec, {file.path: file.tokens for file in size.files})
    except UserError as error:
        return " ".join(error.what.split())
    return ""


def _feasible(size: Size, pairs: Sequence[Feasibility]) -> Check:
    if any(pair.feasible for pair in pairs):
        holding = {pair.model for pair in pairs if pair.feasible}
        known = {pair.model for pair in pairs}
        return verdict("feasible", "", note=f"{len(holding)} of {len(known)} models can hold it")
    if not pairs:
        return verdict("feasible", "", note="no model is in the table")
    best = min(pairs, key=lambda pair: pair.share)
    told = (
        f"no model in the table can hold a full reading: {best.model} through {best.harness} "
        f"would need {best.needed:,} tokens of {best.window:,}, at most {ROOM:.0%} may be filled"
    )
    return verdict("feasible", told) if size in PROMISED else verdict("feasible", "", note=told)


def _long_files(
    files: Iterable[FileTokens], harnesses: Iterable[HarnessCost]
) -> Iterator[LongFile]:
    for harness in harnesses:
        for file in files:
            reads = reads_of(file, harness)
            if reads > 1:
                yield LongFile(path=file.path, harness=harness.name, reads=reads)


def _long(files: Sequence[LongFile]) -> str:
    if not files:
        return ""
    named = ", ".join(
        f"{file.path} ({file.reads} reads through {file.harness})" for file in files[:SHOWN]
    )
    more = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
    return f"not shown whole by one read: {named}{more}"
