from __future__ import annotations

from pathlib import Path

import pytest

from authoring.loading import load_spec
from generators.build import build_scenario, load_build
from generators.catalogue import describe
from generators.realism.comparison import compare
from generators.realism.counterparts import on_this_machine, read_lists
from ocb.shipped import shipped_specs


@pytest.mark.parametrize("path", shipped_specs().values(), ids=shipped_specs())
def test_every_shipped_scenario_keeps_the_bars(path: Path, tmp_path: Path) -> None:
    spec = load_spec(path, describe())
    build = load_build(
        build_scenario(spec, size="standard", parent=tmp_path, ocb_version="1.0").root
    )
    kinds = compare(build, read_lists(), on_this_machine)
    assert {kind.kind: kind.broken for kind in kinds if kind.broken} == {}
