"""The arguments of bubblewrap, as data: what is shared, what is hidden, what is laid out."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.sandboxes.layout import (
    ETC,
    FORWARD,
    HOST,
    ID,
    INSIDE,
    LIMITS,
    LOCAL,
    PORT,
    PYTHON,
    SHARED_BYTES,
    SOCKET,
    SYSTEM_LINKS,
    TMP_BYTES,
)

SYSTEM_PYTHON = Path("/usr/bin/python3")
OLDEST = 9
"""The forwarder needs Python 3.9."""
SHARED = "/dev/shm"  # noqa: S108  # inside, a fresh one
PACKAGES = Path(__file__).resolve().parents[2]
"""The folder that ocb's packages lie in."""


@dataclass(frozen=True)
class Bind:
    """Something of the host, readable inside."""

    host: Path
    inside: str


@dataclass(frozen=True)
class Interpreter:
    """The Python that runs the forwarder inside."""

    program: str
    binds: tuple[Bind, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mounts:
    """What one run brings along, under host paths that tell nothing."""

    home: Path
    corpus: Path
    socket: Path
    programs: tuple[Bind, ...]


def interpreter() -> Interpreter:
    """The system's own where there is one; else the one that runs ocb, without its packages."""
    version = re.fullmatch(r"python3\.(\d+)", SYSTEM_PYTHON.resolve().name)
    if SYSTEM_PYTHON.exists() and version and int(version[1]) >= OLDEST:
        return Interpreter(str(SYSTEM_PYTHON))
    return own_interpreter()


def own_interpreter() -> Interpreter:
    """The running interpreter's own files under a neutral folder: no script, no package."""
    base = Path(sys.base_prefix)
    library = f"lib/python{sys.version_info.major}.{sys.version_info.minor}"
    program = Path(sys._base_executable or sys.executable).resolve()  # type: ignore[attr-defined]
    binds = [Bind(program, f"{PYTHON}/bin/python3"), Bind(base / library, f"{PYTHON}/{library}")]
    for shared in sorted((base / "lib").glob("libpython*.so*")):
        binds.append(Bind(shared, f"{PYTHON}/lib/{shared.name}"))
        if str(base) == LOCAL:  # the loader's cache says where it is
            binds.append(Bind(shared, str(shared)))
    hidden = f"{PYTHON}/{library}/site-packages"
    packages = (hidden,) if (base / library / "site-packages").is_dir() else ()
    return Interpreter(f"{PYTHON}/bin/python3", tuple(binds), packages)


def hidden_folders() -> tuple[str, ...]:
    """Folders of /usr that hold ocb: the whole folder, so that no mount is named after it."""
    hidden = [LOCAL] if Path(LOCAL).is_dir() else []
    whole = PACKAGES if PACKAGES.name in ("site-packages", "dist-packages") else PACKAGES.parent
    if whole.is_relative_to("/usr") and not whole.is_relative_to(LOCAL):
        hidden.append(str(whole))
    return tuple(hidden)


def base_arguments() -> Iterator[str]:
    """Namespaces, identity, and a system without anything of its operator."""
    yield from ("--unshare-all", "--unshare-user", "--disable-userns")
    yield from ("--die-with-parent", "--new-session", "--clearenv")
    yield from ("--uid", str(ID), "--gid", str(ID), "--hostname", HOST)
    for folder in ("/etc", "/etc/ssl", "/home", "/opt", "/run", "/var"):
        yield from ("--perms", "0755", "--dir", folder)
    yield from ("--ro-bind", "/usr", "/usr")
    for folder in hidden_folders():
        yield from ("--tmpfs", folder)
    for name in SYSTEM_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    for source in ETC:
        yield from ("--ro-bind-try", source, source)
    yield from ("--symlink", "../usr/lib/os-release", "/etc/os-release")
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--perms", "1777", "--size", str(SHARED_BYTES), "--tmpfs", SHARED)
    for folder in ("/tmp", "/var/tmp"):  # noqa: S108  # inside, a fresh one
        yield from ("--perms", "1777", "--size", str(TMP_BYTES), "--tmpfs", folder)
    python = interpreter()
    for bind in python.binds:
        yield from ("--ro-bind", str(bind.host), bind.inside)
    for folder in python.hidden:
        yield from ("--tmpfs", folder)


def closing_arguments() -> Iterator[str]:
    """Nothing that was laid out can be changed."""
    for folder in (*hidden_folders(), *interpreter().hidden, "/dev", "/"):
        yield from ("--remount-ro", folder)


def run_arguments(
    mounts: Mounts, environment: Mapping[str, str], files: Mapping[str, int], status: int
) -> tuple[bytes, ...]:
    """Everything but the command. `files` maps a path inside to a descriptor with its bytes."""

    def parts() -> Iterator[str]:
        yield from ("--json-status-fd", str(status))
        yield from base_arguments()
        for path, descriptor in files.items():
            yield from ("--perms", "0644", "--file", str(descriptor), path)
        yield from ("--bind", str(mounts.home), INSIDE.home)
        yield from ("--ro-bind", str(mounts.corpus), INSIDE.corpus)
        yield from ("--ro-bind", str(mounts.socket), SOCKET)
        for program in mounts.programs:
            yield from ("--ro-bind", str(program.host), program.inside)
        yield from closing_arguments()
        yield from ("--chdir", INSIDE.corpus)
        for name, value in environment.items():
            yield from ("--setenv", name, value)

    return tuple(os.fsencode(part) for part in parts())


def forwarded(argv: tuple[str, ...], more: Mapping[str, int]) -> tuple[str, ...]:
    """The command as the forwarder runs it, with more limits than those of every run."""
    limits = ",".join(f"{name}={value}" for name, value in {**LIMITS, **more}.items())
    return (interpreter().program, "-I", "-S", "-B", FORWARD, str(PORT), SOCKET, limits, *argv)
