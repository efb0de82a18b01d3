"""How many tokens a server's context holds, asked of the server itself before the first call.

Prevents a false result: a server that is sent more than it holds may drop the start of it without a
word, and what fell out would count as read. Nothing is guessed from a model's name.

| server    | what it is asked                                                                     |
| --------- | ------------------------------------------------------------------------------------ |
| vLLM      | `GET /v1/models`: `max_model_len`                                                    |
| llama.cpp | `GET /props`: `default_generation_settings.n_ctx`, that of one slot                  |
| Ollama    | `POST /api/show`: `num_ctx` of the model's parameters; else `GET /api/ps`:           |
|           | `context_length` of the model once it is loaded; until then the model's own length   |

Ollama serves a small context unless it is told otherwise, whatever the model could hold: its own
length is an upper bound, and the server is asked again after the first answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from evaluation.gateway import json_fields as json

NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d{1,12})\s*$", re.MULTILINE)
"""Of Ollama's parameters, which are lines of text."""


class Server(Protocol):
    """What is asked."""

    async def get(self, path: str) -> JsonValue:
        """The JSON at a path; None where there is none."""
        ...

    async def post(self, path: str, body: JsonValue) -> JsonValue:
        """The JSON that answers a body; None where there is none."""
        ...


@dataclass(frozen=True)
class ContextLength:
    """What a server says of its context."""

    tokens: int | None
    """Of input and answer together; None: it does not say."""
    told_by: str
    """For a reader: which field of which server, or that none says."""
    at_most: bool = False
    """What is served may be less."""


UNKNOWN = ContextLength(None, "the server does not say")


async def ask_length(server: Server, model: str) -> ContextLength:
    """The length of the context that a model is served with."""
    models = json.list_field(await server.get("/v1/models"), "data")
    if not models:
        return UNKNOWN  # each of the three lists what it serves
    entry = _entry(models, model)
    if tokens := json.count_field(entry, "max_model_len"):
        return ContextLength(tokens, "vLLM: max_model_len")
    props = json.field(await server.get("/props"), "default_generation_settings")
    if tokens := json.count_field(props, "n_ctx"):
        return ContextLength(tokens, "llama.cpp: n_ctx")
    shown = await server.post("/api/show", {"model": model})
    if isinstance(shown, dict) and (found := await _of_ollama(server, model, shown)):
        return found
    if tokens := json.count_field(json.field(entry, "meta"), "n_ctx_train"):
        return ContextLength(tokens, "llama.cpp: n_ctx_train, at most", at_most=True)
    return UNKNOWN


def _entry(models: list[JsonValue], model: str) -> JsonValue:
    """The model's own entry; the only one where a server goes by another name."""
    own = (entry for entry in models if json.text_field(entry, "id") == model)
    return next(own, models[0] if len(models) == 1 else None)


async def _of_ollama(
    server: Server, model: str, shown: dict[str, JsonValue]
) -> ContextLength | None:
    told = NUM_CTX.search(json.text_field(shown, "parameters"))
    if told and (tokens := int(told[1])):
        return ContextLength(tokens, "Ollama: num_ctx")
    for entry in json.list_field(await server.get("/api/ps"), "models"):
        names = {json.text_field(entry, "name"), json.text_field(entry, "model")}
        tokens_now = json.count_field(entry, "context_length")
        if tokens_now and not names.isdisjoint((model, f"{model}:latest")):
            return ContextLength(tokens_now, "Ollama: context_length of the loaded model")
    info = json.object_field(shown, "model_info")
    own = [json.count_field(info, key) for key in info if key.endswith(".context_length")]
    longest = max((tokens for tokens in own if tokens), default=None)
    if longest is None:
        return None
    return ContextLength(longest, "Ollama: the model's own length, at most", at_most=True)
