"""Defects between two files: each of them alone is in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

from generators.detectors.detector import Evidence
from generators.detectors.services.baseline import section
from generators.detectors.services.python_code import Lines, parsed, routes
from generators.detectors.services.settings import Entry, settings
from generators.lines import split_lines

DELETE_RULE = re.compile(r"guards a DELETE is granted to (\w+(?:(?:, | and )\w+)*) only")
LISTING = re.compile(r'path: "/(\w+)/(\w+)", pageSize: (\d+)')


class Place(NamedTuple):
    """Lines of a file that say something."""

    path: PurePosixPath
    lines: Lines


class Stated(NamedTuple):
    """A number, and the lines that state it."""

    number: int
    lines: Lines


def _evidence(places: Iterator[tuple[Place, Place]]) -> tuple[Evidence, ...]:
    """Both sides of every disagreement, each once."""
    both = (place.lines.evidence(place.path) for pair in places for place in pair)
    return tuple(sorted(set(both)))


@dataclass(frozen=True)
class GrantFacts:
    """Who has which permission, what guards deletions, and who may have that."""

    allowed: frozenset[str]
    """Roles, by the baseline."""
    grants: Mapping[str, tuple[frozenset[str], Lines]]
    deleting: Mapping[str, Lines]
    """Permissions of DELETE routes."""


class BroadGrant:
    """Finds permissions that guard a DELETE and are granted to more than the baseline allows."""

    def extract(self, path: PurePosixPath, text: str) -> GrantFacts:
        """Grants of a policy, DELETE routes of code, the rule of the baseline."""
        rule = DELETE_RULE.search(section(path, text, "Permissions"))
        allowed = frozenset(re.split(r", | and ", rule[1])) if rule else frozenset[str]()
        root = settings(path, text, "permissions:")
        listed = root.at("permissions") if root else None
        grants = {
            entry.key: (frozenset(role.text for role in entry.entries()), entry.lines)
            for entry in (listed.entries() if listed else ())
        }
        tree = parsed(path, text, "permission=", ".delete(")
        found = routes(tree) if tree else iter(())
        deleting = {one.permission: one.lines for one in found if one.method == "delete"}
        return GrantFacts(allowed, grants, deleting)

    def decide(self, facts: Mapping[PurePosixPath, GrantFacts]) -> tuple[Evidence, ...]:
        """Grant and route, where too many may delete."""
        return _evidence(self._broad(facts))

    def _broad(self, facts: Mapping[PurePosixPath, GrantFacts]) -> Iterator[tuple[Place, Place]]:
        allowed = frozenset(role for one in facts.values() for role in one.allowed)
        if not allowed:
            return
        deleting = {
            permission: Place(path, lines)
            for path, one in facts.items()
            for permission, lines in one.deleting.items()
        }
        for path, one in facts.items():
            for permission, (roles, lines) in one.grants.items():
                if permission in deleting and not roles <= allowed:
                    yield Place(path, lines), deleting[permission]


@dataclass(frozen=True)
class CallFacts:
    """How long a service takes at most, and how long it waits for others."""

    service: str
    budget: Stated | None
    waits: Mapping[str, Stated]


class ShortTimeout:
    """Finds callers that give up before the service they call does."""

    def extract(self, path: PurePosixPath, text: str) -> CallFacts:
        """Budget and timeouts of one service."""
        root = settings(path, text, "_ms:")
        if root is None:
            return CallFacts("", None, {})
        inbound, upstreams = root.at("inbound"), root.at("upstreams")
        budget = inbound.number_at("retry_budget_ms") if inbound else None
        stated = Stated(budget, inbound.lines) if inbound and budget is not None else None
        waits = {
            entry.key: Stated(wait, entry.lines)
            for entry in (upstreams.entries() if upstreams else ())
            if (wait := entry.number_at("timeout_ms")) is not None
        }
        return CallFacts(root.text_at("service"), stated, waits)

    def decide(self, facts: Mapping[PurePosixPath, CallFacts]) -> tuple[Evidence, ...]:
        """Timeout and budget, where the first is shorter."""
        return _evidence(self._short(facts))

    def _short(self, facts: Mapping[PurePosixPath, CallFacts]) -> Iterator[tuple[Place, Place]]:
        budgets = {
            one.service: (path, one.budget) for path, one in facts.items() if one.budget is not None
        }
        for path, one in facts.items():
            for key, wait in one.waits.items():
                if key in budgets and wait.number < budgets[key][1].number:
                    other, budget = budgets[key]
                    yield Place(path, wait.lines), Place(other, budget.lines)


@dataclass(frozen=True)
class PageFacts:
    """How much a service gives on a page, and how much a client asks for."""

    most: Mapping[str, Stated]
    """By path: `billing/invoices`."""
    asked: Mapping[str, Stated]


class OversizedPage:
    """Finds clients that ask for more on a page than the service gives."""

    def extract(self, path: PurePosixPath, text: str) -> PageFacts:
        """Pages of a client or of a settings file."""
        asked = {}
        if path.suffix == ".ts":
            for number, line in enumerate(split_lines(text), start=1):
                if found := LISTING.search(line):
                    stated = Stated(int(found[3]), Lines(number, number))
                    asked[f"{found[1]}/{found[2]}"] = stated
        root = settings(path, text, "paging:")
        return PageFacts(_most(root) if root else {}, asked)

    def decide(self, facts: Mapping[PurePosixPath, PageFacts]) -> tuple[Evidence, ...]:
        """Client and setting, where the first is larger."""
        return _evidence(self._oversized(facts))

    def _oversized(self, facts: Mapping[PurePosixPath, PageFacts]) -> Iterator[tuple[Place, Place]]:
        most = {
            listing: (path, stated)
            for path, one in facts.items()
            for listing, stated in one.most.items()
        }
        for path, one in facts.items():
            for listing, stated in one.asked.items():
                if listing in most and stated.number > most[listing][1].number:
                    other, limit = most[listing]
                    yield Place(path, stated.lines), Place(other, limit.lines)


def _most(root: Entry) -> dict[str, Stated]:
    paging, service = root.at("paging"), root.text_at("service")
    return {
        f"{service}/{entry.key}": Stated(most, entry.lines)
        for entry in (paging.entries() if paging else ())
        if (most := entry.number_at("most")) is not None
    }


@dataclass(frozen=True)
class PortFacts:
    """The admin port of a service, or where its ingress leads."""

    service: str
    admin: Stated | None
    targets: tuple[Stated, ...]


class RoutedAdminPort:
    """Finds ingresses that lead to the admin port of a service."""

    def extract(self, path: PurePosixPath, text: str) -> PortFacts:
        """Ports of one file."""
        root = settings(path, text, "listen:") or settings(path, text, "ingress:")
        if root is None:
            return PortFacts("", None, ())
        listen, ingress = root.at("listen"), root.at("ingress")
        admin = listen.number_at("admin_port") if listen else None
        return PortFacts(
            root.text_at("service"),
            Stated(admin, listen.lines) if listen and admin is not None else None,
            tuple(
                Stated(target, entry.lines)
                for entry in (ingress.entries() if ingress else ())
                if (target := entry.number_at("target")) is not None
            ),
        )

    def decide(self, facts: Mapping[PurePosixPath, PortFacts]) -> tuple[Evidence, ...]:
        """Ingress and port, where they meet."""
        return _evidence(self._routed(facts))

    def _routed(self, facts: Mapping[PurePosixPath, PortFacts]) -> Iterator[tuple[Place, Place]]:
        admin = {
            one.service: (path, one.admin) for path, one in facts.items() if one.admin is not None
        }
        for path, one in facts.items():
            for target in one.targets:
                if one.service in admin and target.number == admin[one.service][1].number:
                    other, port = admin[one.service]
                    yield Place(path, target.lines), Place(other, port.lines)
