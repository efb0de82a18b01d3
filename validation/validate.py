"""Validates a build: is it whole, then every family of checks, then the report that seals it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from authoring.artefacts import Value, read_artefact, write_artefact
from authoring.errors import UserError
from generators.build import load_build, read_manifest
from generators.build_paths import BuildPaths
from generators.registered import Registrations
from validation.check import Check, Checked
from validation.families import FAMILIES, Means, run_families
from validation.feasibility import FeasibilityFigures
from validation.gradient import Gradient
from validation.integrity import check_build, check_files
from validation.leaks import leaks_on_disk
from validation.measurability import LineFigures, check_decodable
from validation.readers.codes import CODES as READER_CODES
from validation.readers.codes import UNDECIDED
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
    report = with_earlier_reading(paths, report_of(paths, found, ocb_version))
    write_artefact(paths.validation, report)
    return report


def report_of(
    paths: BuildPaths, found: Mapping[str, Checked], ocb_version: str
) -> ValidationReport:
    """The report on a build, from what each family found; by the family's name.

    A reader that could not be had says nothing against a build, which is then sealed without it.
    """
    manifest = read_manifest(paths)
    checks = tuple(check for one in found.values() for check in one.checks)
    whole = {INTEGRITY, *FAMILIES} <= set(found)
    level: Level | None = None
    if whole and all(check.passed or check.code in UNDECIDED for check in checks):
        decided = all(check.passed for check in checks)
        level = "read" if READERS in found and decided else "structural"
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


def with_earlier_reading(paths: BuildPaths, report: ValidationReport) -> ValidationReport:
    """The report of a run without a reader, with what an earlier one's reader found of this build.

    A reading costs money, and holds for as long as the build is the same. Nothing is taken from a
    report of another build, nor from one that is torn or of level `structural`.
    """
    if report.level != "structural" or report.figures.reader or not paths.validation.exists():
        return report
    try:
        earlier = read_artefact(paths.validation, ValidationReport)
    except UserError:
        return report
    reader = earlier.figures.reader
    same = (earlier.tree, earlier.registry_sha256, earlier.manifest_sha256) == (
        report.tree,
        report.registry_sha256,
        report.manifest_sha256,
    )
    if not same or earlier.level != "read" or reader is None:
        return report
    note = f"read by {reader.reader} on {reader.on}, and not again now"
    kept = [check for check in earlier.checks if check.code in READER_CODES and check.needle]
    kept.append(Check(code="reader", passed=True, note=note))
    figures = report.figures.model_copy(update={"reader": reader})
    return report.model_copy(
        update={"level": "read", "checks": (*report.checks, *kept), "figures": figures}
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
