"""The Docker Engine: where it is, whether it answers, and what it can bound on this machine."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import docker
from docker import APIClient
from docker.errors import DockerException
from docker.utils import version_lt

from authoring.errors import InfrastructureError

ENGINE = "the Docker Engine"
ADDRESS = "DOCKER_HOST"
"""The variable that says where it is, as for Docker's own client."""
SOCKET = "unix:///var/run/docker.sock"
OLDEST = "1.41"
"""The first version of the API in which a container may have a table of control groups of its own:
Docker Engine 20.10."""
ANSWER = 3
"""Seconds that it may take to say who it is."""
PATIENCE = 60
"""Seconds that it may take for anything else."""


@dataclass(frozen=True)
class Engine:
    """What it says of itself."""

    api: str
    version: str
    bounds_memory: bool
    bounds_swap: bool
    bounds_processes: bool
    bounds_processors: bool
    filters_calls: bool
    """Whether it closes rarely needed calls of the kernel to what is in a container."""
    maps_users: bool
    """Whether users inside are other users of the host; then no home could be handed in."""
    processors: int


def address_in(environment: Mapping[str, str]) -> str:
    """Where the engine is, by an environment."""
    return environment.get(ADDRESS) or SOCKET


@contextlib.contextmanager
def connected(environment: Mapping[str, str], seconds: int = PATIENCE) -> Iterator[APIClient]:
    """A client of it, in a version that both speak.

    Raises InfrastructureError where it is not there, gives no answer or is too old.
    """
    with _client(environment, OLDEST, ANSWER) as asked:
        spoken = _versions(asked)
    if version_lt(spoken["ApiVersion"], OLDEST):
        raise InfrastructureError(f"{ENGINE} is too old: API {spoken['ApiVersion']}, not {OLDEST}")
    least = spoken.get("MinAPIVersion") or OLDEST
    with _client(environment, least if version_lt(OLDEST, least) else OLDEST, seconds) as client:
        yield client


def api_version(environment: Mapping[str, str]) -> str:
    """The newest version of the API that it speaks. Raises InfrastructureError as `connected`."""
    with _client(environment, OLDEST, ANSWER) as asked:
        return _versions(asked)["ApiVersion"]


def describe(client: APIClient) -> Engine:
    """Ask it what it can do."""
    told = client.info()
    security = " ".join(told.get("SecurityOptions") or ())
    return Engine(
        api=client.api_version,
        version=told["ServerVersion"],
        bounds_memory=bool(told.get("MemoryLimit")),
        bounds_swap=bool(told.get("SwapLimit")),
        bounds_processes=bool(told.get("PidsLimit")),
        bounds_processors=bool(told.get("CpuCfsQuota") and told.get("CpuCfsPeriod")),
        filters_calls="name=seccomp" in security,
        maps_users="name=rootless" in security or "name=userns" in security,
        processors=int(told["NCPU"]),
    )


@contextlib.contextmanager
def failures(what: str) -> Iterator[None]:
    """What the engine refuses, and that it is gone, as an InfrastructureError.

    The transport's own errors are OSErrors, whichever library they come from.
    """
    try:
        yield
    except (DockerException, OSError) as error:
        raise InfrastructureError(f"{ENGINE} {what}: {error}") from error


@contextlib.contextmanager
def _client(environment: Mapping[str, str], version: str, seconds: int) -> Iterator[APIClient]:
    check_socket(address_in(environment))
    try:
        # With a version named, no call is made before there is a client to close.
        client = docker.from_env(version=version, timeout=seconds, environment=dict(environment))
    except DockerException as error:
        raise InfrastructureError(f"{ENGINE} cannot be asked: {error}") from error
    try:
        yield client.api
    finally:
        client.close()


def check_socket(address: str) -> None:
    """Raises InfrastructureError where nothing listens at a socket of this machine, or not to us.

    The SDK would leave the socket open with which it tried.
    """
    if not address.startswith("unix://"):
        return
    path = address.removeprefix("unix://")
    if not Path(path).exists():
        raise InfrastructureError(f"{ENGINE} is not running: there is no {path}")
    with socket.socket(socket.AF_UNIX) as tried:
        try:
            tried.connect(path)
        except OSError as error:
            raise InfrastructureError(f"{ENGINE} cannot be asked: {path}: {error}") from error


def _versions(client: APIClient) -> dict[str, str]:
    try:
        told: dict[str, str] = client.version(api_version=False)
    except (DockerException, OSError) as error:
        raise InfrastructureError(f"{ENGINE} gives no answer: {error}") from error
    return told
