"""What holds of every shipped scenario, in every size and placement."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.loading import load_spec
from authoring.spec import Size
from generators.build import build_scenario, load_build
from generators.catalogue import describe
from ocb.shipped import find_spec, shipped_specs
from tests.validating import validated

every_scenario = pytest.mark.parametrize("name", shipped_specs())
every_placement = pytest.mark.parametrize("placement", [0, 1, 2])


def assert_sealed(name: str, size: Size, placement: int, folder: Path) -> None:
    """Build it and run every check."""
    spec = load_spec(find_spec(name), describe())
    paths = build_scenario(spec, size=size, placement=placement, parent=folder, ocb_version="0.0.0")
    report = validated(paths)
    assert [(check.code, check.needle, check.reason) for check in report.failures] == []
    assert report.level == "structural"
    across = [
        needle
        for needle in load_build(paths.root).registry.needles
        if len({span.path for span in needle.evidence}) > 1
    ]
    assert len(across) >= (1 if size == "small" else 3)
