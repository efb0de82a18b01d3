"""Where the parts of a build lie. Nobody else joins these paths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class BuildPaths:
    """One build folder.

    <scenario>-<12 hex digits>/
    ├── spec.yaml          the spec as resolved
    ├── registry.json      every needle, and the edits that take it out
    ├── manifest.json      every file with its hash, role and size
    ├── validation.json    the seal, once validated
    ├── validation.html    the same as a page
    ├── witnesses/         for needles across files: <needle>/<number of its file>/<partner>
    └── corpus/            exactly what an agent may see
    """

    root: Path

    @property
    def spec(self) -> Path:
        return self.root / "spec.yaml"

    @property
    def registry(self) -> Path:
        return self.root / "registry.json"

    @property
    def manifest(self) -> Path:
        return self.root / "manifest.json"

    @property
    def validation(self) -> Path:
        return self.root / "validation.json"

    @property
    def validation_page(self) -> Path:
        return self.root / "validation.html"

    @property
    def witnesses(self) -> Path:
        return self.root / "witnesses"

    def witness(self, needle: str, number: int, path: str) -> Path:
        """A partner of a needle's file of that number, by its path in the corpus."""
        return self.witnesses / needle / str(number) / path

    @property
    def corpus(self) -> Path:
        return self.root / "corpus"

    def file(self, path: str) -> Path:
        """A file of the corpus by its path there."""
        return self.corpus / path
