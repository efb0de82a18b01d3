"""A path inside a corpus, as artefacts hold it: relative, with slashes, never out of the folder."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        raise ValueError("is no path inside the corpus")
    return path


CorpusPath = Annotated[str, AfterValidator(_inside)]
"""A build from elsewhere is hostile: `../../.ssh/id_rsa` is refused where it is read."""
