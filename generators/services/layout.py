"""Which files there are, and in which third of all of them each one stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from authoring.spec import POSITIONS
from generators.depth import third_of
from generators.services.plan import EntityPlan, Part, Platform, ServicePlan

BASELINE = PurePosixPath("docs/hardening-baseline.md")
TRANSPORT = PurePosixPath("web/transport.ts")
LIBRARY = ("caching", "intake", "outbound", "settings", "storage", "web")
CALLING = ("outbound", "settings")
"""Modules of the library that only services with partners need."""


@dataclass(frozen=True)
class Sort:
    """One sort of file: the part of the code base it belongs to, and where it lies."""

    part: Part
    path: str
    """Below the folder of its service."""


OF_A_RECORD: Mapping[str, Sort] = {
    "handler": Sort("handlers", "{service}/{many}_routes.py"),
    "store": Sort("stores", "{service}/{many}_store.py"),
    "schema": Sort("schemas", "{service}/{many}_schema.py"),
    "migration": Sort("migrations", "migrations/{created:04}_{many}.sql"),
    "widening": Sort("widenings", "migrations/{widened:04}_{many}_{field}.sql"),
    "client": Sort("clients", "client/{many}.ts"),
    "sweep": Sort("sweeps", "{service}/{many}_sweep.py"),
    "listener": Sort("listeners", "{service}/{many}_listener.py"),
}
OF_A_SERVICE: Mapping[str, Sort] = {
    "webhook": Sort("webhooks", "{service}/{partner}_events.py"),
    "gateway": Sort("gateways", "{service}/outbound.py"),
    "start": Sort("images", "{service}/main.py"),
    "config": Sort("configs", "service.yaml"),
    "policy": Sort("policies", "access.yaml"),
    "deployment": Sort("deployments", "deploy.yaml"),
    "image": Sort("images", "Dockerfile"),
}


@dataclass(frozen=True)
class Place:
    """Where a file lies and which third of the code base that is, from 0."""

    path: PurePosixPath
    turn: int


@dataclass(frozen=True)
class Layout:
    """All files of a platform, before any of them is written."""

    platform: Platform
    parts: tuple[Part, ...]

    @property
    def library(self) -> Mapping[str, PurePosixPath]:
        """By module."""
        calls = not {"webhooks", "gateways"}.isdisjoint(self.parts)
        folder = PurePosixPath("libs", self.platform.library)
        return {name: folder / f"{name}.py" for name in LIBRARY if calls or name not in CALLING}

    def of_record(self, service: ServicePlan, plan: EntityPlan) -> Mapping[str, Place]:
        """The files of one sort of record, by kind."""
        return self._placed(self._record_paths(service, plan))

    def of_service(self, service: ServicePlan) -> Mapping[str, Place]:
        """The other files of a service, by kind."""
        return self._placed(self._service_paths(service))

    def _placed(self, paths: Mapping[str, PurePosixPath]) -> Mapping[str, Place]:
        return {kind: Place(path, self._turns[path]) for kind, path in paths.items()}

    def _record_paths(self, service: ServicePlan, plan: EntityPlan) -> dict[str, PurePosixPath]:
        number = service.entities.index(plan)
        words: dict[str, str | int] = {
            "service": service.name,
            "many": plan.entity.many,
            "created": number * 10 + 1,
            "widened": 900 + number,
            "field": plan.widened.name if plan.widened else "",
        }
        paths = _below(service, OF_A_RECORD, self.parts, words)
        if plan.widened is None:
            paths.pop("widening", None)
        return paths

    def _service_paths(self, service: ServicePlan) -> dict[str, PurePosixPath]:
        words = {"service": service.name, "partner": service.domain.partner}
        return _below(service, OF_A_SERVICE, self.parts, words)

    @cached_property
    def _turns(self) -> Mapping[PurePosixPath, int]:
        ordered = sorted(self._all(), key=lambda path: str(path).encode())
        thirds = [third_of(len(ordered), position) for position in POSITIONS]
        return {ordered[at]: turn for turn, third in enumerate(thirds) for at in third}

    def _all(self) -> Iterator[PurePosixPath]:
        yield from self.library.values()
        if "clients" in self.parts:
            yield TRANSPORT
        for service in self.platform.services:
            yield from self._service_paths(service).values()
            for plan in service.entities:
                yield from self._record_paths(service, plan).values()


def _below(
    service: ServicePlan,
    sorts: Mapping[str, Sort],
    parts: tuple[Part, ...],
    words: Mapping[str, str | int],
) -> dict[str, PurePosixPath]:
    folder = PurePosixPath("services", service.name)
    return {
        kind: folder / sort.path.format_map(words)
        for kind, sort in sorts.items()
        if sort.part in parts
    }
