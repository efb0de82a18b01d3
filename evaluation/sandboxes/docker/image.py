"""The image that containers are made from: a small Debian, built here, from no registry of images.

Prevents a difference between machines: everybody's agents find the same programs, of the same
release, whatever the operator has installed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from docker import APIClient
from docker.errors import ImageNotFound

from authoring.errors import InfrastructureError, UserError
from evaluation.sandboxes.docker.engine import connected, failures
from evaluation.sandboxes.scratch import make_scratch
from evaluation.sandboxes.trees import remove_tree

OWN = "OCB_SANDBOX_IMAGE"
"""The variable that names an image of the user's own."""
INSTALL = "sandbox-image"
"""What it is called for `ocb doctor --install`."""
REPOSITORY = "ocb-sandbox"
PROGRAM = "debootstrap"
PATIENCE = 3600
"""Seconds that its download may take."""
PHASES = ("Retrieving", "Extracting", "Unpacking", "Configuring")
"""First words of its lines that are worth telling once."""
SPECIAL_BITS = 0o6000
"""Of a mode: run as the file's owner or group."""

Say = Callable[[str], None]
"""Tells a reader how far it is."""


@dataclass(frozen=True)
class Recipe:
    """What is in the image."""

    suite: str
    packages: tuple[str, ...]
    left_out: tuple[str, ...]
    """Folders that stay empty: nobody needs them, and they make a third of it."""

    @property
    def tag(self) -> str:
        """Another one for every other recipe."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]

    @property
    def name(self) -> str:
        return f"{REPOSITORY}:{self.tag}"


RECIPE = Recipe(
    suite="bookworm",
    # What an agent expects on a developer's machine; Python also runs the forwarder.
    packages=(
        *("bash", "ca-certificates", "curl", "diffutils", "file", "findutils", "gawk", "git"),
        *("jq", "less", "nodejs", "patch", "procps", "python3", "ripgrep", "tree", "unzip"),
        *("xxd", "xz-utils", "zip"),
    ),
    left_out=(
        *("dev", "proc", "sys", "tmp", "run", "var/cache", "var/lib/apt/lists", "var/log"),
        *("usr/share/doc", "usr/share/info", "usr/share/locale", "usr/share/man"),
    ),
)


def image_in(environment: Mapping[str, str]) -> str:
    """The name of the image that is to be used."""
    return environment.get(OWN) or RECIPE.name


def has_image(client: APIClient, name: str) -> bool:
    """Whether the engine has it. Raises InfrastructureError."""
    with failures("cannot say which images it has"):
        try:
            client.inspect_image(name)  # type: ignore[no-untyped-call]  # nor are its stubs
        except ImageNotFound:
            return False
    return True


def install_image(
    environment: Mapping[str, str], tools: Path, say: Say, recipe: Recipe = RECIPE
) -> None:
    """Give the engine the image, if it has it not: from `tools`, where it was built before.

    Raises UserError and InfrastructureError.
    """
    with connected(environment) as client:
        if has_image(client, recipe.name):
            say(f"{recipe.name} is there already")
            return
        archive = tools / f"{INSTALL}-{recipe.tag}.tar"
        if not archive.exists():
            build(recipe, archive, say)
        say(f"handing {recipe.name} to the Docker Engine")
        with failures("does not take the image"):
            client.import_image_from_file(str(archive), repository=REPOSITORY, tag=recipe.tag)
        if not has_image(client, recipe.name):
            raise UserError(f"{archive} is no image", remedy="remove it, and run this again")


def build(recipe: Recipe, archive: Path, say: Say) -> None:
    """Make the archive of an image. Raises UserError and InfrastructureError."""
    scratch = make_scratch()
    root = scratch / "root"  # a folder that anybody may enter
    try:
        bootstrap(recipe, root, say)
        say("packing it")
        pack(root, recipe.left_out, archive)
    except OSError as error:
        raise InfrastructureError(f"the image cannot be built: {error}") from error
    finally:
        remove_tree(scratch)


def bootstrap(recipe: Recipe, root: Path, say: Say) -> None:
    """Install the packages into a folder. Says each new phase of it."""
    packages = ",".join(recipe.packages)
    argv = [PROGRAM, "--variant=minbase", f"--include={packages}", recipe.suite, str(root)]
    last = ""
    left = list(PHASES)
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except FileNotFoundError as error:
        what = f"{PROGRAM} is not installed; the image is built with it"
        raise UserError(what, remedy=f"install it, or name an image of yours in {OWN}") from error
    with process:
        for line in process.stdout or ():
            last = line.strip() or last
            phase = last.removeprefix("I: ").partition(" ")[0]
            if phase in left:
                left.remove(phase)
                say(f"{phase.lower()} packages of Debian {recipe.suite}")
    if process.returncode:
        what = f"{PROGRAM} failed: {last}"
        remedy = f"it needs root and a mirror of Debian; or name an image of yours in {OWN}"
        raise UserError(what, remedy=remedy)


def pack(root: Path, left_out: tuple[str, ...], archive: Path) -> None:
    """Write a folder as an archive, whole or not at all. No file of it runs as its owner."""
    empty = {f"./{folder}" for folder in left_out}

    def kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        if member.name.rpartition("/")[0] in empty:
            return None
        if member.isfile():
            member.mode &= ~SPECIAL_BITS
        return member

    archive.parent.mkdir(parents=True, exist_ok=True)
    part = archive.with_name(f".{archive.name}-{os.getpid()}")
    try:
        with tarfile.open(part, "w") as tar:
            tar.add(root, ".", filter=kept)
        part.replace(archive)
    finally:
        part.unlink(missing_ok=True)
