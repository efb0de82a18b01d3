"""A scratch folder of a dead process is removed, one of a living process never."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.sandboxes.scratch import Maker, make_scratch, remove_leftovers, start_of

OURS = Maker.current()


def folder_of(maker: Maker, parent: Path, end: str = "abcdefgh") -> Path:
    path = parent / f"{maker.prefix}{end}"
    (path / "home" / "sub").mkdir(parents=True)
    (path / "home" / "sub" / "f").write_text("x")
    return path


def test_a_scratch_folder_says_whose_it_is_and_no_more(tmp_path: Path) -> None:
    folder = make_scratch(tmp_path)
    assert folder.name.startswith(f"w-{os.getpid()}-{start_of(os.getpid())}-{OURS.space}-")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert OURS.start > 0
    assert OURS.space > 0


def test_what_a_killed_process_left_is_removed_once_it_is_dead(tmp_path: Path) -> None:
    script = "import sys; sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE) as other:
        maker = Maker(other.pid, start_of(other.pid) or 0, OURS.space)
        folder = folder_of(maker, tmp_path)
        assert remove_leftovers([tmp_path]) == 0
        assert folder.is_dir()
        other.kill()
    assert remove_leftovers([tmp_path]) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_id_that_another_process_has_now_is_no_living_owner(tmp_path: Path) -> None:
    folder_of(Maker(OURS.pid, OURS.start - 1, OURS.space), tmp_path)
    assert remove_leftovers([tmp_path]) == 1


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(f"{OURS.prefix}abcdefgh", id="of this process"),
        pytest.param(f"w-{OURS.pid}-1-{OURS.space + 1}-abcdefgh", id="of another namespace"),
        pytest.param(f"w-{OURS.pid}-0-0-abcdefgh", id="of a system that does not tell"),
        pytest.param("w-1-2-abcdefgh", id="of another form"),
        pytest.param("run-abcdefgh", id="of somebody else"),
        pytest.param(f"w-{OURS.pid}-1-{OURS.space}-abc", id="too short an end"),
    ],
)
def test_any_other_folder_is_left_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert remove_leftovers([tmp_path]) == 0
    assert (tmp_path / name).is_dir()


def test_neither_a_link_nor_a_file_of_that_name_is_removed(tmp_path: Path) -> None:
    dead = Maker(OURS.pid, 1, OURS.space)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / f"{dead.prefix}aaaaaaaa").symlink_to(elsewhere)
    (tmp_path / f"{dead.prefix}bbbbbbbb").write_text("x")
    assert remove_leftovers([tmp_path, tmp_path / "missing"]) == 0
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives away")
def test_a_folder_of_another_user_is_left_alone(tmp_path: Path) -> None:
    dead = Maker(OURS.pid, 1, OURS.space)
    os.chown(folder_of(dead, tmp_path, "aaaaaaaa"), 12345, 12345)
    os.chown(folder_of(dead, tmp_path, "bbbbbbbb"), 65534, 65534)
    assert remove_leftovers([tmp_path]) == 1
    assert [path.name[-8:] for path in tmp_path.iterdir()] == ["aaaaaaaa"]
