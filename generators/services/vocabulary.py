"""What the services are about: `domains/*.yaml`, with each record in a short form of its own.

`invoice_total:money`, `note:text200?`, `role:pick(cover/manual)`: a name, a type, `?` where it may
be missing. `issue:draft>issued`: a verb, the state before and the state after.
"""

from __future__ import annotations

import importlib.resources
import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

import yaml
from pydantic import field_validator

from authoring.artefacts import Value

FieldType = Literal["ref", "text", "money", "count", "date", "moment", "flag", "ratio", "pick"]
FIELD = re.compile(
    r"(?P<name>[a-z_]+):(?P<type>ref|text|money|count|date|moment|flag|ratio|pick)"
    r"(?P<limit>\d+)?(?:\((?P<picks>[a-z_/]+)\))?(?P<optional>\?)?"
)
MOVE = re.compile(r"(?P<verb>[a-z_]+):(?P<source>[a-z_]+)>(?P<target>[a-z_]+)")


@dataclass(frozen=True)
class Field:
    """One column of a record."""

    name: str
    type: FieldType
    limit: int = 0
    """Characters of a text."""
    picks: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True)
class Move:
    """A change of state that somebody asks for."""

    verb: str
    source: str
    target: str


@dataclass(frozen=True)
class Entity:
    """One sort of record."""

    one: str
    """`credit_note`"""
    many: str
    about: str
    fields: tuple[Field, ...]
    moves: tuple[Move, ...]

    @property
    def states(self) -> tuple[str, ...]:
        """Every state, in the order in which a record may meet them."""
        seen = dict.fromkeys(state for move in self.moves for state in (move.source, move.target))
        return tuple(seen)


class EntityWords(Value):
    """An entity as the file has it."""

    one: str
    many: str = ""
    about: str
    fields: str
    moves: str

    @field_validator("fields")
    @classmethod
    def _are_fields(cls, value: str) -> str:
        return _all_match(value, FIELD)

    @field_validator("moves")
    @classmethod
    def _are_moves(cls, value: str) -> str:
        return _all_match(value, MOVE)

    def entity(self) -> Entity:
        """The entity in full."""
        return Entity(
            one=self.one,
            many=self.many or _plural(self.one),
            about=self.about,
            fields=tuple(_field(match) for match in FIELD.finditer(self.fields)),
            moves=tuple(Move(*match.groups()) for match in MOVE.finditer(self.moves)),
        )


def _plural(one: str) -> str:
    return f"{one[:-1]}ies" if re.search(r"[^aeiou]y$", one) else f"{one}s"


def _all_match(value: str, pattern: re.Pattern[str]) -> str:
    wrong = [word for word in value.split() if not pattern.fullmatch(word)]
    if wrong:
        raise ValueError(f"cannot be read: {', '.join(wrong)}")
    return value


def _field(match: re.Match[str]) -> Field:
    return Field(
        name=match["name"],
        type=match["type"],  # type: ignore[arg-type]  # FIELD allows no other
        limit=int(match["limit"] or 0),
        picks=tuple((match["picks"] or "").split("/")) if match["picks"] else (),
        optional=bool(match["optional"]),
    )


class Domain(Value):
    """What one service looks after."""

    team: str
    purpose: str
    partner: str
    """An outside firm whose system it talks to."""
    entities: tuple[EntityWords, ...]


DOMAINS = (
    "assets",
    "billing",
    "catalogue",
    "documents",
    "inventory",
    "metering",
    "notifications",
    "orders",
    "procurement",
    "scheduling",
    "shipping",
    "support",
)


@cache
def read_domain(name: str) -> Domain:
    """One of `DOMAINS`."""
    source = importlib.resources.files("generators.services") / "domains" / f"{name}.yaml"
    return Domain.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))
