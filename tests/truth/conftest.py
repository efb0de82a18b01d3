"""What the sessions of real CLIs are measured with."""

from __future__ import annotations

import pytest

from generators.lines import CorpusIndex
from tests.truth.corpus import corpus


@pytest.fixture(scope="session")
def index() -> CorpusIndex:
    """Of the corpus that every session is over."""
    return CorpusIndex.of(corpus())
