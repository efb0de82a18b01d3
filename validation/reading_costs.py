"""What reading costs through each harness, and how much each model holds: two dated tables.

The costs are measured on the wire of real runs, for one version of each harness;
`benchmarks/overheads.py` measures again and rewrites them. Windows are what vendors say, each with
its source; a user's own file adds models, or says otherwise of those that are there.
"""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field

from authoring.artefacts import Value
from authoring.errors import Place, SpecError, UserError, nearest
from authoring.typed import to_typed
from authoring.yaml_source import read_yaml

VENDOR_FACTOR = 1.35
"""How much more a vendor's tokenizer may count than cl100k_base, where nobody measured it."""
CLIP = 2000
"""Characters of a line that tools show, whichever: OpenCode and earlier versions of others cut at
this, the other harnesses measured here cut none of 8,000."""
DATED = re.compile(r"-20\d{6}$")
"""What the full name of a model has at its end."""


def _a_day(text: str) -> str:
    date.fromisoformat(text)
    return text


Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_a_day)]
Count = Annotated[int, Field(ge=1)]
Tokens = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""Of cl100k_base, on average."""


class HarnessCost(Value):
    """What one version of a harness adds to what it reads, and how much it reads at once."""

    name: str
    version: str
    measured: Date
    vendors: tuple[str, ...] = ()
    """Whose models it asks; empty: those of any vendor."""
    fixed_tokens: Tokens
    """System prompt, tools, and all else that the first call holds beside the task prompt."""
    tokens_per_line: Tokens
    """What stands before each line."""
    tokens_per_read: Tokens
    """The call and what is wrapped around its result."""
    read_lines: Count | None = None
    """Most lines of one read; None: as many as a file has."""
    read_tokens: Count | None = None
    """By the vendor's own count: of a file with more, a read shows only a page."""
    page_tokens: Count | None = None
    """About as many are on a page."""
    read_characters: Count | None = None
    """Most characters of one read."""
    clip: Count | None = None
    """Characters of a line that a read shows; None: all."""


MOST_WINDOW = 10**9
MOST_FACTOR = 100.0
"""Beyond what any model has: a number that somebody mistyped."""


class ModelWindow(Value):
    """How much one model holds."""

    name: str
    """As its vendor calls it, without a date."""
    vendor: str
    window: Annotated[int, Field(ge=1, le=MOST_WINDOW)]
    """Tokens of input and output together."""
    vendor_factor: Annotated[float, Field(gt=0, le=MOST_FACTOR, allow_inf_nan=False)] | None = None
    """Its tokens per token of cl100k_base, on text like a corpus; None: not measured."""
    source: str
    """Who says so."""
    date: Date


class HarnessTable(Value):
    """`harnesses.yaml`."""

    schema_: Annotated[Literal["ocb.harnesses/1"], Field(alias="schema")]
    harnesses: Annotated[tuple[HarnessCost, ...], Field(min_length=1)]


class ModelTable(Value):
    """`models.yaml`, ours and a user's."""

    schema_: Annotated[Literal["ocb.models/1"], Field(alias="schema")]
    models: tuple[ModelWindow, ...]


@dataclass(frozen=True)
class Tables:
    """Both tables, by name."""

    harnesses: Mapping[str, HarnessCost]
    models: Mapping[str, ModelWindow]

    @property
    def clip(self) -> int:
        """Characters of a line that every harness shows."""
        return min([CLIP, *(one.clip for one in self.harnesses.values() if one.clip)])

    def harness(self, name: str) -> HarnessCost:
        """Raises UserError with the nearest name where its costs are not known."""
        if name not in self.harnesses:
            raise UserError(
                f"what reading costs through {name!r} was never measured",
                remedy=nearest(name, self.harnesses),
            )
        return self.harnesses[name]

    def model(self, name: str) -> ModelWindow | None:
        """By its name with or without a date; None where its window is not known."""
        return self.models.get(name) or self.models.get(DATED.sub("", name))


Table = TypeVar("Table", HarnessTable, ModelTable)


def load_tables(models: Path | None = None) -> Tables:
    """Our tables, with the models of a user's file put in.

    Raises UserError for a file that is no such table, with every problem at its line.
    """
    data = importlib.resources.files("validation") / "data"
    with (
        importlib.resources.as_file(data / "harnesses.yaml") as costs,
        importlib.resources.as_file(data / "models.yaml") as windows,
    ):
        harnesses = _read(costs, HarnessTable).harnesses
        known = _read(windows, ModelTable).models
    more = _read(models, ModelTable).models if models else ()
    names = [one.name for one in more]
    for name in sorted({name for name in names if names.count(name) > 1}):
        raise UserError(f"names the model {name!r} twice", place=Place(str(models)))
    return Tables({one.name: one for one in harnesses}, {one.name: one for one in (*known, *more)})


def _read(path: Path, kind: type[Table]) -> Table:
    root = read_yaml(path).root
    typed = to_typed(root, kind, place=root.place)
    if typed.value is None:
        raise SpecError(typed.problems)
    return typed.value
