"""`wire.jsonl.zst` (`ocb.wire/1`): every model call of a run, as it went over the wire.

One zstd stream of JSON rows, flushed after each, so that a killed run leaves a readable prefix.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Annotated, Literal, Self

import orjson
import zstandard
from pydantic import Field, ValidationError

from authoring.artefacts import Value
from authoring.errors import Place, UserError

TAIL = re.compile(rb'\{"rows":(\d+)\}$')

Protocol = Literal["anthropic", "openai-chat", "openai-responses", "gemini"]
CallKind = Literal["main", "subagent", "background", "unknown"]
NamedBy = Literal["header", "prompt", "chain", "summary", "none"]
Ending = Literal["complete", "client_gone", "upstream_cut", "error_event"]


class WireRow(Value):
    """One exchange. Bodies are decoded text; secrets were replaced before the row was made."""

    call: Annotated[int, Field(ge=1)]
    """In the order in which requests came."""
    attempt: Annotated[int, Field(ge=1)]
    """How often this very request had come in this thread, this time included."""
    protocol: Protocol
    method: str
    path: str
    thread: str
    """`main`, a sub-agent's id, or `unknown`. Background calls carry the thread they name."""
    parent: str | None
    kind: CallKind
    by: NamedBy
    sent: float
    """Seconds since the Unix epoch, as the two below; 0 where it did not come to it."""
    first_byte: float
    done: float
    status: int
    """0 where the upstream gave none."""
    end: Ending
    request_headers: dict[str, str]
    request: str
    response_headers: dict[str, str]
    response: str
    base: int | None
    """The earlier call of this thread whose messages this one repeats."""
    keep: Annotated[int, Field(ge=0)]
    """How many leading messages are equal to those of `base`."""


class WireHead(Value):
    """The first row of the file."""

    schema_: Annotated[Literal["ocb.wire/1"], Field(alias="schema")] = "ocb.wire/1"


class WireTail(Value):
    """The last row of a file that was closed: without it, rows may be missing."""

    rows: Annotated[int, Field(ge=0)]


class WireWriter:
    """Appends rows to one run's wire file."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._stream = zstandard.ZstdCompressor(level=3).stream_writer(self._file)
        self._rows = 0
        self._put(WireHead())

    def write(self, row: WireRow) -> None:
        """Append a row and flush it to the file."""
        self._put(row)
        self._rows += 1

    def _put(self, value: Value) -> None:
        data = orjson.dumps(value.model_dump(mode="json", by_alias=True))
        self._stream.write(data)
        self._stream.write(b"\n")
        self._stream.flush(zstandard.FLUSH_BLOCK)
        self._file.flush()

    def close(self) -> None:
        """Write the tail and end the stream; a file that was not closed is still readable."""
        if self._file.closed:
            return
        self._put(WireTail(rows=self._rows))
        self._stream.close()  # type: ignore[no-untyped-call]
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_wire(path: Path) -> Iterator[WireRow]:
    """The rows of a wire file, a torn last one left out.

    Raises UserError where the file is missing, of another schema, or holds a row of another shape.
    """
    with _open(path) as file:
        for number, line in enumerate(_whole_lines(file), start=1):
            if number > 1 and TAIL.match(line):
                return
            kind = WireHead if number == 1 else WireRow
            try:
                row = kind.model_validate_json(line)
            except ValidationError as error:
                what = f"is not ocb.wire/1: {error.errors()[0]['msg']}"
                raise UserError(what, place=Place(str(path), number, 1)) from error
            if isinstance(row, WireRow):
                yield row


def is_whole(path: Path) -> bool:
    """Whether the file was closed by its writer, with all the rows that the tail counts.

    Prevents a false result: a wire that was cut off looks like an agent that read less.
    """
    rows = -1  # the head is none
    with _open(path) as file:
        for line in _whole_lines(file):
            tail = TAIL.match(line)
            if tail:
                return int(tail[1]) == rows
            rows += 1
    return False


def _open(path: Path) -> io.BufferedReader:
    try:
        if path.exists() and not path.is_file():
            raise UserError("is no plain file", place=Place(str(path)))
        return path.open("rb")
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", place=Place(str(path))) from error


def _whole_lines(file: io.BufferedReader) -> Iterator[bytes]:
    rest = b""
    reader = zstandard.ZstdDecompressor().stream_reader(file)
    while True:
        try:
            chunk = reader.read(1 << 20)
        except zstandard.ZstdError:
            return  # a killed run's stream ends here
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
