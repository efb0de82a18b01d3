"""A model server on loopback that answers from a script, in both protocols, through real SDKs."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Json = dict[str, Any]

MESSAGES, CHAT = "/v1/messages", "/v1/chat/completions"
FLOOD = 1_000_000
"""Bytes of one piece of a flood."""
RELEASED_AFTER = 0.01
"""Seconds between two blanks of an answer that never ends."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: Json

    @property
    def system(self) -> str:
        """The system text, whatever the protocol."""
        if "system" in self.body:
            return str(self.body["system"])
        return str(self.body["messages"][0]["content"])

    @property
    def prompt(self) -> str:
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Reply:
    """What the server does: answers, never answers, or answers for ever, in blanks or in floods."""

    body: Json | str = field(default_factory=dict)
    status: int = 200
    how: Literal["whole", "never", "blanks", "flood", "packed"] = "whole"


Script = Callable[[Asked], Reply]


class ModelServer(ThreadingHTTPServer):
    """Follows a script, and keeps what was asked."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.asked: list[Asked] = []
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path, headers, json.loads(self.rfile.read(length)))
        self.server.asked.append(asked)
        reply = self.server.script(asked)
        if reply.how == "never":
            self.server.released.wait()
            return
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        self.send_response(reply.status)
        self.send_header("content-type", "application/json")
        if reply.how in ("blanks", "flood"):
            self.end_headers()
            self._for_ever(b" " if reply.how == "blanks" else b" " * FLOOD, reply.how == "blanks")
            return
        data = text.encode()
        if reply.how == "packed":
            self.send_header("content-encoding", "gzip")
            data = gzip.compress(data)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _for_ever(self, piece: bytes, slowly: bool) -> None:
        try:
            while not self.server.released.wait(RELEASED_AFTER if slowly else 0):
                self.wfile.write(piece)
                self.wfile.flush()
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as inherited
        return


@contextmanager
def serving(script: Script) -> Iterator[ModelServer]:
    """A server that follows a script, up while it is wanted."""
    with ModelServer(script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.released.set()
            server.shutdown()
            thread.join()


def message(content: object, model: str = "claude-of-a-test-20250101", **change: object) -> Json:
    """An answer of the Anthropic Messages protocol, by the tool that the model must call."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "answer", "input": content}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [call],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 5, "cache_read_input_tokens": 3},
    } | change


def completion(content: object, model: str = "gpt-of-a-test-2025-01-01", **change: object) -> Json:
    """An answer of the OpenAI Chat Completions protocol; what is no text is written as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, "refusal": None},
        "finish_reason": "stop",
        "logprobs": None,
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1735689600,
        "model": model,
        "choices": [choice],
        "usage": {"prompt_tokens": 14, "completion_tokens": 5, "total_tokens": 19},
    } | change


def answered(asked: Asked, content: object) -> Reply:
    """An answer in the protocol of the request."""
    return Reply(message(content) if asked.path == MESSAGES else completion(content))
