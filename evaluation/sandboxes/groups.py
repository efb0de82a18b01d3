"""Control groups: what all processes of a run together may take of the machine.

A limit of a process (`setrlimit`) bounds each one for itself; only a control group bounds their
sum, and counts how often a bound was reached. A run's groups lie beside or below the one that ocb
is in, so that whatever bounds ocb bounds its runs. Both versions of the kernel's interface are
used; where neither can be written to, it is said which bound is missing and why.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from authoring.errors import InfrastructureError
from evaluation.sandboxes.scratch import Maker, maker_of

PROC = Path("/proc/self")
CONTROLLERS = ("memory", "pids", "cpu")
PERIOD = 100_000
"""Microseconds over which the share of the processors is counted."""
PATIENCE = 5.0
"""Seconds that the system may take to let go of a group whose processes are dead."""
PAUSE = 0.01
MEMBERS = "cgroup.procs"


@dataclass(frozen=True)
class Bounds:
    """What all processes of a run may take together."""

    memory: int
    """Bytes, files in memory included."""
    processes: int
    """Threads count too."""
    processors: float


@dataclass(frozen=True)
class Place:
    """A folder in which groups may be made, and what groups there can bound."""

    folder: Path
    version: int
    controllers: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """The places of this machine."""

    places: tuple[Place, ...]
    missing: Mapping[str, str]
    """By controller: why there is no place for it."""


_MOUNT = re.compile(
    r"\S+ \S+ \S+ (?P<root>\S+) (?P<point>\S+) .* - (?P<kind>cgroup2?) \S+ (?P<options>\S+)"
)


def find_places(proc: Path = PROC) -> Found:
    """Where this process may make groups, by what the system says of it and its mounts."""
    try:
        belongs = (proc / "cgroup").read_text()
        mounts = [_MOUNT.fullmatch(line) for line in (proc / "mountinfo").read_text().splitlines()]
    except OSError:
        return Found((), dict.fromkeys(CONTROLLERS, "the kernel has no control groups"))
    known = [mount for mount in mounts if mount is not None]
    places: list[Place] = []
    left = list(CONTROLLERS)
    for line in belongs.splitlines():
        _, names, path = line.split(":", 2)
        place = _second(path, known, left) if not names else _first(names, path, known, left)
        if place is not None:
            places.append(place)
            left = [name for name in left if name not in place.controllers]
    reason = "ocb is in no group below which, or beside which, there may be one with this bound"
    return Found(tuple(places), dict.fromkeys(left, reason))


def _first(names: str, path: str, mounts: list[re.Match[str]], left: list[str]) -> Place | None:
    """In the older interface: below the group that we are in."""
    controllers = tuple(name for name in names.split(",") if name in left)
    for mount in mounts:
        options = mount["options"].split(",")
        if mount["kind"] == "cgroup" and controllers and set(controllers) <= set(options):
            folder = _in_mount(mount, path)
            return Place(folder, 1, controllers) if folder else None
    return None


def _second(path: str, mounts: list[re.Match[str]], left: list[str]) -> Place | None:
    """In the newer one a group that has processes hands no bounds down: then beside it."""
    for mount in mounts:
        own = _in_mount(mount, path) if mount["kind"] == "cgroup2" else None
        if own is None:
            continue
        for folder in (own, own.parent) if own != Path(mount["point"]) else (own,):
            with contextlib.suppress(OSError):
                handed = (folder / "cgroup.subtree_control").read_text().split()
                controllers = tuple(name for name in handed if name in left)
                if controllers:
                    return Place(folder, 2, controllers)
    return None


def _in_mount(mount: re.Match[str], path: str) -> Path | None:
    """The folder of a group; None where the mount does not show it."""
    root = mount["root"].rstrip("/")
    if ".." in path.split("/") or not (path == root or path.startswith(f"{root}/")):
        return None
    return Path(mount["point"] + path.removeprefix(root).rstrip("/"))


@dataclass
class Group:
    """The groups of one run, one for each place."""

    bounds: Bounds
    missing: dict[str, str] = field(default_factory=dict)
    """By controller: why it does not bound this run."""
    _members: list[tuple[Place, Path]] = field(default_factory=list)

    @property
    def bounded(self) -> frozenset[str]:
        """Controllers that bound it."""
        return frozenset(name for place, _ in self._members for name in place.controllers)

    def enter(self, pid: int) -> None:
        """Take a process in, before it starts any other. Raises InfrastructureError."""
        for _, folder in self._members:
            try:
                (folder / MEMBERS).write_text(str(pid))
            except OSError as error:
                raise InfrastructureError(f"a control group takes no process: {error}") from error

    def marks(self) -> tuple[str, ...]:
        """Bounds that were reached, in words for a reader."""
        marks = []
        if self._count("pids.events", "max"):
            marks.append(f"reached the limit of {self.bounds.processes} processes")
        killed = self._count("memory.events", "oom_kill") or self._count(
            "memory.oom_control", "oom_kill"
        )
        if killed:
            memory = self.bounds.memory / (1 << 30)
            marks.append(f"ran out of its {memory:g} GiB of memory: {processes(killed)} killed")
        return tuple(marks)

    def _count(self, file: str, key: str) -> int:
        for _, folder in self._members:
            with contextlib.suppress(OSError):
                for line in (folder / file).read_text().splitlines():
                    name, _, value = line.partition(" ")
                    if name == key:
                        return int(value)
        return 0

    def remove(self) -> None:
        """Give the groups back. One that the system keeps is removed by a later run."""
        for _, folder in self._members:
            remove_group(folder)
        self._members.clear()

    def join(self, place: Place) -> None:
        """Make a group in a place; where that is refused, say so."""
        try:
            folder = Path(tempfile.mkdtemp(prefix=Maker.current().prefix, dir=place.folder))
        except OSError as error:
            self._refused(place, error)
            return
        self._members.append((place, folder))
        try:
            for file, value in settings(place, self.bounds):
                path = folder / file
                if path.exists():
                    path.write_text(value)
        except OSError as error:
            self._members.pop()
            remove_group(folder)
            self._refused(place, error)

    def _refused(self, place: Place, error: OSError) -> None:
        self.missing.update(dict.fromkeys(place.controllers, f"{place.folder}: {error.strerror}"))


def processes(number: int) -> str:
    """`1 process`, `2 processes`."""
    return "1 process" if number == 1 else f"{number} processes"


def settings(place: Place, bounds: Bounds) -> Iterator[tuple[str, str]]:
    """Files of a group and what is written to them; a file that the kernel lacks is left out."""
    quota = round(bounds.processors * PERIOD)
    if "pids" in place.controllers:
        yield "pids.max", str(bounds.processes)
    if "memory" in place.controllers and place.version == 1:
        yield "memory.limit_in_bytes", str(bounds.memory)
        yield "memory.memsw.limit_in_bytes", str(bounds.memory)
    elif "memory" in place.controllers:
        yield "memory.max", str(bounds.memory)
        yield "memory.swap.max", "0"
    if "cpu" in place.controllers and place.version == 1:
        yield "cpu.cfs_period_us", str(PERIOD)
        yield "cpu.cfs_quota_us", str(quota)
    elif "cpu" in place.controllers:
        yield "cpu.max", f"{quota} {PERIOD}"


@contextlib.contextmanager
def make_group(bounds: Bounds, find: Callable[[], Found] = find_places) -> Iterator[Group]:
    """Groups for one run, gone afterwards; those that killed processes left are removed first."""
    found = find()
    group = Group(bounds, dict(found.missing))
    try:
        for place in found.places:
            remove_left_groups(place.folder)
            group.join(place)
        yield group
    finally:
        group.remove()


def remove_left_groups(folder: Path) -> int:
    """Remove our groups whose maker is dead, and end what is in them. Says how many are gone."""
    dead = []
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            maker = maker_of(path.name)
            if maker is not None and maker.is_dead():
                dead.append(path)
    return sum(remove_group(path) for path in dead)


def remove_group(folder: Path) -> bool:
    """End what is in a group and remove it. False where the system keeps it."""
    until = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(OSError):
            for pid in (folder / MEMBERS).read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            if time.monotonic() >= until:
                return False
            time.sleep(PAUSE)
        else:
            return True
