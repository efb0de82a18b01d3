"""Every generator, planter and kind of defect that a spec may name, and how each is made.

One literal dict a section. Packages of others add theirs by entry point (`ocb.generators`,
`ocb.planters`, `ocb.kinds`), each of which is a `Registered` value; a name taken twice is an error.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from authoring.artefacts import Value
from authoring.catalogue import Catalogue, Kind
from authoring.errors import UserError, nearest
from authoring.spec import Parameters
from generators.contracts import generator as contracts
from generators.contracts.plan import ContractsParameters
from generators.detectors.contract_terms import CONTRACT_TERMS
from generators.detectors.detector import Detector
from generators.document import CorpusGenerator
from generators.planters import remove_section, replace_text
from generators.planting import Planter

MakeGenerator = Callable[[Any, random.Random], CorpusGenerator]
"""From the parameters, an instance of the kind's own parameter model, and randomness of its own."""
MakePlanter = Callable[[Any], Planter]
"""From the parameters, an instance of the kind's own parameter model."""
MakeDetector = Callable[[], Detector[Any]]

Make = TypeVar("Make", MakeGenerator, MakePlanter, MakeDetector)


@dataclass(frozen=True)
class Registered(Generic[Make]):
    """A nameable thing, as a spec sees it and as the build makes it."""

    kind: Kind
    make: Make
    version: str = "1"
    """Part of a build's hash: raise it when a generator writes other bytes than before."""


class NoParameters(Value):
    """What a kind of defect takes: nothing."""


GENERATORS: dict[str, Registered[MakeGenerator]] = {
    "contracts": Registered(
        kind=Kind(
            name="contracts",
            summary=contracts.SUMMARY,
            parameters=ContractsParameters,
            example=contracts.EXAMPLE,
        ),
        make=contracts.ContractsGenerator,
    ),
}

PLANTERS: dict[str, Registered[MakePlanter]] = {
    "replace-text": Registered(
        kind=Kind(
            name="replace-text",
            summary="one passage says something else",
            parameters=replace_text.ReplaceTextParameters,
            example=replace_text.EXAMPLE,
        ),
        make=replace_text.ReplaceText,
    ),
    "remove-section": Registered(
        kind=Kind(
            name="remove-section",
            summary="a section that should be there is not",
            parameters=remove_section.RemoveSectionParameters,
            example=remove_section.EXAMPLE,
        ),
        make=remove_section.RemoveSection,
    ),
}

KINDS: dict[str, Registered[MakeDetector]] = {
    name: Registered(
        kind=Kind(name=name, summary=found.summary, parameters=NoParameters),
        make=found.make,
    )
    for name, found in CONTRACT_TERMS.items()
}


@dataclass(frozen=True)
class Registrations:
    """All that can be named on this machine."""

    generators: Mapping[str, Registered[MakeGenerator]]
    planters: Mapping[str, Registered[MakePlanter]]
    kinds: Mapping[str, Registered[MakeDetector]]

    def catalogue(self) -> Catalogue:
        """What a spec may name, as data."""
        return Catalogue(
            generators={name: entry.kind for name, entry in self.generators.items()},
            planters={name: entry.kind for name, entry in self.planters.items()},
            kinds={name: entry.kind for name, entry in self.kinds.items()},
        )

    def generator(
        self, name: str, parameters: Parameters, randomness: random.Random
    ) -> CorpusGenerator:
        """A generator by name. Raises UserError for an unknown name."""
        entry = _named("generator", name, self.generators)
        return entry.make(entry.kind.parameters.model_validate(parameters), randomness)

    def planter(self, name: str, parameters: Parameters) -> Planter:
        """A planter by name. Raises UserError for an unknown name."""
        entry = _named("planter", name, self.planters)
        return entry.make(entry.kind.parameters.model_validate(parameters))

    def detector(self, kind: str) -> Detector[Any]:
        """The detector of a kind of defect. Raises UserError for an unknown kind."""
        return _named("kind of defect", kind, self.kinds).make()


def _named(what: str, name: str, known: Mapping[str, Registered[Make]]) -> Registered[Make]:
    entry = known.get(name)
    if entry is None:
        raise UserError(f"there is no {what} {name!r}", remedy=nearest(name, known))
    return entry


def merge(
    what: str, own: Mapping[str, Registered[Make]], others: Iterable[EntryPoint]
) -> dict[str, Registered[Make]]:
    """Ours and those of other packages. Raises UserError for a name taken twice."""
    merged = dict(own)
    for point in sorted(others, key=lambda point: (point.name, point.value)):
        if point.name in merged:
            raise UserError(
                f"the {what} {point.name!r} of {point.value} is already there",
                remedy="uninstall one of the packages that bring it",
            )
        entry = point.load()
        if not isinstance(entry, Registered):
            raise UserError(f"the {what} {point.name!r} of {point.value} is no Registered value")
        merged[point.name] = entry
    return merged


@cache
def installed() -> Registrations:
    """What ocb brings and what other packages add."""
    return Registrations(
        generators=merge("generator", GENERATORS, entry_points(group="ocb.generators")),
        planters=merge("planter", PLANTERS, entry_points(group="ocb.planters")),
        kinds=merge("kind of defect", KINDS, entry_points(group="ocb.kinds")),
    )


def describe() -> Catalogue:
    """What a spec may name on this machine, for `authoring`."""
    return installed().catalogue()
