"""What finds each kind of defect: the rules once more, read from the text of a sheet alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from ocb import Evidence, Kind, NoParameters, Registered

ROW = re.compile(r"\| ([a-z ]+) \| \d+ \|")
LABEL = re.compile(r".+, contains: (.+)")
GROUP = re.compile(r"Sheet .*, group: (\w+)")
LIFE = re.compile(r".*\b(\d+) days of baking\b")
BRINGS = {
    "gluten": r"wheat|rye|cake flour|oat|malt",
    "milk": r"milk|butter|cream|cheese",
    "egg": r"\begg",
    "nuts": r"hazelnut|walnut|almond|pistachio",
    "sesame": r"sesame",
    "soya": r"soya",
}
MOST_DAYS = {"loaf": 3, "bun": 2, "cake": 5, "biscuit": 45}

Found = tuple[Evidence, ...]


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, from 1."""
    return enumerate(text.split("\n"), start=1)


class PerSheet:
    """A sheet shows such a defect alone, so that nothing is left to be decided."""

    def decide(self, facts: Mapping[PurePosixPath, Found]) -> Found:
        return tuple(one for path in sorted(facts) for one in facts[path])


class UndeclaredAllergen(PerSheet):
    """Compares the label with the recipe above it."""

    def extract(self, path: PurePosixPath, text: str) -> Found:
        rows = [match[1] for _, line in numbered(text) if (match := ROW.fullmatch(line))]
        brought = {
            allergen
            for allergen, words in BRINGS.items()
            if any(re.search(words, row) for row in rows)
        }
        return tuple(
            Evidence(path, number, number)
            for number, line in numbered(text)
            if (match := LABEL.fullmatch(line)) and brought - set(match[1].split(", "))
        )


class OverlongShelfLife(PerSheet):
    """Compares the days with those of the sheet's group."""

    def extract(self, path: PurePosixPath, text: str) -> Found:
        group = GROUP.search(text)
        most = MOST_DAYS.get(group[1]) if group else None
        return tuple(
            Evidence(path, number, number)
            for number, line in numbered(text)
            if most is not None and (match := LIFE.match(line)) and int(match[1]) > most
        )


UNDECLARED_ALLERGEN = Registered(
    Kind("undeclared-allergen", "a label leaves out an allergen of the recipe", NoParameters),
    UndeclaredAllergen,
)
OVERLONG_SHELF_LIFE = Registered(
    Kind("overlong-shelf-life", "a product is sold for longer than the rules allow", NoParameters),
    OverlongShelfLife,
)
