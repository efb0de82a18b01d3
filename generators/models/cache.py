"""Answers kept on disk: what was asked once is not asked again, and a build needs no model."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value, read_artefact, sha256, to_json, write_artefact
from authoring.errors import Place, UserError
from generators.models.asking import ModelAnswer, ModelClient, ModelRequest

NAME_DIGITS = 32
DELETE = "delete the file; it is asked again"


class StoredCall(Value):
    """One file of a cache (`ocb.model-call/1`)."""

    schema_: Annotated[Literal["ocb.model-call/1"], Field(alias="schema")] = "ocb.model-call/1"
    request: ModelRequest
    answer: ModelAnswer


def cache_name(request: ModelRequest) -> str:
    """The name of a request's file: all that could change the answer is in it."""
    return f"{sha256(to_json(request))[:NAME_DIGITS]}.json"


class CachedClient:
    """Answers from a folder; what is not there is asked of a client, which is made only then.

    Several threads may ask at once.
    """

    def __init__(self, folder: Path, make: Callable[[], ModelClient]) -> None:
        self._folder = folder
        self._make = make
        self._client: ModelClient | None = None
        self._lock = Lock()

    def ask(self, request: ModelRequest) -> ModelAnswer:
        path = self._folder / cache_name(request)
        if path.is_file():
            stored = _stored(path)
            if stored.request != request:
                raise UserError(
                    "holds the answer to another request",
                    place=Place(str(path)),
                    remedy=DELETE,
                )
            return stored.answer
        if path.exists():
            raise UserError("is no plain file", place=Place(str(path)), remedy=DELETE)
        answer = self._connected().ask(request)
        with _writing(path):
            write_artefact(path, StoredCall(request=request, answer=answer))
        return answer

    def _connected(self) -> ModelClient:
        with self._lock:
            if self._client is None:
                self._try_writing()
                self._client = self._make()
            return self._client

    def _try_writing(self) -> None:
        """Before anything is paid for that could not be kept."""
        with _writing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder) as file:
                file.write(b"\n")


def _stored(path: Path) -> StoredCall:
    try:
        return read_artefact(path, StoredCall)
    except UserError as error:
        raise UserError(error.what, place=error.place, remedy=error.remedy or DELETE) from error


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        what = f"cannot be written: {error.strerror}"
        raise UserError(what, place=Place(str(path))) from error
