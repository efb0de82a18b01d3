"""Hotels and restaurants: each name is given once, so that each paper has a house of its own."""

from __future__ import annotations

import random

from generators.expenses.vocabulary import read_merchants


class Houses:
    """Draws names that no other trip has."""

    def __init__(self, source: random.Random) -> None:
        self._random = source
        self._shops = read_merchants()
        self._taken: set[str] = set()

    def hotel(self, city: str) -> str:
        """A hotel in a city."""
        return self._fresh(self._shops.hotels, self._shops.hotel_stems, city)

    def restaurant(self, country: str) -> str:
        """A restaurant where the language of a country is spoken."""
        kinds = self._shops.restaurants[self._shops.languages[country]]
        forms = tuple(f"{kind} {{stem}}" for kind in kinds)
        return self._fresh(forms, self._shops.restaurant_stems, "")

    def _fresh(self, forms: tuple[str, ...], stems: tuple[str, ...], city: str) -> str:
        while True:
            stem = self._random.choice(stems)
            name = self._random.choice(forms).format(stem=stem, city=city)
            if name not in self._taken:
                self._taken.add(name)
                return name
