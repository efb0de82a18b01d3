"""The Python files of a service beside its records: calls in, calls out, nightly work, start-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generators.services.arranging import settled, wish
from generators.services.imports import imports_for
from generators.services.layout import Layout
from generators.services.modules import all_names
from generators.services.plan import ServicePlan
from generators.services.rendering import Brush
from generators.services.wording import Wording, in_service, service_values

FUTURE = "from __future__ import annotations"
CALLS = ("announce", "withdraw", "status")
PARTNER_EVENTS = (
    "confirmed", "completed", "failed", "closed", "taken", "left", "changed", "cancelled",
)  # fmt: skip
TOPICS = (
    "account.closed", "account.merged", "address.changed", "calendar.changed", "consent.withdrawn",
    "contract.ended", "customer.removed", "limit.reached", "partner.replaced", "period.closed",
    "price.changed", "site.closed", "site.moved", "tenant.suspended", "user.left", "worker.left",
)  # fmt: skip


class JobWriter:
    """Writes them after the routes. What they ask of stores is noted for the stores."""

    def __init__(
        self, brush: Brush, layout: Layout, service: ServicePlan, wordings: Sequence[Wording]
    ) -> None:
        platform = layout.platform
        self._places = layout.of_service(service)
        self._brush = brush
        self._platform = platform
        self._wordings = wordings
        self._service = service
        self._common = service_values(platform, service) | {"entities": in_service(wordings)}

    def _file(
        self, template: str, values: Mapping[str, object], wordings: Sequence[Wording]
    ) -> str:
        draft = self._brush.render(template, values)
        imports = imports_for(draft, self._platform.library, all_names(wordings))
        lines = "\n".join(imports.lines)
        before, after = draft.split(f"{FUTURE}\n", 1)
        return f"{before}{FUTURE}\n\n{lines}\n\n{after.strip()}\n"

    def webhook(self) -> str:
        """What the partner calls."""
        source = self._brush.random
        wording = source.choice(self._wordings)
        words = source.sample(PARTNER_EVENTS, len(wording.moves))
        values = {
            **wording.values(),
            "tolerance": source.randrange(2, 11),
            "partner_words": [f"{wording.plan.entity.one}.{word}" for word in words],
        }

        def arranged(parts: Sequence[str], between: str) -> str:
            order = source.sample(parts, len(parts))
            return between.join(part.strip("\n") for part in order)

        def some(parts: Sequence[str]) -> list[str]:
            return source.sample(parts, source.randrange(1, 3))

        values |= {"arranged": arranged, "some": some}
        return settled(
            lambda: self._file("job/webhook", values, [wording]),
            [
                wish(
                    r" +(?:\w+ = |return )hmac\.compare_digest\(\w+, ",
                    self._places["webhook"].turn,
                    1,
                )
            ],
        )

    def gateway(self) -> str:
        """What leaves the service."""
        source, upstreams = self._brush.random, self._service.upstreams
        numbers: dict[str, object] = {
            "retries": source.randrange(2, 5),
            "RETRIES": f"{self._service.name.upper()}_RETRIES",
        }
        calls = []
        for wording in self._wordings:
            values = {**wording.values(), **numbers}
            calls += [self._brush.render(f"job/gateway_{name}", values) for name in CALLS]
            if upstreams:
                more = {"up": source.choice(upstreams)}
                calls.append(self._brush.render("job/gateway_upstream", values | more))
        values = self._common | numbers
        calls += [self._brush.render("job/gateway_ping", values | {"up": up}) for up in upstreams]
        around = self._file("job/gateway", values | {"calls": calls}, self._wordings)
        body = _calls(calls)
        before, after = around.split(body)

        def draw() -> str:
            return before + _calls(source.sample(calls, len(calls))) + after

        posting = r" +\w+ = await self\._\w+\.post\(.*, retries=\w+, idempotency_key=\w+\)"
        return settled(draw, [wish(posting, self._places["gateway"].turn)])

    def listener(self, wording: Wording) -> str:
        """What follows from events of other services."""
        source = self._brush.random
        topics = source.sample(TOPICS, source.randrange(2, 5))
        more = {"topics": sorted(topics), "patience": source.randrange(2, 40)}
        return self._file("job/listener", wording.values() | more, [wording])

    def sweep(self, wording: Wording) -> str:
        """What runs at night."""
        source = self._brush.random
        more = {
            "patience": source.randrange(3, 60),
            "slice": source.randrange(2, 11) * 50,
            "hour": source.randrange(0, 5),
            "minute": source.randrange(1, 60),
        }
        return self._file("job/sweep", wording.values() | more, [wording])

    def main(self) -> str:
        """Start-up."""
        return self._file("job/main", self._common, self._wordings)


def _calls(calls: Sequence[str]) -> str:
    """Methods of a gateway, as its template has them."""
    return "\n\n".join(calls)
