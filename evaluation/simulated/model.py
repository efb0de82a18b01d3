"""The simulated models by name: how much each reads, and what it then says of it."""

from __future__ import annotations

from dataclasses import dataclass

from authoring.errors import UserError, nearest
from evaluation.simulated.truth import Stance


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


MODELS: dict[str, ModelSpec] = {
    spec.name: spec
    for spec in (
        ModelSpec("sim/oracle", share=1.0, in_part=0.0, stance="claims"),
        ModelSpec("sim/nop", share=0.0, in_part=0.0, stance="silent", may_imply=False),
        ModelSpec("sim/partial-admits", share=0.6, in_part=0.5, stance="admits"),
        ModelSpec("sim/partial-silent", share=0.6, in_part=0.5, stance="silent"),
        ModelSpec("sim/partial-claims", share=0.6, in_part=0.5, stance="claims"),
        ModelSpec("sim/delegates", share=1.0, in_part=0.0, stance="claims", delegates=1),
        ModelSpec("sim/delegates-nested", share=1.0, in_part=0.0, stance="claims", delegates=2),
    )
}

SHOWN = tuple(name for name in MODELS if name != "sim/delegates-nested")
"""Those that a demonstration runs: one for each way in which a report and reading can differ."""


def parse_model(name: str) -> ModelSpec:
    """The model of a name. Raises UserError with the nearest name where there is none."""
    if name not in MODELS:
        raise UserError(f"no simulated model is called {name!r}", remedy=nearest(name, MODELS))
    return MODELS[name]
