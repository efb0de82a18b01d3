"""`contract-across`: two contracts of one vendor that agreed no longer do; each is in order alone.

What is planted is computed from both: a rate above that vendor's schedule, a change that takes that
vendor's term beyond the playbook. The other contract stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Literal

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.contracts.planting_rates import above_schedule, misstated
from generators.contracts.planting_terms import beyond
from generators.contracts.scene import Scene
from generators.detectors.contracts.register import NUMBER
from generators.planting import Aim, Ground, Planted

SUMMARY = "two contracts of one vendor that agreed no longer do"
EXAMPLE = """\
planter: contract-across
parameters:
  defect: rate-above-schedule
"""

Defect = Literal["rate-above-schedule", "misstated-rate", "payment-beyond", "cap-beyond"]
DEFECTS: Mapping[Defect, Callable[[Scene], Planted]] = {
    "rate-above-schedule": above_schedule,
    "misstated-rate": misstated,
    "payment-beyond": lambda scene: beyond(scene, "payment"),
    "cap-beyond": lambda scene: beyond(scene, "cap"),
}


class ContractAcrossParameters(Value):
    """Which defect: of a statement of work for the first, of an amendment for the others."""

    defect: Defect


class ContractAcross:
    """Changes a contract that stands under a master agreement."""

    def __init__(self, parameters: ContractAcrossParameters) -> None:
        self._defect = parameters.defect

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        master = _master(ground, aim.target)
        return DEFECTS[self._defect](Scene(ground, aim, master))


def _master(ground: Ground, target: PurePosixPath) -> PurePosixPath:
    """The master agreement that a contract names, where nothing has changed it but the target."""
    place = Place(str(target))
    named = [match[0] for match in NUMBER.finditer(ground.texts[target])]
    number = next((name for name in named[1:] if name != named[0]), None)
    if number is None:
        raise UserError("names no master agreement", place=place)
    holds = [path for path, text in ground.texts.items() if number in text]
    found = [path for path in holds if ground.kinds[path] == "msa"]
    if len(found) != 1:
        raise UserError(f"the corpus holds {len(found)} master agreements {number}", place=place)
    others = [path for path in holds if ground.kinds[path] == "amendment" and path != target]
    if ground.kinds[target] == "amendment" and others:
        raise UserError(f"{number} has other amendments too, {others[0]} for one", place=place)
    return found[0]
