"""The `bakery` generator: product sheets under `sheets/`, and the labelling rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Annotated

from jinja2 import Environment, StrictUndefined
from pydantic import Field

from bakery_labels.pantry import ALLERGENS, FLAVOURS, GROUPS, Group, Ingredient
from ocb import Document, Kind, Registered, Value


class BakeryParameters(Value):
    """How much a bakery makes."""

    products: Annotated[int, Field(ge=3, le=len(GROUPS) * len(FLAVOURS))] = 12
    """Each has a sheet of its own."""


class Recipe(Value):
    """What goes into one product."""

    name: str
    group: Group
    lines: tuple[Ingredient, ...]

    @property
    def total(self) -> int:
        """Grams a batch."""
        return sum(line.grams for line in self.lines)

    @property
    def allergens(self) -> list[str]:
        """Everything that the label has to name."""
        return sorted({ALLERGENS[line.name] for line in self.lines if line.name in ALLERGENS})


class BakeryGenerator:
    """Sheets whose totals add up and whose labels are in order."""

    def __init__(self, parameters: BakeryParameters, source: random.Random) -> None:
        self._parameters = parameters
        self._random = source

    def documents(self) -> Iterator[Document]:
        environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)  # noqa: S701
        folder = files("bakery_labels") / "templates"
        sheet = environment.from_string((folder / "sheet.j2").read_text("utf-8"))
        names = [(group, flavour) for group in GROUPS for flavour in FLAVOURS]
        chosen = self._random.sample(names, self._parameters.products)
        for number, (group, flavour) in enumerate(sorted(chosen, key=str), start=1):
            recipe = self._recipe(group, flavour)
            text = sheet.render(
                recipe=recipe,
                number=f"{number:03}-{self._random.randrange(1000, 9999)}",
                pick=self._random.choice,
                between=lambda least, most: self._random.randrange(least, most + 1),
            )
            path = PurePosixPath(
                "sheets", f"{number:03}-{recipe.name.lower().replace(' ', '-')}.md"
            )
            yield Document(path, "sheet", text)
        rules = (folder / "rules.md").read_text("utf-8")
        yield Document(PurePosixPath("rules.md"), "rules", rules)

    def _recipe(self, group: Group, flavour: str) -> Recipe:
        lines = [
            Ingredient(name=name, grams=self._random.randrange(least, most))
            for name, (least, most) in (*group.base.items(), *FLAVOURS[flavour].items())
        ]
        extras = self._random.sample(sorted(group.extras.items()), 2)
        lines += [Ingredient(name=n, grams=self._random.randrange(*grams)) for n, grams in extras]
        self._random.shuffle(lines)
        return Recipe(name=f"{flavour} {group.name}", group=group, lines=tuple(lines))


BAKERY = Registered(
    Kind("bakery", "product sheets of a bakery, with its labelling rules", BakeryParameters),
    BakeryGenerator,
)
