"""What a home takes of the disk is known without following, opening or trusting anything in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.sandboxes.size import DEEPEST, NAME, size_of
from evaluation.sandboxes.trees import remove_tree

MUCH = 1 << 40
MIB = 1 << 20


def test_a_file_takes_its_blocks_and_its_name(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(b"x" * MIB)
    told = subprocess.check_output(["/usr/bin/du", "-s", "-B1", str(tmp_path)]).split()[0]
    assert int(told) - 8192 <= size_of(tmp_path, MUCH) - 3 * NAME <= int(told)


def test_a_hole_takes_nothing(tmp_path: Path) -> None:
    (tmp_path / "hole").touch()
    os.truncate(tmp_path / "hole", 1 << 32)
    assert size_of(tmp_path, MUCH) < MIB


def test_a_file_without_content_takes_a_place(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / f"{number}").touch()
    assert size_of(tmp_path, MUCH) == 2000 * NAME


def test_a_file_with_many_names_counts_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * MIB)
    for number in range(10):
        os.link(tmp_path / "a", tmp_path / f"{number}")
    assert size_of(tmp_path, MUCH) < 2 * MIB


def test_no_link_is_followed_and_no_device_or_pipe_opened(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "large").write_bytes(b"x" * MIB)
    home = tmp_path / "home"
    home.mkdir()
    (home / "folder").symlink_to(outside)
    (home / "file").symlink_to(outside / "large")
    (home / "loop").symlink_to(home)
    os.mkfifo(home / "pipe")
    assert size_of(home, MUCH) < MIB
    (tmp_path / "link").symlink_to(outside)
    assert size_of(tmp_path / "link", MUCH) == 0


def test_the_walk_ends_once_the_answer_is_known(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number}").touch()
    assert size_of(tmp_path, 10 * NAME) == 11 * NAME


def test_the_walk_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    for number in range(2500):
        (tmp_path / f"{number}").touch()
    assert size_of(tmp_path, MUCH, lambda: True) == 1000 * NAME


@pytest.mark.parametrize("name", ["d", "d" * 250], ids=["many levels", "long names"])
def test_a_tree_of_any_depth_is_walked_to_a_bound(name: str, tmp_path: Path) -> None:
    script = (
        "import os, sys\nos.chdir(sys.argv[1])\nfor _ in range(300):\n"
        " os.mkdir(sys.argv[2]); os.chdir(sys.argv[2]); open('f', 'w').write('x' * 5000)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path), name], check=True)
    descriptors = len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # to count them, not to use them
    try:
        size = size_of(tmp_path, MUCH)
        assert DEEPEST * 5000 <= size <= (DEEPEST + 1) * (2 * NAME + 4 * 4096)
    finally:
        remove_tree(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == descriptors  # noqa: PTH208  # as above


def test_a_home_that_is_gone_takes_nothing(tmp_path: Path) -> None:
    assert size_of(tmp_path / "gone", MUCH) == 0
