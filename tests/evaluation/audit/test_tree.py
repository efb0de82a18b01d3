"""Where the text comes from: a folder as it is now, or a commit as it was."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.audit.corpus import gather
from evaluation.audit.opening import opened
from evaluation.audit.tree import CommitTree, Tree, WorkTree, committed_before

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


def test_a_folder_that_has_become_a_link_is_not_followed(tmp_path: Path) -> None:
    """Git lists the path all the same."""
    root = repository(tmp_path / "r")
    listed = WorkTree(root).list_files().files
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.md").write_text("secret\n")
    (root / "docs" / "a.md").unlink()
    (root / "docs").rmdir()
    (root / "docs").symlink_to(tmp_path / "secret")
    assert "docs/a.md" not in texts(WorkTree(root))
    # The folder may be changed between the listing and the reading.
    assert "docs/a.md" in {file.path for file in listed}
    assert "docs/a.md" not in {file.path for file in WorkTree(root).read(listed)}


def test_a_root_may_be_named_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("text")
    (tmp_path / "link").symlink_to("real")
    assert texts(WorkTree(tmp_path / "link")) == {"a.md": "text"}


@pytest.mark.parametrize("path", ["../out.md", "docs/../../out.md", "/etc/hostname", "pipe"])
def test_what_is_no_plain_file_below_the_folder_is_not_opened(tmp_path: Path, path: str) -> None:
    (tmp_path / "out.md").write_text("outside")
    (tmp_path / "in" / "docs").mkdir(parents=True)
    os.mkfifo(tmp_path / "in" / "pipe")
    with opened(tmp_path / "in") as folder, pytest.raises(OSError, match=path):
        folder.read(path, 10)


def hostile(root: Path, program: Path) -> None:
    """Settings of a repository that name a program, wherever git knows one."""
    once = (
        *("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass"),
        *("core.alternateRefsCommand", "core.gitProxy", "gpg.program", "diff.external"),
        *("filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.x.textconv"),
        *("pager.ls-files", "pager.ls-tree", "pager.rev-list", "pager.cat-file"),
        *("credential.helper", "remote.origin.uploadpack", "remote.origin.vcs"),
    )
    for key in once:
        git(root, "config", key, str(program))
    for alias in ("ls-files", "cat-file", "rev-list", "ls-tree"):
        git(root, "config", f"alias.{alias}", f"!{program}")
    for key, value in {
        "core.hooksPath": str(program.parent),
        "log.showSignature": "true",
        "remote.origin.url": f"ext::{program} %S",
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "protocol.ext.allow": "always",
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
    }.items():
        git(root, "config", key, value)


def test_no_program_that_a_repository_names_is_started(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    (root / ".gitattributes").write_text("* filter=x diff=x\n")
    (tmp_path / "bin").mkdir()
    for name in ("program", "post-index-change", "reference-transaction", "post-checkout"):
        program = tmp_path / "bin" / name
        program.write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/started\n")
        program.chmod(0o755)
    blob = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD~1:old.md"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    hostile(root, tmp_path / "bin" / "program")
    assert "docs/a.md" in texts(WorkTree(root))
    assert texts(CommitTree(root, "HEAD"))["docs/a.md"] == "as it is\n"
    assert [*committed_before(root, 4e9, {"docs/a.md"})]
    with pytest.raises(UserError, match="is not in this repository"):
        texts(CommitTree(root, "HEAD~1"))  # git would fetch what it lacks
    assert not (tmp_path / "started").exists()


def test_text_that_a_partial_clone_lacks_is_told(tmp_path: Path) -> None:
    source = repository(tmp_path / "r")
    git(source, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", f"file://{source}", str(tmp_path / "c"))
    assert texts(CommitTree(tmp_path / "c", "HEAD"))["docs/a.md"] == "as it is\n"
    with pytest.raises(UserError, match="is not in this repository") as raised:
        texts(CommitTree(tmp_path / "c", "HEAD~1"))
    assert "partial clone" in str(raised.value)
    assert [*committed_before(tmp_path / "c", 4e9, {"docs/a.md"})]


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
    listed = tree.list_files().files
    (tmp_path / "plain").unlink()
    assert "plain" in gather(tree, listed, frozenset, quick=False).unreadable
    (tmp_path / "plain").write_bytes(b"text")
    named = gather(tree, tree.list_files().files, lambda: {"latin"}, quick=True)
    assert not named.index.files
    assert (named.unreadable, named.unnamed) == (frozenset({"latin"}), 2)


LEVELS = 1_100
"""More than Python calls into one another."""


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[str]:
    """The path of a file below a thousand folders. They are removed one by one: who removes
    folders as a whole would call as deep."""
    folders = ["d"]
    for _ in range(1, LEVELS):
        folders.append(f"{folders[-1]}/d")
    for folder in folders:
        (tmp_path / folder).mkdir()
    path = f"{folders[-1]}/deep.md"
    (tmp_path / path).write_text("far below\n")
    yield path
    (tmp_path / path).unlink()
    for folder in reversed(folders):
        (tmp_path / folder).rmdir()


def test_a_file_below_a_thousand_folders_is_listed_and_read(tmp_path: Path, deep: str) -> None:
    tree = WorkTree(tmp_path)
    files = tree.list_files().files
    assert [file.path for file in files] == [deep]
    assert [one.data for one in tree.read(files)] == [b"far below\n"]


def test_a_link_far_above_a_file_is_not_followed(tmp_path: Path) -> None:
    inner = tmp_path / "real" / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "c.md").write_text("text\n")
    (tmp_path / "link").symlink_to("real")
    with opened(tmp_path) as folder:
        assert folder.status("real/a/b/c.md") is not None
        assert folder.status("link/a/b/c.md") is None
        assert folder.status("link/a/b/c.md") is None
        assert folder.status("real/gone/b/c.md") is None
