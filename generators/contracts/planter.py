"""`contract-across`: two contracts of one vendor that agreed no longer do; each is in order alone.

What is planted is computed from both: a rate above that vendor's schedule, a change that takes that
vendor's term beyond the playbook. The others stay as they are. Of several amendments of one master
agreement only the last takes a defect: those after it would go on from what is planted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.contracts.lines_shown import repeated
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
        planted = DEFECTS[self._defect](_scene(ground, aim))
        again = repeated(ground, planted)
        if again:
            raise UserError(
                f"what would show the defect stands elsewhere too: {again[0]}",
                place=Place(str(aim.target)),
            )
        return planted


def _scene(ground: Ground, aim: Aim) -> Scene:
    """The master agreement that a contract names, and what changed it before the contract."""
    place = Place(str(aim.target))
    named = [match[0] for match in NUMBER.finditer(ground.texts[aim.target])]
    number = next((name for name in named[1:] if name != named[0]), None)
    if number is None:
        raise UserError("names no master agreement", place=place)
    holds = [path for path, text in ground.texts.items() if number in text]
    found = [path for path in holds if ground.kinds[path] == "msa"]
    if len(found) != 1:
        raise UserError(f"the corpus holds {len(found)} master agreements {number}", place=place)
    chain = sorted(
        (path for path in holds if ground.kinds[path] == "amendment"),
        key=lambda path: _place(ground.texts[path]),
    )
    if aim.target not in chain:
        return Scene(ground, aim, found[0], later=tuple(chain))
    if chain[-1] != aim.target:
        raise UserError(f"a later amendment goes on from it: {chain[-1]}", place=place)
    return Scene(ground, aim, found[0], tuple(chain[:-1]))


def _place(text: str) -> str:
    """Of a contract in the register: by year, and in a year by date."""
    own = NUMBER.search(text)
    return own["place"] if own else ""
