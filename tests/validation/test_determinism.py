"""A build is held against another of the same spec: what differs is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generators.manifest import GeneratorVersion, Manifest, ManifestWitness
from tests.validation.made_builds import made_needle, made_subject
from validation.determinism import Rebuilt, determinism
from validation.subject import Subject

PAPERS = {
    "a.md": "Berth 4\nThe fee is paid late.\n",
    "b.md": "Berth 5\nThe fee is paid at once.\n",
    "c.md": "Berth 6\nThe fee is paid at last.\n",
}
OTHER = "0" * 64


@pytest.fixture
def subject() -> Subject:
    return made_subject(PAPERS, made_needle("a.md", 2))


def reason(subject: Subject, rebuilt: Rebuilt) -> str:
    checked = determinism(subject, lambda paths: rebuilt)
    ((code, passed, told),) = [(one.code, one.passed, one.reason) for one in checked.checks]
    assert code == "rebuilds-the-same"
    assert passed is (told == "")
    return told


def again(subject: Subject, **changes: object) -> Rebuilt:
    return Rebuilt(manifest=subject.build.manifest.model_copy(update=changes))


def test_the_same_hashes_pass(subject: Subject) -> None:
    assert reason(subject, again(subject)) == ""


def without_b(manifest: Manifest) -> dict[str, object]:
    first, _, third = manifest.files
    return {"tree": OTHER, "files": (first, third)}


def with_another_c(manifest: Manifest) -> dict[str, object]:
    first, second, third = manifest.files
    files = (first, second, third.model_copy(update={"sha256": OTHER}))
    return {"tree": OTHER, "files": files, "clean_tree": OTHER}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(with_another_c, "another corpus: c.md", id="another-text"),
        pytest.param(without_b, "another corpus: b.md", id="a-file-less"),
        pytest.param(lambda _: {"clean_tree": OTHER}, "another clean corpus", id="clean"),
        pytest.param(lambda _: {"registry_sha256": OTHER}, "another registry", id="registry"),
        pytest.param(
            lambda _: {
                "witnesses": (
                    ManifestWitness(
                        needle="late-payment", number=1, file="a.md", path="b.md", sha256=OTHER
                    ),
                )
            },
            "other witnesses",
            id="witnesses",
        ),
    ],
)
def test_what_differs_is_named(
    subject: Subject, change: Callable[[Manifest], dict[str, object]], expected: str
) -> None:
    assert reason(subject, again(subject, **change(subject.build.manifest))) == expected


def test_another_version_alone_is_no_difference(subject: Subject) -> None:
    assert reason(subject, again(subject, ocb="9.9", build="harbour_papers-999999999999")) == ""


def test_another_version_is_named_beside_what_differs(subject: Subject) -> None:
    other = again(
        subject,
        registry_sha256=OTHER,
        generator=GeneratorVersion(name="contracts", version="7"),
    )
    assert reason(subject, other) == (
        "another registry; it was made by ocb test with version 1 of its generator; "
        "here are test and 7"
    )


def test_what_cannot_be_rebuilt_fails_with_the_reason(subject: Subject) -> None:
    gone = Rebuilt(manifest=None, fault="../papers: is no folder")
    assert reason(subject, gone) == "cannot be rebuilt here: ../papers: is no folder"
