"""The sandboxes by name, and which one a machine can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from authoring.errors import UserError, nearest
from evaluation.sandboxes.bubblewrap import Bubblewrap
from evaluation.sandboxes.docker.sandbox import Docker
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.sandboxes.unconfined import Unconfined


class SandboxKind(Protocol):
    """A class of sandboxes."""

    def probe(self) -> str | None:
        """Why it cannot be used here; None where it can."""
        ...

    def unbounded(self) -> tuple[str, ...]:
        """What an agent inside can use up of the machine, for a reader."""
        ...

    def for_run(self, home: Path, corpus: Path, /) -> Sandbox:
        """A sandbox for one run."""
        ...


SANDBOXES: Mapping[str, SandboxKind] = {
    "docker": Docker,
    "bubblewrap": Bubblewrap,
    "none": Unconfined,
}

STRONGEST_FIRST = ("docker", "bubblewrap")
"""What `auto` may take. Never `none`: that is for the user to say."""

AUTO = "auto"


@dataclass(frozen=True)
class Choice:
    """The sandbox that was taken."""

    name: str
    reason: str
    """For a reader: `the strongest that works here`."""
    kind: SandboxKind


def choose(name: str, sandboxes: Mapping[str, SandboxKind] = SANDBOXES) -> Choice:
    """The sandbox of a name, or the strongest that works. Raises UserError where there is none."""
    if name == AUTO:
        return _strongest(sandboxes)
    kind = sandboxes.get(name)
    if kind is None:
        raise UserError(f"there is no sandbox {name!r}", remedy=nearest(name, (*sandboxes, AUTO)))
    if (fault := kind.probe()) is not None:
        raise UserError(f"the sandbox {name} cannot be used here: {fault}", remedy=INSTEAD)
    return Choice(name, "as asked for", kind)


INSTEAD = "`ocb doctor` shows what this machine can do; `--sandbox none` runs the agent unconfined"


def _strongest(sandboxes: Mapping[str, SandboxKind]) -> Choice:
    faults = []
    for name in STRONGEST_FIRST:
        kind = sandboxes[name]
        if (fault := kind.probe()) is None:
            return Choice(name, "the strongest that works here", kind)
        faults.append(f"{name}: {fault}")
    raise UserError("no sandbox can be used here: " + "; ".join(faults), remedy=INSTEAD)
