"""Answers kept on disk: what was asked once is not asked again, and a build needs no model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value, read_artefact, sha256, to_json, write_artefact
from authoring.errors import Place, UserError
from generators.models.asking import ModelAnswer, ModelClient, ModelRequest

NAME_DIGITS = 32


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
            stored = read_artefact(path, StoredCall)
            if stored.request != request:
                raise UserError(
                    "holds the answer to another request",
                    place=Place(str(path)),
                    remedy="delete the file; it is asked again",
                )
            return stored.answer
        answer = self._connected().ask(request)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_artefact(path, StoredCall(request=request, answer=answer))
        except OSError as error:
            raise UserError(
                f"cannot be written: {error.strerror}", place=Place(str(path))
            ) from error
        return answer

    def _connected(self) -> ModelClient:
        with self._lock:
            if self._client is None:
                self._client = self._make()
            return self._client
