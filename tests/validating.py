"""Validates a build in the test's own process, with whatever is registered there."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from authoring.artefacts import read_artefact
from authoring.errors import UserError
from generators.build import Build, build_scenario, load_build
from generators.build_paths import BuildPaths
from generators.catalogue import Registrations, installed
from generators.directory.generator import tell_nobody
from generators.manifest import Manifest
from ocb.building import beside_spec
from validation.determinism import Rebuilt
from validation.families import Means
from validation.feasibility import Tables, load_tables
from validation.report import ValidationReport
from validation.validate import validate_build


@dataclass(frozen=True)
class RebuildHere:
    """Builds again in this process: a process of its own knows nothing of what a test registers."""

    known: Registrations

    def __call__(self, paths: BuildPaths) -> Rebuilt:
        build = load_build(paths.root)
        with tempfile.TemporaryDirectory() as parent:
            try:
                again = self._built(build, Path(parent))
            except UserError as error:
                return Rebuilt(manifest=None, fault=str(error))
            return Rebuilt(manifest=read_artefact(again.manifest, Manifest))

    def _built(self, build: Build, parent: Path) -> BuildPaths:
        return build_scenario(
            build.spec,
            size=build.manifest.size,
            seed=build.manifest.seed,
            placement=build.manifest.placement,
            parent=parent,
            ocb_version=build.manifest.ocb,
            registrations=self.known,
        )


def validated(
    paths: BuildPaths,
    known: Registrations | None = None,
    tables: Tables | None = None,
    beside: Path | None = None,
) -> ValidationReport:
    """Every check; written beside the build, as `ocb validate` does.

    `beside`: where the spec lies, for a build that reads a folder of real files.
    """
    known = known or (beside_spec(beside, tell_nobody) if beside else installed())
    means = Means(known, RebuildHere(known), tables or load_tables())
    return validate_build(paths, means, "0.0.0")
