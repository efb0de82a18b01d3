from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

import click
import pytest
import yaml

from authoring.errors import UserError
from authoring.loading import load_spec
from authoring.scaffold import scaffold_of, write_scaffold
from generators.build import build_scenario, load_build
from generators.catalogue import describe
from generators.detectors.code.silent_except import SilentExcept
from generators.detectors.detector import Evidence
from generators.directory.generator import DirectoryGenerator
from generators.directory.parameters import DirectoryParameters
from generators.directory.walking import LeftOut, tracked_by_git
from generators.document import Document
from generators.registry import restore
from ocb.building import beside_spec

Taken = Callable[..., list[Document]]


@pytest.fixture
def left_out() -> list[LeftOut]:
    return []


@pytest.fixture
def take(tmp_path: Path, left_out: list[LeftOut]) -> Taken:
    """`take(include=[…])` reads the folder `code` as a spec beside it would."""

    def read(**parameters: object) -> list[Document]:
        typed = DirectoryParameters.model_validate({"root": "code", **parameters})
        base = tmp_path / "specs"
        base.mkdir(exist_ok=True)
        if not (base / "code").exists():
            (base / "code").symlink_to(tmp_path / "code")
        generator = DirectoryGenerator(typed, random.Random(1), base=base, report=left_out.append)
        return list(generator.documents())

    return read


@pytest.fixture
def code(tmp_path: Path) -> Path:
    folder = tmp_path / "code"
    files = {
        "b.py": b"x = 1\r\ny = 2\r\n",
        "a/z.py": b"\xef\xbb\xbfz = 'caf\xc3\xa9'",
        "a.py": b"a = 1\n",
        "Dockerfile": b"FROM scratch\n",
        ".hidden/c.md": b"# C\n",
    }
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def paths_of(documents: Sequence[Document]) -> list[str]:
    return [str(document.path) for document in documents]


def test_every_byte_is_kept(take: Taken, code: Path) -> None:
    documents = take()
    assert {str(one.path): one.text.encode() for one in documents} == {
        path.relative_to(code).as_posix(): path.read_bytes()
        for path in code.rglob("*")
        if path.is_file()
    }
    assert all(one.verbatim for one in documents)


def test_files_come_in_the_order_of_the_bytes_of_their_paths(take: Taken, code: Path) -> None:
    (code / "é.py").write_text("e = 1\n")
    assert paths_of(take()) == [".hidden/c.md", "Dockerfile", "a.py", "a/z.py", "b.py", "é.py"]


def test_globs_take_in_and_leave_out(take: Taken, code: Path) -> None:
    assert paths_of(take(include=["**/*.py"], exclude=["a/**"])) == ["a.py", "b.py"]
    assert paths_of(take(include=["*.py"])) == ["a.py", "b.py"]
    assert paths_of(take(include=["Dockerfile", "a/*"])) == ["Dockerfile", "a/z.py"]


def test_a_kind_is_the_ending_or_what_the_spec_says(take: Taken, code: Path) -> None:
    kinds = {str(one.path): one.kind for one in take(kinds={"deep": "*/*.py", "all": "a*/**"})}
    assert kinds == {
        ".hidden/c.md": "md",
        "Dockerfile": "dockerfile",
        "a.py": "py",
        "a/z.py": "deep",
        "b.py": "py",
    }


UNFIT: dict[str, tuple[bytes, str]] = {
    "binary": (b"a\0b", "is binary"),
    "another encoding": ("café\n".encode("latin-1"), "is not UTF-8"),
    "half a character": (b"\xed\xa0\x80\n", "is not UTF-8"),
    "nothing": (b"", "holds no text"),
    "only space": (b" \r\n\t\n", "holds no text"),
    "too large": (b"12345678\n" * 12, "is larger than 100 bytes"),
    "a long line": (b"a\n" + b"b" * 31 + b"\n", "has a line of 31 characters"),
}


@pytest.mark.parametrize(("data", "reason"), UNFIT.values(), ids=UNFIT)
def test_what_no_corpus_can_hold_is_left_out_and_told(
    take: Taken, code: Path, left_out: list[LeftOut], data: bytes, reason: str
) -> None:
    (code / "unfit").write_bytes(data)
    assert len(take(largest=100, longest_line=30)) == 5
    assert left_out == [LeftOut("unfit", reason)]


def test_the_largest_file_and_the_longest_line_are_taken(
    take: Taken, code: Path, left_out: list[LeftOut]
) -> None:
    (code / "fit").write_bytes(b"c" * 30 + b"\n" + b"123456789\n" * 6 + b"12345678\n")
    assert len(take(largest=100, longest_line=30)) == 6
    assert left_out == []


def test_no_link_is_followed_and_no_special_file_is_opened(
    take: Taken, code: Path, left_out: list[LeftOut], tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.py").write_text("KEY = 1\n")
    (code / "folder").symlink_to(tmp_path / "secret")
    (code / "file.py").symlink_to(tmp_path / "secret" / "key.py")
    (code / "loop").symlink_to(code)
    os.mkfifo(code / "pipe")
    (code / "\x1b[2J.py").write_text("steer = 1\n")
    assert len(take()) == 5
    assert left_out == [
        LeftOut("\x1b[2J.py", "has characters in its path that do not print"),
        LeftOut("file.py", "is a link"),
        LeftOut("folder", "is a link"),
        LeftOut("loop", "is a link"),
        LeftOut("pipe", "is no plain file"),
    ]


def test_what_a_vcs_keeps_is_not_looked_at(
    take: Taken, code: Path, left_out: list[LeftOut]
) -> None:
    for name in (".git", ".hg", ".svn", "a/.git"):
        (code / name).mkdir()
        (code / name / "config").write_text("[core]\n")
    (code / ".hidden" / ".git").write_text("gitdir: elsewhere\n")
    assert len(take()) == 5
    assert left_out == []


def test_only_what_git_tracks(take: Taken, code: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", code, *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", "a.py", "a/z.py")
    marker = code / "started"
    git("config", "core.fsmonitor", f"touch {marker}")
    assert paths_of(take(tracked=True)) == ["a.py", "a/z.py"]
    assert not marker.exists()


def test_a_folder_that_git_does_not_know_is_told(tmp_path: Path) -> None:
    def missing(_command: Sequence[str]) -> bytes:
        raise FileNotFoundError

    def failing(command: Sequence[str]) -> bytes:
        raise subprocess.CalledProcessError(128, command, stderr=b"fatal: no work tree\nmore")

    with pytest.raises(UserError, match="git is not installed"):
        tracked_by_git(tmp_path, missing)
    with pytest.raises(UserError, match=r"git cannot list what it tracks: fatal: no work tree$"):
        tracked_by_git(tmp_path, failing)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"root": "nowhere"}, "nowhere: is no folder"),
        ({"root": "."}, "holds the spec itself"),
        ({"root": ".."}, "holds the spec itself"),
        ({"include": ["*.ts"]}, "holds no text file that the globs ask for"),
    ],
    ids=["no folder", "the spec's own", "above the spec", "no file"],
)
def test_a_folder_that_cannot_be_used_is_told(
    take: Taken, code: Path, parameters: dict[str, object], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        take(**parameters)


def spec_of(folder: Path, root: Path | str, **needle: object) -> Path:
    """The scaffold's spec, for another folder."""
    path = folder / "own.yaml"
    catalogue = describe()
    write_scaffold(scaffold_of("own", "directory", catalogue), path, catalogue)
    read = yaml.safe_load(path.read_text())
    read["corpus"]["parameters"] = {"root": str(root), "include": ["**/*.py"]}
    read["scope"] = {"review": ["**"]}
    read["budget"] = {"file": {"most": 99999}, "corpus": {"small": {"most": 999999}}}
    read["needles"][0].pop("breaks")
    read["needles"][0]["plant"] |= needle
    path.write_text(yaml.safe_dump(read))
    return path


def test_a_needle_goes_into_the_source_of_a_package(tmp_path: Path) -> None:
    """click is on every machine that has ocb; its code was not made for it."""
    root = Path(click.__file__).parent
    path = spec_of(tmp_path, root, into={"document": "py", "position": "late"})
    spec = load_spec(path, describe())
    registrations = beside_spec(path.parent, lambda _: None)
    build = load_build(
        build_scenario(
            spec,
            size="small",
            parent=tmp_path / "out",
            ocb_version="1.0",
            registrations=registrations,
        ).root
    )
    (needle,) = build.registry.needles
    (span,) = needle.evidence
    assert span.path.endswith(".py")
    planted = build.texts[span.path].split("\n")
    assert planted[span.first - 1].strip().startswith("pass  # ")
    # What the scaffold plants in code that it does not know is what its detector looks for.
    detector = SilentExcept()
    target = PurePosixPath(span.path)
    facts = {target: detector.extract(target, build.texts[span.path])}
    assert Evidence(target, span.first, span.last) in detector.decide(facts)
    compile(build.texts[span.path], span.path, "exec")
    clean = restore(build.texts, build.registry.needles)
    assert {name: text.encode() for name, text in clean.items()} == {
        name: (root / name).read_bytes() for name in clean
    }
    assert len(clean) > 10


def test_a_file_with_cr_lf_stays_one_with_its_needle(tmp_path: Path, code: Path) -> None:
    shutil.rmtree(code)
    code.mkdir()
    text = "\r\n".join(
        ("try:", "    import tomllib", "except ImportError:", "    raise SystemExit(2)", "")
    )
    (code / "only.py").write_bytes(text.encode())
    specs = tmp_path / "specs"
    spec = load_spec(spec_of(specs, "../code"), describe())
    build = load_build(
        build_scenario(
            spec,
            size="small",
            parent=tmp_path / "out",
            ocb_version="1.0",
            registrations=beside_spec(specs, lambda _: None),
        ).root
    )
    planted = (build.paths.corpus / "only.py").read_bytes()
    assert planted == text.replace("raise SystemExit(2)", "pass  # SystemExit(2)").encode()
