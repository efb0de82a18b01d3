"""What the code base consists of: services, records, ports, neighbours, and who wrote what."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field as Bounded

from authoring.artefacts import Value
from generators.services.columns import SHORT, Column
from generators.services.statements import Layout, StoreStyle, draw_store_style
from generators.services.vocabulary import DOMAINS, Domain, Entity, Field, Move, read_domain

Part = Literal[
    "handlers", "stores", "schemas", "migrations", "configs", "policies", "deployments",
    "images", "clients", "webhooks", "gateways", "sweeps", "listeners", "widenings",
]  # fmt: skip
ALL_PARTS: tuple[Part, ...] = (
    "handlers", "stores", "schemas", "migrations", "configs", "policies", "deployments",
    "images", "clients", "webhooks", "gateways",
)  # fmt: skip
FIRST_PORT = 8100
ADMIN = 1000
"""An admin port is that much above the public one."""
LIBRARIES = (
    "groundwork", "trellis", "keelson", "bedrock", "fieldkit", "rivet", "baseplate", "joinery",
)  # fmt: skip
COMPANIES = (
    "norrfjord", "tallgrass", "quillmere", "ashcombe", "vantaa", "cobaltworks", "larkfield",
    "meridor",
)  # fmt: skip
RATIOS = ("risk_score", "completeness", "confidence", "weighting", "likelihood")
"""Figures that really are floats, in two of three records."""
DELETERS = ("owner", "admin")
"""The roles that may delete anything, by the baseline."""
DELETE_WORDS = ("remove", "purge", "manage", "erase")
OPTIONAL_OPERATIONS = (
    "export", "bulk", "note", "history", "internal", "handover", "preview", "copy", "oldest",
    "states",
)  # fmt: skip
PAGE_SIZES = (30, 40, 50, 60, 75, 80, 90, 100, 120, 150, 180, 200, 220, 240, 250, 270, 280)
SHAPES = ("class", "request", "closure")
STATEMENTS: tuple[Layout, ...] = ("block", "joined", "constant")


class ServicesParameters(Value):
    """How large the code base is."""

    services: Annotated[int, Bounded(ge=1, le=len(DOMAINS))] = 4
    """How many services there are."""
    entities: Annotated[int, Bounded(ge=1, le=8)] = 2
    """Sorts of records in each service, every one with files of its own."""
    operations: Annotated[int, Bounded(ge=0, le=len(OPTIONAL_OPERATIONS))] = 3
    """What can be done with a record beyond the usual."""
    parts: tuple[Part, ...] = ALL_PARTS
    """Which sorts of files there are; `handlers` need `stores` and `schemas`, jobs need all."""


@dataclass(frozen=True)
class Upstream:
    """A service of ours that another one calls."""

    key: str
    port: int
    purpose: str
    timeout: int
    """Milliseconds, at least what the other allows itself."""


@dataclass(frozen=True)
class EntityPlan:
    """One sort of record, and the habits of whoever wrote its files."""

    entity: Entity
    columns: tuple[Column, ...]
    shape: str
    """Of its routes: functions, methods, or functions inside of a function."""
    statements: StoreStyle
    """How SQL is laid out, and the database asked."""
    operations: tuple[str, ...]
    limits: str
    """The name of the dict that holds the limits of texts, or nothing."""
    delete_word: str
    page_default: int
    page_most: int
    page_size: int
    """What the web client asks for."""
    widened: Column | None
    """A text that a second migration gives more room than clients may use so far."""

    @property
    def class_name(self) -> str:
        """`CreditNote`"""
        return camel(self.entity.one, upper=True)


@dataclass(frozen=True)
class ServicePlan:
    """One service."""

    name: str
    domain: Domain
    port: int
    user: int
    group: int
    budget: int
    """Milliseconds it may take over a call, repetitions included."""
    upstreams: tuple[Upstream, ...]
    entities: tuple[EntityPlan, ...]
    release: str

    @property
    def admin_port(self) -> int:
        return self.port + ADMIN


@dataclass(frozen=True)
class Platform:
    """All of it."""

    company: str
    library: str
    services: tuple[ServicePlan, ...]
    access_minutes: int
    refresh_hours: int
    release: str
    sensitive: tuple[str, ...]


def camel(name: str, *, upper: bool = False) -> str:
    """`credit_note` to `creditNote` or `CreditNote`."""
    first, *rest = name.split("_")
    return (first.title() if upper else first) + "".join(word.title() for word in rest)


def plan_platform(source: random.Random, parameters: ServicesParameters) -> Platform:
    """Draw everything that more than one file must agree on."""
    names = sorted(source.sample(DOMAINS, parameters.services))
    ports = source.sample(range(FIRST_PORT, FIRST_PORT + 90), len(names))
    budgets = {name: source.randrange(16, 40) * 100 for name in names}
    places = dict(zip(names, ports, strict=True))
    services = []
    for index, name in enumerate(names):
        neighbours = _neighbours(source, names, index)
        upstreams = tuple(
            Upstream(
                key=other,
                port=places[other],
                purpose=read_domain(other).purpose,
                timeout=budgets[other] + source.randrange(1, 12) * 100,
            )
            for other in neighbours
        )
        services.append(_service(source, name, places[name], budgets[name], upstreams, parameters))
    emails = source.sample(["phone", "full_name", "address", "birth_date", "token"], 3)
    return Platform(
        company=source.choice(COMPANIES),
        library=source.choice(LIBRARIES),
        services=tuple(services),
        access_minutes=source.choice([15, 20, 30]),
        refresh_hours=source.choice([12, 24]),
        release=f"{source.randrange(3, 9)}.{source.randrange(0, 12)}",
        sensitive=("email", *emails),
    )


def _neighbours(source: random.Random, names: Sequence[str], index: int) -> list[str]:
    """The next service in the round, and perhaps one more."""
    others = [*names[index + 1 :], *names[:index]]
    if not others:
        return []
    count = source.choice([0, 1, 1]) if len(others) > 1 else 0
    return sorted([others[0], *source.sample(others[1:], count)])


def _service(
    source: random.Random,
    name: str,
    port: int,
    budget: int,
    upstreams: tuple[Upstream, ...],
    parameters: ServicesParameters,
) -> ServicePlan:
    domain = read_domain(name)
    entities = [words.entity() for words in domain.entities]
    priced = [one for one in entities if any(field.type == "money" for field in one.fields)]
    chosen = source.sample(priced, min(parameters.entities, len(priced)))
    rest = [one for one in entities if one not in chosen]
    chosen += source.sample(rest, parameters.entities - len(chosen))
    user = port + source.randrange(2, 40) * 100
    return ServicePlan(
        name=name,
        domain=domain,
        port=port,
        user=user,
        group=user + source.choice([0, 1, 500]) + 10_000,
        budget=budget,
        upstreams=upstreams,
        entities=tuple(
            _entity(source, one, parameters) for one in sorted(chosen, key=lambda one: one.many)
        ),
        release=f"{source.randrange(2, 6)}.{source.randrange(0, 40)}.{source.randrange(0, 9)}",
    )


def _entity(source: random.Random, entity: Entity, parameters: ServicesParameters) -> EntityPlan:
    limits = source.choice(["", f"{entity.one.upper()}_LIMITS", "LONGEST"])
    fields = list(entity.fields)
    if source.randrange(3):
        fields.insert(source.randrange(1, len(fields)), Field(source.choice(RATIOS), "ratio"))
    short = [f for f in fields if f.type == "text" and f.limit <= SHORT]
    widened = source.choice(short) if short and "widenings" in parameters.parts else None
    columns = tuple(Column(field, entity.one, limits) for field in fields)
    free = [word for word in DELETE_WORDS if word not in {move.verb for move in entity.moves}]
    most = source.randrange(10, 30) * 10
    return EntityPlan(
        entity=entity,
        columns=columns,
        shape=source.choice(SHAPES),
        statements=draw_store_style(source, source.choice(STATEMENTS)),
        operations=_operations(source, entity, parameters.operations),
        limits=limits,
        delete_word=source.choice(free),
        page_default=source.choice([20, 25, 40, 50]),
        page_most=most,
        page_size=source.choice([size for size in PAGE_SIZES if size <= most]),
        widened=next((column for column in columns if column.field == widened), None),
    )


def _operations(source: random.Random, entity: Entity, count: int) -> tuple[str, ...]:
    possible = list(OPTIONAL_OPERATIONS)
    if not any(field.type == "money" for field in entity.fields):
        possible.remove("preview")
    drawn = source.sample(possible, min(count, len(possible)))
    if "history" in drawn and "note" not in drawn:
        drawn.append("note")
    usual = ["list", "show", "create", "change", "remove", "search", "summary"]
    return (*usual, *drawn, *(f"move:{place}" for place in range(len(entity.moves))))


def move_slug(move: Move) -> str:
    """`hand_out` as it stands in a path."""
    return move.verb.replace("_", "-")
