"""Writes the loop's own session, row by row, so that a killed run leaves what happened."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from authoring.artefacts import Value
from evaluation.transcripts.fixed_rows import SESSION, FixedHead, FixedRow


class SessionWriter:
    """Appends rows to `session.jsonl` in a folder."""

    def __init__(self, native: Path, head: FixedHead) -> None:
        self._file = (native / SESSION).open("wb")
        self._put(head)

    def write(self, row: FixedRow) -> None:
        """Append a row and flush it to the file."""
        self._put(row)

    def _put(self, value: Value) -> None:
        data = value.model_dump(mode="json", by_alias=True, exclude_none=True)
        self._file.write(orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE))
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
