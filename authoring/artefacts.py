"""Files on disk that one stage writes and the next one reads.

Each is plain JSON with a `schema` field, written to a temporary name and renamed, so that a reader
sees a whole file or none.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from authoring.errors import Place, UserError


class Value(BaseModel):
    """A frozen value at the edge: an unknown key is an error, and nothing changes once made."""

    model_config = ConfigDict(extra="forbid", frozen=True)


ValueType = TypeVar("ValueType", bound=Value)


MOST_BYTES = 1 << 29
"""Of a file that is read whole; a hole in a disk may claim to be any size."""
NUMBERS = re.compile(rb"\[\n +(\d+),\n +(\d+)\n +\]")
"""A pair of whole numbers, spread over lines. A string holds no raw LF, so none is ever inside."""


def to_json(value: Value) -> bytes:
    """The bytes of an artefact: two spaces, keys in the order of the type, LF at the end.

    Intervals and ranges stand on one line each, so that a person can read them.
    """
    data = value.model_dump(mode="json", by_alias=True)
    spread = orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    return NUMBERS.sub(rb"[\1, \2]", spread)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file or none: to a temporary name beside it, then renamed."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_artefact(path: Path, value: Value) -> None:
    """Write a value as JSON, whole or not at all."""
    write_bytes(path, to_json(value))


def read_plain_file(path: Path) -> bytes:
    """The bytes of a plain file. Raises UserError for anything else: a pipe would never end."""
    try:
        if path.exists() and not path.is_file():
            raise UserError("is no plain file", place=Place(str(path)))
        if path.exists() and path.stat().st_size > MOST_BYTES:
            raise UserError(f"is larger than {MOST_BYTES >> 20} MiB", place=Place(str(path)))
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", place=Place(str(path))) from error


def read_artefact(path: Path, kind: type[ValueType]) -> ValueType:
    """Read a value back. Raises UserError where the file is missing, torn or of another schema."""
    data = read_plain_file(path)
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise UserError(
            f"is not a valid {kind.__name__}: {key}: {first['msg']}", place=Place(str(path))
        ) from error


def sha256(data: bytes) -> str:
    """64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()
