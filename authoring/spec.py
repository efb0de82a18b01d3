"""A scenario spec as a typed value: what corpus, which task, where the needles go.

The YAML of a scenario has these very keys; `authoring.loading` makes the value from the file.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, model_validator

from authoring.artefacts import Value

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,62}$")]
Seed = Annotated[int, Field(ge=0, lt=1 << 63)]
"""As large as JSON readers hold."""
Size = Literal["small", "standard", "long", "large"]
Severity = Literal["minor", "major", "critical"]
Condition = Literal["direct", "delegated", "no_delegation"]
Position = Literal["early", "middle", "late"]
Parameters = dict[str, JsonValue]


def _says_something(term: str) -> str:
    if not term.strip():
        raise ValueError("a term is empty")
    return term


def _can_be_found(terms: tuple[str, ...]) -> tuple[str, ...]:
    if not any(re.search(r"[^\W_]|[%§$€£]", term) for term in terms):
        raise ValueError("none of these terms holds a letter or a digit, so no report can")
    return terms


TermGroup = Annotated[
    tuple[Annotated[str, AfterValidator(_says_something)], ...],
    Field(min_length=1),
    AfterValidator(_can_be_found),
]

SIZES: tuple[Size, ...] = ("small", "standard", "long", "large")
CONDITIONS: tuple[Condition, ...] = ("direct", "delegated", "no_delegation")
POSITIONS: tuple[Position, ...] = ("early", "middle", "late")


class CorpusSpec(Value):
    """Which generator makes the files, and how large each size is."""

    generator: str
    parameters: Parameters = {}
    """The generator's own, typed by it."""
    sizes: dict[Size, Parameters]
    """What changes per size; a size that is not named cannot be built."""


class Scope(Value):
    """Which files have which role. Every file of the corpus must match exactly one of the two."""

    review: Annotated[tuple[str, ...], Field(min_length=1)]
    """Globs of the files under review: breadth, depth and claims are over these."""
    reference: tuple[str, ...] = ()
    """Globs of files that are read to review others: a playbook, a policy."""


class Task(Value):
    """What the agent is asked. Both texts are Jinja2; `files` and `folder` are known to them."""

    prompt: str
    """Must hold `{{ instruction }}`, so that no two conditions ask the same; asks for the whole
    report in the final message."""
    conditions: dict[Condition, str]
    """The instruction of each condition."""


class Target(Value):
    """Which file a needle goes into: the kind of document, and where it stands."""

    document: str
    """The generator's name for the kind of document: `msa`."""
    position: Position
    """Which third of all byte-sorted review files; rotated by `placement`. Where that third holds
    no document of the kind, the third of those of the kind."""
    depth: Position | None = None
    """Which third of the file's lines, where there is a choice; rotated with the position."""


class Planting(Value):
    """How a needle is planted."""

    into: Target
    planter: str
    parameters: Parameters = {}
    """The planter's own, typed by it."""


class Report(Value):
    """What a review must say for the needle to count as reported."""

    statement: str
    """The defect in one plain sentence, as a good reviewer would put it."""
    terms: Annotated[tuple[TermGroup, ...], Field(min_length=1)]
    """Groups of words or phrases; a finding names the defect when it holds one of every group."""


class Breaks(Value):
    """The rule a needle breaks: a section of a reference file."""

    path: str
    heading: str
    """The text of the heading, without its marks."""


class KindSpec(Value):
    """A kind of defect that the scenario brings, and what finds it."""

    name: Identifier
    """Needles name it so; no installed kind may be called the same."""
    summary: str
    """The defect in a few words, for people."""
    detector: str
    """One of those that are told by parameters: `ocb author list` shows them."""
    parameters: Parameters = {}
    """The detector's own, typed by it."""


class NeedleSpec(Value):
    """One defect to plant."""

    id: Identifier
    kind: str
    severity: Severity
    plant: Planting
    report: Report
    breaks: Breaks | None = None
    copies: dict[Size, Annotated[int, Field(ge=0, lt=1000)]] = {}
    """How often a size has it, each time in another file; once where a size is not named.

    The copies are registered as `id`, `id-2`, `id-3`, each a third further on than the last."""


class TokenRange(Value):
    """Least and most tokens, both ends in."""

    least: Annotated[int, Field(ge=0)] = 0
    most: Annotated[int, Field(gt=0)]


class Budget(Value):
    """How many tokens the corpus may hold."""

    encoding: Literal["cl100k_base"] = "cl100k_base"
    file: TokenRange
    corpus: dict[Size, TokenRange]


LEAST_SAMPLES = 10
"""Below this an interval says nothing."""


class Validation(Value):
    """What a model reader must make of every needle (`ocb validate --reader`)."""

    samples: Annotated[int, Field(ge=LEAST_SAMPLES)] = LEAST_SAMPLES
    """How many samples of the planted corpus a needle is read in, and as many of its clean twin."""
    threshold: Annotated[float, Field(ge=0.5, le=1)] = 0.5
    """The share of the planted samples that must report it; what most miss is not found."""
    false_alarms: Annotated[float, Field(ge=0, lt=1)] = 0.2
    """The share of the clean samples that may report it all the same; below the threshold."""

    @model_validator(mode="after")
    def _alarms_below_threshold(self) -> Self:
        if self.false_alarms >= self.threshold:
            raise ValueError(
                f"false_alarms {self.false_alarms:g} is not below threshold {self.threshold:g}"
            )
        return self


class ScenarioSpec(Value):
    """One scenario, from which the same bytes can be built again."""

    id: Identifier
    title: str
    seed: Seed
    corpus: CorpusSpec
    scope: Scope
    task: Task
    kinds: tuple[KindSpec, ...] = ()
    """Kinds of defect beside those that are installed."""
    needles: Annotated[tuple[NeedleSpec, ...], Field(min_length=1)]
    budget: Budget
    validation: Validation = Validation()
