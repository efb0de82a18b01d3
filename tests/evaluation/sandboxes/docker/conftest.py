"""A real Docker Engine, and the sandbox in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from evaluation.sandboxes.docker.sandbox import Docker
from tests.evaluation.sandboxes.docker.private_engine import engine_for_tests


@pytest.fixture(scope="session")
def engine() -> Iterator[Mapping[str, str]]:
    """The environment in which its address stands."""
    with engine_for_tests() as environment:
        yield environment


@pytest.fixture
def docker(engine: Mapping[str, str]) -> Docker:
    return Docker(engine)
