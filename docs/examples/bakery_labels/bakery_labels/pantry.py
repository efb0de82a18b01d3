"""The vocabulary: what is baked of what."""

from __future__ import annotations

from ocb import Value

Grams = tuple[int, int]


class Ingredient(Value):
    """One line of a recipe."""

    name: str
    grams: int


class Group(Value):
    """Products that are made and kept alike."""

    name: str
    days: int
    """How long the rules let it be sold."""
    base: dict[str, Grams]
    extras: dict[str, Grams]


GROUPS = (
    Group(
        name="loaf",
        days=3,
        base={"wheat flour": (620, 900), "water": (380, 560), "salt": (12, 22), "yeast": (8, 30)},
        extras={
            "rye flour": (90, 260),
            "malt syrup": (10, 35),
            "sunflower seeds": (40, 120),
            "linseed": (30, 90),
            "buttermilk": (80, 200),
            "honey": (15, 60),
        },
    ),
    Group(
        name="bun",
        days=2,
        base={"wheat flour": (480, 720), "whole milk": (210, 330), "butter": (60, 160)},
        extras={
            "eggs": (50, 150),
            "brown sugar": (40, 110),
            "cardamom": (2, 8),
            "vanilla paste": (3, 9),
            "cream": (40, 120),
            "orange zest": (4, 15),
        },
    ),
    Group(
        name="cake",
        days=5,
        base={"eggs": (240, 420), "caster sugar": (210, 380), "cake flour": (200, 340)},
        extras={
            "butter": (150, 300),
            "sour cream": (60, 180),
            "ground almonds": (60, 160),
            "rapeseed oil": (70, 160),
            "baking powder": (8, 18),
            "lemon juice": (20, 60),
        },
    ),
    Group(
        name="biscuit",
        days=45,
        base={"wheat flour": (300, 520), "butter": (180, 320), "icing sugar": (110, 220)},
        extras={
            "egg yolks": (40, 90),
            "oat flakes": (60, 160),
            "golden syrup": (30, 90),
            "sea salt": (3, 9),
            "rice flour": (50, 140),
            "cinnamon": (3, 12),
        },
    ),
)
FLAVOURS: dict[str, dict[str, Grams]] = {
    "Hazelnut": {"hazelnuts": (80, 190)},
    "Sesame": {"sesame seeds": (40, 130)},
    "Walnut": {"walnuts": (70, 180), "maple syrup": (20, 60)},
    "Plum": {"dried plums": (90, 220)},
    "Poppy": {"poppy seeds": (50, 140), "sultanas": (40, 110)},
    "Apple": {"apple pieces": (120, 320)},
    "Caraway": {"caraway seeds": (6, 20), "soya flour": (30, 90)},
    "Chocolate": {"dark chocolate": (90, 210), "cocoa": (20, 60)},
    "Fig": {"dried figs": (80, 200), "aniseed": (3, 10)},
    "Pumpkin": {"pumpkin puree": (120, 300), "nutmeg": (1, 5)},
    "Cheese": {"hard cheese": (80, 210)},
    "Pistachio": {"pistachios": (60, 170), "rose water": (5, 20)},
}
ALLERGENS = {
    "wheat flour": "gluten",
    "rye flour": "gluten",
    "cake flour": "gluten",
    "malt syrup": "gluten",
    "oat flakes": "gluten",
    "whole milk": "milk",
    "buttermilk": "milk",
    "butter": "milk",
    "cream": "milk",
    "sour cream": "milk",
    "hard cheese": "milk",
    "eggs": "egg",
    "egg yolks": "egg",
    "hazelnuts": "nuts",
    "walnuts": "nuts",
    "ground almonds": "nuts",
    "pistachios": "nuts",
    "sesame seeds": "sesame",
    "soya flour": "soya",
}
