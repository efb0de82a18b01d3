"""Whatever an agent built in its home can be walked, copied, moved, given away and removed."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath

import pytest

from evaluation.sandboxes.trees import (
    Bounds,
    Copied,
    Owner,
    Tree,
    change_owner,
    copy_tree,
    move_tree,
    remove_tree,
)

BOUNDS = Bounds(depth=5, files=100, size=1000)


def nest(root: Path, levels: int, name: str, last: str = "f.md") -> None:
    """Folders in folders with a file in the last, whatever the length of its path."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    file = os.open(last, os.O_CREAT | os.O_WRONLY, dir_fd=here)
    os.write(file, b"x")
    os.close(file)
    os.close(here)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home that is gone afterwards, however deep: pytest could not remove it."""
    folder = tmp_path / "home"
    folder.mkdir()
    yield folder
    remove_tree(folder)


DEEP = pytest.mark.parametrize(
    ("levels", "name"),
    [(1500, "d"), (19, "d" * 200), (60, "d" * 200)],
    ids=["1500 folders", "a path of 3.8 kB", "a path of 12 kB"],
)


@DEEP
def test_a_walk_tells_every_name_however_deep(home: Path, levels: int, name: str) -> None:
    nest(home, levels, name)
    tree = Tree(home)
    depths = [entry.depth for entry in tree if not entry.after]
    assert depths == list(range(levels + 1))
    assert tree.failures == 0


@DEEP
def test_a_deep_tree_is_given_away_and_removed(home: Path, levels: int, name: str) -> None:
    nest(home, levels, name)
    assert change_owner(home, Owner(os.getuid(), os.getgid())) == 0
    assert remove_tree(home) == 0
    assert not home.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives away")
def test_every_name_is_given_away_and_no_link_is_followed(home: Path, tmp_path: Path) -> None:
    nest(home, 1200, "d")
    outside = tmp_path / "outside"
    outside.write_text("x")
    (home / "link").symlink_to(outside)
    assert change_owner(home, Owner(65534, 65534)) == 0
    owners = {
        os.stat(entry.name, dir_fd=entry.folder, follow_symlinks=False).st_uid
        for entry in Tree(home)
    }
    assert owners == {65534}
    assert outside.stat().st_uid == 0


@DEEP
def test_a_copy_takes_what_lies_within_its_bounds_and_counts_the_rest(
    home: Path, tmp_path: Path, levels: int, name: str
) -> None:
    nest(home, levels, name)
    nest(home, 2, "a")
    target = tmp_path / "t"
    assert copy_tree(Tree(home, deepest=5), target, BOUNDS) == Copied(files=1, left_out=1)
    assert [path.relative_to(target) for path in target.rglob("*.md")] == [PurePath("a/a/f.md")]


def test_a_file_whose_copy_has_too_long_a_path_is_left_out(home: Path, tmp_path: Path) -> None:
    nest(home, 18, "d" * 200)
    target = tmp_path.joinpath(*["t" * 200] * 3)
    bounds = Bounds(depth=64, files=10, size=10)
    assert copy_tree(Tree(home), target, bounds) == Copied(files=0, left_out=1)


def test_a_copy_holds_regular_files_alone(home: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (home / "sub").mkdir()
    (home / "sub" / "a").write_text("a")
    (home / "link").symlink_to(tmp_path / "secret")
    (home / "up").symlink_to(tmp_path)
    (home / "large").write_bytes(b"x" * 1001)
    os.mkfifo(home / "pipe")
    target = tmp_path / "t"
    assert copy_tree(Tree(home), target, BOUNDS) == Copied(files=1, left_out=1)
    assert [path.relative_to(target) for path in sorted(target.rglob("*"))] == [
        PurePath("sub"),
        PurePath("sub/a"),
    ]


def test_no_more_files_are_copied_than_the_bounds_say(home: Path, tmp_path: Path) -> None:
    for number in range(5):
        (home / str(number)).write_text("x")
    copied = copy_tree(Tree(home), tmp_path / "t", Bounds(depth=1, files=3, size=10))
    assert copied == Copied(files=3, left_out=2)
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == ["0", "1", "2"]


def loop(home: Path) -> None:
    (home / ".a").symlink_to(".a")


def link_out(home: Path) -> None:
    (home.parent / "outside" / "b").mkdir(parents=True)
    (home.parent / "outside" / "b" / "f").write_text("x")
    (home / ".a").symlink_to(home.parent / "outside")


@pytest.mark.parametrize("put", [loop, link_out])
def test_a_link_on_the_way_to_the_top_is_not_followed(
    put: Callable[[Path], None], home: Path
) -> None:
    put(home)
    assert list(Tree(home, PurePath(".a", "b"))) == []


def test_names_at_the_top_that_are_not_wanted_are_left_out(home: Path) -> None:
    for name in ("a", ".b"):
        (home / name).mkdir()
        (home / name / ".c").write_text("x")
    wanted = Tree(home, wanted=lambda name: not name.startswith("."))
    assert [(entry.name, entry.after) for entry in wanted] == [
        ("a", False),
        (".c", False),
        ("a", True),
    ]


def test_folders_that_their_owner_closed_are_removed(home: Path) -> None:
    (home / "a" / "b").mkdir(parents=True)
    (home / "a" / "b" / "f").write_text("x")
    for path in (home / "a" / "b", home / "a", home):
        path.chmod(0)
    assert remove_tree(home) == 0
    assert not home.exists()


def test_a_tree_moves_whole_on_one_disk(home: Path, tmp_path: Path) -> None:
    nest(home, 1500, "d")
    assert move_tree(home, tmp_path / "there") == 0
    assert not home.exists()
    depths = [entry.depth for entry in Tree(tmp_path / "there") if not entry.after]
    assert depths == list(range(1501))
    assert remove_tree(tmp_path / "there") == 0


def test_a_tree_moves_within_bounds_to_another_disk(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_source: Path, _target: Path) -> None:
        raise OSError(errno.EXDEV, "another disk")

    nest(home, 1500, "d")
    (home / "report.md").write_text("found")
    (home / "link").symlink_to("report.md")
    monkeypatch.setattr(Path, "rename", refuse)
    assert move_tree(home, tmp_path / "there") == 1
    assert not home.exists()
    assert (tmp_path / "there" / "report.md").read_text() == "found"
    assert (tmp_path / "there" / "link").readlink() == Path("report.md")
