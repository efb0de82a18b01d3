"""A model's server that answers as it is told to, in a thread of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from typing_extensions import override

MODEL = "some-model"


@dataclass(frozen=True)
class Answer:
    """One HTTP answer."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=lambda: {"retry-after-ms": "1"})
    """A client that tries again waits so long."""
    hang_up: bool = False
    """Close the connection in the place of an answer."""


def completion(model: str = MODEL, prompt_tokens: int = 10) -> Answer:
    """A whole answer."""
    message = {"role": "assistant", "content": "I reviewed the lists."}
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 0}
    body = {"id": "1", "model": model, "choices": [{"message": message}], "usage": usage}
    return Answer(body=json.dumps(body).encode())


class ModelServer:
    """`with ModelServer(answer) as server`: each call gets what `answer` gives."""

    def __init__(self, answer: Callable[[], Answer]) -> None:
        self.calls = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                outer.calls += 1
                given = answer()
                if given.hang_up:
                    self.close_connection = True
                    return
                self.send_response(given.status)
                self.send_header("content-type", given.content_type)
                self.send_header("content-length", str(len(given.body)))
                for name, value in given.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(given.body)

            @override
            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
