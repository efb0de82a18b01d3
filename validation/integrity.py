"""Is the build on disk the one its manifest and registry speak of? Names the files that changed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

from authoring.artefacts import sha256
from authoring.errors import UserError
from generators.build_paths import BuildPaths
from generators.lines import split_lines
from generators.manifest import Manifest, tree_hash
from generators.registry import Registry, restore
from validation.report import Check

LINKS_AND_FOLDERS = "is not a plain file"


def changed_files(paths: BuildPaths, manifest: Manifest) -> tuple[str, ...]:
    """Every file of the corpus that is missing, new, or not as the manifest has it."""
    expected = {file.path: file.sha256 for file in manifest.files}
    found = {
        path.relative_to(paths.corpus).as_posix(): path
        for path in sorted(paths.corpus.rglob("*"))
        if path.is_symlink() or not path.is_dir()
    }
    changed = [
        f"corpus/{path} ({what})"
        for path in sorted({*expected, *found})
        if (what := _change(found.get(path), expected.get(path)))
    ]
    if sha256(paths.registry.read_bytes()) != manifest.registry_sha256:
        changed.append("registry.json (changed)")
    return tuple(changed)


def _change(found: Path | None, expected: str | None) -> str:
    if found is None:
        return "missing"
    if expected is None:
        return "new"
    if found.is_symlink() or not found.is_file():
        return LINKS_AND_FOLDERS
    return "" if sha256(found.read_bytes()) == expected else "changed"


def check_integrity(
    paths: BuildPaths, manifest: Manifest, registry: Registry, texts: Mapping[str, str]
) -> tuple[Check, ...]:
    """The checks on which all others stand: files, hashes, ids, lines, and the way back."""
    return (
        _check("files-as-built", _files(paths, manifest)),
        _check("tree-hash", _tree(manifest)),
        _check("needle-ids-unique", _ids(registry)),
        _check("lines-in-range", _lines(registry, texts)),
        _check("edits-apart", _edits(registry)),
        _check("clean-restorable", _clean(manifest, registry, texts)),
    )


def _check(code: str, reason: str) -> Check:
    return Check(code=code, passed=not reason, reason=reason)


def _files(paths: BuildPaths, manifest: Manifest) -> str:
    return ", ".join(changed_files(paths, manifest))


def _tree(manifest: Manifest) -> str:
    listed = tree_hash((file.path, file.mode, file.sha256) for file in manifest.files)
    return "" if listed == manifest.tree else "manifest.json: tree is not that of its files"


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
