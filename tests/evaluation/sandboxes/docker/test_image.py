"""The image: built whole or not at all, built once, and one's own where it is named."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.errors import InfrastructureError, UserError
from evaluation.sandboxes.docker.engine import connected
from evaluation.sandboxes.docker.image import (
    RECIPE,
    REPOSITORY,
    Recipe,
    bootstrap,
    has_image,
    install_image,
    pack,
)
from evaluation.sandboxes.docker.sandbox import Docker

TINY = Recipe(suite="tiny", packages=("one", "two"), left_out=("var/cache",))
DEBOOTSTRAP = """#!/bin/sh
for root; do :; done
mkdir -p "$root/bin" "$root/var/cache/apt"
echo program > "$root/bin/one"
echo "$@" > "$root/asked"
echo "I: Retrieving InRelease"
echo "I: Retrieving one 1.0"
echo "W: a warning"
echo "I: Unpacking the base system..."
"""


@pytest.fixture
def debootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of that name, which makes a tiny system."""
    program = tmp_path / "programs" / "debootstrap"
    program.parent.mkdir()
    program.write_text(DEBOOTSTRAP)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return program


@pytest.fixture
def no_tiny_image(engine: Mapping[str, str]) -> Iterator[None]:
    yield
    with connected(engine) as client:
        if has_image(client, TINY.name):
            client.remove_image(TINY.name)


def test_every_change_of_the_recipe_is_another_image() -> None:
    others = (
        replace(RECIPE, suite="trixie"),
        replace(RECIPE, packages=(*RECIPE.packages, "vim")),
        replace(RECIPE, left_out=()),
    )
    assert len({RECIPE.name, *(other.name for other in others)}) == 4
    assert RECIPE.name == f"{REPOSITORY}:{RECIPE.tag}"


def test_an_archive_has_no_file_that_runs_as_its_owner(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "var" / "cache" / "apt").mkdir(parents=True)
    (root / "var" / "cached").write_text("kept")
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    (root / "su").write_text("")
    (root / "su").chmod(0o6755)
    (root / "link").symlink_to("su")
    pack(root, TINY.left_out, tmp_path / "made" / "image.tar")
    with tarfile.open(tmp_path / "made" / "image.tar") as tar:
        modes = {member.name: member.mode for member in tar}
    assert set(modes) == {".", "./var", "./var/cache", "./var/cached", "./tmp", "./su", "./link"}
    assert (modes["./su"], modes["./tmp"]) == (0o755, 0o1777)
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["image.tar"]


def test_an_archive_that_cannot_be_finished_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        pack(tmp_path / "nowhere", (), tmp_path / "made" / "image.tar")
    assert list((tmp_path / "made").iterdir()) == []


def test_each_phase_is_told_once(debootstrap: Path, tmp_path: Path) -> None:
    said: list[str] = []
    bootstrap(TINY, tmp_path / "root", said.append)
    assert said == ["retrieving packages of Debian tiny", "unpacking packages of Debian tiny"]
    asked = (tmp_path / "root" / "asked").read_text()
    assert asked == f"--variant=minbase --include=one,two tiny {tmp_path}/root\n"


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("#!/bin/sh\necho 'I: Retrieving'; echo 'E: no mirror'; exit 1\n", "failed: E: no mirror"),
        (None, "is not installed"),
    ],
    ids=["fails", "missing"],
)
def test_what_keeps_it_from_being_built_is_one_message(
    script: str | None,
    what: str,
    debootstrap: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(debootstrap.parent))
    debootstrap.unlink()
    if script is not None:
        debootstrap.write_text(script)
        debootstrap.chmod(0o755)
    with pytest.raises(UserError, match=f"{what}(?s:.*)OCB_SANDBOX_IMAGE"):
        bootstrap(TINY, tmp_path / "root", lambda _: None)


@pytest.mark.usefixtures("no_tiny_image")
def test_an_image_is_built_once_and_then_taken_from_where_it_was_kept(
    engine: Mapping[str, str], debootstrap: Path, tmp_path: Path
) -> None:
    said: list[str] = []
    install_image(engine, tmp_path / "tools", said.append, TINY)
    assert said[-2:] == ["packing it", f"handing {TINY.name} to the Docker Engine"]
    debootstrap.unlink()
    said.clear()
    install_image(engine, tmp_path / "tools", said.append, TINY)
    assert said == [f"{TINY.name} is there already"]
    with connected(engine) as client:
        client.remove_image(TINY.name)
        assert not has_image(client, TINY.name)
    said.clear()
    install_image(engine, tmp_path / "tools", said.append, TINY)
    assert said == [f"handing {TINY.name} to the Docker Engine"]


@pytest.mark.usefixtures("no_tiny_image")
def test_an_archive_that_is_no_image_is_said(engine: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / f"sandbox-image-{TINY.tag}.tar").write_text("no archive")
    with pytest.raises((UserError, InfrastructureError), match="image"):
        install_image(engine, tmp_path, lambda _: None, TINY)


@pytest.fixture
def at_engine(engine: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The process's own environment, with the engine in it."""
    monkeypatch.setenv("DOCKER_HOST", engine["DOCKER_HOST"])
    return monkeypatch


def test_an_image_of_ones_own_is_used_where_it_is_named(at_engine: pytest.MonkeyPatch) -> None:
    with connected(os.environ) as client:
        client.tag(RECIPE.name, REPOSITORY, "own")
    at_engine.setenv("OCB_SANDBOX_IMAGE", f"{REPOSITORY}:own")
    try:
        assert Docker.probe() is None
    finally:
        with connected(os.environ) as client:
            client.remove_image(f"{REPOSITORY}:own")
    assert Docker.probe() == (
        "the Docker Engine has no image ocb-sandbox:own; build it, or unset OCB_SANDBOX_IMAGE"
    )


@pytest.mark.usefixtures("debootstrap", "no_tiny_image")
def test_an_image_without_what_it_takes_cannot_be_used(
    at_engine: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install_image(os.environ, tmp_path / "tools", lambda _: None, TINY)
    at_engine.setenv("OCB_SANDBOX_IMAGE", TINY.name)
    assert "python3" in (Docker.probe() or "")
