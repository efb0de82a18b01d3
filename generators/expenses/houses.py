"""Hotels and restaurants, by the language of the place."""

from __future__ import annotations

import random
from collections.abc import Sequence

from generators.expenses.vocabulary import read_locals
from generators.expenses.world import City

TRIES = 60
"""After so many draws a house may be visited again."""


class Houses:
    """Draws names that no other trip has, where that can be had."""

    def __init__(self, source: random.Random) -> None:
        self._random = source
        self._taken: set[str] = set()

    def hotel(self, city: City) -> str:
        """A hotel in a city."""
        local = read_locals().of(city.country.code)
        return self._fresh(local.hotels, local.hotel_stems, city)

    def restaurant(self, city: City) -> str:
        """A restaurant in a city."""
        local = read_locals().of(city.country.code)
        return self._fresh(local.restaurants, local.restaurant_stems, city)

    def _fresh(self, forms: Sequence[str], stems: Sequence[str], city: City) -> str:
        name = ""
        for _ in range(TRIES):
            stem = self._random.choice(stems)
            name = self._random.choice(forms).format(stem=stem, city=city.name)
            if name not in self._taken:
                break
        self._taken.add(name)
        return name
