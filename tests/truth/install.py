"""Installs versions of CLIs beside the pinned ones, from the registry that npm is set up for.

The versions that are driven by default have a checksum here, for Linux on x64. Of any other the
registry's own word is taken, and that is said.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

from authoring.errors import InfrastructureError, UserError
from evaluation.agents.npm import (
    TOP,
    NpmPack,
    NpmPackage,
    NpmProgram,
    bring,
    install,
    npm_error,
    this_platform,
)
from tests.truth.driver import Driver

Say = Callable[[str], None]
TOOLS = Path(__file__).parent.parent.parent / ".tools"
"""Where `./dev` installs all CLIs."""
PINNED = "linux-x64"
SECONDS = 1800
MODULES = "node_modules"
NOT_FOUND = "E404"
BARE = ("--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund")


def install_version(driver: Driver, version: str, tools: Path, say: Say) -> None:
    """Unless it lies there already. Raises UserError and InfrastructureError as `install` does."""
    program = driver.program_of(version)
    if (program.folder(tools) / program.executable).is_file():
        return
    platform = this_platform()
    package = program.package(platform)
    if not package.integrity or not (platform == PINNED or "any" in program.packages):
        package = replace(package, integrity=_registry_integrity(package))
        say(f"{package.spec} is not pinned here: its checksum is the registry's")
    say(f"installing {package.spec}")
    one = replace(program, packages={platform: package})
    if PurePosixPath(program.executable).parts[0] == MODULES:
        _install_with_all(one, package, tools, platform)
    else:
        install(one, tools, NpmPack(), platform)


def _install_with_all(program: NpmProgram, package: NpmPackage, tools: Path, platform: str) -> None:
    """A package that needs others, which npm brings and checks by the registry's word."""
    tools.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".install-", dir=tools) as temporary:
        room = Path(temporary, "room")
        room.mkdir()
        _npm("install", package.spec, "--prefix", str(room), *BARE)
        lock = json.loads((room / MODULES / ".package-lock.json").read_text())
        found = lock["packages"][f"{MODULES}/{package.name}"]["integrity"]
        if found != package.integrity:
            raise UserError(f"{package.spec} is not the package that was pinned: {found}")
        for place, other in program.packages_beside(platform).items():
            own = Path(temporary, place)
            own.mkdir()
            bring(other, own, NpmPack())
            (own / TOP).rename(room / place)
        room.rename(program.folder(tools))


def _registry_integrity(package: NpmPackage) -> str:
    found = _npm("view", package.spec, "dist.integrity").strip()
    if not found:
        raise UserError(f"there is no {package.spec} in the registry")
    return found


def _npm(*arguments: str) -> str:
    """What it prints. Raises UserError where the registry has no such package, and
    InfrastructureError where it fails otherwise."""
    try:
        done = subprocess.run(
            ["npm", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise InfrastructureError(f"npm cannot be run: {error}") from error
    if NOT_FOUND in done.stderr:
        raise UserError(f"there is no {arguments[1]} in the registry")
    if done.returncode:
        raise InfrastructureError(f"npm {' '.join(arguments[:2])}: {npm_error(done.stderr)}")
    return done.stdout
