"""The artefacts of a build, whole and readable.

`OCB_REWRITE_GOLDENS=1 .venv/bin/pytest tests/generators/test_goldens.py` writes them anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from authoring.spec import ScenarioSpec
from generators.build import build_scenario
from generators.catalogue import Registrations


def test_spec_registry_and_manifest_of_a_tiny_build(
    spec: ScenarioSpec,
    spec_path: Path,
    registrations: Registrations,
    tmp_path: Path,
    golden: Callable[[str, bytes], None],
) -> None:
    paths = build_scenario(
        spec,
        size="small",
        parent=tmp_path / "out",
        ocb_version="0.0.0",
        registrations=registrations,
    )
    golden("spec/letters.yaml", spec_path.read_bytes())
    golden("spec/resolved.yaml", paths.spec.read_bytes())
    golden("registry.json", paths.registry.read_bytes())
    golden("manifest.json", paths.manifest.read_bytes())
