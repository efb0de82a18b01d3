"""Does the build's own spec give the same bytes again, in another process?

Prevents a false result: figures of two machines compared that were taken on different corpora.

How to build again is handed in, since processes and folders belong to whoever runs this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from authoring.artefacts import Value
from generators.build_paths import BuildPaths
from generators.manifest import Manifest
from validation.check import Checked, verdict
from validation.subject import Subject

SHOWN = 3
"""Files that a sentence names before it gives the count."""

CODES = {
    "rebuilds-the-same": (
        "built again from its spec, in a process with another hash seed, time zone and locale, it "
        "is the same bytes"
    ),
}


class Rebuilt(Value):
    """What came of building once more."""

    manifest: Manifest | None
    """None: it could not be done here."""
    fault: str = ""
    """Why not."""


class Rebuild(Protocol):
    """Builds what a build's own spec says, apart from it, and leaves nothing behind."""

    def __call__(self, paths: BuildPaths) -> Rebuilt: ...


def determinism(subject: Subject, rebuild: Rebuild) -> Checked:
    """Build it again, and hold every hash of the manifest against the first one's."""
    rebuilt = rebuild(subject.build.paths)
    if rebuilt.manifest is None:
        reason = f"cannot be rebuilt here: {rebuilt.fault}"
    else:
        reason = "; ".join(_differences(subject.build.manifest, rebuilt.manifest))
    return Checked((verdict("rebuilds-the-same", reason),))


def _differences(first: Manifest, second: Manifest) -> Iterator[str]:
    if first.tree != second.tree:
        yield f"another corpus: {_files(first, second)}"
    elif first.clean_tree != second.clean_tree:
        yield "another clean corpus"
    if first.registry_sha256 != second.registry_sha256:
        yield "another registry"
    if first.witnesses != second.witnesses:
        yield "other witnesses"
    made = (first.ocb, first.generator.version)
    again = (second.ocb, second.generator.version)
    if made != again and _told(first) != _told(second):
        yield (
            f"it was made by ocb {first.ocb} with version {first.generator.version} of its "
            f"generator; here are {second.ocb} and {second.generator.version}"
        )


def _told(manifest: Manifest) -> tuple[object, ...]:
    """All that two builds of one spec have in common."""
    return manifest.tree, manifest.clean_tree, manifest.registry_sha256, manifest.witnesses


def _files(first: Manifest, second: Manifest) -> str:
    """Which files differ, are missing or are more."""
    one = {file.path: file.sha256 for file in first.files}
    two = {file.path: file.sha256 for file in second.files}
    paths = sorted(path for path in {*one, *two} if one.get(path) != two.get(path))
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more
