"""What a nameable thing is to the build: how a spec sees it, and how it is made.

The names themselves stand in `generators.catalogue`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from typing import Any, Generic, TypeVar

from authoring.artefacts import Value
from authoring.catalogue import Catalogue, Kind
from authoring.errors import UserError, nearest
from authoring.spec import KindSpec, Parameters
from generators.detectors.detector import Detector
from generators.detectors.rules.catalogue import RULES, TypedRule
from generators.document import CorpusGenerator
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
            detectors={name: rule.kind for name, rule in RULES.items()},
        )

    def with_kinds(self, own: Iterable[KindSpec]) -> Registrations:
        """With the kinds of defect that a spec, or the spec of a build, brings itself.

        Raises UserError for a name taken twice, for a detector that there is not, and for
        parameters that it does not take.
        """
        kinds = dict(self.kinds)
        for one in own:
            if one.name in kinds:
                raise UserError(
                    f"the kind of defect {one.name!r} of the spec is already there",
                    remedy="give it another name",
                )
            kind = Kind(one.name, one.summary, NoParameters)
            kinds[one.name] = Registered(kind, TypedRule.of(one).detector)
        return replace(self, kinds=kinds)

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
