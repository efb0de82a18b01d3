"""What this machine can do: which agents, sandboxes and other parts are there, and if not, why."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import docker
from docker.errors import DockerException
from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import OcbError
from evaluation.agents.catalogue import harness_names, make_harness
from evaluation.sandboxes.catalogue import SANDBOXES
from generators.tokens import ENCODING, count_tokens
from ocb import __version__

PATIENCE = 3
"""Seconds that a daemon or a program may take to answer."""
DOCKER_SOCKET = "unix:///var/run/docker.sock"
ANY = "1.41"
"""A version of Docker's API; the one question that is asked has none in its path."""
KEY_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
)


class Part(Value):
    """One thing a machine may have."""

    name: str
    works: bool
    detail: str
    """Its version; or why it cannot be used, and what to do."""


class Machine(Value):
    """All that `ocb doctor` says."""

    schema_: Annotated[Literal["ocb.doctor/1"], Field(alias="schema")] = "ocb.doctor/1"
    ocb: str
    python: str
    system: str
    agents: tuple[Part, ...]
    sandboxes: tuple[Part, ...]
    others: tuple[Part, ...]
    keys: tuple[str, ...]
    """Names of the key variables that are set; a value is never shown."""
    free_bytes: int
    """On the disk of the working folder."""


def examine(tools: Path, environment: Mapping[str, str]) -> Machine:
    """Try everything once. What does not work is said, and never raised."""
    return Machine(
        ocb=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        agents=tuple(_agents(tools)),
        sandboxes=tuple(_sandboxes()),
        others=(_docker(environment), _npm(), _tokenizer()),
        keys=tuple(name for name in KEY_VARIABLES if environment.get(name)),
        free_bytes=shutil.disk_usage(Path()).free,
    )


def _agents(tools: Path) -> Iterator[Part]:
    for name in harness_names():
        yield _tried(name, make_harness(name, tools).installed_version)


def _sandboxes() -> Iterator[Part]:
    for name, kind in SANDBOXES.items():
        if name != "none":
            fault = kind.probe()
            ready = f"ready; not bounded: {'; '.join(kind.unbounded())}"
            yield Part(name=name, works=fault is None, detail=fault or ready)


def _docker(environment: Mapping[str, str]) -> Part:
    """The Docker Engine, by the address that Docker's own client would use."""

    def api_version() -> str:
        address = environment.get("DOCKER_HOST") or DOCKER_SOCKET
        socket = Path(address.removeprefix("unix://"))
        if address.startswith("unix://") and not socket.exists():
            raise OcbError(f"not running: there is no {socket}")
        try:
            # With a version named, no call is made before there is a client to close.
            client = docker.from_env(version=ANY, timeout=PATIENCE, environment=dict(environment))
        except DockerException as error:
            raise OcbError(f"cannot be asked: {error}") from error
        try:
            return f"API {client.version(api_version=False)['ApiVersion']}"
        # The transport's own errors are OSErrors, whichever library they come from.
        except (DockerException, OSError) as error:
            raise OcbError(f"gives no answer: {error}") from error
        finally:
            client.close()

    return _tried("Docker Engine", api_version)


def _npm() -> Part:
    def version() -> str:
        program = shutil.which("npm")
        if program is None:
            raise OcbError("not installed; it is needed to install agents")
        try:
            done = subprocess.run(
                [program, "--version"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=10 * PATIENCE,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise OcbError(f"does not run: {error}") from error
        return done.stdout.strip()

    return _tried("npm", version)


def _tokenizer() -> Part:
    def counted() -> str:
        try:
            return f"{ENCODING}, offline ({count_tokens('twelve contracts')} tokens counted)"
        except (OSError, ValueError) as error:
            raise OcbError(f"{ENCODING} cannot be loaded: {error}") from error

    return _tried("tokenizer", counted)


def _tried(name: str, version: Callable[[], str]) -> Part:
    try:
        return Part(name=name, works=True, detail=version())
    except OcbError as error:
        return Part(name=name, works=False, detail=" ".join(str(error).split()))
