"""Tells later stages whether the seal of a build still holds."""

from __future__ import annotations

from authoring.artefacts import read_artefact, read_plain_file, sha256
from authoring.errors import Place, UserError
from generators.build import read_manifest
from generators.build_paths import BuildPaths
from validation.integrity import changed_files
from validation.report import Level, ValidationReport


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
    if manifest_digest(paths) != report.manifest_sha256:
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


def manifest_digest(paths: BuildPaths) -> str:
    """SHA-256 of the whole manifest."""
    return sha256(read_plain_file(paths.manifest))
