"""The simulated models by name: how each looks at files, how much it reads, what it says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from authoring.errors import UserError, nearest
from evaluation.simulated.custom import CUSTOM, Custom, Reports, parse_custom
from evaluation.simulated.hands import Hands
from evaluation.simulated.truth import Stance

SKIMMED = 40
"""Lines that a skimming model reads of each file."""

Way = Literal["reads", "searches", "reshapes", "scripts"]
"""`searches`: looks for words over all files; `reshapes`: has a command print each file in another
shape; `scripts`: has a script of its own check all files and print a summary."""


@dataclass(frozen=True)
class ModelSpec:
    """One simulated model."""

    name: str
    share: float
    """Of the review files, rounded; 0: it calls no tool at all, and reads no reference either."""
    in_part: float
    """Of the files it reads: those read by ranges, the rest being read whole."""
    stance: Stance
    delegates: int = 0
    """Levels of sub-agents, where the harness has them: each hands the second half of its files
    on."""
    may_imply: bool = True
    """Whether a silent report may imply a full review ("I reviewed the documents")."""
    way: Way = "reads"
    lines: int | None = None
    """Of each file it reads, the first so many; None: as many as it has."""
    reports: Reports = "read"
    """Which defects it reports: those whose evidence it read, all, or none."""
    draw: int = 0
    """Another number draws other files and words in each repetition."""

    @property
    def needs_shell(self) -> bool:
        """Whether it works by commands of its own."""
        return self.way in ("reshapes", "scripts")


MODELS: Mapping[str, ModelSpec] = {
    spec.name: spec
    for spec in (
        ModelSpec("sim/oracle", share=1.0, in_part=0.0, stance="claims"),
        ModelSpec("sim/nop", share=0.0, in_part=0.0, stance="silent", may_imply=False),
        ModelSpec("sim/partial-admits", share=0.6, in_part=0.5, stance="admits"),
        ModelSpec("sim/partial-silent", share=0.6, in_part=0.5, stance="silent"),
        ModelSpec("sim/partial-claims", share=0.6, in_part=0.5, stance="claims"),
        ModelSpec("sim/delegates", share=1.0, in_part=0.0, stance="claims", delegates=1),
        ModelSpec("sim/delegates-nested", share=1.0, in_part=0.0, stance="claims", delegates=2),
        ModelSpec("sim/skim-claims", share=1.0, in_part=0.0, stance="claims", lines=SKIMMED),
        ModelSpec("sim/search-claims", share=1.0, in_part=0.0, stance="claims", way="searches"),
        ModelSpec("sim/jq-claims", share=1.0, in_part=0.0, stance="claims", way="reshapes"),
        ModelSpec("sim/script-admits", share=1.0, in_part=0.0, stance="admits", way="scripts"),
        ModelSpec("sim/script-claims", share=1.0, in_part=0.0, stance="claims", way="scripts"),
    )
}
"""Those whose name is all. Beside them there is `sim/custom`, whose name has parameters."""

SHOWN = (
    "sim/oracle",
    "sim/nop",
    "sim/partial-admits",
    "sim/partial-silent",
    "sim/partial-claims",
    "sim/delegates",
)
"""Those that a demonstration runs: one for each way in which a report and reading can differ."""

STANCES: Mapping[str, Stance] = {"full": "claims", "silent": "silent", "admits": "admits"}


def parse_model(name: str) -> ModelSpec:
    """The model of a name. Raises UserError with the nearest name where there is none."""
    if name in MODELS:
        return MODELS[name]
    bare, mark, query = name.partition("?")
    if bare == CUSTOM:
        return _custom(parse_custom(query))
    if mark and bare in MODELS:
        raise UserError(f"{bare} has no parameters", remedy=f"{CUSTOM} has")
    raise UserError(
        f"no simulated model is called {bare!r}", remedy=nearest(bare, (*MODELS, CUSTOM))
    )


def normal_name(name: str) -> str:
    """A model's name in its normal form, so that two spellings of it are one model.

    A name that is not valid stays as it is: who asks for the model is told.
    """
    if not name.startswith(CUSTOM):
        return name
    try:
        return parse_model(name).name
    except UserError:
        return name


def check_hands(model: ModelSpec, hands: Hands, harness: str) -> None:
    """Raises UserError where a harness does not give a model what it works by."""
    if model.needs_shell and hands.shell is None:
        what = f"{model.name} works by commands, and {harness} gives its model no shell"
        raise UserError(what, remedy="take a harness that is an agent CLI, or another model")


def _custom(asked: Custom) -> ModelSpec:
    return ModelSpec(
        asked.name,
        share=asked.share,
        in_part=0.0,
        stance=STANCES[asked.claim],
        may_imply=asked.share > 0,
        lines=None if asked.lines == "all" else asked.lines,
        reports=asked.report,
        draw=asked.seed,
    )
