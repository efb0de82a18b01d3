"""The seal of a build: given where every check passes, broken by any change.

Golden: `OCB_REWRITE_GOLDENS=1 pytest tests/validation/test_seal.py` rewrites `validation.json`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact, sha256, write_artefact
from authoring.errors import UserError
from generators.build import Build, load_build
from generators.manifest import Manifest
from generators.registry import Registry, Span
from tests.e2e.truth_corpus import build_truth_corpus, registrations
from validation.report import ValidationReport
from validation.seal import seal_of, validate_build


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return build_truth_corpus(tmp_path)


def validate(build: Build) -> ValidationReport:
    return validate_build(build.paths, registrations().detector, "0.0.0")


def again(build: Build) -> Build:
    return load_build(build.paths.root)


def failed(report: ValidationReport) -> list[str]:
    return [check.code for check in report.failures]


def with_evidence(build: Build, line: int) -> None:
    """Register the needle at another line, in a registry that is otherwise sound."""
    (needle,) = build.registry.needles
    path = needle.evidence[0].path
    moved = needle.model_copy(update={"evidence": (Span(path=path, first=line, last=line),)})
    write_registry(build, build.registry.model_copy(update={"needles": (moved,)}))


def write_registry(build: Build, registry: Registry) -> None:
    """With the manifest made to fit, so that only the checks of the needles can object."""
    write_artefact(build.paths.registry, registry)
    from_disk = build.paths.registry.read_bytes()
    manifest = build.manifest.model_copy(update={"registry_sha256": sha256(from_disk)})
    write_artefact(build.paths.manifest, manifest)


def test_a_sound_build_is_sealed(build: Build, golden: Callable[[str, bytes], None]) -> None:
    report = validate(build)
    assert report.level == "structural"
    assert seal_of(build.paths) == "structural"
    golden("validation.json", build.paths.validation.read_bytes())


def test_a_needle_at_the_wrong_line_is_not_sealed(build: Build) -> None:
    with_evidence(build, 13)
    report = validate(again(build))
    assert report.level is None
    assert failed(report) == ["positive", "no-natural-needle"]
    with pytest.raises(UserError, match="this build failed validation: no-natural-needle, pos"):
        seal_of(build.paths)


def test_evidence_out_of_the_file_is_not_sealed(build: Build) -> None:
    with_evidence(build, 38)
    assert failed(validate(again(build))) == ["lines-in-range"]


def test_a_needle_registered_twice_is_not_sealed(build: Build) -> None:
    (needle,) = build.registry.needles
    write_registry(build, build.registry.model_copy(update={"needles": (needle, needle)}))
    assert "needle-ids-unique" in failed(validate(again(build)))


def test_a_clean_text_that_is_not_the_clean_corpus_is_not_sealed(build: Build) -> None:
    (needle,) = build.registry.needles
    edit = needle.edits[0].model_copy(update={"clean": ("another line",)})
    other = needle.model_copy(update={"edits": (edit,)})
    write_registry(build, build.registry.model_copy(update={"needles": (other,)}))
    assert failed(validate(again(build))) == ["clean-restorable"]


def test_a_build_that_was_never_validated_has_no_seal(build: Build) -> None:
    with pytest.raises(UserError, match="is not validated"):
        seal_of(build.paths)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param("change", "corpus/lists/north/list-01.txt (changed)", id="changed"),
        pytest.param("delete", "corpus/lists/north/list-01.txt (missing)", id="missing"),
        pytest.param("add", "corpus/lists/extra.txt (new)", id="new"),
        pytest.param("link", "corpus/lists/extra.txt (new)", id="a-link"),
        pytest.param(
            "swap",
            "corpus/lists/north/list-01.txt (is not a plain file)",
            id="a-link-in-the-place-of-a-file",
        ),
        pytest.param("pipe", "corpus/lists/north/list-01.txt (is not a plain file)", id="a-pipe"),
        pytest.param("mode", "corpus/lists/north/list-01.txt (another mode)", id="mode"),
    ],
)
def test_a_corpus_changed_after_sealing_is_refused_by_name(
    build: Build, change: str, named: str
) -> None:
    validate(build)
    first = build.paths.file("lists/north/list-01.txt")
    extra = build.paths.file("lists/extra.txt")
    if change == "change":
        first.write_text(first.read_text() + "one more\n")
    elif change == "delete":
        first.unlink()
    elif change == "add":
        extra.write_text("new\n")
    elif change == "link":
        extra.symlink_to("/etc/passwd")
    elif change == "swap":
        copy = build.paths.root / "copy.txt"
        first.rename(copy)
        first.symlink_to(copy)
    elif change == "pipe":
        first.unlink()
        os.mkfifo(first)
    else:
        first.chmod(0o600)
    with pytest.raises(UserError) as error:
        seal_of(build.paths)
    assert error.value.what == f"this build was changed after it was sealed: {named}"


def test_a_registry_changed_after_sealing_is_refused_by_name(build: Build) -> None:
    validate(build)
    with build.paths.registry.open("a") as file:
        file.write("\n")
    with pytest.raises(UserError, match=r"registry.json \(changed\)"):
        seal_of(build.paths)


def change_manifest(build: Build, **changes: object) -> None:
    manifest = read_artefact(build.paths.manifest, Manifest)
    write_artefact(build.paths.manifest, manifest.model_copy(update=changes))


def test_a_manifest_changed_after_sealing_is_refused(build: Build) -> None:
    validate(build)
    files = build.manifest.files
    change_manifest(build, files=(files[0].model_copy(update={"role": "reference"}), *files[1:]))
    with pytest.raises(UserError, match=r"changed after it was sealed: manifest.json \(changed\)"):
        seal_of(build.paths)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"role": "reference"}, id="role"),
        pytest.param({"lines": 36}, id="lines"),
        pytest.param({"tokens": 1}, id="tokens"),
    ],
)
def test_a_manifest_that_is_not_true_is_not_sealed(build: Build, change: dict[str, object]) -> None:
    files = build.manifest.files
    change_manifest(build, files=(files[0].model_copy(update=change), *files[1:]))
    assert failed(validate(build)) == ["manifest-true"]


def test_a_file_listed_twice_is_not_sealed(build: Build) -> None:
    files = build.manifest.files
    change_manifest(build, files=(files[0], *files))
    assert failed(validate(build)) == ["manifest-true"]


def test_another_tree_is_not_sealed(build: Build) -> None:
    change_manifest(build, tree="0" * 64)
    assert failed(validate(build)) == ["manifest-true"]


def test_edits_of_two_needles_that_touch_are_not_sealed(build: Build) -> None:
    (needle,) = build.registry.needles
    (edit,) = needle.edits
    line = build.texts[edit.path].split("\n")[edit.last]
    below = edit.model_copy(
        update={
            "first": edit.last + 1,
            "last": edit.last + 1,
            "planted": (line,),
            "clean": (line,),
        }
    )
    other = needle.model_copy(update={"id": "another", "edits": (below,)})
    write_registry(build, build.registry.model_copy(update={"needles": (needle, other)}))
    assert failed(validate(again(build))) == ["edits-apart"]


def test_a_missing_file_is_named_by_validation_too(build: Build) -> None:
    build.paths.file("lists/north/list-01.txt").unlink()
    (check,) = validate(build).failures
    assert (check.code, check.reason) == (
        "files-as-built",
        "corpus/lists/north/list-01.txt (missing)",
    )
