"""Validates a build and seals it; and tells later stages whether a seal still holds."""

from __future__ import annotations

from authoring.artefacts import read_artefact, sha256, write_artefact
from authoring.errors import Place, UserError
from generators.build import Build
from validation.ablation import MakeDetector, ablate
from validation.integrity import changed_files, check_integrity
from validation.report import Check, Level, ValidationReport


def validate_build(build: Build, detector_of: MakeDetector, ocb_version: str) -> ValidationReport:
    """Check a build, write `validation.json`, and seal it where every check passes.

    The ablations need a clean corpus; where it cannot be had, they are not tried, and the failed
    integrity check says why.
    """
    checks = check_integrity(build.paths, build.manifest, build.registry, build.texts)
    if all(check.passed for check in checks):
        checks += _ablations(build, detector_of)
    report = ValidationReport(
        scenario=build.manifest.scenario,
        build=build.manifest.build,
        ocb=ocb_version,
        tree=build.manifest.tree,
        registry_sha256=sha256(build.paths.registry.read_bytes()),
        level="structural" if all(check.passed for check in checks) else None,
        checks=checks,
    )
    write_artefact(build.paths.validation, report)
    return report


def _ablations(build: Build, detector_of: MakeDetector) -> tuple[Check, ...]:
    return ablate(build.registry, build.texts, detector_of)


def seal_of(build: Build) -> Level:
    """The level at which a build is sealed.

    Raises UserError where it was never validated, failed, or was changed since, naming the files.
    """
    paths = build.paths
    place = Place(str(paths.root))
    again = f"run: ocb validate {paths.root}"
    if not paths.validation.is_file():
        raise UserError("this build is not validated", place=place, remedy=again)
    report = read_artefact(paths.validation, ValidationReport)
    changed = changed_files(paths, build.manifest)
    if changed:
        raise UserError(
            f"this build was changed after it was sealed: {', '.join(changed)}",
            place=place,
            remedy="build it again with: ocb author build",
        )
    if (report.tree, report.registry_sha256) != (
        build.manifest.tree,
        build.manifest.registry_sha256,
    ):
        raise UserError("validation.json speaks of another build", place=place, remedy=again)
    if report.level is None:
        failed = ", ".join(sorted({check.code for check in report.failures}))
        raise UserError(f"this build failed validation: {failed}", place=place, remedy=again)
    return report.level
