"""The `services` generator: a repository of several services, and the baseline for reviewing it."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from generators.document import Document
from generators.services.handler_file import write_handler
from generators.services.job_files import JobWriter
from generators.services.plan import (
    DELETERS,
    Part,
    Platform,
    ServicePlan,
    ServicesParameters,
    plan_platform,
)
from generators.services.record_files import (
    write_client,
    write_creation,
    write_schema,
    write_store,
    write_widening,
)
from generators.services.rendering import Brush
from generators.services.settings_files import SettingsWriter
from generators.services.wording import Wording, word_entity

SUMMARY = "a repository of several services: Python, TypeScript, SQL, YAML, images; a baseline"
EXAMPLE = """\
generator: services
sizes:
  standard: {services: 4, entities: 2}
"""
BASELINE = PurePosixPath("docs/hardening-baseline.md")
SERVICES = PurePosixPath("services")
LIBRARY = ("caching", "intake", "outbound", "settings", "storage", "web")
PROSE_WIDTH = 100


class ServicesGenerator:
    """Services under `services/`, their shared library under `libs/`, the web client under `web/`.

    Names of tables and columns agree between SQL, Python and TypeScript; ports, variables and
    permissions between settings, images and code.
    """

    def __init__(self, parameters: ServicesParameters, source: random.Random) -> None:
        self._parameters = parameters
        self._seed = source.getrandbits(64)

    def documents(self) -> Iterator[Document]:
        """The baseline, the library, then service by service."""
        source = random.Random(self._seed)
        platform = plan_platform(source, self._parameters)
        yield Document(BASELINE, "baseline", _baseline(platform, source))
        yield from self._library(platform, source)
        for service in platform.services:
            # One stream of randomness a service: a change to one leaves the others as they are.
            brush = Brush(random.Random(source.getrandbits(64)))
            yield from self._service(platform, service, brush)

    def _has(self, part: Part) -> bool:
        return part in self._parameters.parts

    def _library(self, platform: Platform, source: random.Random) -> Iterator[Document]:
        brush = Brush(source)
        values = {"lib": platform.library, "deadline": source.randrange(8, 31) * 1000}
        unused = set()
        if not self._has("webhooks") and not self._has("gateways"):
            unused = {"outbound", "settings"}
        for name in LIBRARY:
            if name not in unused:
                path = PurePosixPath("libs", platform.library, f"{name}.py")
                yield Document(path, "library", brush.render(f"library/{name}", values) + "\n")
        if self._has("clients"):
            text = brush.render("library/transport", values) + "\n"
            yield Document(PurePosixPath("web/transport.ts"), "library", text)

    def _service(
        self, platform: Platform, service: ServicePlan, brush: Brush
    ) -> Iterator[Document]:
        wordings = tuple(
            word_entity(brush.random, platform, service, plan) for plan in service.entities
        )
        # Routes and jobs come first: they settle what stores, schemas and permissions there are.
        handlers = [write_handler(brush, wording) for wording in wordings]
        yield from self._jobs(JobWriter(brush, platform, service, wordings), service, wordings)
        for place, (wording, handler) in enumerate(zip(wordings, handlers, strict=True)):
            yield from self._record(brush, wording, handler, place)
        yield from self._settings(SettingsWriter(brush, platform, service, wordings), service)

    def _jobs(
        self, writer: JobWriter, service: ServicePlan, wordings: Sequence[Wording]
    ) -> Iterator[Document]:
        package = SERVICES / service.name / service.name
        if self._has("webhooks"):
            path = package / f"{service.domain.partner}_events.py"
            yield Document(path, "webhook", writer.webhook())
        if self._has("gateways"):
            yield Document(package / "outbound.py", "gateway", writer.gateway())
        for wording in wordings:
            many = wording.plan.entity.many
            if self._has("sweeps"):
                yield Document(package / f"{many}_sweep.py", "sweep", writer.sweep(wording))
            if self._has("listeners"):
                path = package / f"{many}_listener.py"
                yield Document(path, "listener", writer.listener(wording))
        if self._has("images"):
            yield Document(package / "main.py", "start", writer.main())

    def _settings(self, writer: SettingsWriter, service: ServicePlan) -> Iterator[Document]:
        root = SERVICES / service.name
        if self._has("configs"):
            yield Document(root / "service.yaml", "config", writer.config())
        if self._has("policies"):
            yield Document(root / "access.yaml", "policy", writer.policy())
        if self._has("deployments"):
            yield Document(root / "deploy.yaml", "deployment", writer.deployment())
        if self._has("images"):
            yield Document(root / "Dockerfile", "image", writer.image())

    def _record(
        self, brush: Brush, wording: Wording, handler: str, place: int
    ) -> Iterator[Document]:
        many, root = wording.plan.entity.many, SERVICES / wording.service.name
        package = root / wording.service.name
        store = write_store(brush, wording)
        if self._has("handlers"):
            yield Document(package / f"{many}_routes.py", "handler", handler)
        if self._has("stores"):
            yield Document(package / f"{many}_store.py", "store", store)
        if self._has("schemas"):
            yield Document(package / f"{many}_schema.py", "schema", write_schema(brush, wording))
        if self._has("migrations"):
            path = root / "migrations" / f"{place * 10 + 1:04}_{many}.sql"
            text = write_creation(brush, wording, outbox=place == 0)
            yield Document(path, "migration", text)
        if self._has("widenings") and wording.plan.widened is not None:
            name = f"{900 + place:04}_{many}_{wording.plan.widened.name}.sql"
            yield Document(root / "migrations" / name, "widening", write_widening(brush, wording))
        if self._has("clients"):
            path = PurePosixPath("web", wording.service.name, f"{many}.ts")
            yield Document(path, "client", write_client(brush, wording))


def _baseline(platform: Platform, source: random.Random) -> str:
    values = {
        "company": platform.company.title(),
        "release": platform.release,
        "deleters": DELETERS,
        "access_minutes": platform.access_minutes,
        "refresh_hours": platform.refresh_hours,
        "sensitive": platform.sensitive,
    }
    blocks = Brush(source).render("baseline", values).split("\n\n")
    return "\n\n".join("\n".join(textwrap.wrap(block, PROSE_WIDTH)) for block in blocks) + "\n"
