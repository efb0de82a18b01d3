"""The values that every template about one sort of record may use."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generators.services.columns import FILTERS
from generators.services.layout import Place
from generators.services.plan import EntityPlan, Platform, ServicePlan, camel, move_slug
from generators.services.rendering import with_article, words
from generators.services.vocabulary import Move

METHODS: Mapping[str, tuple[str, ...]] = {
    "page": ("page", "slice", "select"),
    "count": ("count", "how_many", "tally"),
    "find": ("find", "fetch", "load"),
    "insert": ("insert", "add", "write"),
    "insert_many": ("insert_many", "add_all", "write_many"),
    "update": ("update", "apply", "change"),
    "move": ("mark", "set", "make"),
    "delete": ("delete", "remove", "drop"),
    "search": ("search", "matching", "where"),
    "totals": ("totals", "by_state", "figures"),
    "export": ("export", "stream", "slices"),
    "note": ("add_note", "write_note", "note"),
    "notes": ("notes_of", "read_notes", "notes"),
    "assign": ("assign", "hand_to", "entrust"),
    "oldest": ("oldest", "longest_waiting", "waiting"),
    "touch": ("touch", "saw", "note_visit"),
    "stale": ("stale", "left_before", "untouched_since"),
}


class Methods:
    """The names of a store's methods; remembers which were asked for, so that a store has them."""

    def __init__(self, source: random.Random) -> None:
        self._names = {role: source.choice(names) for role, names in METHODS.items()}
        self.asked: set[str] = set()

    def __getitem__(self, role: str) -> str:
        self.asked.add(role)
        return self._names[role]


@dataclass(frozen=True)
class MoveWords:
    """A change of state in the words of code and of prose."""

    verb: str
    source: str
    target: str
    slug: str
    permission: str
    """`issue` or `write`; the name of the records comes before it."""

    @property
    def verb_words(self) -> str:
        return words(self.verb)

    @property
    def source_words(self) -> str:
        return words(self.source)

    @property
    def target_words(self) -> str:
        return words(self.target)


@dataclass(frozen=True)
class Wording:
    """One sort of record on its way into files. What is learnt on the way is kept here."""

    platform: Platform
    service: ServicePlan
    plan: EntityPlan
    places: Mapping[str, Place]
    """Of its files, by kind."""
    methods: Methods
    moves: tuple[MoveWords, ...]
    names: Mapping[str, str]
    """Further names that several files must agree on."""
    permissions: set[str] = field(default_factory=set)
    """Those that its routes ask for."""
    needs: set[str] = field(default_factory=set)
    """What the schema must offer because another file uses it."""

    def values(self) -> dict[str, object]:
        """For every template."""
        plan, entity = self.plan, self.plan.entity
        return {
            "e": entity.one,
            "es": entity.many,
            "E": entity.one.upper(),
            "C": plan.class_name,
            "Cs": f"{plan.class_name}Store",
            "Cmany": camel(entity.many, upper=True),
            "camel": camel,
            "label": words(entity.one),
            "labels": words(entity.many),
            "an_label": with_article(words(entity.one)),
            "slug": entity.many.replace("_", "-"),
            "about": entity.about,
            "states": entity.states,
            "initial": entity.states[0],
            "moves": self.moves,
            "fields": plan.columns,
            "filters": [c for c in plan.columns if c.field.type in FILTERS],
            "money": [c for c in plan.columns if c.field.type == "money" and not c.optional],
            "texts": [c for c in plan.columns if c.field.type == "text"],
            "columns": [c.name for c in plan.columns],
            "page_size": plan.page_size,
            "m": self.methods,
            "delete_word": plan.delete_word,
            **service_values(self.platform, self.service),
            **self.names,
        }


@dataclass(frozen=True)
class InService:
    """One sort of record, as the files of a whole service name it."""

    e: str
    es: str
    C: str
    slug: str
    shape: str
    page_default: int
    page_most: int

    @property
    def Cs(self) -> str:  # noqa: N802 - as the templates have it
        """The class of its store."""
        return f"{self.C}Store"


def in_service(wordings: Sequence[Wording]) -> tuple[InService, ...]:
    """All sorts of record of a service."""
    return tuple(
        InService(
            e=wording.plan.entity.one,
            es=wording.plan.entity.many,
            C=wording.plan.class_name,
            slug=wording.plan.entity.many.replace("_", "-"),
            shape=wording.plan.shape,
            page_default=wording.plan.page_default,
            page_most=wording.plan.page_most,
        )
        for wording in wordings
    )


def service_values(platform: Platform, service: ServicePlan) -> dict[str, object]:
    """For the templates about a whole service."""
    partner = service.domain.partner
    return {
        "svc": service.name,
        "Svc": service.name.title(),
        "SVC": service.name.upper(),
        "team": service.domain.team,
        "purpose": service.domain.purpose,
        "lib": platform.library,
        "company": platform.company,
        "partner": partner,
        "Partner": partner.title(),
        "PARTNER": partner.upper(),
        "port": service.port,
        "admin_port": service.admin_port,
        "uid": service.user,
        "gid": service.group,
        "budget": service.budget,
        "upstreams": service.upstreams,
        "release": service.release,
    }


def word_entity(
    source: random.Random,
    platform: Platform,
    service: ServicePlan,
    plan: EntityPlan,
    places: Mapping[str, Place],
) -> Wording:
    """Draw the names that the files of one sort of record share."""
    upper = plan.entity.one.upper()

    def permission(move: Move) -> str:
        return source.choice([move.verb, move.verb, "write"])

    return Wording(
        platform=platform,
        service=service,
        plan=plan,
        places=places,
        methods=Methods(source),
        moves=tuple(
            MoveWords(move.verb, move.source, move.target, move_slug(move), permission(move))
            for move in plan.entity.moves
        ),
        names={
            "present": f"{source.choice(['present', 'render', 'public'])}_{plan.entity.one}",
            "STATES": f"{upper}_STATES",
            "COLUMNS": f"{upper}_COLUMNS",
            "PAGE": f"{upper}_PAGE",
            "db": source.choice(["_db", "_database", "database"]),
            "note_most": str(source.randrange(6, 21) * 100),
            "FROM": source.choice(["from_row", "of_row", "read", "from_record"]),
            "change_word": source.choice(["change", "update", "correct", "amend"]),
        },
    )
