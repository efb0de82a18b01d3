"""Settings, permissions, deployment and image of a service."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from generators.services.plan import DELETERS, Platform, ServicePlan
from generators.services.rendering import Brush, words
from generators.services.wording import Wording, in_service, service_values

CONFIG_BLOCKS = (
    "listen", "database", "sessions", "upstreams", "inbound", "paging", "cache", "secrets",
)  # fmt: skip
MORE_CONFIG = ("limits", "logging", "schedule", "features")
DEPLOYMENT_BLOCKS = ("scale", "ports", "ingress", "probes", "env", "egress")
MORE_DEPLOYMENT = ("resources", "monitoring", "volumes")
WHERE = ("web", "mobile", "support", "reports")
FIRST_REVIEW = date(2025, 1, 7)
COMMENTS = (
    "{labels}: {about}",
    "asked for by {team}",
    "all about {labels}",
    "",
    "who may touch {labels}",
)
ROLES: Mapping[str, Sequence[tuple[str, ...]]] = {
    "read": (
        ("owner", "admin", "member", "viewer"),
        ("owner", "admin", "member", "viewer", "auditor"),
        ("owner", "admin", "member", "viewer", "support"),
    ),
    "export": (("owner", "admin", "auditor"), ("owner", "auditor")),
    "write": (("owner", "admin", "member"), ("admin", "owner", "member")),
    "manage": (("owner", "admin", "member"), ("admin", "owner", "member")),
}
MOVE_ROLES = (("owner", "admin", "approver"), ("owner", "approver"), ("owner", "admin", "member"))


@dataclass(frozen=True)
class Grant:
    """A permission and the roles that have it."""

    name: str
    roles: tuple[str, ...]


@dataclass(frozen=True)
class GrantGroup:
    """The permissions of one sort of record."""

    comment: str
    grants: tuple[Grant, ...]


@dataclass(frozen=True)
class SessionRow:
    """A sort of token in a settings file."""

    audience: str
    kind: str
    lifetime: str


class SettingsWriter:
    """Writes them after the routes, which settle what permissions there are."""

    def __init__(
        self, brush: Brush, platform: Platform, service: ServicePlan, wordings: Sequence[Wording]
    ) -> None:
        self._brush = brush
        self._platform = platform
        self._service = service
        self._wordings = wordings
        self._values = service_values(platform, service) | {"entities": in_service(wordings)}

    def config(self) -> str:
        """`service.yaml`"""
        source = self._brush.random
        more = source.sample(MORE_CONFIG, source.randrange(1, 4))
        blocks = source.sample([*CONFIG_BLOCKS, *more], len(CONFIG_BLOCKS) + len(more))
        return self._blocks("config", [*blocks, "local"], {"sessions": self._sessions()})

    def _sessions(self) -> list[SessionRow]:
        source, platform = self._brush.random, self._platform
        audiences = [f"{self._service.name}-{where}" for where in source.sample(WHERE, 3)]
        access = range(4, platform.access_minutes + 1)
        refresh = range(4, platform.refresh_hours + 1)
        rows = [SessionRow(one, "access", f"{source.choice(access)}m") for one in audiences]
        rows += [SessionRow(one, "refresh", f"{source.choice(refresh)}h") for one in audiences[:2]]
        source.shuffle(rows)
        return rows

    def deployment(self) -> str:
        """`deploy.yaml`"""
        source = self._brush.random
        more = source.sample(MORE_DEPLOYMENT, source.randrange(1, 4))
        blocks = source.sample([*DEPLOYMENT_BLOCKS, *more], len(DEPLOYMENT_BLOCKS) + len(more))
        return self._blocks("deployment", blocks, {})

    def _blocks(self, folder: str, blocks: Iterable[str], more: Mapping[str, object]) -> str:
        values = {**self._values, **more}
        rendered = [self._brush.render(f"{folder}/{name}", values) for name in blocks]
        return self._brush.render(f"{folder}/_file", values | {"blocks": rendered}) + "\n"

    def policy(self) -> str:
        """`access.yaml`"""
        reviewed = FIRST_REVIEW + timedelta(days=self._brush.random.randrange(150))
        more = {"groups": list(self._groups()), "reviewed": reviewed.isoformat()}
        return self._brush.render("policy/_file", self._values | more) + "\n"

    def _groups(self) -> Iterator[GrantGroup]:
        source, support = self._brush.random, False
        for wording in self._wordings:
            entity = wording.plan.entity
            comment = source.choice(COMMENTS).format(
                labels=words(entity.many), about=entity.about, team=self._service.domain.team
            )
            names = sorted(wording.permissions)
            support |= "support.read" in names
            source.shuffle(names)
            grants = [self._grant(name, wording) for name in names if name != "support.read"]
            yield GrantGroup(comment, tuple(grants))
        if support:
            yield GrantGroup("ours, not the tenant's", (Grant("support.read", ("support",)),))

    def _grant(self, name: str, wording: Wording) -> Grant:
        action = name.partition(".")[2]
        if action == wording.plan.delete_word:
            return Grant(name, DELETERS)
        return Grant(name, self._brush.random.choice(ROLES.get(action, MOVE_ROLES)))

    def image(self) -> str:
        """`Dockerfile`"""
        source = self._brush.random
        more = {
            "base": f"2025.{source.randrange(1, 13):02}",
            "asyncpg": f"0.{source.randrange(27, 31)}.0",
        }
        return self._brush.render("docker/_file", self._values | more) + "\n"
