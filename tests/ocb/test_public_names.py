"""What plug-ins may import from `ocb`."""

from __future__ import annotations

import importlib

import pytest

import ocb


def test_every_public_name_is_there_and_none_is_unlisted() -> None:
    assert ocb.__all__ == sorted(ocb.__all__, key=lambda name: (name.startswith("_"), name))
    assert {name for name in ocb.__all__ if name != "__version__"} == set(ocb._HOMES)


@pytest.mark.parametrize("name", [name for name in ocb.__all__ if name != "__version__"])
def test_a_public_name_is_the_one_of_its_home(name: str) -> None:
    assert getattr(ocb, name) is getattr(importlib.import_module(ocb._HOMES[name]), name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Harnes'"):
        _ = ocb.Harnes
