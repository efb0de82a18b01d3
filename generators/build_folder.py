"""A build on disk: written whole, read back, and held against its own hashes."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from authoring.artefacts import read_artefact, read_plain_file, sha256, to_json, write_bytes
from authoring.errors import Place, UserError
from generators.build_paths import BuildPaths
from generators.manifest import Manifest
from generators.registry import Registry
from generators.resolved import ResolvedSpec, build_name, dump_spec, read_spec
from generators.witnesses import Witnesses

FILE_MODE = 0o644
FOLDER_MODE = 0o755
FILE_TIME = datetime(2025, 1, 6, 9, 0, tzinfo=UTC).timestamp()
"""Of every file and folder of a corpus, so that times tell nothing."""
SHOWN = 10


@dataclass(frozen=True)
class Build:
    """A build as it was read."""

    paths: BuildPaths
    spec: ResolvedSpec
    registry: Registry
    manifest: Manifest
    texts: Mapping[str, str]
    """The planted corpus: every file's text by its path in the corpus."""
    witnesses: Witnesses = field(default_factory=dict)
    """Of needles across files."""


@dataclass(frozen=True)
class BuildContent:
    """A build before it is written."""

    spec: ResolvedSpec
    registry: Registry
    manifest: Manifest
    texts: Mapping[str, str]
    witnesses: Witnesses = field(default_factory=dict)

    def files(self, paths: BuildPaths) -> dict[Path, bytes]:
        """The bytes of every file of the build."""
        files = {
            paths.spec: dump_spec(self.spec),
            paths.registry: to_json(self.registry),
            paths.manifest: to_json(self.manifest),
        }
        files |= {paths.file(path): text.encode() for path, text in self.texts.items()}
        return files | {
            paths.witness(row.needle, row.number, row.path): (
                self.witnesses[row.needle][row.file][row.path].encode()
            )
            for row in self.manifest.witnesses
        }


def write_build(parent: Path, content: BuildContent) -> BuildPaths:
    """Write a build whole, or leave an equal one. Raises UserError where another is there."""
    paths = BuildPaths(parent / content.manifest.build)
    try:
        parent.mkdir(parents=True, exist_ok=True)
        if not paths.root.exists():
            _write_new(paths, content)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", place=Place(str(parent))) from error
    expected = {
        str(path.relative_to(paths.root)): sha256(data)
        for path, data in content.files(paths).items()
    }
    changed = _differences(paths, expected)
    if changed:
        raise UserError(
            f"{paths.root} is not what this spec builds: {_listed(changed)}",
            remedy=f"delete {paths.root}, or build into another folder",
        )
    return paths


def _write_new(paths: BuildPaths, content: BuildContent) -> None:
    temporary = Path(tempfile.mkdtemp(prefix=f".{paths.root.name}.", dir=paths.root.parent))
    try:
        drafts = BuildPaths(temporary)
        for path, data in content.files(drafts).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, data)
        for path in _all_of(drafts):
            path.chmod(FOLDER_MODE if path.is_dir() else FILE_MODE)
            os.utime(path, (FILE_TIME, FILE_TIME))
        temporary.chmod(FOLDER_MODE)
        try:
            temporary.rename(paths.root)
        except OSError:
            # Another process was faster; what it wrote is compared like any build that is there.
            if not paths.root.exists():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _all_of(paths: BuildPaths) -> Iterator[Path]:
    """All files and folders of corpus and witnesses, themselves too."""
    for folder in (paths.corpus, paths.witnesses):
        if folder.is_dir():
            yield from (*_tree(folder), folder)


def _tree(folder: Path) -> Iterator[Path]:
    """All that is in a folder, a folder after what is in it; links are not followed."""
    for root, folders, files in os.walk(folder, topdown=False):
        yield from (Path(root) / name for name in (*files, *folders))


def read_manifest(paths: BuildPaths) -> Manifest:
    """The manifest of a build. Raises UserError where the folder holds none."""
    if not paths.manifest.exists():
        raise UserError(
            "is no build: it holds no manifest.json",
            place=Place(str(paths.root)),
            remedy="give the folder that `ocb author build` printed",
        )
    return read_artefact(paths.manifest, Manifest)


def load_build(root: Path) -> Build:
    """Read a build back. The corpus is not held against its hashes: validation does that.

    Raises UserError where it is no build, where a file of it cannot be read, and where its spec is
    not the one it was built from.
    """
    paths = BuildPaths(root)
    manifest = read_manifest(paths)
    registry = read_artefact(paths.registry, Registry)
    texts = {file.path: _read_text(paths.file(file.path)) for file in manifest.files}
    witnesses = _read_witnesses(paths, manifest)
    spec = read_spec(paths.spec)
    # The prompt is in the spec, and no seal speaks of it: the build's name holds its hash.
    written = read_plain_file(paths.spec)
    if build_name(spec, written, manifest.generator, manifest.ocb) != manifest.build:
        raise UserError(
            "was changed after the build", place=Place(str(paths.spec)), remedy="build it again"
        )
    return Build(paths, spec, registry, manifest, texts, witnesses)


def _read_witnesses(paths: BuildPaths, manifest: Manifest) -> Witnesses:
    witnesses: dict[str, dict[str, dict[str, str]]] = {}
    for row in manifest.witnesses:
        text = _read_text(paths.witness(row.needle, row.number, row.path))
        witnesses.setdefault(row.needle, {}).setdefault(row.file, {})[row.path] = text
    return witnesses


def _read_text(path: Path) -> str:
    try:
        return read_plain_file(path).decode()
    except UnicodeDecodeError as error:
        raise UserError("is not UTF-8", place=Place(str(path))) from error


def _differences(paths: BuildPaths, expected: Mapping[str, str]) -> tuple[str, ...]:
    """Against the SHA-256 of each path below the root.

    What else is in corpus or witnesses is added.
    """
    present = {str(path.relative_to(paths.root)) for path in _all_of(paths) if _is_leaf(path)}
    changed = present - set(expected)
    changed |= {path for path, digest in expected.items() if _digest(paths.root / path) != digest}
    return tuple(sorted(changed))


def _is_leaf(path: Path) -> bool:
    return path.is_symlink() or not path.is_dir()


def _digest(path: Path) -> str:
    """Empty for what is no plain file with the mode of a corpus."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or stat.S_IMODE(status.st_mode) != FILE_MODE:
            return ""
        return sha256(path.read_bytes())
    except OSError:
        return ""


def _listed(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more
