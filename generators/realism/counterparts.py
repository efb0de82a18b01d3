"""Real text of a kind: files of pinned packages as they lie on this machine, told by their hashes.

Prevents a figure that depends on who measures: a file that is not one of those listed is left out,
and so is a link.
"""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field, TypeAdapter

from authoring.artefacts import Value, sha256
from generators.manifest import Hash

Locate = Callable[[str, str], "Path | None"]
"""Where the files of a distribution lie, by its name and version; None where it is not there."""


class CounterpartList(Value):
    """One row of `counterparts.yaml`."""

    name: str
    distribution: str = ""
    """On the package index; empty for Python's standard library."""
    version: str = ""
    kinds: tuple[str, ...] = ()
    """Of documents, that it is held beside."""
    suffixes: tuple[str, ...] = ()
    """Of file names: it is held beside all files with one, whatever their kind."""
    files: Mapping[str, Annotated[tuple[Hash, ...], Field(min_length=1)]]
    """The SHA-256 that each may have."""

    @property
    def title(self) -> str:
        """What it is, and the package that a user would install."""
        package = f" ({self.distribution}=={self.version})" if self.distribution else ""
        return f"{self.name}{package}"


@dataclass(frozen=True)
class Counterpart:
    """Real text as it was found."""

    listed: CounterpartList
    texts: Mapping[str, str]
    """By path; empty where none was found."""


def read_lists() -> tuple[CounterpartList, ...]:
    """The counterparts that ship."""
    source = importlib.resources.files("generators.realism") / "counterparts.yaml"
    rows = yaml.safe_load(source.read_text(encoding="utf-8"))
    return TypeAdapter(tuple[CounterpartList, ...]).validate_python(rows)


def find(listed: CounterpartList, locate: Locate) -> Counterpart:
    """The listed files that are there, as they were when they were listed."""
    root = locate(listed.distribution, listed.version)
    texts: dict[str, str] = {}
    for name, hashes in listed.files.items() if root else ():
        path = Path(root, name) if root else Path(name)
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if sha256(data) in hashes:
                texts[name] = data.decode(errors="replace")
    return Counterpart(listed, texts)


def on_this_machine(distribution: str, version: str) -> Path | None:
    """Where an installed distribution lies, without importing it; the standard library for ''."""
    if not distribution:
        return Path(sysconfig.get_path("stdlib"))
    try:
        found = importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
    return Path(str(found.locate_file(""))) if found.version == version else None
