"""Control groups are found in both versions of the interface, bound what they say, and go again."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

import pytest

from evaluation.sandboxes.groups import (
    Bounds,
    Found,
    Group,
    Place,
    find_places,
    make_group,
    remove_left_groups,
    settings,
)
from evaluation.sandboxes.scratch import Maker

BOUNDS = Bounds(memory=1 << 28, processes=40, processors=1.5)


def machine(root: Path, belongs: str, mounts: str, handed: dict[str, str]) -> Found:
    """What is found where the system tells this; `{root}` stands for where groups are mounted."""
    proc = root / "proc"
    proc.mkdir()
    (proc / "cgroup").write_text(belongs)
    (proc / "mountinfo").write_text(mounts.replace("{root}", str(root)))
    for folder, controllers in handed.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "cgroup.subtree_control").write_text(controllers)
    return find_places(proc)


def places(found: Found, root: Path) -> dict[str, tuple[str, int]]:
    """By controller: where it is and in which version."""
    return {
        name: (str(place.folder.relative_to(root)), place.version)
        for place in found.places
        for name in place.controllers
    }


FIRST = "30 25 0:26 {base} {root}/%s rw,nosuid shared:9 - cgroup cgroup rw,%s\n"
OLD = "".join(
    FIRST.replace("{base}", "/") % (name, name) for name in ("memory", "pids", "cpu,cpuacct")
)
NEW = "31 25 0:27 / {root}/all rw,nosuid,nodev - cgroup2 cgroup2 rw,nsdelegate\n"


def test_in_the_older_version_a_group_lies_below_ours(tmp_path: Path) -> None:
    belongs = "4:cpu,cpuacct:/a\n3:pids:/\n2:memory:/user/x y\n1:name=systemd:/z\n0::/\n"
    found = machine(tmp_path, belongs, "not a mount\n" + OLD + NEW, {"all": ""})
    assert places(found, tmp_path) == {
        "cpu": ("cpu,cpuacct/a", 1),
        "pids": ("pids", 1),
        "memory": ("memory/user/x y", 1),
    }
    assert found.missing == {}


@pytest.mark.parametrize(
    ("own", "handed", "where"),
    [
        pytest.param("/", {"all": "cpu memory pids"}, "all", id="at the top"),
        pytest.param(
            "/user/shell",
            {"all": "memory pids", "all/user": "cpu memory pids", "all/user/shell": ""},
            "all/user",
            id="beside ours, which has processes",
        ),
        pytest.param(
            "/user/given",
            {"all/user": "memory", "all/user/given": "cpu memory pids"},
            "all/user/given",
            id="below ours, where it hands bounds down",
        ),
    ],
)
def test_in_the_newer_version_it_lies_where_bounds_are_handed_down(
    own: str, handed: dict[str, str], where: str, tmp_path: Path
) -> None:
    found = machine(tmp_path, f"0::{own}\n", NEW, handed)
    assert places(found, tmp_path) == dict.fromkeys(("cpu", "memory", "pids"), (where, 2))


def test_a_controller_without_a_place_is_missing_with_its_reason(tmp_path: Path) -> None:
    found = machine(tmp_path, "0::/user/shell\n", NEW, {"all/user": "pids", "all/user/shell": ""})
    assert places(found, tmp_path) == {"pids": ("all/user", 2)}
    assert set(found.missing) == {"memory", "cpu"}
    assert all(found.missing.values())


@pytest.mark.parametrize(
    ("belongs", "mounts"),
    [
        pytest.param("0::/../elsewhere\n", NEW, id="outside of what is mounted"),
        pytest.param(
            "2:memory:/other\n",
            FIRST.replace("{base}", "/box") % ("m", "memory"),
            id="another part",
        ),
        pytest.param("2:memory:/\n", "", id="not mounted"),
        pytest.param("", "", id="no groups at all"),
    ],
)
def test_a_group_that_is_not_shown_is_no_place(belongs: str, mounts: str, tmp_path: Path) -> None:
    found = machine(tmp_path, belongs, mounts, {"all": "memory pids cpu"})
    assert found.places == ()
    assert set(found.missing) == {"memory", "pids", "cpu"}


def test_a_mount_that_shows_a_part_is_taken_at_its_root(tmp_path: Path) -> None:
    mounts = FIRST.replace("{base}", "/box") % ("m", "memory")
    found = machine(tmp_path, "2:memory:/box/in\n", mounts, {})
    assert places(found, tmp_path) == {"memory": ("m/in", 1)}


@pytest.mark.parametrize(
    ("version", "written"),
    [
        (
            1,
            {
                "pids.max": "40",
                "memory.limit_in_bytes": "268435456",
                "memory.memsw.limit_in_bytes": "268435456",
                "cpu.cfs_period_us": "100000",
                "cpu.cfs_quota_us": "150000",
            },
        ),
        (
            2,
            {
                "pids.max": "40",
                "memory.max": "268435456",
                "memory.swap.max": "0",
                "cpu.max": "150000 100000",
            },
        ),
    ],
)
def test_bounds_are_written_as_the_version_wants_them(
    version: int, written: dict[str, str], tmp_path: Path
) -> None:
    place = Place(tmp_path, version, ("memory", "pids", "cpu"))
    assert dict(settings(place, BOUNDS)) == written


def test_a_place_that_refuses_is_no_bound_and_says_why(tmp_path: Path) -> None:
    gone = Place(tmp_path / "gone", 2, ("memory", "pids"))
    with make_group(BOUNDS, lambda: Found((gone,), {"cpu": "none"})) as group:
        assert group.bounded == frozenset()
        missing = f"{tmp_path / 'gone'}: No such file or directory"
        assert group.missing == {"cpu": "none", "memory": missing, "pids": missing}


@pytest.mark.parametrize(
    ("files", "marks"),
    [
        pytest.param({}, (), id="nothing told"),
        pytest.param({"pids.events": "max 0\n", "memory.events": "oom_kill 0\n"}, (), id="kept"),
        pytest.param(
            {"pids.events": "max 7\n"}, ("reached the limit of 40 processes",), id="processes"
        ),
        pytest.param(
            {"memory.events": "low 0\noom 4\noom_kill 1\n"},
            ("ran out of its 0.25 GiB of memory: 1 process killed",),
            id="memory",
        ),
        pytest.param(
            {"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"},
            ("ran out of its 0.25 GiB of memory: 2 processes killed",),
            id="memory, in the older version",
        ),
    ],
)
def test_only_a_bound_that_was_reached_is_marked(
    files: dict[str, str], marks: tuple[str, ...], tmp_path: Path
) -> None:
    group = Group(BOUNDS)
    group.join(Place(tmp_path, 2, ("memory", "pids")))
    (folder,) = tmp_path.iterdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    assert group.marks() == marks


def test_a_group_of_a_killed_process_is_removed_and_one_of_a_living_never(tmp_path: Path) -> None:
    ours = Maker.current()
    dead = tmp_path / f"{Maker(ours.pid, ours.start - 1, ours.space).prefix}abcdefgh"
    living = tmp_path / f"{ours.prefix}abcdefgh"
    other = tmp_path / "init.scope"
    for folder in (dead, living, other):
        folder.mkdir()
    assert remove_left_groups(tmp_path) == 1
    assert set(tmp_path.iterdir()) == {living, other}


@pytest.fixture
def writable() -> tuple[Path, ...]:
    with make_group(BOUNDS) as group:
        if group.missing:
            pytest.skip(f"no control groups here: {group.missing}")
    return tuple(place.folder for place in find_places().places)


def test_a_process_that_is_left_in_a_group_ends_with_it(writable: tuple[Path, ...]) -> None:
    def ours() -> set[Path]:
        prefix = Maker.current().prefix
        return {path for folder in writable for path in folder.glob(f"{prefix}*")}

    with contextlib.ExitStack() as stack:
        with make_group(BOUNDS) as group:
            left = stack.enter_context(subprocess.Popen(["/bin/sleep", "3600"]))
            group.enter(left.pid)
            assert len(ours()) == len(writable)
            for folder in ours():
                assert str(left.pid) in (folder / "cgroup.procs").read_text().split()
        assert left.wait() == -9
    assert ours() == set()


def test_ocb_itself_is_in_no_group_of_a_run(writable: tuple[Path, ...]) -> None:
    before = Path("/proc/self/cgroup").read_text()
    with make_group(BOUNDS):
        assert Path("/proc/self/cgroup").read_text() == before
    assert os.getpid() > 1
