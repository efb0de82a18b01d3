"""Settings, permissions, deployment and image of a service."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from generators.services.arranging import MARK, Wish, settled, wish
from generators.services.layout import Layout
from generators.services.plan import DELETERS, ServicePlan
from generators.services.rendering import Brush, words
from generators.services.wording import Wording, in_service, service_values

CONFIG_BLOCKS = (
    "listen", "database", "sessions", "upstreams", "inbound", "paging", "cache", "secrets",
)  # fmt: skip
MORE_CONFIG = ("limits", "logging", "schedule", "features")
DEPLOYMENT_BLOCKS = ("scale", "ports", "ingress", "probes", "env", "egress")
MORE_DEPLOYMENT = ("resources", "monitoring", "volumes")
BLOCK_DRAWS = 600
"""Blocks are few and quickly put in another order, and up to three of them have a wish."""
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

    def shuffled(self, source: random.Random) -> GrantGroup:
        """The same in another order."""
        return GrantGroup(self.comment, tuple(source.sample(self.grants, len(self.grants))))


@dataclass(frozen=True)
class SessionRow:
    """A sort of token in a settings file."""

    audience: str
    kind: str
    lifetime: str


class SettingsWriter:
    """Writes them after the routes, which settle what permissions there are."""

    def __init__(
        self, brush: Brush, layout: Layout, service: ServicePlan, wordings: Sequence[Wording]
    ) -> None:
        platform = layout.platform
        self._places = layout.of_service(service)
        self._brush = brush
        self._platform = platform
        self._service = service
        self._wordings = wordings
        self._values = service_values(platform, service) | {"entities": in_service(wordings)}

    def config(self) -> str:
        """`service.yaml`"""
        source = self._brush.random
        more = source.sample(MORE_CONFIG, source.randrange(1, 4))
        turn = self._places["config"].turn
        return self._blocks(
            "config",
            [*CONFIG_BLOCKS, *more],
            {"sessions": self._sessions()},
            [
                wish(r"  - \{audience: .*, kind: access,", turn),
                wish(r"  \w+: \{base: \"http://", turn, 1),
                wish(r"  \w+: postgresql://.*verify-full", turn, 2),
            ],
            last="local",
        )

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
        ingress = wish(r"  - \{host: ", self._places["deployment"].turn)
        return self._blocks("deployment", [*DEPLOYMENT_BLOCKS, *more], {}, [ingress])

    def _blocks(
        self,
        folder: str,
        names: Sequence[str],
        more: Mapping[str, object],
        wishes: Sequence[Wish],
        last: str = "",
    ) -> str:
        """A file of blocks in any order, but for the one that comes last."""
        brush, values = self._brush, {**self._values, **more}
        blocks = [brush.render(f"{folder}/{name}", values) for name in names]
        end = [brush.render(f"{folder}/{last}", values)] if last else []

        around = brush.render(f"{folder}/_file", values | {"blocks": MARK}) + "\n"

        def draw() -> str:
            order = [*brush.random.sample(blocks, len(blocks)), *end]
            return around.replace(MARK, "\n\n".join(order))

        return settled(draw, wishes, BLOCK_DRAWS)

    def policy(self) -> str:
        """`access.yaml`"""
        source = self._brush.random
        reviewed = FIRST_REVIEW + timedelta(days=source.randrange(150))
        groups = list(self._groups())

        def draw() -> str:
            order = [group.shuffled(source) for group in source.sample(groups, len(groups))]
            more = {"groups": order, "reviewed": reviewed.isoformat()}
            return self._brush.render("policy/_file", self._values | more) + "\n"

        deleting = "|".join(wording.plan.delete_word for wording in self._wordings)
        granted = rf"  \w+\.(?:{deleting}): \[owner, admin\]$"
        return settled(draw, [wish(granted, self._places["policy"].turn)])

    def _groups(self) -> Iterator[GrantGroup]:
        source, support = self._brush.random, False
        for wording in self._wordings:
            entity = wording.plan.entity
            comment = source.choice(COMMENTS).format(
                labels=words(entity.many), about=entity.about, team=self._service.domain.team
            )
            names = sorted(wording.permissions)
            support |= "support.read" in names
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
        return settled(
            lambda: self._brush.render("docker/_file", self._values | more) + "\n",
            [wish(r"USER [1-9]", self._places["image"].turn, 2)],
        )
