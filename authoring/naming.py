"""What a spec names (generator, planters, kinds of defect) and the parameters each takes."""

from __future__ import annotations

import difflib
from collections import abc
from dataclasses import dataclass
from typing import TypeVar

from authoring.artefacts import Value
from authoring.catalogue import Catalogue, Kind
from authoring.errors import Problem, nearest
from authoring.spec import Parameters, ScenarioSpec
from authoring.typed import to_typed
from authoring.yaml_source import Entry, Mapping, Node, Scalar, entries_at, node_at

SLIP = 0.8
"""How alike a name and an unknown one are where the one is meant (difflib's ratio)."""

SpecType = TypeVar("SpecType", bound=ScenarioSpec)


@dataclass(frozen=True)
class NamedThings:
    """The parameters of a spec as their kinds type them, and what is wrong with them."""

    corpus: Parameters
    """Of the generator, for all sizes."""
    sizes: abc.Mapping[str, Parameters]
    """Of the generator, what each size changes."""
    kinds: tuple[Parameters, ...]
    """Of the detector of each kind that the spec brings."""
    needles: tuple[Parameters, ...]
    """Of each needle's planter."""
    problems: tuple[Problem, ...]

    @classmethod
    def check(cls, root: Node, catalogue: Catalogue) -> NamedThings:
        """Check every name and parameter of a spec's tree."""
        checker = _Checker(catalogue)
        checker.check_corpus(root)
        kinds = tuple(checker.check_kind(entry) for entry in entries_at(root, "kinds"))
        needles = tuple(checker.check_needle(entry) for entry in entries_at(root, "needles"))
        return cls(checker.corpus, checker.sizes, kinds, needles, tuple(checker.problems))

    def put_into(self, spec: SpecType) -> SpecType:
        """The spec with these parameters for those that were only read as YAML."""
        corpus = spec.corpus.model_copy(
            update={
                "parameters": spec.corpus.parameters | self.corpus,
                "sizes": {size: self.sizes.get(size, {}) for size in spec.corpus.sizes},
            }
        )
        kinds = tuple(
            kind.model_copy(update={"parameters": parameters})
            for kind, parameters in zip(spec.kinds, self.kinds, strict=True)
        )
        needles = tuple(
            needle.model_copy(
                update={"plant": needle.plant.model_copy(update={"parameters": parameters})}
            )
            for needle, parameters in zip(spec.needles, self.needles, strict=True)
        )
        return spec.model_copy(update={"corpus": corpus, "kinds": kinds, "needles": needles})


class _Checker:
    """Goes over the names of one spec."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._own: dict[str, Kind] = {}
        self.problems: list[Problem] = []
        self.corpus: Parameters = {}
        self.sizes: dict[str, Parameters] = {}

    def check_corpus(self, root: Node) -> None:
        """The generator, and its parameters as every size has them."""
        corpus = root.entry("corpus") if isinstance(root, Mapping) else None
        if corpus is None:
            return
        kind = self._named(
            node_at(corpus.value, "generator"), self._catalogue.generators, "generator"
        )
        if kind is None:
            return
        base = entries_at(corpus.value, "parameters")
        sizes = entries_at(corpus.value, "sizes")
        if not sizes:
            self._parameters(kind, Mapping(corpus.place, base))
        for size in sizes:
            own = entries_at(size.value)
            keys = {entry.key for entry in own}
            merged = (*(entry for entry in base if entry.key not in keys), *own)
            parameters = self._parameters(kind, Mapping(size.place, merged))
            self.sizes[size.key] = {k: v for k, v in parameters.items() if k in keys}
            self.corpus |= {
                entry.key: parameters[entry.key]
                for entry in base
                if entry.key not in keys and entry.key in parameters
            }

    def check_kind(self, own: Entry) -> Parameters:
        """A kind that the spec brings: its name, and its detector with its parameters."""
        name = node_at(own.value, "name")
        if isinstance(name, Scalar) and name.text:
            if name.text in self._catalogue.kinds or name.text in self._own:
                what = f"the kind of defect {name.text!r} is already there"
                self.problems.append(Problem("duplicate-kind", name.place, what, "rename it"))
            self._own[name.text] = Kind(name.text, "", Value)
        return self._typed_by(own, "detector", self._catalogue.detectors)

    def check_needle(self, needle: Entry) -> Parameters:
        """The kind of one needle, and its planter with its parameters."""
        kinds = {**self._catalogue.kinds, **self._own}
        self._named(node_at(needle.value, "kind"), kinds, "kind", "kind of defect")
        plant = needle.value.entry("plant") if isinstance(needle.value, Mapping) else None
        return self._typed_by(plant, "planter", self._catalogue.planters) if plant else {}

    def _typed_by(self, entry: Entry, key: str, known: abc.Mapping[str, Kind]) -> Parameters:
        """The parameters beside a key that names what they are for."""
        kind = self._named(node_at(entry.value, key), known, key)
        given = entry.value.entry("parameters") if isinstance(entry.value, Mapping) else None
        if kind is None:
            return {}
        place = given.place if given else entry.place
        entries = entries_at(given.value) if given else ()
        return self._parameters(kind, Mapping(place, entries))

    def _named(
        self, node: Node | None, known: abc.Mapping[str, Kind], section: str, noun: str = ""
    ) -> Kind | None:
        if not isinstance(node, Scalar) or not node.text:
            return None
        kind = known.get(node.text)
        if kind is None:
            what = f"there is no {noun or section} {node.text!r}"
            remedy = nearest(node.text, known)
            self.problems.append(Problem(f"unknown-{section}", node.place, what, remedy))
            # Parameters under a slip of the pen are checked as those of what was meant.
            meant = difflib.get_close_matches(node.text, known, n=1, cutoff=SLIP)
            kind = known[meant[0]] if meant else None
        return kind

    def _parameters(self, kind: Kind, node: Mapping) -> Parameters:
        typed = to_typed(node, kind.parameters, place=node.place)
        self.problems += typed.problems
        if typed.value is None:
            return {}
        dumped: Parameters = typed.value.model_dump(mode="json", by_alias=True)
        return dumped
