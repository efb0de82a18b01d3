"""Builds a build once more, in a fresh process of another hash seed, time zone and locale.

    python -m ocb.rebuilding BUILD FOLDER...

prints what came of it as JSON: that process is this module too. It asks no model: what the `llm`
generator is not told by its cache cannot be built again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NoReturn

from pydantic import ValidationError

import ocb
from authoring.artefacts import to_json
from authoring.errors import OcbError, UserError
from authoring.loading import load_spec_as
from generators.build import build_scenario, read_manifest
from generators.build_paths import BuildPaths
from generators.catalogue import Registrations, installed
from generators.directory.generator import DirectoryGenerator, tell_nobody
from generators.llm.generator import LlmGenerator
from generators.resolved import ResolvedSpec
from ocb.building import beside_spec
from validation.determinism import Rebuilt

MOST_SECONDS = 1800.0
"""A generator of others may never come to an end."""
KEPT = ("PATH", "HOME", "TMPDIR", "PYTHONPATH")
"""What the process may know of this one's environment. No key is among it."""
OTHERWISE = {
    "PYTHONHASHSEED": ("1", "2"),
    "TZ": ("Pacific/Apia", "America/St_Johns"),
    "LC_ALL": ("C.UTF-8", "C"),
}
"""Settings of the process: the first of each that this one has not."""

READS: Mapping[object, str] = {DirectoryGenerator: "root", LlmGenerator: "cache"}
"""The parameter that names what a generator reads, which may be counted from its spec's folder."""


@dataclass(frozen=True)
class Rebuilder:
    """Builds again in a process of its own."""

    beside: Path | None = None
    """Where the spec lay: a relative `root` or `cache` in it is counted from there. None: the
    working folder and those above the build are tried."""
    seconds: float = MOST_SECONDS

    def __call__(self, paths: BuildPaths) -> Rebuilt:
        """Raises UserError where the folder holds no build."""
        root = paths.root.resolve()
        folders = [self.beside.resolve()] if self.beside else [Path.cwd(), *root.parents[:3]]
        with tempfile.TemporaryDirectory() as neutral:
            command = [sys.executable, "-m", "ocb.rebuilding", str(root), *map(str, folders)]
            try:
                done = subprocess.run(
                    command,
                    cwd=neutral,
                    env=other_environment(os.environ),
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=self.seconds,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return Rebuilt(manifest=None, fault=f"not done after {self.seconds:.0f} s")
        return _answer(done)


def _answer(done: subprocess.CompletedProcess[bytes]) -> Rebuilt:
    try:
        return Rebuilt.model_validate_json(done.stdout)
    except ValidationError:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
        fault = f"the process ended with {done.returncode} and said: {said[-1]}"
        return Rebuilt(manifest=None, fault=fault)


def other_environment(own: Mapping[str, str]) -> dict[str, str]:
    """What the process has in the place of this one's environment."""
    kept = {name: own[name] for name in KEPT if name in own}
    checkout = str(Path(ocb.__file__).parent.parent)
    kept["PYTHONPATH"] = os.pathsep.join([checkout, *filter(None, [kept.get("PYTHONPATH")])])
    other = {
        name: next(value for value in values if value != own.get(name))
        for name, values in OTHERWISE.items()
    }
    return kept | other


def rebuild(paths: BuildPaths, folders: Sequence[Path]) -> Rebuilt:
    """Build again in this process, in a temporary folder.

    With the first of the folders that gives the same corpus, where the spec reads from a folder.
    """
    try:
        spec = load_spec_as(paths.spec, ResolvedSpec, installed().catalogue())
        tree = read_manifest(paths).tree
        relative = _relative(spec)
        rebuilt = Rebuilt(manifest=None, fault="no folder is given")
        for folder in folders if relative else folders[:1]:
            rebuilt = _built(spec, folder)
            if rebuilt.manifest is not None and rebuilt.manifest.tree == tree:
                return rebuilt
    except OcbError as error:
        return Rebuilt(manifest=None, fault=str(error))
    if relative and len(folders) > 1:
        return Rebuilt(
            manifest=None,
            fault=f"it reads {relative}, counted from the folder of its spec, and none of "
            f"{', '.join(map(str, folders))} gives the same corpus",
        )
    return rebuilt


def _relative(spec: ResolvedSpec) -> str:
    """What the spec reads from the folder in which it lay; empty where it reads nothing there."""
    entry = installed().generators.get(spec.corpus.generator)
    path = spec.corpus.parameters.get(READS.get(entry.make, "")) if entry else None
    return path if isinstance(path, str) and not Path(path).is_absolute() else ""


def _built(spec: ResolvedSpec, folder: Path) -> Rebuilt:
    with tempfile.TemporaryDirectory() as parent:
        try:
            paths = build_scenario(
                spec,
                size=spec.build.size,
                seed=spec.build.seed,
                placement=spec.build.placement,
                parent=Path(parent),
                ocb_version=ocb.__version__,
                registrations=_registrations(folder),
            )
        except OcbError as error:
            return Rebuilt(manifest=None, fault=str(error))
        return Rebuilt(manifest=read_manifest(paths))


def _registrations(folder: Path) -> Registrations:
    """What is installed, with a model generator that asks nobody."""
    own = installed().generators
    silent = partial(LlmGenerator, base=folder, connect=_ask_nobody)
    known = beside_spec(folder, tell_nobody)
    generators = {
        name: replace(entry, make=silent) if own[name].make is LlmGenerator else entry
        for name, entry in known.generators.items()
    }
    return replace(known, generators=generators)


def _ask_nobody() -> NoReturn:
    raise UserError("its cache does not hold every answer, and no model is asked")


def main(arguments: Sequence[str]) -> None:
    """Rebuild the build that is named first, and print what came of it."""
    root, *folders = map(Path, arguments)
    sys.stdout.buffer.write(to_json(rebuild(BuildPaths(root), folders)))


if __name__ == "__main__":
    main(sys.argv[1:])
