"""The build that the sweeps of these tests are made on."""

from __future__ import annotations

import pytest

from generators.build import Build
from tests.e2e.truth_corpus import build_truth_corpus


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_truth_corpus(tmp_path_factory.mktemp("truth"))
