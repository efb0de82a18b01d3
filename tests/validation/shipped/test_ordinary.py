from __future__ import annotations

from pathlib import Path

import pytest

from authoring.spec import Size
from tests.validation.shipped.laws import assert_sealed, every_placement, every_scenario


@pytest.mark.parametrize("size", ["small", "standard", "long"])
@every_placement
@every_scenario
def test_a_shipped_scenario_passes_every_check(
    name: str, size: Size, placement: int, tmp_path: Path
) -> None:
    assert_sealed(name, size, placement, tmp_path)
