"""How large the fleet is and how much its logs hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from authoring.artefacts import Value

Lines = Annotated[int, Field(ge=1, le=1_000_000)]


class IncidentsParameters(Value):
    """Counts are of one night, and of one site where nothing else is said."""

    sites: Annotated[int, Field(ge=1, le=48)] = 3
    """Each has seven logs: proxy, service, worker, jobs, logins, system, changes."""
    requests: Lines = 45
    """Requests to the service; each stands in the log of the proxy and in that of the service."""
    messages: Lines = 100
    """Messages of a worker."""
    busiest: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Messages that the worker of one site has on top."""
    backups: Lines = 9
    """Backup runs."""
    sessions: Lines = 9
    """Logins of people, half of them under a change ticket."""
    chatter: Lines = 24
    """Lines of each log that stand for themselves."""
