"""Validates a build: is it whole, then every family of checks, then the report that seals it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from authoring.artefacts import Value, write_artefact
from generators.build import load_build, read_manifest
from generators.build_paths import BuildPaths
from generators.registered import Registrations
from validation.check import Checked
from validation.families import FAMILIES, Means, run_families
from validation.feasibility import FeasibilityFigures
from validation.gradient import Gradient
from validation.integrity import check_build, check_files
from validation.leaks import leaks_on_disk
from validation.measurability import LineFigures, check_decodable
from validation.readers.figures import ReaderFigures
from validation.report import Figures, Level, ValidationReport
from validation.seal import manifest_digest
from validation.shortcuts.figures import ShortcutFigures
from validation.subject import Detections, Subject

INTEGRITY = "integrity"
"""The family on which all others stand, and the one that comes first."""
READERS = "readers"
"""The family that makes a seal one of level `read`."""


def inspect(paths: BuildPaths) -> Checked:
    """Whether the files, the manifest and the registry are those of one build.

    The other checks need a clean corpus; where it cannot be had they are not tried, and the failed
    check here says why. Raises UserError where the folder holds no build.
    """
    manifest = read_manifest(paths)
    checks = [check_files(paths, manifest)]
    if paths.corpus.is_dir():
        checks += leaks_on_disk(paths)
    if checks[0].passed:
        checks.append(check_decodable(paths, manifest))
    if all(check.passed for check in checks):
        checks += check_build(load_build(paths.root))
    return Checked(tuple(checks))


def subject_at(paths: BuildPaths, known: Registrations) -> Subject:
    """A build that passed its inspection, ready for all other checks.

    Raises UserError where its spec brings a kind of defect that cannot be made here.
    """
    build = load_build(paths.root)
    return Subject(build, Detections(known.with_kinds(build.spec.kinds).detector))


def validate_build(paths: BuildPaths, means: Means, ocb_version: str) -> ValidationReport:
    """Check a build in this process, write `validation.json`, and seal it where all checks pass.

    Raises UserError where the folder holds no build.
    """
    found = {INTEGRITY: inspect(paths)}
    if all(check.passed for check in found[INTEGRITY].checks):
        found |= run_families(subject_at(paths, means.known), FAMILIES, means)
    report = report_of(paths, found, ocb_version)
    write_artefact(paths.validation, report)
    return report


def report_of(
    paths: BuildPaths, found: Mapping[str, Checked], ocb_version: str
) -> ValidationReport:
    """The report on a build, from what each family found; by the family's name."""
    manifest = read_manifest(paths)
    checks = tuple(check for one in found.values() for check in one.checks)
    whole = {INTEGRITY, *FAMILIES} <= set(found)
    level: Level | None = None
    if whole and all(check.passed for check in checks):
        level = "read" if READERS in found else "structural"
    return ValidationReport(
        scenario=manifest.scenario,
        build=manifest.build,
        ocb=ocb_version,
        tree=manifest.tree,
        registry_sha256=manifest.registry_sha256,
        manifest_sha256=manifest_digest(paths),
        level=level,
        checks=checks,
        figures=_figures(one.figures for one in found.values()),
    )


def _figures(found: Iterable[Value | None]) -> Figures:
    figures = Figures()
    for one in found:
        match one:
            case LineFigures():
                figures = figures.model_copy(update={"lines": one})
            case ShortcutFigures():
                figures = figures.model_copy(update={"shortcuts": one})
            case Gradient():
                figures = figures.model_copy(update={"gradient": one})
            case FeasibilityFigures():
                figures = figures.model_copy(update={"feasibility": one})
            case ReaderFigures():
                figures = figures.model_copy(update={"reader": one})
    return figures
