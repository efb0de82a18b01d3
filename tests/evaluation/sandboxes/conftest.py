"""A bench for sandboxes: folders with telling names, a gateway that answers, probes as agents."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.sandboxes.bubblewrap import Bubblewrap
from tests.evaluation.sandboxes.bench import TELLING, Alive, Bench, alive


@pytest.fixture
def bench() -> Iterator[Bench]:
    # Not pytest's own folder: a socket's path may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="ocb-") as folder:
        root = Path(folder, TELLING)
        root.mkdir()
        yield Bench(root)


@pytest.fixture(name="alive")
def alive_fixture() -> Alive:
    return alive


@pytest.fixture
def bubblewrap() -> Bubblewrap:
    fault = Bubblewrap.probe()
    assert fault is None, f"{fault}. Run ./dev test as root, or: apt-get install bubblewrap"
    return Bubblewrap()
