"""Programs that come as npm packages: fetched, held against a checksum, unpacked, never executed.

Each CLI states its packages as data. No install script runs, and nothing is installed globally.
"""

from __future__ import annotations

import base64
import hashlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Protocol

from authoring.errors import InfrastructureError, Place, UserError
from evaluation.agents.ending import one_line

TOP = "package"
"""The folder that every npm tarball holds."""
MACHINES: Mapping[str, str] = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
BASELINE = "-baseline"
CPUINFO = Path("/proc/cpuinfo")
SECONDS = 1800
NPM_ERROR = re.compile(r"npm (?:error|ERR!) ?")
NPM_DETAIL = re.compile(r"\s|$|(?:code|errno|syscall|path) |A complete log")
"""A line of npm's that is no sentence of what went wrong."""


@dataclass(frozen=True)
class NpmPackage:
    """One package at one version, and the checksum that its tarball must have."""

    name: str
    version: str
    integrity: str
    """As the registry writes it: `sha512-` and base64."""
    only: tuple[str, ...] = ()
    """Files and folders of it that are kept; empty: all."""

    @property
    def spec(self) -> str:
        return f"{self.name}@{self.version}"


@dataclass(frozen=True)
class NpmProgram:
    """A CLI at its pinned version."""

    name: str
    version: str
    packages: Mapping[str, NpmPackage]
    """By platform: `linux-x64`; `linux-x64-baseline`, for processors without AVX2; `any` where one
    package serves all."""
    executable: str
    """Path of the program in the package."""
    beside: Mapping[str, Mapping[str, NpmPackage]] = field(default_factory=dict)
    """More packages that it runs, by the folder in its own that each is unpacked to, then by
    platform."""

    def folder(self, tools: Path) -> Path:
        """Where it lies once installed."""
        return tools / f"{self.name}-{self.version}"

    def installed(self, tools: Path) -> Path:
        """The program. Raises UserError where it is not installed."""
        program = self.folder(tools) / self.executable
        if not program.is_file():
            raise UserError(
                f"{self.name} {self.version} is not installed in {tools}",
                remedy=self.remedy(tools),
            )
        return program

    def remedy(self, tools: Path) -> str:
        """The command that installs it where it is looked for."""
        where = shlex.quote(str(tools))
        return f"run: ocb doctor --install {self.name} --tools {where}"

    def package(self, platform_name: str) -> NpmPackage:
        """The package for a platform. Raises UserError where there is none."""
        return self._of(self.packages, platform_name)

    def packages_beside(self, platform_name: str) -> dict[str, NpmPackage]:
        """By folder. Raises UserError where there is none for a platform."""
        return {place: self._of(known, platform_name) for place, known in self.beside.items()}

    def _of(self, packages: Mapping[str, NpmPackage], platform_name: str) -> NpmPackage:
        names = (platform_name, platform_name.removesuffix(BASELINE), "any")
        package = next((packages[name] for name in names if name in packages), None)
        if package is None:
            known = ", ".join(sorted(packages))
            raise UserError(f"{self.name} has no package for {platform_name}", remedy=known)
        return package


class Fetcher(Protocol):
    """Brings a package's tarball."""

    def fetch(self, package: NpmPackage, folder: Path) -> Path:
        """The tarball, in this folder. Raises InfrastructureError where it cannot be had."""
        ...


class NpmPack:
    """`npm pack`: the user's own npm, with the registry it is set up for."""

    def fetch(self, package: NpmPackage, folder: Path) -> Path:
        npm = shutil.which("npm")
        if npm is None:
            raise UserError("npm is not installed", remedy="install Node.js with npm")
        folder = folder.absolute()
        try:
            done = subprocess.run(
                [npm, "pack", package.spec, "--ignore-scripts", "--pack-destination", str(folder)],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise InfrastructureError(f"npm cannot be run: {error}") from error
        tarballs = list(folder.glob("*.tgz"))
        if done.returncode or len(tarballs) != 1:
            said = npm_error(done.stderr.decode(errors="replace"))
            raise InfrastructureError(f"npm could not fetch {package.spec}: {said}")
        return tarballs[0]


def npm_error(stderr: str) -> str:
    """What npm says went wrong, on one line: its code and its first sentence."""
    lines = stderr.splitlines()
    errors = [NPM_ERROR.sub("", line) for line in lines if NPM_ERROR.match(line)]
    code = next((line for line in errors if line.startswith("code ")), "").removeprefix("code ")
    sentences = (line for line in errors or lines if not NPM_DETAIL.match(line))
    told = [text for text in (code.strip(), next(sentences, "").strip()) if text]
    return one_line(": ".join(told) or "no reason given")


def this_platform(cpuinfo: Path = CPUINFO) -> str:
    """`linux-x64`, as npm packages call it; `linux-x64-baseline` on a processor without AVX2."""
    machine = platform.machine().lower()
    name = f"{sys.platform}-{MACHINES.get(machine, machine)}"
    if name != "linux-x64" or not cpuinfo.is_file():
        return name
    return name if "avx2" in cpuinfo.read_text(errors="replace") else name + BASELINE


def install(
    program: NpmProgram, tools: Path, fetcher: Fetcher, platform_name: str | None = None
) -> Path:
    """Install a program under `tools`, unless it lies there already; its path.

    Raises UserError where the tarball is not the one that was pinned.
    """
    tools = tools.absolute()  # npm runs in a folder of its own
    target = program.folder(tools)
    if (target / program.executable).is_file():
        return target / program.executable
    platform_name = platform_name or this_platform()
    package = program.package(platform_name)
    beside = program.packages_beside(platform_name)
    tools.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".install-", dir=tools) as temporary:
        room = Path(temporary)
        bring(package, room, fetcher)
        if not (room / TOP / program.executable).is_file():
            raise UserError(f"{package.spec} holds no {program.executable}")
        for place, other in beside.items():
            with tempfile.TemporaryDirectory(prefix="beside-", dir=room) as own:
                bring(other, Path(own), fetcher)
                (Path(own) / TOP).rename(room / TOP / place)
        try:
            (room / TOP).rename(target)
        except OSError as error:
            # Whoever came first has installed the very same bytes.
            if not (target / program.executable).is_file():
                raise InfrastructureError(f"{target} cannot be made: {error}") from error
    return target / program.executable


def bring(package: NpmPackage, room: Path, fetcher: Fetcher) -> None:
    """Fetch a package into a folder, and unpack it there where it is the one that was pinned."""
    tarball = fetcher.fetch(package, room)
    check_integrity(tarball, package)
    unpack(tarball, room, package.only)


def check_integrity(tarball: Path, package: NpmPackage) -> None:
    """Hold a tarball against its pinned checksum. Raises UserError where they differ."""
    with tarball.open("rb") as file:
        digest = hashlib.file_digest(file, "sha512").digest()
    found = "sha512-" + base64.b64encode(digest).decode()
    if found != package.integrity:
        raise UserError(
            f"{package.spec} is not the package that was pinned: {found}",
            place=Place(tarball.name),
            remedy=f"expected {package.integrity}; check the registry npm is set up for",
        )


def unpack(tarball: Path, folder: Path, only: tuple[str, ...] = ()) -> None:
    """Unpack into a folder: no links out of it, no devices, no owners; what is kept, or all."""
    kept = [PurePosixPath(TOP, one) for one in only]

    def kept_data(member: tarfile.TarInfo, path: str) -> tarfile.TarInfo | None:
        place = PurePosixPath(member.name)
        if kept and not any(place.is_relative_to(one) for one in kept):
            return None
        return tarfile.data_filter(member, path)

    try:
        with tarfile.open(tarball) as archive:
            # tarfile's own filter decides what of it is safe.
            archive.extractall(folder, filter=kept_data)  # noqa: S202 - see the line above
    except (tarfile.TarError, OSError, EOFError) as error:
        raise InfrastructureError(f"{tarball.name} cannot be unpacked: {error}") from error
