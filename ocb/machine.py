"""What this machine can do: which agents, sandboxes and other parts are there, and if not, why."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import OcbError
from evaluation.agents.catalogue import harness_names, make_harness
from evaluation.sandboxes.bubblewrap import Bubblewrap
from evaluation.sandboxes.catalogue import SANDBOXES
from evaluation.sandboxes.docker.engine import api_version
from evaluation.sandboxes.docker.sandbox import Docker
from evaluation.sandboxes.sandbox import Promise
from generators.tokens import ENCODING, count_tokens
from ocb import __version__

PATIENCE = 3
"""Seconds that a program may take to answer."""
PROMISES: Mapping[str, Callable[[], tuple[Promise, ...]]] = {
    "bubblewrap": Bubblewrap.promises,
    "docker": Docker.promises,
}
"""By sandbox: what says which of its promises hold here."""
KEY_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
)


class Kept(Value):
    """One promise of a sandbox."""

    name: str
    holds: bool
    detail: str
    """How it is kept here; or why it is not."""


class Part(Value):
    """One thing a machine may have."""

    name: str
    works: bool
    detail: str
    """Its version; or why it cannot be used, and what to do."""
    promises: tuple[Kept, ...] = ()
    """Of a sandbox that works: what it promises of a run, and what holds on this machine."""


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
            yield Part(
                name=name,
                works=fault is None,
                detail=fault or ready,
                promises=_promises(name) if fault is None else (),
            )


def _promises(sandbox: str) -> tuple[Kept, ...]:
    told = PROMISES[sandbox]() if sandbox in PROMISES else ()
    return tuple(Kept(name=kept.name, holds=kept.holds, detail=kept.detail) for kept in told)


def _docker(environment: Mapping[str, str]) -> Part:
    """The Docker Engine, by the address that Docker's own client would use."""

    def version() -> str:
        return f"API {api_version(environment)}"

    return _tried("Docker Engine", version)


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
