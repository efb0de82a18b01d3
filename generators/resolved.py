"""`spec.yaml` of a build: the spec with its defaults, for one size, seed and placement."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import UserError, nearest
from authoring.loading import load_spec_as
from authoring.spec import KindSpec, Parameters, ScenarioSpec, Seed, Size
from generators.catalogue import Registrations
from generators.detectors.rules.catalogue import TypedRule
from generators.manifest import GeneratorVersion

HASH_DIGITS = 12
OTHER_BREAKS = re.compile("[\r\x85\u2028\u2029\ufeff]")
"""What YAML takes for a line end or drops, outside of a quoted escape."""
PLACEMENTS = 3


class BuildParameters(Value):
    """What one build of a spec is made with."""

    size: Size
    seed: Seed
    placement: Annotated[int, Field(ge=0, lt=PLACEMENTS)]
    """By how many thirds every needle moves on: early, middle, late and round again."""


class ResolvedSpec(ScenarioSpec):
    """A scenario as it is built: no default left open, and the one size that was asked for."""

    build: BuildParameters


def resolve(
    spec: ScenarioSpec, build: BuildParameters, registrations: Registrations
) -> ResolvedSpec:
    """Fill in the defaults of generator, detectors and planters.

    Raises UserError for a size it has not.
    """
    if build.size not in spec.corpus.sizes or build.size not in spec.budget.corpus:
        raise UserError(
            f"{spec.id} has no size {build.size!r}", remedy=nearest(build.size, spec.corpus.sizes)
        )
    corpus = spec.corpus
    generator = registrations.generators[corpus.generator].kind.parameters
    given: Parameters = corpus.parameters | corpus.sizes[build.size]
    parameters = generator.model_validate(given).model_dump(mode="json", by_alias=True)
    needles = []
    for needle in spec.needles:
        copies = needle.copies.get(build.size, 1)
        if not copies:
            continue
        plant = needle.plant
        model = registrations.planters[plant.planter].kind.parameters
        filled = model.model_validate(plant.parameters).model_dump(mode="json", by_alias=True)
        plant = plant.model_copy(update={"parameters": filled})
        update = {"plant": plant, "copies": {build.size: copies}}
        needles.append(needle.model_copy(update=update))
    if not needles:
        raise UserError(f"{spec.id} has no needle in size {build.size!r}", remedy="mend copies")
    values = {name: getattr(spec, name) for name in ScenarioSpec.model_fields}
    values |= {
        "build": build,
        "corpus": corpus.model_copy(update={"parameters": parameters, "sizes": {build.size: {}}}),
        "kinds": tuple(map(_filled, spec.kinds)),
        "needles": tuple(needles),
        "budget": spec.budget.model_copy(
            update={"corpus": {build.size: spec.budget.corpus[build.size]}}
        ),
    }
    return ResolvedSpec(**values)


def _filled(kind: KindSpec) -> KindSpec:
    """A kind that the spec brings, with all parameters of its detector."""
    parameters = TypedRule.of(kind).parameters.model_dump(mode="json", by_alias=True)
    return kind.model_copy(update={"parameters": parameters})


class _Dumper(yaml.SafeDumper):
    """Writes what `authoring.loading` reads: no anchors, and texts of several lines as blocks."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    if OTHER_BREAKS.search(text):
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def dump_spec(spec: ResolvedSpec) -> bytes:
    """The bytes of `spec.yaml`."""
    data = spec.model_dump(mode="json")
    header = {"build": data.pop("build")}
    text = yaml.dump(header | data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def read_spec(path: Path) -> ResolvedSpec:
    """Read `spec.yaml` back; names need not be known here, so that a build can travel."""
    return load_spec_as(path, ResolvedSpec, None)


def build_name(spec: ResolvedSpec, data: bytes, generator: GeneratorVersion, ocb: str) -> str:
    """The folder's name: all that decides the bytes of a build is in its hash."""
    digest = hashlib.sha256(data)
    digest.update(f"\0{generator.name}\0{generator.version}\0{ocb}".encode())
    return f"{spec.id}-{digest.hexdigest()[:HASH_DIGITS]}"
