"""Validates a build and seals it; and tells later stages whether a seal still holds."""

from __future__ import annotations

from authoring.artefacts import read_artefact, read_plain_file, sha256, write_artefact
from authoring.errors import Place, UserError
from generators.build import load_build, read_manifest
from generators.build_paths import BuildPaths
from validation.ablation import MakeDetector, ablate
from validation.check import Check
from validation.integrity import changed_files, check_build, check_files
from validation.report import Level, ValidationReport


def validate_build(
    paths: BuildPaths, detector_of: MakeDetector, ocb_version: str
) -> ValidationReport:
    """Check a build, write `validation.json`, and seal it where every check passes.

    The ablations need a clean corpus; where it cannot be had, they are not tried, and the failed
    check before them says why. Raises UserError where the folder holds no build.
    """
    manifest = read_manifest(paths)
    checks: tuple[Check, ...] = (check_files(paths, manifest),)
    if checks[0].passed:
        build = load_build(paths.root)
        checks += check_build(build)
        if all(check.passed for check in checks):
            checks += ablate(build.registry, build.texts, detector_of)
    report = ValidationReport(
        scenario=manifest.scenario,
        build=manifest.build,
        ocb=ocb_version,
        tree=manifest.tree,
        registry_sha256=manifest.registry_sha256,
        manifest_sha256=_manifest_digest(paths),
        level="structural" if all(check.passed for check in checks) else None,
        checks=checks,
    )
    write_artefact(paths.validation, report)
    return report


def seal_of(paths: BuildPaths) -> Level:
    """The level at which a build is sealed.

    Raises UserError where it was never validated, failed, or was changed since, naming the files.
    """
    place = Place(str(paths.root))
    again = f"run: ocb validate {paths.root}"
    manifest = read_manifest(paths)
    if not paths.validation.exists():
        raise UserError("this build is not validated", place=place, remedy=again)
    report = read_artefact(paths.validation, ValidationReport)
    changed = changed_files(paths, manifest)
    if _manifest_digest(paths) != report.manifest_sha256:
        changed = (*changed, "manifest.json (changed)")
    if changed:
        raise UserError(
            f"this build was changed after it was sealed: {', '.join(changed)}",
            place=place,
            remedy="build it again with: ocb author build",
        )
    if report.level is None:
        failed = ", ".join(sorted({check.code for check in report.failures}))
        raise UserError(f"this build failed validation: {failed}", place=place, remedy=again)
    return report.level


def _manifest_digest(paths: BuildPaths) -> str:
    return sha256(read_plain_file(paths.manifest))
