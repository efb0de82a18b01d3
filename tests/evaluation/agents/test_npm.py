from __future__ import annotations

import base64
import hashlib
import io
import shlex
import tarfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from authoring.errors import InfrastructureError, OcbError, UserError
from evaluation.agents.npm import (
    NpmPack,
    NpmPackage,
    NpmProgram,
    install,
    npm_error,
    this_platform,
)


@dataclass
class Local:
    """A registry of one tarball."""

    tarball: bytes
    asked: list[str] = field(default_factory=list)

    def fetch(self, package: NpmPackage, folder: Path) -> Path:
        self.asked.append(package.spec)
        path = folder / "package.tgz"
        path.write_bytes(self.tarball)
        return path


def tarball(*members: tarfile.TarInfo) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    return out.getvalue()


def entry(name: str, mode: int = 0o644) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode = 3, mode
    return info


def link(name: str, target: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = tarfile.SYMTYPE, target
    return info


GOOD = tarball(entry("package/reader", 0o755), entry("package/README.md"))
FAST = NpmPackage("reader-fast", "1.2.3", "sha512-x")
PLAIN = NpmPackage("reader-plain", "1.2.3", "sha512-y")


def program(data: bytes, platform: str = "linux-x64") -> NpmProgram:
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
    package = NpmPackage("@maker/reader", "1.2.3", integrity)
    return NpmProgram("reader", "1.2.3", {platform: package}, "reader")


def test_a_program_is_installed_under_its_name_and_version(tmp_path: Path) -> None:
    registry = Local(GOOD)
    path = install(program(GOOD), tmp_path / "tools", registry, "linux-x64")
    assert path == tmp_path / "tools" / "reader-1.2.3" / "reader"
    assert path.read_bytes() == b"xxx"
    assert path.stat().st_mode & 0o777 == 0o755
    assert registry.asked == ["@maker/reader@1.2.3"]
    assert [p.name for p in (tmp_path / "tools").iterdir()] == ["reader-1.2.3"]
    assert program(GOOD).installed(tmp_path / "tools") == path


def test_what_is_installed_is_not_fetched_again(tmp_path: Path) -> None:
    registry = Local(GOOD)
    for _ in range(2):
        install(program(GOOD), tmp_path, registry, "linux-x64")
    assert len(registry.asked) == 1


@pytest.mark.parametrize(
    ("served", "pinned", "message"),
    [
        pytest.param(GOOD + b"\0", GOOD, "is not the package that was pinned", id="checksum"),
        pytest.param(
            tarball(entry("package/other")), None, "holds no reader", id="no such program"
        ),
        pytest.param(GOOD[:40], None, "cannot be unpacked", id="torn"),
        pytest.param(b"<html>", None, "cannot be unpacked", id="no tarball"),
        pytest.param(
            tarball(entry("package/reader"), entry("../../evil")),
            None,
            "cannot be unpacked",
            id="a path that leads out",
        ),
        pytest.param(
            tarball(entry("package/reader"), link("package/etc", "/etc")),
            None,
            "cannot be unpacked",
            id="a link that leads out",
        ),
    ],
)
def test_a_bad_package_is_refused_and_leaves_nothing(
    served: bytes, pinned: bytes | None, message: str, tmp_path: Path
) -> None:
    tools = tmp_path / "a" / "tools"
    wanted = program(served if pinned is None else pinned)
    with pytest.raises(OcbError, match=message):
        install(wanted, tools, Local(served), "linux-x64")
    assert list(tools.iterdir()) == []
    assert [p.name for p in tmp_path.rglob("evil")] == []


def test_a_platform_without_a_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no package for sunos-x64"):
        install(program(GOOD), tmp_path, Local(GOOD), "sunos-x64")


def test_one_package_may_serve_every_platform(tmp_path: Path) -> None:
    assert install(program(GOOD, "any"), tmp_path, Local(GOOD), "sunos-x64").is_file()


def test_a_processor_without_avx2_gets_the_package_that_does_without(tmp_path: Path) -> None:
    both = replace(program(GOOD), packages={"linux-x64": FAST, "linux-x64-baseline": PLAIN})
    assert both.package("linux-x64") == FAST
    assert both.package("linux-x64-baseline") == PLAIN
    assert program(GOOD).package("linux-x64-baseline").name == "@maker/reader"
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags\t\t: fpu sse2\n")
    old = this_platform(cpuinfo)
    cpuinfo.write_text("flags\t\t: fpu sse2 avx2\n")
    new = this_platform(cpuinfo)
    assert this_platform(tmp_path / "none") == new
    assert old == (f"{new}-baseline" if new == "linux-x64" else new)


@dataclass
class Several:
    """A registry of several tarballs, by name."""

    tarballs: dict[str, bytes]

    def fetch(self, package: NpmPackage, folder: Path) -> Path:
        path = folder / "package.tgz"
        path.write_bytes(self.tarballs[package.name])
        return path


def test_packages_that_a_program_runs_lie_beside_it(tmp_path: Path) -> None:
    found = tarball(entry("package/bin/finder", 0o755))
    (finder,) = program(found).packages.values()
    finder = replace(finder, name="finder")
    whole = replace(program(GOOD), beside={"find": {"linux-x64": finder}})
    registry = Several({"@maker/reader": GOOD, "finder": found})
    path = install(whole, tmp_path, registry, "linux-x64")
    assert path.parent.joinpath("find/bin/finder").read_bytes() == b"xxx"
    assert sorted(p.name for p in path.parent.iterdir()) == ["README.md", "find", "reader"]


def test_a_bad_package_beside_a_program_leaves_nothing(tmp_path: Path) -> None:
    (finder,) = program(GOOD).packages.values()
    finder = replace(finder, name="finder")
    whole = replace(program(GOOD), beside={"find": {"linux-x64": finder}})
    registry = Several({"@maker/reader": GOOD, "finder": GOOD + b"\0"})
    with pytest.raises(UserError, match="is not the package that was pinned"):
        install(whole, tmp_path / "tools", registry, "linux-x64")
    assert list((tmp_path / "tools").iterdir()) == []


def test_a_program_that_is_missing_names_the_command_that_installs_it(tmp_path: Path) -> None:
    for name in ("tools", "my tools"):
        with pytest.raises(UserError) as caught:
            program(GOOD).installed(tmp_path / name)
        said = shlex.split(caught.value.remedy.removeprefix("run: "))
        wanted = ["ocb", "doctor", "--install", "reader", "--tools", str(tmp_path / name)]
        assert said == wanted


def test_a_folder_in_the_way_is_an_infrastructure_error(tmp_path: Path) -> None:
    (tmp_path / "reader-1.2.3" / "something").mkdir(parents=True)
    with pytest.raises(InfrastructureError, match="cannot be made"):
        install(program(GOOD), tmp_path, Local(GOOD), "linux-x64")


FAKE_NPM = """#!/bin/sh
# npm pack SPEC --ignore-scripts --pack-destination FOLDER
cp "$TARBALL" "$5/reader-1.2.3.tgz"
"""


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program named npm, before all others; a test writes what it does."""
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    return program


def test_a_relative_folder_of_tools_is_the_one_where_ocb_runs(
    npm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "served.tgz").write_bytes(GOOD)
    monkeypatch.setenv("TARBALL", str(tmp_path / "served.tgz"))
    npm.write_text(FAKE_NPM)
    path = install(program(GOOD), Path(".tools"), NpmPack(), "linux-x64")
    assert path == tmp_path / ".tools" / "reader-1.2.3" / "reader"
    assert path.read_bytes() == b"xxx"


REFUSED = """npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: http://127.0.0.1:9/reader failed, reason: refused
npm error     at ClientRequest.<anonymous> (/usr/lib/node_modules/npm/index.js:130:14)
npm error   code: 'ECONNREFUSED',
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log
"""
MISSING = """npm ERR! code E404
npm ERR! 404 Not Found - GET http://127.0.0.1:9/reader - not found
npm ERR! 404
npm ERR! A complete log of this run can be found in:
npm ERR!     /root/.npm/_logs/debug-0.log
"""


@pytest.mark.parametrize(
    ("stderr", "told"),
    [
        pytest.param(
            REFUSED,
            "ECONNREFUSED: FetchError: http://127.0.0.1:9/reader failed, reason: refused",
            id="no connection",
        ),
        pytest.param(
            MISSING,
            "E404: 404 Not Found - GET http://127.0.0.1:9/reader - not found",
            id="no such package, in the words of older versions",
        ),
        pytest.param("npm warn old\nnpm error code EACCES\n", "EACCES", id="a code alone"),
        pytest.param("Killed\n", "Killed", id="not from npm"),
        pytest.param("\x1b[31mnpm error\x1b[0m\n", "[31mnpm error [0m", id="in colours"),
        pytest.param("", "no reason given", id="nothing"),
    ],
)
def test_what_npm_says_is_told_on_one_line(stderr: str, told: str) -> None:
    assert npm_error(stderr) == told


def test_an_error_of_npm_is_one_line(npm: Path, tmp_path: Path) -> None:
    npm.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{MISSING}END\nexit 1\n")
    with pytest.raises(InfrastructureError) as caught:
        install(program(GOOD), tmp_path / "tools", NpmPack(), "linux-x64")
    assert str(caught.value) == (
        "npm could not fetch @maker/reader@1.2.3: "
        "E404: 404 Not Found - GET http://127.0.0.1:9/reader - not found"
    )
