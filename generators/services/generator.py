"""The `services` generator: a repository of several services, and the baseline for reviewing it."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Iterator, Mapping

from generators.document import Document
from generators.services.handler_file import write_handler
from generators.services.job_files import JobWriter
from generators.services.layout import BASELINE, TRANSPORT, Layout, Place
from generators.services.plan import (
    DELETERS,
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
PROSE_WIDTH = 100


class ServicesGenerator:
    """Services with their clients under `services/`, what they share under `libs/` and `web/`.

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
        layout = Layout(platform, self._parameters.parts)
        yield Document(BASELINE, "baseline", _baseline(platform, source))
        yield from self._library(layout, source)
        for service in platform.services:
            # One stream of randomness a service: a change to one leaves the others as they are.
            brush = Brush(random.Random(source.getrandbits(64)))
            yield from self._service(layout, service, brush)

    def _library(self, layout: Layout, source: random.Random) -> Iterator[Document]:
        brush = Brush(source)
        values = {"lib": layout.platform.library, "deadline": source.randrange(8, 31) * 1000}
        for name, path in layout.library.items():
            yield Document(path, "library", brush.render(f"library/{name}", values) + "\n")
        if "clients" in self._parameters.parts:
            yield Document(TRANSPORT, "library", brush.render("library/transport", values) + "\n")

    def _service(self, layout: Layout, service: ServicePlan, brush: Brush) -> Iterator[Document]:
        wordings = tuple(
            word_entity(
                brush.random, layout.platform, service, plan, layout.of_record(service, plan)
            )
            for plan in service.entities
        )
        # Routes and jobs come first: they settle what stores, schemas and permissions there are.
        handlers = [write_handler(brush, wording) for wording in wordings]
        jobs = JobWriter(brush, layout, service, wordings)
        yield from _written(
            layout.of_service(service),
            {"webhook": jobs.webhook, "gateway": jobs.gateway, "start": jobs.main},
        )
        for wording, handler in zip(wordings, handlers, strict=True):
            yield from _written(wording.places, _record(brush, wording, handler, jobs))
        settings = SettingsWriter(brush, layout, service, wordings)
        yield from _written(
            layout.of_service(service),
            {
                "config": settings.config,
                "policy": settings.policy,
                "deployment": settings.deployment,
                "image": settings.image,
            },
        )


def _written(
    places: Mapping[str, Place], writers: Mapping[str, Callable[[], str]]
) -> Iterator[Document]:
    """The files that there are, of those that there could be."""
    for kind, write in writers.items():
        if kind in places:
            yield Document(places[kind].path, kind, write())


def _record(
    brush: Brush, wording: Wording, handler: str, jobs: JobWriter
) -> Mapping[str, Callable[[], str]]:
    # Jobs come first, since they ask for methods of stores.
    return {
        "sweep": lambda: jobs.sweep(wording),
        "listener": lambda: jobs.listener(wording),
        "handler": lambda: handler,
        "store": lambda: write_store(brush, wording),
        "schema": lambda: write_schema(brush, wording),
        "migration": lambda: write_creation(brush, wording),
        "widening": lambda: write_widening(brush, wording),
        "client": lambda: write_client(brush, wording),
    }


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
