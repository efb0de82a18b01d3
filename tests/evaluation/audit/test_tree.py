"""Where the text comes from: a folder as it is now, or a commit as it was."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.audit.corpus import gather
from evaluation.audit.tree import CommitTree, Tree, WorkTree

ODD = "odd \u00e9 name\twith\nbreaks.txt"


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=dev", "-c", "user.email=dev@example.org")
    command = ["git", "-C", str(root), *identity, *arguments]
    subprocess.run(command, check=True, capture_output=True)


def repository(root: Path) -> Path:
    """Two commits; the second one changes a.md and removes old.md."""
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "a.md").write_text("as it was\n")
    (root / "old.md").write_text("gone later\n")
    (root / ODD).write_text("odd\n")
    (root / ".gitignore").write_text("ignored.txt\n")
    (root / "link.md").symlink_to("old.md")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "first")
    (root / "docs" / "a.md").write_text("as it is\n")
    git(root, "rm", "--quiet", "old.md")
    git(root, "commit", "--quiet", "--all", "--message", "second")
    (root / "ignored.txt").write_text("nobody's\n")
    (root / "new.md").write_text("not yet tracked\n")
    return root


def texts(tree: Tree) -> dict[str, str]:
    return {file.path: file.data.decode() for file in tree.read(tree.list_files().files)}


def test_a_work_tree_is_what_git_tracks_or_would_track(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    assert texts(WorkTree(root)) == {
        ".gitignore": "ignored.txt\n",
        "docs/a.md": "as it is\n",
        "new.md": "not yet tracked\n",
        ODD: "odd\n",
    }
    assert texts(WorkTree(root / "docs")) == {"a.md": "as it is\n"}


def test_a_commit_has_the_text_as_it_was(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    before = {path.name: path.read_bytes() for path in root.iterdir() if path.is_file()}
    assert texts(CommitTree(root, "HEAD~1")) == {
        ".gitignore": "ignored.txt\n",
        "docs/a.md": "as it was\n",
        "old.md": "gone later\n",
        ODD: "odd\n",
    }
    assert texts(CommitTree(root / "docs", "HEAD")) == {"a.md": "as it is\n"}
    assert {path.name: path.read_bytes() for path in root.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("commit", ["nowhere", "--all", "HEAD:docs", "", "-p", "HEAD\n"])
def test_a_commit_that_is_none_is_told(tmp_path: Path, commit: str) -> None:
    with pytest.raises(UserError, match="git knows no commit"):
        CommitTree(repository(tmp_path / "r"), commit).list_files()


def test_a_folder_without_a_repository_has_no_commits(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is in no git repository"):
        CommitTree(tmp_path, "HEAD").list_files()


def test_a_root_that_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for tree in (WorkTree(tmp_path / "file"), CommitTree(tmp_path / "nothing", "HEAD")):
        with pytest.raises(UserError, match="is no folder"):
            tree.list_files()


def test_a_plain_folder_is_walked_without_links_pipes_and_caches(tmp_path: Path) -> None:
    for path in ("a.md", "src/b.py", "node_modules/x.js", ".git-not/c", "src/__pycache__/d"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    (tmp_path / "link").symlink_to("/")
    os.mkfifo(tmp_path / "pipe")
    assert sorted(texts(WorkTree(tmp_path))) == [".git-not/c", "a.md", "src/b.py"]


def test_a_file_that_has_gone_meanwhile_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "b.md").write_text("b")
    listed = WorkTree(tmp_path).list_files().files
    (tmp_path / "a.md").unlink()
    assert [file.path for file in WorkTree(tmp_path).read(listed)] == ["b.md"]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        pytest.param(b"one\ntwo", ("one", "two"), id="utf-8"),
        pytest.param(b"\xef\xbb\xbfone\r\ntwo\r\n", ("one", "two"), id="mark-and-cr"),
        pytest.param("é\n".encode("utf-16"), ("é",), id="utf-16"),
        pytest.param(b"", (), id="empty"),
        pytest.param("a\u2028b\x0cc\n".encode(), ("a\u2028b\x0cc",), id="only-lf-ends-a-line"),
    ],
)
def test_text_is_decoded(tmp_path: Path, data: bytes, lines: tuple[str, ...]) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    tree = WorkTree(tmp_path)
    corpus = gather(tree, tree.list_files().files, frozenset, quick=False)
    assert corpus.index.files["a.txt"] == lines


def test_what_is_left_out_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"ab\x00cd")
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    (tmp_path / "plain").write_bytes(b"text")
    tree = WorkTree(tmp_path)
    corpus = gather(tree, tree.list_files().files, frozenset, quick=False)
    assert set(corpus.index.files) == {"plain"}
    assert (corpus.binary, corpus.unreadable) == (frozenset({"binary"}), frozenset({"latin"}))
    named = gather(tree, tree.list_files().files, lambda: {"latin"}, quick=True)
    assert not named.index.files
    assert (named.unreadable, named.unnamed) == (frozenset({"latin"}), 2)
