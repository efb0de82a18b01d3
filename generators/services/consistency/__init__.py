"""Whether a code base is in order, by its text alone: what one file says of another is so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from generators.services.consistency.database import database_faults
from generators.services.consistency.modules import module_faults
from generators.services.consistency.operation import operation_faults
from generators.services.consistency.requests import request_faults

Texts = Mapping[PurePosixPath, str]


def faults(texts: Texts) -> tuple[str, ...]:
    """Everything that does not agree, a line each. Knows nothing of how the files were made."""
    return tuple(_faults(texts))


def _faults(texts: Texts) -> Iterator[str]:
    yield from module_faults(texts)
    yield from database_faults(texts)
    yield from request_faults(texts)
    yield from operation_faults(texts)
