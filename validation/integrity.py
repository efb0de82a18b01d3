"""Is the build on disk the one its manifest and registry speak of? Names the files that changed."""

from __future__ import annotations

import itertools
import stat
from collections.abc import Mapping
from pathlib import Path

from authoring.artefacts import sha256
from authoring.errors import UserError
from generators.build import Build
from generators.build_paths import BuildPaths
from generators.lines import split_lines
from generators.manifest import Manifest, tree_hash
from generators.registry import Registry, restore
from generators.scope import roles
from generators.tokens import count_tokens
from validation.check import Check

MODE = 0o644
"""Of every file of a corpus (`generators.manifest`)."""


def changed_files(paths: BuildPaths, manifest: Manifest) -> tuple[str, ...]:
    """Every file of the corpus that is missing, new, or not as the manifest has it; the registry.

    Reads plain files alone, so that a pipe or a link in a corpus is named and not followed.
    """
    expected = {paths.file(file.path): file.sha256 for file in manifest.files}
    expected |= {
        paths.witness(one.needle, one.number, one.path): one.sha256 for one in manifest.witnesses
    }
    found = {
        path
        for folder in (paths.corpus, paths.witnesses)
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }
    changed = [
        f"{path.relative_to(paths.root).as_posix()} ({what})"
        for path in sorted(found.union(expected))
        if (what := _change(path if path in found else None, expected.get(path)))
    ]
    if _digest(paths.registry) != manifest.registry_sha256:
        changed.append("registry.json (changed)")
    return tuple(changed)


def _change(found: Path | None, expected: str | None) -> str:
    if found is None:
        return "missing"
    if expected is None:
        return "new"
    if found.is_symlink() or not found.is_file():
        return "is not a plain file"
    if stat.S_IMODE(found.stat().st_mode) != MODE:
        return "another mode"
    return "" if _digest(found) == expected else "changed"


def _digest(path: Path) -> str:
    """Empty for what cannot be read."""
    try:
        return sha256(path.read_bytes()) if path.is_file() else ""
    except OSError:
        return ""


def check_files(paths: BuildPaths, manifest: Manifest) -> Check:
    """The check on which all others stand: the files are those of the manifest."""
    return _check("files-as-built", ", ".join(changed_files(paths, manifest)))


def check_build(build: Build) -> tuple[Check, ...]:
    """What manifest and registry say, held against the files."""
    manifest, registry, texts = build.manifest, build.registry, build.texts
    return (
        _check("manifest-true", _manifest(build)),
        _check("needle-ids-unique", _ids(registry)),
        _check("lines-in-range", _lines(registry, texts)),
        _check("edits-apart", _edits(registry)),
        _check("clean-restorable", _clean(manifest, registry, texts)),
    )


def _check(code: str, reason: str) -> Check:
    return Check(code=code, passed=not reason, reason=reason)


def _manifest(build: Build) -> str:
    """Its tree, and the role, lines and tokens of every file, counted anew."""
    manifest = build.manifest
    listed = [file.path for file in manifest.files]
    if len(set(listed)) != len(listed):
        return "manifest.json lists a file twice"
    if tree_hash((f.path, f.mode, f.sha256) for f in manifest.files) != manifest.tree:
        return "manifest.json: tree is not that of its files"
    try:
        role_of = roles(listed, build.spec.scope)
    except UserError as error:
        return error.what
    for file in manifest.files:
        text = build.texts[file.path]
        true = (role_of[file.path], len(split_lines(text)), count_tokens(text))
        if (file.role, file.lines, file.tokens) != true:
            return f"manifest.json: role, lines or tokens of {file.path} are not {true}"
    return ""


def _ids(registry: Registry) -> str:
    ids = [needle.id for needle in registry.needles]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    return f"registered twice: {', '.join(twice)}" if twice else ""


def _lines(registry: Registry, texts: Mapping[str, str]) -> str:
    lengths = {path: len(split_lines(text)) for path, text in texts.items()}
    for needle in registry.needles:
        for span in (*needle.evidence, *needle.relative_to):
            if span.path not in lengths:
                return f"{needle.id}: {span.path} is not in the corpus"
            if not span.first <= span.last <= lengths[span.path]:
                return (
                    f"{needle.id}: {span.path} has {lengths[span.path]} lines, "
                    f"not {span.first} to {span.last}"
                )
    return ""


def _edits(registry: Registry) -> str:
    """Edits of different needles never touch: neither may stand on the other's lines."""
    edits = sorted(
        (e.path, e.first, e.last, needle.id) for needle in registry.needles for e in needle.edits
    )
    for (path, _, last, owner), (other, first, _, another) in itertools.pairwise(edits):
        if path == other and owner != another and first <= last + 1:
            return f"{path}: edits of {owner} and {another} touch at line {first}"
    return ""


def _clean(manifest: Manifest, registry: Registry, texts: Mapping[str, str]) -> str:
    try:
        clean = restore(texts, registry.needles)
    except UserError as error:
        return error.what
    modes = {file.path: file.mode for file in manifest.files}
    restored = tree_hash(
        (path, modes.get(path, ""), sha256(text.encode())) for path, text in clean.items()
    )
    if restored != manifest.clean_tree:
        return "putting the edits back does not give the clean corpus of the manifest"
    return ""
