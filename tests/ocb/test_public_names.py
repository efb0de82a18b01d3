"""What plug-ins may import from `ocb`."""

from __future__ import annotations

import importlib

import pytest

import ocb

HOMES = {name: home for home, names in ocb._HOMES.items() for name in names}


def test_every_public_name_has_a_home_and_none_is_unlisted() -> None:
    assert ocb.__all__ == sorted(ocb.__all__)
    assert set(HOMES) == set(ocb.__all__)


@pytest.mark.parametrize("name", ocb.__all__)
def test_a_public_name_is_the_one_of_its_home(name: str) -> None:
    assert getattr(ocb, name) is getattr(importlib.import_module(HOMES[name]), name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Harnes'"):
        _ = ocb.Harnes
