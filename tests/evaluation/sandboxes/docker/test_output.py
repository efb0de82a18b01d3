"""What a command prints lies on disk from the first moment to the last byte."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Iterator
from pathlib import Path

from docker.types.daemon import CancellableStream
from requests import Response

from evaluation.sandboxes.docker.container import Frames
from evaluation.sandboxes.docker.output import Output


def printing(go: threading.Event) -> Frames:
    """Pieces as the engine hands them on: none before it may go on."""

    def pieces() -> Iterator[tuple[bytes | None, bytes | None]]:
        go.wait()
        yield b"said", None
        yield None, b"warned"

    response = Response()
    response.raw = io.BytesIO()
    response.raw.close()
    return CancellableStream(pieces(), response)


def test_both_outputs_are_there_before_anything_is_printed(tmp_path: Path) -> None:
    """Who watches a command for its last word looks at once."""
    stdout, stderr = tmp_path / "stdout", tmp_path / "stderr"

    async def run() -> tuple[bool, bool]:
        go = threading.Event()
        output = Output(printing(go), stdout, stderr)
        there = stdout.exists(), stderr.exists()
        go.set()
        await output.finish()
        return there

    assert asyncio.run(run()) == (True, True)
    assert (stdout.read_bytes(), stderr.read_bytes()) == (b"said", b"warned")
