"""The seal of a build: given where every check passes, broken by any change.

Golden: `OCB_REWRITE_GOLDENS=1 pytest tests/validation/test_seal.py` rewrites `validation.json`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact, write_artefact
from authoring.errors import UserError
from generators.build import Build
from generators.manifest import Manifest
from tests.validating import validated
from tests.validation.harbour.harbour import build_harbour, registrations
from validation.report import ValidationReport
from validation.seal import seal_of

FILE = "boats/elm/log.md"


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return build_harbour(tmp_path)


def validate(build: Build) -> ValidationReport:
    return validated(build.paths, registrations())


def test_a_sound_build_is_sealed(build: Build, golden: Callable[[str, bytes], None]) -> None:
    report = validate(build)
    assert report.level == "structural"
    assert seal_of(build.paths) == "structural"
    golden("validation.json", build.paths.validation.read_bytes())


def test_a_build_that_failed_has_no_seal(build: Build) -> None:
    os.utime(build.paths.file(FILE))
    assert validate(build).level is None
    with pytest.raises(UserError, match="this build failed validation: leak-time"):
        seal_of(build.paths)


def test_a_build_that_was_never_validated_has_no_seal(build: Build) -> None:
    with pytest.raises(UserError, match="is not validated"):
        seal_of(build.paths)


def append(path: Path) -> None:
    path.write_text(path.read_text() + "one more\n")


def link_to_a_copy(path: Path) -> None:
    copy = path.rename(path.parents[3] / "copy.txt")
    path.symlink_to(copy)


def make_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        pytest.param(append, "changed", id="changed"),
        pytest.param(Path.unlink, "missing", id="missing"),
        pytest.param(link_to_a_copy, "is not a plain file", id="a-link"),
        pytest.param(make_a_pipe, "is not a plain file", id="a-pipe"),
        pytest.param(lambda path: path.chmod(0o600), "another mode", id="mode"),
    ],
)
def test_a_corpus_changed_after_sealing_is_refused_by_name(
    build: Build, change: Callable[[Path], None], what: str
) -> None:
    validate(build)
    change(build.paths.file(FILE))
    with pytest.raises(UserError) as error:
        seal_of(build.paths)
    assert error.value.what == (
        f"this build was changed after it was sealed: corpus/{FILE} ({what})"
    )


@pytest.mark.parametrize("link", [False, True], ids=["file", "link"])
def test_a_file_added_after_sealing_is_refused_by_name(build: Build, *, link: bool) -> None:
    validate(build)
    extra = build.paths.file("boats/extra.txt")
    extra.symlink_to("/etc/passwd") if link else extra.write_text("new\n")
    with pytest.raises(UserError, match=r"corpus/boats/extra.txt \(new\)"):
        seal_of(build.paths)


def test_a_registry_changed_after_sealing_is_refused_by_name(build: Build) -> None:
    validate(build)
    append(build.paths.registry)
    with pytest.raises(UserError, match=r"registry.json \(changed\)"):
        seal_of(build.paths)


def test_a_manifest_changed_after_sealing_is_refused(build: Build) -> None:
    validate(build)
    manifest = read_artefact(build.paths.manifest, Manifest)
    files = (manifest.files[0].model_copy(update={"role": "reference"}), *manifest.files[1:])
    write_artefact(build.paths.manifest, manifest.model_copy(update={"files": files}))
    with pytest.raises(UserError, match=r"changed after it was sealed: manifest.json \(changed\)"):
        seal_of(build.paths)
