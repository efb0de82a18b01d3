"""Is the build on disk the one its manifest and registry speak of, and they what the spec asks for?

Prevents a false result: a needle counted as missed that was never planted, stands elsewhere, or is
not the one that a report is held against.
"""

from __future__ import annotations

import itertools
import stat
from collections.abc import Mapping
from pathlib import Path

from authoring.artefacts import read_plain_file, sha256
from authoring.errors import UserError
from generators.build_folder import FILE_MODE, Build
from generators.build_paths import BuildPaths
from generators.lines import split_lines
from generators.manifest import Manifest, tree_hash
from generators.placement import copies_of
from generators.registry import Edit, Registry, Span, restore
from generators.scope import roles
from generators.tokens import ENCODING, count_tokens
from validation.check import Check, verdict

CODES = {
    "files-as-built": "the files of corpus and witnesses are those of the manifest, byte for byte",
    "manifest-true": "roles, lines, tokens and tree of the manifest are those of the files",
    "needle-ids-unique": "no id is registered twice",
    "needles-as-specified": "every needle of the spec is registered as specified, and none else",
    "lines-in-range": "registered lines exist, in files that exist",
    "evidence-in-review": "evidence stands in files under review, broken rules in reference files",
    "evidence-at-edits": "each needle was made by an edit at its evidence",
    "planted-there": "the planted lines stand where they are registered, and differ from the clean",
    "edits-apart": "edits of different needles never touch",
    "clean-restorable": "taking the edits back gives the clean corpus, byte for byte",
}


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
        f"{folder.name} (is not a plain folder)"
        for folder in (paths.corpus, paths.witnesses)
        if folder.is_symlink()
    ]
    changed += [
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
    if stat.S_IMODE(found.stat().st_mode) != FILE_MODE:
        return "another mode"
    return "" if _digest(found) == expected else "changed"


def _digest(path: Path) -> str:
    """Empty for what cannot be read."""
    try:
        return sha256(read_plain_file(path)) if path.is_file() else ""
    except UserError:
        return ""


def check_files(paths: BuildPaths, manifest: Manifest) -> Check:
    """The check on which all others stand: the files are those of the manifest."""
    return verdict("files-as-built", ", ".join(changed_files(paths, manifest)))


def check_build(build: Build) -> tuple[Check, ...]:
    """What manifest and registry say, held against the files and the spec."""
    manifest, registry, texts = build.manifest, build.registry, build.texts
    return (
        verdict("manifest-true", _manifest(build)),
        verdict("needle-ids-unique", _ids(registry)),
        verdict("needles-as-specified", _needles(build)),
        verdict("lines-in-range", _lines(registry, texts)),
        verdict("evidence-in-review", _roles(manifest, registry)),
        verdict("evidence-at-edits", _evidence(registry)),
        verdict("planted-there", _planted(registry, texts)),
        verdict("edits-apart", _edits(registry)),
        verdict("clean-restorable", _clean(manifest, registry, texts)),
    )


def _manifest(build: Build) -> str:
    """Its tree, and the role, lines and tokens of every file, counted anew."""
    manifest = build.manifest
    asked = build.spec.build
    if (manifest.size, manifest.seed, manifest.placement) != (
        asked.size,
        asked.seed,
        asked.placement,
    ):
        return "manifest.json: size, seed or placement are not those of spec.yaml"
    names = {build.spec.id, manifest.scenario, build.registry.scenario}
    if len(names) > 1:
        return f"spec, manifest and registry name several scenarios: {', '.join(sorted(names))}"
    encodings = {build.spec.budget.encoding, manifest.encoding, ENCODING}
    if len(encodings) > 1:
        return f"tokens are counted in several encodings: {', '.join(sorted(encodings))}"
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


def _needles(build: Build) -> str:
    """Every needle of the spec as often as the size has it, none else, each as it is specified."""
    wanted = {
        copy.needle.id: copy.needle for copy in copies_of(build.spec.needles, build.spec.build.size)
    }
    found = {needle.id: needle for needle in build.registry.needles}
    faults = [f"{name}: in the spec, not registered" for name in wanted if name not in found]
    for name, needle in found.items():
        if name not in wanted:
            faults.append(f"{name}: registered, not in the spec")
            continue
        asked = wanted[name]
        faults += [
            f"{name}: {key} is not that of the spec"
            for key in ("kind", "severity", "report")
            if getattr(needle, key) != getattr(asked, key)
        ]
        broken = {span.path for span in needle.relative_to}
        if broken != ({asked.breaks.path} if asked.breaks else set()):
            faults.append(f"{name}: relative_to is not what the spec says it breaks")
    return "; ".join(faults)


def _roles(manifest: Manifest, registry: Registry) -> str:
    """Evidence stands in files under review, and what needles break in reference files."""
    role_of = {file.path: file.role for file in manifest.files}
    faults = [
        f"{needle.id}: {span.path} is no {role} file"
        for needle in registry.needles
        for role, spans in (("review", needle.evidence), ("reference", needle.relative_to))
        for span in spans
        if role_of.get(span.path, role) != role
    ]
    return "; ".join(faults)


def _evidence(registry: Registry) -> str:
    """An edit of each needle touches its evidence, or stands right beside it.

    The evidence may have other lines, even in the same file: those that the edit contradicts. What
    only took lines away may show itself further on, where they are missed.
    """
    return "; ".join(
        f"{needle.id}: no edit of it stands at its evidence"
        for needle in registry.needles
        if not any(_shows(edit, span) for edit in needle.edits for span in needle.evidence)
    )


def _shows(edit: Edit, span: Span) -> bool:
    beside = edit.first - 1 <= span.last and span.first <= edit.last + 1
    return edit.path == span.path and (beside or not edit.planted)


def _planted(registry: Registry, texts: Mapping[str, str]) -> str:
    """The lines of every edit are those registered, and are others than before."""
    for needle in registry.needles:
        for edit in needle.edits:
            place = f"{needle.id}: {edit.path}:{edit.first}"
            lines = texts.get(edit.path, "").split("\n")
            if edit.last - edit.first + 1 != len(edit.planted):
                return f"{place}: {len(edit.planted)} planted lines, not up to line {edit.last}"
            if tuple(lines[edit.first - 1 : edit.last]) != edit.planted:
                return f"{place}: the planted lines do not stand there"
            if edit.planted == edit.clean:
                return f"{place}: the edit changes nothing"
    return ""


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
